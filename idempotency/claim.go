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

// lead claims the operation for a flight and starts it, or ends the flight with
// what the store knows. It runs in the caller's goroutine and ends with ctx.
func (e *Engine) lead(ctx context.Context, f *flight, run func(context.Context) Settlement) {
	led := false
	defer func() {
		if !led { // the store ended the goroutine
			e.lose(ctx, f, errStore(errGoexit))
		}
	}()
	f.token = e.token()
	takeover, pause := e.cfg.Rerun, firstPoll
	for !led {
		if ctx.Err() != nil {
			led = true
			e.strand(ctx, f)
			return
		}
		answer, err := e.claim(ctx, f, takeover)
		switch {
		case err != nil:
			e.claimFailed(ctx, f, run, err)
		case answer.Status == Acquired:
			f.own()
			go e.fly(context.WithoutCancel(ctx), f, run, takeover && e.cfg.Probe != nil)
		case answer.Status == InProgress:
			f.own()
			e.await(ctx, f.key, nextPoll(pause, answer.LeaseLeft))
			pause = min(2*pause, lastPoll)
			continue
		case answer.Status == Abandoned && e.cfg.Probe != nil && !takeover:
			takeover = true
			continue
		default:
			e.ground(f, settled(answer))
		}
		led = true
	}
}

// ground ends a flight that runs nothing.
func (e *Engine) ground(f *flight, s Settlement) {
	f.reply = s
	e.end(f)
}

// strand ends a flight whose leader has left before anything ran. Whoever waits
// beside him boards again.
func (e *Engine) strand(ctx context.Context, f *flight) {
	f.again = true
	if f.holds { // another process runs it
		e.ground(f, Settlement{Err: errInProgress(context.Cause(ctx))})
		return
	}
	e.ground(f, Settlement{Err: errNotStarted(ctx)})
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
		return Settlement{Err: errStore(errStatus)}
	}
}

// claim asks the store; a store that panics has failed. A record outlives the
// run however short the operation's own TTL is: were it gone before, the key
// would be free.
func (e *Engine) claim(ctx context.Context, f *flight, takeover bool) (answer Answer, err error) {
	defer rescue(&err)
	f.asked, f.takeover = time.Now(), takeover
	asking := bounded(ctx, f.asked)
	defer asking.end()
	return e.store.Claim(asking, Claim{
		Key: f.key, Fingerprint: f.op.Fingerprint, Token: f.token,
		Lease: e.cfg.Lease, TTL: max(e.ttl(f.op), e.cfg.TTL), Takeover: takeover,
	})
}

// claimFailed ends a flight whose claim was refused, or may have been made.
func (e *Engine) claimFailed(ctx context.Context, f *flight, run func(context.Context) Settlement, err error) {
	switch {
	case errors.Is(err, ErrFull):
		e.ground(f, Settlement{Err: errFull(err)})
	case errors.Is(err, ErrCorrupt):
		e.ground(f, Settlement{Err: errStore(err)})
	case ctx.Err() != nil:
		f.again = true
		e.lose(ctx, f, errNotStarted(ctx))
	case e.cfg.DangerouslyRunWithoutStore:
		e.report(IncidentUnprotected, f.op, err)
		f.unprotected = true
		f.own()
		go e.fly(context.WithoutCancel(ctx), f, run, false)
	case errors.Is(err, ErrClosed), errors.From(err).Effect == errors.EffectNone:
		e.ground(f, Settlement{Err: errStore(err)})
	default:
		e.lose(ctx, f, errStore(err))
	}
}

// lose lands a flight of which it is not known whether its claim was made, and
// takes the claim back. What may have been taken over from another owner goes
// back as it was: nobody knows how that one ended.
func (e *Engine) lose(ctx context.Context, f *flight, err error) {
	f.reply = Settlement{Verdict: Release, Err: err}
	if f.takeover {
		f.reply.Verdict = Abandon
	}
	e.hold(f, false)
	go e.takeBack(context.WithoutCancel(ctx), f)
}

// nextPoll is the pause before the next claim, with jitter, and no longer than
// the owner's lease: that is when a dead owner shows.
func nextPoll(pause, leaseLeft time.Duration) time.Duration {
	pause = jitter(pause)
	if leaseLeft > 0 {
		pause = min(pause, leaseLeft+time.Millisecond)
	}
	return pause
}

// jitter spreads a pause over half to one and a half of it.
func jitter(pause time.Duration) time.Duration {
	return pause/2 + rand.N(pause) //nolint:gosec // needs no secrecy
}

// sleep ends early when ctx does.
func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	wait(ctx, timer.C)
}
