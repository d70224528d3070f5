package idempotency

import (
	"context"
	"sync"
	"time"
)

// bound is a context for one question to a store: it ends when the one around it
// does, and after storeTimeout at the latest. It sets a timer only when somebody
// waits for that, which a store in memory never does.
type bound struct {
	context.Context //nolint:containedctx // it is a context

	deadline time.Time

	mu     sync.Mutex
	armed  context.Context //nolint:containedctx // the one with the timer
	cancel context.CancelFunc
}

// bounded bounds ctx. Who asked for it calls end.
func bounded(ctx context.Context, now time.Time) *bound {
	deadline := now.Add(storeTimeout)
	if earlier, ok := ctx.Deadline(); ok && earlier.Before(deadline) {
		deadline = earlier
	}
	return &bound{Context: ctx, deadline: deadline}
}

// Deadline implements [context.Context].
func (b *bound) Deadline() (time.Time, bool) { return b.deadline, true }

// Done implements [context.Context].
func (b *bound) Done() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.armed == nil {
		b.armed, b.cancel = context.WithDeadline(b.Context, b.deadline)
	}
	return b.armed.Done()
}

// Err implements [context.Context].
func (b *bound) Err() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.armed != nil {
		return b.armed.Err()
	}
	return b.Context.Err()
}

func (b *bound) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.cancel != nil {
		b.cancel()
	}
}
