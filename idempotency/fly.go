package idempotency

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/portavoz/portavoz/errors"
)

// start runs the operation apart from its caller.
func (e *Engine) start(ctx context.Context, f *flight, run func(context.Context) Settlement, probe bool) {
	f.depart()
	go e.fly(context.WithoutCancel(ctx), f, run, probe)
}

// fly runs the operation, lands the flight and settles it with the store. A
// panic or runtime.Goexit of the function leaves it abandoned.
func (e *Engine) fly(ctx context.Context, f *flight, run func(context.Context) Settlement, probe bool) {
	ctx, cancel := context.WithTimeout(context.WithValue(ctx, effectKey{}, f.key), e.cfg.RunLimit)
	stopRenewing := func() {}
	if !f.unprotected {
		stopRenewing = e.renew(ctx, f, cancel)
	}
	s := Settlement{}
	returned := false
	defer func() {
		if !returned {
			s = Settlement{Err: errPanic(recover(), debug.Stack())}
		}
		stopRenewing()
		cancel()
		e.finish(f, s)
	}()
	if probe {
		result, found, err := e.cfg.Probe(ctx, f.op)
		if err != nil || found {
			s = Settlement{Verdict: Keep, Result: result}
			if err != nil {
				s = Settlement{Err: errAbandoned(err)}
			}
			returned = true
			return
		}
	}
	f.ran = true
	s = run(ctx)
	returned = true
}

// renew extends the lease every third of it until the returned function is
// called. If the operation was taken over, the run's context ends.
func (e *Engine) renew(ctx context.Context, f *flight, fenced context.CancelFunc) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var mu sync.Mutex
	stopped := false
	every := max(e.cfg.Lease/3, time.Millisecond)
	var timer *time.Timer
	mu.Lock()
	defer mu.Unlock()
	timer = time.AfterFunc(every, func() {
		err := e.extend(ctx, f)
		mu.Lock()
		defer mu.Unlock()
		switch {
		case stopped:
		case errors.Is(err, ErrNotOwner):
			fenced()
		default:
			timer.Reset(every)
		}
	})
	return func() {
		mu.Lock()
		defer mu.Unlock()
		stopped = true
		timer.Stop()
		cancel()
	}
}

func (e *Engine) extend(ctx context.Context, f *flight) (err error) {
	defer rescue(&err)
	return e.store.Extend(ctx, f.key, f.token, e.cfg.Lease)
}

// rescue makes an error of a panic in a user's store.
func rescue(err *error) {
	if v := recover(); v != nil {
		*err = fmt.Errorf("portavoz/idempotency: the store panicked: %v", v)
	}
}
