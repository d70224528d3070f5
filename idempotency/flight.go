package idempotency

import (
	"strconv"
	"time"
)

// flight is one operation in this process, from the claim until the store has
// taken its outcome. It belongs to one goroutine at a time: that of the caller
// who leads it, and from the start of its run one of its own. Others read the
// fields below a channel once that is closed.
type flight struct {
	op    Operation
	key   Digest
	token string

	asked       time.Time // before the store was asked for the claim
	takeover    bool      // the claim was for an abandoned operation, too
	unprotected bool      // it runs although the store gave no answer

	known chan struct{} // closed when it is known whose the key is
	holds bool          // the key belongs to this fingerprint

	done  chan struct{} // closed when it has landed: the reply is there
	reply Settlement
	ran   bool // the leader's function was called
	again bool // the leader left before anything ran: board again

	undone bool // the run said Keep, and that does not stand
	told   bool // the store knows the reply already

	// Guarded by the engine's mutex.
	waits bool // it has landed and waits for the store
	ended bool
}

// board finds the flight of a key or makes it, and says whether the caller has
// to lead it. What is found on the board either runs or waits for the store.
func (e *Engine) board(key Digest, op Operation) (f *flight, leads bool, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if f := e.flights[key]; f != nil {
		if f.waits && f.reply.Verdict != Keep && f.op.Fingerprint == op.Fingerprint {
			return nil, false, e.undecided(f)
		}
		return f, false, nil
	}
	if e.draining {
		return nil, false, errStore(errDraining)
	}
	if e.open-e.unsettled >= e.cfg.MaxRunning {
		return nil, false, errBusy()
	}
	if e.unsettled >= e.cfg.MaxUnsettled {
		return nil, false, errStore(errUnsettled)
	}
	f = &flight{op: op, key: key, known: make(chan struct{}), done: make(chan struct{})}
	e.flights[key] = f
	e.open++
	return f, true, nil
}

// undecided is the answer for a flight that landed without a result to keep,
// which the store does not know of yet.
func (e *Engine) undecided(f *flight) error {
	if f.reply.Verdict == Release || e.takesOver() {
		return errStore(errUnsettled)
	}
	return errAbandoned(errUnsettled)
}

// token names an attempt to run. No two are the same: an engine's name is 128
// random bits, and the time tells copies of one virtual machine apart, which
// would otherwise go on counting from the same number.
func (e *Engine) token() string {
	buf := append(make([]byte, 0, 64), e.name...)
	buf = strconv.AppendUint(append(buf, '.'), e.tokens.Add(1), 36)
	return string(strconv.AppendInt(append(buf, '.'), time.Now().UnixNano(), 36))
}

// own notes that the key belongs to the flight's fingerprint.
func (f *flight) own() {
	if !f.holds {
		f.holds = true
		close(f.known)
	}
}

// land hands the reply to everybody who waits.
func (f *flight) land() {
	select {
	case <-f.done:
		return
	default:
	}
	if !f.holds {
		close(f.known)
	}
	close(f.done)
}

// hold lands a flight that waits for the store. If it stays on the board, this
// process answers from it; otherwise whoever comes next asks the store.
func (e *Engine) hold(f *flight, onBoard bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !onBoard {
		delete(e.flights, f.key)
	}
	f.waits = true
	e.unsettled++
	f.land()
}

// end lands a flight if it has not landed, and takes it off the board first:
// whoever comes later asks the store.
func (e *Engine) end(f *flight) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if f.ended {
		return
	}
	f.ended = true
	if e.flights[f.key] == f {
		delete(e.flights, f.key)
	}
	f.land()
	if f.waits {
		e.unsettled--
	}
	if e.open--; e.open == 0 && e.draining {
		close(e.idle)
	}
}
