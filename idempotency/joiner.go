package idempotency

import (
	"context"
	"time"
)

// Joiner is a [Store] whose records may be where effects are, so that one
// transaction writes both. An engine asks a store that is one.
type Joiner interface {
	// Join is called before a run under an acquired claim. It returns the context
	// for the run, through which the function gets at the store's transaction, and
	// what ends it. The context is that of the settlement as well. A nil Conclude
	// has nothing to end. A store that hands out its transaction calls [ForbidRepeat].
	Join(ctx context.Context, key Digest, token string) (context.Context, Conclude)
}

// Conclude ends what a run and the store have in common. It is called once, when
// the run has ended, however it did, with what the run said; a result that is too
// long to be kept is nil. Its context does not end.
//
// It returns the settlement that stands. Where the run said Keep and that does
// not, nobody is told of a success: the Err of what stands goes to everybody who
// waits. Told says that the store knows it already.
type Conclude func(ctx context.Context, run Settlement, ttl time.Duration) (stands Settlement, told bool)

// Waiter is a [Store] that learns when an operation moves on in another process.
// An engine that waits for one lets it wait, instead of sleeping.
type Waiter interface {
	// Wait returns when the operation may have moved on, and at the latest after d
	// or when ctx ends. It may return early.
	Wait(ctx context.Context, key Digest, d time.Duration)
}

// join lets the store take part in a run. One that panics takes none.
func (e *Engine) join(ctx context.Context, f *flight) (joined context.Context, conclude Conclude) {
	joiner, ok := e.store.(Joiner)
	if !ok || f.unprotected {
		return ctx, nil
	}
	defer func() {
		if recover() != nil {
			joined, conclude = ctx, nil
		}
	}()
	return joiner.Join(ctx, f.key, f.token)
}

// conclude ends what the run had in common with the store. What the run said may
// turn out not to be so.
func (e *Engine) conclude(ctx context.Context, f *flight, conclude Conclude) {
	if conclude == nil {
		return
	}
	run := f.reply
	run.Result = e.kept(run.Result)
	stands := Settlement{Err: errAbandoned(errConclude)}
	defer func() {
		if v := recover(); v != nil {
			stands = Settlement{Err: errAbandoned(&panicError{value: v})}
		}
		switch {
		case run.Verdict != Keep:
			f.reply.Verdict = stands.Verdict
		case stands.Verdict != Keep:
			if stands.Err == nil {
				stands.Err = errAbandoned(nil)
			}
			f.reply, f.undone = stands.complete(), true
		}
	}()
	stands, f.told = conclude(ctx, run, e.ttl(f.op))
}

// kept is the result as the store gets it.
func (e *Engine) kept(result []byte) []byte {
	if len(result) > e.cfg.MaxResult {
		return nil
	}
	return result
}

// await waits before the next claim of what another process runs.
func (e *Engine) await(ctx context.Context, key Digest, d time.Duration) {
	if waiter, ok := e.store.(Waiter); ok {
		waiter.Wait(ctx, key, d)
		return
	}
	sleep(ctx, d)
}
