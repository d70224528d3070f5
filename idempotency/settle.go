package idempotency

import (
	"context"
	"time"

	"github.com/portavoz/portavoz/errors"
)

// How an outcome is brought to a store that does not take it.
const (
	storeTimeout = 2 * time.Second // of one question; the first one keeps the caller waiting
	firstRetry   = 50 * time.Millisecond
	lastRetry    = 10 * time.Second
	settleFor    = time.Hour   // then it is lost
	lateClaim    = time.Second // how long a claim may be on its way after its caller has given up
)

// settle tells the store how the run ended, and then whoever waits: a process
// that dies in between must not have promised anything. If the store does not
// take it, it is told as often as needed, and this process answers meanwhile.
func (e *Engine) settle(ctx context.Context, f *flight) {
	defer e.end(f)
	if f.told {
		e.remark(f)
		return
	}
	err := e.tell(ctx, f)
	e.remark(f)
	if e.isSettled(f, err) {
		return
	}
	e.hold(f, true)
	e.report(IncidentUnsettled, f.op, err)
	for again := e.retries(); again(err); {
		if err = e.tell(ctx, f); e.isSettled(f, err) {
			return
		}
	}
	e.report(IncidentLost, f.op, err)
}

// remark reports what is remarkable about an outcome in itself.
func (e *Engine) remark(f *flight) {
	switch s := f.reply; {
	case s.Verdict == Keep && len(s.Result) > e.cfg.MaxResult:
		e.report(IncidentTooLarge, f.op, nil)
	case s.Verdict != Keep && s.Verdict != Release && f.ran:
		e.report(IncidentAbandoned, f.op, s.Err)
	}
}

// isSettled reports whether the store has nothing more to learn. A release that
// is refused was made before, and its answer was lost.
func (e *Engine) isSettled(f *flight, err error) bool {
	refused := errors.Is(err, ErrNotOwner)
	if refused && f.reply.Verdict != Release {
		e.report(IncidentFenced, f.op, err)
	}
	return refused || err == nil
}

// takeBack releases a claim that may have been made and under which nothing
// runs. The claim may arrive after the first release, so that it takes two to
// believe that there is none.
func (e *Engine) takeBack(ctx context.Context, f *flight) {
	defer e.end(f)
	again := e.retries()
	for missing := 0; ; {
		err := e.tell(ctx, f)
		switch {
		case err == nil:
			return
		case errors.Is(err, ErrNotOwner):
			if missing++; missing == 2 || !e.pause(lateClaim) {
				return
			}
		case !again(err):
			e.report(IncidentLost, f.op, err)
			return
		}
	}
}

// retries returns a function that pauses before the next attempt, longer each
// time, and reports whether there is to be one.
func (e *Engine) retries() func(error) bool {
	deadline, pause := time.Now().Add(settleFor), firstRetry
	return func(err error) bool {
		if errors.Is(err, ErrClosed) || time.Now().After(deadline) {
			return false
		}
		slept := e.pause(jitter(pause))
		pause = min(2*pause, lastRetry)
		return slept
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

// tell makes one attempt. Of a run that the store was never asked about, it
// learns both that it began, once, and how it ended.
func (e *Engine) tell(ctx context.Context, f *flight) (err error) {
	defer rescue(&err)
	asking := bounded(ctx, time.Now())
	defer asking.end()
	if f.unprotected && f.reply.Verdict != Release {
		switch answer, err := e.claim(asking, f, e.cfg.Rerun); {
		case err != nil:
			return err
		case answer.Status != Acquired:
			return ErrNotOwner
		}
		f.unprotected = false
	}
	switch f.reply.Verdict {
	case Keep:
		return e.store.Complete(asking, f.key, f.token, e.kept(f.reply.Result), e.ttl(f.op))
	case Release:
		return e.store.Release(asking, f.key, f.token)
	default:
		return e.store.Abandon(asking, f.key, f.token)
	}
}
