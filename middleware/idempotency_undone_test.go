package middleware_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/middleware"
)

// undoing is a store that cannot commit what a run said, once.
type undoing struct {
	idempotency.Store
	undone atomic.Bool
}

func (s *undoing) Join(ctx context.Context, _ idempotency.Digest, _ string) (context.Context, idempotency.Conclude) {
	return ctx, func(_ context.Context, run idempotency.Settlement, _ time.Duration) (idempotency.Settlement, bool) {
		if s.undone.Swap(true) {
			return run, false
		}
		return idempotency.Settlement{Verdict: idempotency.Release, Err: errors.System("",
			errors.WithCode(errors.CodeStore), errors.WithRetryable(), errors.WithEffect(errors.EffectNone))}, false
	}
}

// A success that was not committed with its key is none: its caller is told so,
// and the retry runs.
func TestASuccessThatDoesNotStand(t *testing.T) {
	t.Parallel()
	engine, err := idempotency.New(&undoing{Store: forgetful()}, idempotency.Config{})
	if err != nil {
		t.Fatal(err)
	}
	var runs atomic.Int64
	h := middleware.Wrap(numbered(&runs), middleware.Idempotency(engine))
	res, err := h(t.Context(), keyed(`{}`))
	if e := errors.From(err); res != nil || e == nil || e.Code != errors.CodeStore || !e.Retryable {
		t.Errorf("the call = %v, %v; want %s, retryable", res, err, errors.CodeStore)
	}
	for range 2 {
		if res, err := h(t.Context(), keyed(`{}`)); err != nil || res == nil {
			t.Errorf("the retry = %v, %v; want a success", res, err)
		}
	}
	if n := runs.Load(); n != 2 {
		t.Errorf("%d runs, want 2", n)
	}
}

// sharing is a store whose transaction a run may ask for.
type sharing struct{ idempotency.Store }

func (s sharing) Join(ctx context.Context, _ idempotency.Digest, _ string) (context.Context, idempotency.Conclude) {
	return ctx, nil
}

// A handler that has written into the transaction of its run, and then failed with
// proof that nothing outside of it happened, is not tried again: its first try is
// still in there.
func TestRetryLeavesATransactionAlone(t *testing.T) {
	t.Parallel()
	for begun, want := range map[bool]int{false: 3, true: 1} {
		synctest.Test(t, func(t *testing.T) {
			engine, err := idempotency.New(sharing{forgetful()}, idempotency.Config{})
			if err != nil {
				t.Fatal(err)
			}
			runs := 0
			h := middleware.Wrap(func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				runs++
				if begun {
					idempotency.ForbidRepeat(ctx)
				}
				return nil, errRefused
			}, middleware.Idempotency(engine), middleware.Retry(middleware.RetryConfig{ForwardsKey: []string{"prueba"}}))
			if _, err := h(t.Context(), keyed(`{}`)); !errors.Is(err, errRefused) {
				t.Errorf("got %v, want the handler's error", err)
			}
			if runs != want {
				t.Errorf("begun %t: the handler ran %d times, want %d", begun, runs, want)
			}
		})
	}
}
