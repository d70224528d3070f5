package storetest

import (
	"context"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
)

// ended are contexts that have ended before the call.
var ended = []struct {
	name string
	end  func(context.Context) (context.Context, context.CancelFunc)
}{
	{"cancelled", func(ctx context.Context) (context.Context, context.CancelFunc) {
		ctx, cancel := context.WithCancel(ctx)
		cancel()
		return ctx, cancel
	}},
	{"expired", func(ctx context.Context) (context.Context, context.CancelFunc) {
		return context.WithDeadline(ctx, time.Now().Add(-time.Second))
	}},
}

var contextRules = []rule{
	{"a claim under a context that has ended fails, and may be sent again", func(k *kit) {
		k.underEnded(func(ctx context.Context) {
			c := newClaim()
			_, err := k.store.Claim(ctx, c)
			k.fails("Claim", err)
			k.expect(c, idempotency.Acquired)
			k.complete(c, nil)
		})
	}},
	{"a completion under a context that has ended fails, and may be sent again", func(k *kit) {
		k.underEnded(func(ctx context.Context) {
			c := k.acquired()
			k.fails("Complete", k.store.Complete(ctx, c.Key, c.Token, []byte("done"), longTTL))
			k.complete(c, []byte("done"))
			k.expectResult(c, []byte("done"))
		})
	}},
	{"an abandonment under a context that has ended fails, and may be sent again", func(k *kit) {
		k.underEnded(func(ctx context.Context) {
			c := k.acquired()
			k.fails("Abandon", k.store.Abandon(ctx, c.Key, c.Token))
			k.abandon(c)
			k.expect(rival(c), idempotency.Abandoned)
		})
	}},
	{"an extension under a context that has ended fails, and may be sent again", func(k *kit) {
		k.underEnded(func(ctx context.Context) {
			c := k.acquired()
			k.fails("Extend", k.store.Extend(ctx, c.Key, c.Token, longLease))
			k.extend(c, longLease)
			k.expect(rival(c), idempotency.InProgress)
		})
	}},
	{"a release under a context that has ended fails, and may be sent again", func(k *kit) {
		k.underEnded(func(ctx context.Context) {
			c := k.acquired()
			k.fails("Release", k.store.Release(ctx, c.Key, c.Token))
			// The first one may have done it: then the second finds no owner.
			if err := k.store.Release(k.Context(), c.Key, c.Token); err != nil && !errors.Is(err, idempotency.ErrNotOwner) {
				k.Fatalf("Release: %v", err)
			}
			k.expect(rival(c), idempotency.Acquired)
		})
	}},
	{"a call that is cut off may be sent again", func(k *kit) {
		for n := range 20 {
			ctx, cancel := context.WithTimeout(k.Context(), time.Duration(n)*50*time.Microsecond)
			c := newClaim()
			_, _ = k.store.Claim(ctx, c) // it may have arrived, or not
			k.expect(c, idempotency.Acquired)
			_ = k.store.Complete(ctx, c.Key, c.Token, []byte("done"), longTTL)
			k.complete(c, []byte("done"))
			k.expectResult(c, []byte("done"))
			cancel()
		}
	}},
	{"a context that ends later changes nothing", func(k *kit) {
		c := newClaim()
		ctx, cancel := context.WithCancel(k.Context())
		if _, err := k.store.Claim(ctx, c); err != nil {
			k.Fatalf("Claim: %v", err)
		}
		cancel()
		k.expect(rival(c), idempotency.InProgress)
		k.complete(c, nil)
	}},
}

// underEnded runs a test with every context that has ended.
func (k *kit) underEnded(test func(ctx context.Context)) {
	for _, e := range ended {
		ctx, cancel := e.end(k.Context())
		test(ctx)
		cancel()
		k.Logf("passed with a context that was %s", e.name)
	}
}

// fails wants an error that proves nothing about the operation.
func (k *kit) fails(method string, err error) {
	k.Helper()
	switch {
	case err == nil:
		k.Fatalf("%s succeeded although its context had ended", method)
	case errors.Is(err, idempotency.ErrNotOwner), errors.Is(err, idempotency.ErrFull), errors.Is(err, idempotency.ErrCorrupt):
		k.Fatalf("%s: %v, want an error that says nothing about the operation", method, err)
	}
}
