package idempotency

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/portavoz/portavoz/internal/stack"
)

// fly runs the operation apart from its callers, lands the flight and settles it
// with the store. A panic or runtime.Goexit of the function leaves it abandoned.
// ctx has no end.
func (e *Engine) fly(ctx context.Context, f *flight, function func(context.Context) Settlement, probe bool) {
	stack.Grow()
	ctx, conclude := e.join(ctx, f)
	running, cancel := context.WithTimeout(context.WithValue(ctx, runKey{}, &run{key: f.key, ttl: e.ttl(f.op)}), e.cfg.RunLimit)
	renewal := e.renew(ctx, f, cancel)
	returned := false
	defer func() {
		if !returned {
			f.reply = Settlement{Err: errPanic(&panicError{recover(), debug.Stack()})}
		}
		cancel()
		defer renewal.stop()
		defer e.settle(ctx, f)
		e.conclude(ctx, f, conclude)
	}()
	f.reply = e.execute(running, f, function, probe).complete()
	returned = true
}

// execute calls the function, unless a probe finds the operation done.
func (e *Engine) execute(ctx context.Context, f *flight, run func(context.Context) Settlement, probe bool) Settlement {
	if probe {
		result, found, err := e.cfg.Probe(ctx, f.op)
		switch {
		case err != nil:
			return Settlement{Err: errAbandoned(err)}
		case found:
			return Settlement{Verdict: Keep, Result: result}
		case ctx.Err() != nil: // what it found may not be so any more
			return Settlement{Err: errAbandoned(context.Cause(ctx))}
		}
	}
	f.ran = true
	return run(ctx)
}

// rescue makes an error of a panic in a user's store.
func rescue(err *error) {
	if v := recover(); v != nil {
		*err = fmt.Errorf("portavoz/idempotency: the store panicked: %v", v)
	}
}
