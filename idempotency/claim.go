package idempotency

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/portavoz/portavoz/errors"
)

// How often a claim is repeated while another process runs the operation.
const (
	firstPoll = 20 * time.Millisecond
	lastPoll  = time.Second
)

// lead claims the operation for a flight and starts it, or lands the flight
// with what the store knows. It runs in the caller's goroutine and ends with
// ctx; from then on the flight has either landed or flies by itself.
func (e *Engine) lead(ctx context.Context, f *flight, run func(context.Context) Settlement) {
	takeover, pause := e.cfg.Rerun, firstPoll
	for {
		answer, err := e.claim(ctx, f, takeover)
		switch {
		case err != nil:
			e.claimFailed(ctx, f, run, err)
			return
		case answer.Status == Acquired:
			e.start(ctx, f, run, takeover && e.cfg.Probe != nil)
			return
		case answer.Status == InProgress:
			if !sleep(ctx, nextPoll(pause, answer.LeaseLeft)) {
				e.strand(f, errInProgress(context.Cause(ctx)))
				return
			}
			pause = min(2*pause, lastPoll)
		case answer.Status == Abandoned && e.cfg.Probe != nil && !takeover:
			takeover = true
		default:
			f.land(settled(answer))
			e.leave(f)
			return
		}
	}
}

// settled is the reply for an operation that is not to be run.
func settled(a Answer) Settlement {
	switch {
	case a.Status == Completed && a.Dropped:
		return Settlement{Verdict: Keep, Err: errDropped()}
	case a.Status == Completed:
		return Settlement{Verdict: Keep, Result: a.Result}
	case a.Status == Conflict:
		return Settlement{Err: errConflict()}
	case a.Status == Abandoned:
		return Settlement{Err: errAbandoned(nil)}
	default:
		return Settlement{Err: errStore(errors.New("portavoz/idempotency: the store gave an unknown status"))}
	}
}

// claim asks the store; a store that panics has failed.
func (e *Engine) claim(ctx context.Context, f *flight, takeover bool) (answer Answer, err error) {
	defer rescue(&err)
	return e.store.Claim(ctx, Claim{
		Key: f.key, Fingerprint: f.op.Fingerprint, Token: f.token,
		Lease: e.cfg.Lease, TTL: e.ttl(f.op), Takeover: takeover,
	})
}

// claimFailed ends a flight whose claim may or may not have been made. It ran
// nothing, so that the claim is taken back.
func (e *Engine) claimFailed(ctx context.Context, f *flight, run func(context.Context) Settlement, err error) {
	switch {
	case errors.Is(err, ErrFull):
		f.land(Settlement{Err: errFull(err)})
		e.leave(f)
	case ctx.Err() != nil:
		f.again = true
		f.land(Settlement{Verdict: Release, Err: errInProgress(context.Cause(ctx))})
		go e.settle(f)
	case errors.Is(err, ErrCorrupt):
		f.land(Settlement{Err: errStore(err)})
		e.leave(f)
	case e.cfg.DangerouslyRunWithoutStore:
		e.report(IncidentUnprotected, f.op, err)
		f.unprotected = true
		e.start(ctx, f, run, false)
	default:
		f.land(Settlement{Verdict: Release, Err: errStore(err)})
		go e.settle(f)
	}
}

// strand lands a flight whose leader left while another process runs the
// operation. Whoever waits beside him boards again.
func (e *Engine) strand(f *flight, err error) {
	f.again = true
	f.land(Settlement{Err: err})
	e.leave(f)
}

// nextPoll is the pause before the next claim, with jitter, and no longer than
// the owner's lease: that is when a dead owner shows.
func nextPoll(pause, leaseLeft time.Duration) time.Duration {
	pause = pause/2 + rand.N(pause) //nolint:gosec // jitter needs no secrecy
	if leaseLeft > 0 {
		pause = min(pause, leaseLeft+time.Millisecond)
	}
	return pause
}

// sleep reports whether it slept to the end.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
