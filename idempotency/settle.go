package idempotency

import (
	"context"
	"time"

	"github.com/portavoz/portavoz/errors"
)

// How an outcome is brought to a store that does not take it.
const (
	settleTimeout = 2 * time.Second // of one attempt; the first one keeps the caller waiting
	firstRetry    = 50 * time.Millisecond
	lastRetry     = 10 * time.Second
	settleFor     = time.Hour // then it is lost
)

// finish tells the store how the run ended, and then whoever waits: a process
// that dies in between must not have promised anything.
func (e *Engine) finish(f *flight, s Settlement) {
	if s.Verdict == Keep && len(s.Result) > e.cfg.MaxResult {
		e.report(IncidentTooLarge, f.op, nil)
	}
	var err error
	if !f.unprotected {
		err = e.tell(f, s)
	}
	if err == nil || errors.Is(err, ErrNotOwner) {
		if err != nil {
			e.report(IncidentFenced, f.op, err)
		}
		f.land(s)
		e.leave(f)
		return
	}
	f.land(s)
	e.report(IncidentUnsettled, f.op, err)
	e.settle(f)
}

// settle brings the outcome of a landed flight to the store, as often as it
// takes. Until then this process answers from the flight itself.
func (e *Engine) settle(f *flight) {
	e.count(1)
	defer e.leave(f)
	defer e.count(-1)
	deadline := time.Now().Add(settleFor)
	for pause := firstRetry; ; pause = min(2*pause, lastRetry) {
		err := e.tell(f, f.reply)
		switch {
		case err == nil:
			return
		case errors.Is(err, ErrNotOwner):
			if f.ran {
				e.report(IncidentFenced, f.op, err)
			}
			return
		case time.Now().After(deadline) || !e.pause(nextPoll(pause, 0)):
			e.report(IncidentLost, f.op, err)
			return
		}
	}
}

// tell makes one attempt.
func (e *Engine) tell(f *flight, s Settlement) (err error) {
	defer rescue(&err)
	ctx, cancel := context.WithTimeout(context.Background(), settleTimeout)
	defer cancel()
	switch s.Verdict {
	case Keep:
		result := s.Result
		if len(result) > e.cfg.MaxResult {
			result = nil
		}
		return e.store.Complete(ctx, f.key, f.token, result, e.ttl(f.op))
	case Release:
		return e.store.Release(ctx, f.key, f.token)
	default:
		return e.store.Abandon(ctx, f.key, f.token)
	}
}

// pause sleeps unless nobody waits for the store any more.
func (e *Engine) pause(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-e.giveUp:
		return false
	}
}

func (e *Engine) count(n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.unsettled += n
}
