package idempotency

import (
	"context"
	"crypto/rand"
	"sync"
	"time"

	"github.com/portavoz/portavoz/errors"
)

// Engine runs operations once per key. It is safe for concurrent use. Make one
// per store with [New] and call [Engine.Drain] at shutdown.
type Engine struct {
	store Store
	cfg   Config

	mu        sync.Mutex
	flights   map[Digest]*flight
	unsettled int // flights that have landed and wait for the store
	draining  bool
	idle      chan struct{} // closed when draining and no flight is left
	giveUp    chan struct{} // closed when nobody waits for the store any more
	stop      sync.Once
}

// New returns an engine over the store. All that is wrong with the
// configuration is reported together.
func New(store Store, cfg Config) (*Engine, error) {
	cfg, err := cfg.withDefaults()
	if store == nil {
		err = errors.Join(err, errors.New("portavoz/idempotency: the store is nil"))
	}
	if err != nil {
		return nil, err
	}
	return &Engine{
		store: store, cfg: cfg, flights: map[Digest]*flight{},
		idle: make(chan struct{}), giveUp: make(chan struct{}),
	}, nil
}

// Verdict says what becomes of the key after a run.
type Verdict uint8

// The verdicts. The zero value is the careful one.
const (
	// Abandon: nobody knows whether the effect happened.
	Abandon Verdict = iota
	// Keep: it happened; later calls get the result.
	Keep
	// Release: it provably did not happen; the key is free again.
	Release
)

// Settlement is how a run ended.
type Settlement struct {
	Verdict Verdict
	// Result is handed to every caller that waits and, with Keep, to later ones.
	// It is not changed afterwards.
	Result []byte
	// Err is handed to every caller that waits, instead of Result.
	Err error
}

// Reply is what a caller of [Engine.Do] gets.
type Reply struct {
	// Result is the settlement's, and must not be changed.
	Result []byte
	// Ran says that this caller's function ran and has ended. Otherwise the
	// result is an earlier call's, or that of one that was running.
	Ran bool
}

// Do runs the operation unless it is done, running, or its end is unknown.
//
// The function runs at most once at a time per key, in a goroutine of its own,
// under a context that keeps the values of ctx and not its end: a client that
// leaves does not stop it, [Config.RunLimit] does. A caller that finds it
// running waits and gets the same reply. Do returns early, with the error of
// ctx, when ctx ends; the run goes on, and the next call finds its result.
//
// The errors are those of the settlement, and typed ones of package errors:
// VALIDATION with idempotency_key_reused, and SYSTEM with idempotency_store or
// idempotency_full, all of which prove that this call had no effect; SYSTEM with
// in_progress; UNKNOWN with outcome_unknown for an abandoned operation; BLOCKER
// with already_done where it is done and the result is not held.
func (e *Engine) Do(ctx context.Context, op Operation, run func(context.Context) Settlement) (Reply, error) {
	key := op.digest()
	for {
		f, leads, err := e.board(key, op)
		if err != nil {
			return Reply{}, err
		}
		switch {
		case leads:
			e.lead(ctx, f, run)
		case f.op.Fingerprint != op.Fingerprint:
			if !wait(ctx, f.claimed) {
				return Reply{}, errInProgress(context.Cause(ctx))
			}
			if f.owns {
				return Reply{}, errConflict()
			}
			fallthrough // it is not this flight's key either; ask the store
		case f.isOver():
			if !wait(ctx, f.left) {
				return Reply{}, errInProgress(context.Cause(ctx))
			}
			continue
		}
		if !wait(ctx, f.done) {
			return Reply{}, errInProgress(context.Cause(ctx))
		}
		if leads || !f.again {
			return Reply{Result: f.reply.Result, Ran: leads && f.ran}, f.reply.Err
		}
	}
}

// wait reports whether ch was closed before ctx ended.
func wait(ctx context.Context, ch <-chan struct{}) bool {
	select {
	case <-ch:
		return true
	default:
	}
	select {
	case <-ch:
		return true
	case <-ctx.Done():
		return false
	}
}

// flight is one operation in this process, from the claim until the store has
// taken its outcome. Fields below a channel are written before it is closed.
type flight struct {
	op    Operation
	key   Digest
	token string

	claimed chan struct{} // closed when the store has answered the claim
	owns    bool          // the claim was acquired

	done        chan struct{} // closed when the reply is there
	reply       Settlement
	ran         bool // the leader's function was called
	again       bool // the leader left before anything ran: board again
	unprotected bool // the store knows nothing of it

	left chan struct{} // closed when it is off the board
}

// isOver reports whether the flight has landed without a result to keep. Its key
// is about to be free, or abandoned: whoever comes now asks the store.
func (f *flight) isOver() bool {
	select {
	case <-f.done:
		return f.reply.Verdict != Keep
	default:
		return false
	}
}

// board finds the flight of a key or makes it, and says whether the caller has
// to lead it.
func (e *Engine) board(key Digest, op Operation) (f *flight, leads bool, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if f := e.flights[key]; f != nil {
		return f, false, nil
	}
	if e.draining || e.unsettled >= e.cfg.MaxUnsettled {
		return nil, false, errStore(nil)
	}
	f = &flight{
		op: op, key: key, token: rand.Text(),
		claimed: make(chan struct{}), done: make(chan struct{}), left: make(chan struct{}),
	}
	e.flights[key] = f
	return f, true, nil
}

// depart starts the run of a flight that owns its operation.
func (f *flight) depart() {
	f.owns = true
	close(f.claimed)
}

// land hands the reply to everybody who waits. The flight stays on the board
// until leave.
func (f *flight) land(s Settlement) {
	f.reply = s
	if !f.owns {
		close(f.claimed)
	}
	close(f.done)
}

// leave takes the flight off the board.
func (e *Engine) leave(f *flight) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.flights, f.key)
	close(f.left)
	if e.draining && len(e.flights) == 0 {
		close(e.idle)
	}
}

// Drain refuses new operations and waits until those that run have ended and
// the store has taken their outcome, or until ctx ends; outcomes that the store
// has not taken by then are lost. http.Server.Shutdown does not see such runs:
// call Drain after it. A second call waits as well.
func (e *Engine) Drain(ctx context.Context) error {
	e.mu.Lock()
	if !e.draining {
		e.draining = true
		if len(e.flights) == 0 {
			close(e.idle)
		}
	}
	e.mu.Unlock()
	select {
	case <-e.idle:
		return nil
	case <-ctx.Done():
		e.stop.Do(func() { close(e.giveUp) })
		return context.Cause(ctx)
	}
}

func (e *Engine) report(kind string, op Operation, err error) {
	if e.cfg.Report != nil {
		e.cfg.Report(Incident{Kind: kind, Operation: op, Err: err})
	}
}

func (e *Engine) ttl(op Operation) time.Duration {
	if op.TTL > 0 {
		return op.TTL
	}
	return e.cfg.TTL
}
