package idempotency_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
)

// TestFaultClientLeavesBefore: at whichever step the client leaves before the
// effect, nothing has run and the next one runs.
func TestFaultClientLeavesBefore(t *testing.T) {
	t.Parallel()
	slow := func(ctx context.Context, method string) error {
		if method != claim {
			return nil
		}
		select {
		case <-time.After(100 * time.Millisecond):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	for name, tc := range map[string]struct {
		leaves time.Duration
		store  faulty
	}{
		"before the claim":             {0, faulty{}},
		"before the claim is made":     {50 * time.Millisecond, faulty{before: slow}},
		"before the claim is answered": {50 * time.Millisecond, faulty{after: slow}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				tc.store.store = newStore(t)
				engine := newEngine(t, &tc.store, idempotency.Config{})
				ctx, leave := context.WithCancel(t.Context())
				if tc.leaves == 0 {
					leave()
				}
				time.AfterFunc(tc.leaves, leave)
				_, err := engine.Do(ctx, operation("k"), never(t))
				wantError(t, err, errors.TypeSystem, errors.CodeCanceled, errors.EffectNone)
				reply, err := engine.Do(t.Context(), operation("k"), keep("second"))
				want(t, reply, err, "second", true)
			})
		})
	}
}

// TestFaultLeaderLeaves: the one whom the others wait behind leaves, at every
// step; one of them takes his place.
func TestFaultLeaderLeaves(t *testing.T) {
	t.Parallel()
	hang := func(ctx context.Context) error {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
			return nil
		}
	}
	for name, tc := range map[string]struct {
		before, after bool // the store is slow to be asked, or to answer
		elsewhere     bool // another process runs it
	}{
		"in the claim":            {before: true},
		"in the claim's reply":    {after: true},
		"waiting for another one": {elsewhere: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				store, w := newStore(t), new(work)
				slow := &faulty{store: store}
				hook := func(ctx context.Context, method string) error {
					if method == claim {
						return hang(ctx)
					}
					return nil
				}
				if tc.before {
					slow.before = hook
				}
				if tc.after {
					slow.after = hook
				}
				engine := newEngine(t, slow, idempotency.Config{})
				var waiters sync.WaitGroup
				if tc.elsewhere {
					elsewhere := newEngine(t, store, idempotency.Config{})
					waiters.Go(func() {
						_, _ = elsewhere.Do(t.Context(), operation("k"), w.count(slowly(5*time.Second, keep("done"))))
					})
					synctest.Wait()
				}
				for i := range 10 {
					ctx, leave := context.WithCancel(t.Context())
					if i < 9 { // all but the last leave, one after the other
						time.AfterFunc(time.Duration(100*(i+1))*time.Millisecond, leave)
					}
					waiters.Go(func() {
						defer leave()
						reply, err := engine.Do(ctx, operation("k"), w.count(keep("done")))
						if i == 9 && (err != nil || string(reply.Result) != "done") {
							t.Errorf("who stayed got %q, %v, want the result", reply.Result, err)
						}
						if i < 9 && err == nil {
							t.Error("who left got no error")
						}
					})
					synctest.Wait()
				}
				waiters.Wait()
				if n := w.total(); n != 1 {
					t.Errorf("%d runs, want 1", n)
				}
			})
		})
	}
}

// TestFaultClientLeavesDuring: the run goes on, with the values of its context,
// and the retry gets its result.
func TestFaultClientLeavesDuring(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		type key struct{}
		engine := newEngine(t, newStore(t), idempotency.Config{RunLimit: time.Minute})
		ctx, cancel := context.WithTimeout(context.WithValue(t.Context(), key{}, "trace"), time.Second)
		defer cancel()
		_, err := engine.Do(ctx, operation("k"), func(ctx context.Context) idempotency.Settlement {
			deadline, _ := ctx.Deadline()
			left := time.Until(deadline)
			time.Sleep(10 * time.Second)
			if ctx.Err() != nil || ctx.Value(key{}) != "trace" || left != time.Minute {
				t.Errorf("the run's context: %v, value %v, %v left at its start; want it alive, with the value and a minute",
					ctx.Err(), ctx.Value(key{}), left)
			}
			return keep("done")(ctx)
		})
		wantError(t, err, errors.TypeSystem, errors.CodeInProgress, errors.EffectUnknown)
		reply, err := engine.Do(t.Context(), operation("k"), never(t))
		want(t, reply, err, "done", false)
	})
}
