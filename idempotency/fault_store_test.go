package idempotency_test

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/memory"
)

// TestFaultStoreDownBefore: however the store fails to answer, nothing runs, the
// answer comes soon, and once the store is back the operation runs.
func TestFaultStoreDownBefore(t *testing.T) {
	t.Parallel()
	type hook = func(context.Context, string) error
	for name, tc := range map[string]struct {
		hook func() hook
		code string
	}{
		"an error":  {func() hook { return failing(claim, 1, errDown) }, errors.CodeStore},
		"no answer": {func() hook { return once(hanging(claim)) }, errors.CodeStore},
		"a panic":   {func() hook { return once(panicsIn(claim)) }, errors.CodeStore},
		"closed":    {func() hook { return failing(claim, 1, idempotency.ErrClosed) }, errors.CodeStore},
		"damaged":   {func() hook { return failing(claim, 1, idempotency.ErrCorrupt) }, errors.CodeStore},
		"full":      {func() hook { return failing(claim, 1, idempotency.ErrFull) }, errors.CodeStoreFull},
		"refused":   {func() hook { return failing(claim, 1, errors.NoEffect(errDown)) }, errors.CodeStore},
	} {
		provesNothingClaimed := !slices.Contains([]string{"an error", "no answer", "a panic"}, name)
		for side, lost := range map[string]bool{"before it was asked": false, "and its answer was lost": true} {
			if lost && provesNothingClaimed {
				continue // a store that claims and says that it did not breaks its contract
			}
			t.Run(name+" "+side, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					engine := newEngine(t, wrap(newStore(t), tc.hook(), lost), idempotency.Config{})
					begin := time.Now()
					_, err := engine.Do(t.Context(), operation("k"), never(t))
					wantError(t, err, errors.TypeSystem, tc.code, errors.EffectNone)
					if e := errors.From(err); e == nil || !e.Retryable {
						t.Errorf("got %v, want a retryable one", err)
					}
					if waited := time.Since(begin); waited > 2*time.Second {
						t.Errorf("the answer took %v, want at most 2s", waited)
					}
					reply, err := engine.Do(t.Context(), operation("k"), keep("done"))
					want(t, reply, err, "done", true)
				})
			})
		}
	}
}

// once returns a hook that works one time only.
func once(hook func(context.Context, string) error) func(context.Context, string) error {
	var used atomic.Bool
	return func(ctx context.Context, method string) error {
		if !used.CompareAndSwap(false, true) {
			return nil
		}
		return hook(ctx, method)
	}
}

// TestFaultUnknownStatus: a store that does not say what it knows is not
// understood as a permission.
func TestFaultUnknownStatus(t *testing.T) {
	t.Parallel()
	for _, status := range []idempotency.Status{0, 99} {
		engine := newEngine(t, dumb{status: status}, idempotency.Config{})
		_, err := engine.Do(t.Context(), operation("k"), never(t))
		wantError(t, err, errors.TypeSystem, errors.CodeStore, errors.EffectNone)
	}
}

// dumb answers the same to every claim.
type dumb struct {
	idempotency.Store
	status idempotency.Status
}

func (s dumb) Claim(context.Context, idempotency.Claim) (idempotency.Answer, error) {
	return idempotency.Answer{Status: s.status}, nil
}

// TestFaultStoreFull is the refusal of a real store: before the effect, and not
// for the keys that it knows.
func TestFaultStoreFull(t *testing.T) {
	t.Parallel()
	store, err := memory.Ephemeral(memory.Config{MaxKeys: 1})
	if err != nil {
		t.Fatal(err)
	}
	engine := newEngine(t, store, idempotency.Config{})
	reply, err := engine.Do(t.Context(), operation("k"), keep("done"))
	want(t, reply, err, "done", true)
	_, err = engine.Do(t.Context(), operation("k2"), never(t))
	wantError(t, err, errors.TypeSystem, errors.CodeStoreFull, errors.EffectNone)
	reply, err = engine.Do(t.Context(), operation("k"), never(t))
	want(t, reply, err, "done", false)
}

// TestFaultStoreEndsGoroutine: even then the key is not blocked.
func TestFaultStoreEndsGoroutine(t *testing.T) {
	t.Parallel()
	for _, method := range []string{claim, complete} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				exit := once(func(context.Context, string) error { runtime.Goexit(); return nil })
				engine := newEngine(t, &faulty{store: newStore(t), before: func(ctx context.Context, called string) error {
					if called == method {
						return exit(ctx, called)
					}
					return nil
				}}, idempotency.Config{})
				go func() { _, _ = engine.Do(t.Context(), operation("k"), keep("done")) }()
				synctest.Wait()
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
				defer cancel()
				reply, err := engine.Do(ctx, operation("k"), keep("done"))
				if method == complete { // the outcome is lost with the goroutine
					wantError(t, err, errors.TypeUnknown, errors.CodeOutcomeUnknown, errors.EffectUnknown)
					return
				}
				want(t, reply, err, "done", true)
			})
		})
	}
}

// TestFaultStoreDownAfter: the result is returned, this process answers retries
// from it, others wait, and the store is told until it has taken it.
func TestFaultStoreDownAfter(t *testing.T) {
	t.Parallel()
	for name, lost := range map[string]bool{"before it was asked": false, "and its answer was lost": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var seen incidents
				var away atomic.Bool
				away.Store(true)
				hook := func(_ context.Context, method string) error {
					if method == complete && away.Load() {
						return errDown
					}
					return nil
				}
				store := newStore(t)
				first := newEngine(t, wrap(store, hook, lost), idempotency.Config{Report: seen.report})
				second := newEngine(t, store, idempotency.Config{})

				reply, err := first.Do(t.Context(), operation("k"), keep("done"))
				want(t, reply, err, "done", true)
				reply, err = first.Do(t.Context(), operation("k"), never(t))
				want(t, reply, err, "done", false)
				_, err = first.Do(t.Context(), other(operation("k")), never(t))
				wantError(t, err, errors.TypeValidation, errors.CodeKeyReused, errors.EffectNone)

				time.Sleep(10 * time.Minute)
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				reply, err = second.Do(ctx, operation("k"), never(t))
				if lost {
					want(t, reply, err, "done", false)
				} else {
					wantError(t, err, errors.TypeSystem, errors.CodeInProgress, errors.EffectUnknown)
				}
				away.Store(false)
				time.Sleep(20 * time.Second)
				synctest.Wait()
				for _, engine := range []*idempotency.Engine{first, second} {
					reply, err = engine.Do(t.Context(), operation("k"), never(t))
					want(t, reply, err, "done", false)
				}
				if got := seen.kinds(); !slices.Equal(got, []string{idempotency.IncidentUnsettled}) {
					t.Errorf("incidents %v, want one: %s", got, idempotency.IncidentUnsettled)
				}
			})
		})
	}
}

// TestFaultPromise: nobody is told of a result before the store has it, or has
// had its time to take it: a process that dies in between has promised nothing.
func TestFaultPromise(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		hook func(context.Context, string) error
		want time.Duration
	}{
		"slow":      {func(context.Context, string) error { time.Sleep(time.Second); return nil }, 2 * time.Second}, // claim and completion
		"no answer": {hanging(complete), 2 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var healed atomic.Bool
				engine := newEngine(t, &faulty{store: newStore(t), before: func(ctx context.Context, method string) error {
					if healed.Load() {
						return nil
					}
					return tc.hook(ctx, method)
				}}, idempotency.Config{})
				begin := time.Now()
				var callers sync.WaitGroup
				for range 2 {
					callers.Go(func() {
						reply, err := engine.Do(t.Context(), operation("k"), keep("done"))
						if err != nil || string(reply.Result) != "done" {
							t.Errorf("got %q, %v, want the result", reply.Result, err)
						}
						if after := time.Since(begin); after != tc.want {
							t.Errorf("it was told after %v, want %v", after, tc.want)
						}
					})
				}
				callers.Wait()
				healed.Store(true)
			})
		})
	}
}

// wrap puts a hook before or after the store.
func wrap(store idempotency.Store, hook func(context.Context, string) error, lost bool) *faulty {
	if lost {
		return &faulty{store: store, after: hook}
	}
	return &faulty{store: store, before: hook}
}

// TestFaultStoreDownAfterFailure: the store does not learn of a run without a
// result. Whoever comes is answered at once, and nothing runs before the store
// knows.
func TestFaultStoreDownAfterFailure(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		run    runFunc
		method string
		cfg    idempotency.Config
		typ    errors.Type
		code   string
	}{
		"released":  {fails(errors.NotFound("")), release, idempotency.Config{}, errors.TypeSystem, errors.CodeStore},
		"abandoned": {fails(errors.New("boom")), abandon, idempotency.Config{}, errors.TypeUnknown, errors.CodeOutcomeUnknown},
		"abandoned, and may be run again": {
			fails(errors.New("boom")), abandon, idempotency.Config{Rerun: true}, errors.TypeSystem, errors.CodeStore,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				engine := newEngine(t, &faulty{store: newStore(t), before: failing(tc.method, 5, errDown)}, tc.cfg)
				if _, err := engine.Do(t.Context(), operation("k"), tc.run); err == nil {
					t.Error("the first call got no error")
				}
				begin := time.Now()
				_, err := engine.Do(t.Context(), operation("k"), never(t))
				if got := errors.From(err); got == nil || got.Type != tc.typ || got.Code != tc.code {
					t.Errorf("got %v, want %s %s", err, tc.typ, tc.code)
				}
				if waited := time.Since(begin); waited != 0 {
					t.Errorf("the answer took %v, want none", waited)
				}
				time.Sleep(time.Minute)
				if reply, err := engine.Do(t.Context(), operation("k"), keep("done")); name != "abandoned" {
					want(t, reply, err, "done", true)
				}
			})
		})
	}
}

// TestFaultStoreDownForGood: after an hour, or when the process ends, the outcome
// is lost: that is reported, and the key stays claimed.
func TestFaultStoreDownForGood(t *testing.T) {
	t.Parallel()
	for name, drains := range map[string]bool{"an hour": false, "the process ends": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var seen incidents
				store := newStore(t)
				engine, err := idempotency.New(&faulty{store: store, before: failing(complete, -1, errDown)},
					idempotency.Config{Report: seen.report})
				if err != nil {
					t.Fatal(err)
				}
				reply, err := engine.Do(t.Context(), operation("k"), keep("done"))
				want(t, reply, err, "done", true)
				limit := 2 * time.Hour
				if drains {
					limit = time.Minute
				}
				ctx, cancel := context.WithTimeout(t.Context(), limit)
				defer cancel()
				if err := engine.Drain(ctx); errors.Is(err, context.DeadlineExceeded) != drains {
					t.Errorf("Drain: %v, gave up: want %v", err, drains)
				}
				synctest.Wait()
				if got := seen.kinds(); !slices.Equal(got, []string{idempotency.IncidentUnsettled, idempotency.IncidentLost}) {
					t.Errorf("incidents %v, want %s and %s", got, idempotency.IncidentUnsettled, idempotency.IncidentLost)
				}
				_, err = newEngine(t, store, idempotency.Config{}).Do(t.Context(), operation("k"), never(t))
				wantError(t, err, errors.TypeUnknown, errors.CodeOutcomeUnknown, errors.EffectUnknown)
			})
		})
	}
}

// TestFaultClaimArrivesLate: the caller gave up on a claim that reaches the store
// only after it was taken back. It is taken back once more.
func TestFaultClaimArrivesLate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		late := &lateStore{Store: newStore(t)}
		engine := newEngine(t, late, idempotency.Config{})
		_, err := engine.Do(t.Context(), operation("k"), never(t))
		wantError(t, err, errors.TypeSystem, errors.CodeStore, errors.EffectNone)
		time.Sleep(600 * time.Millisecond)
		begin := time.Now()
		reply, err := engine.Do(t.Context(), operation("k"), keep("done"))
		want(t, reply, err, "done", true)
		if waited := time.Since(begin); waited > 2*time.Second {
			t.Errorf("it waited %v for the late claim to be taken back, want at most 2s", waited)
		}
	})
}

// lateStore makes its first claim half a second after it gave no answer.
type lateStore struct {
	idempotency.Store
	used atomic.Bool
}

func (s *lateStore) Claim(ctx context.Context, c idempotency.Claim) (idempotency.Answer, error) {
	if s.used.CompareAndSwap(false, true) {
		time.AfterFunc(500*time.Millisecond, func() { _, _ = s.Store.Claim(context.WithoutCancel(ctx), c) })
		return idempotency.Answer{}, errDown
	}
	return s.Store.Claim(ctx, c)
}

// TestFaultUnsettledBound: an engine that cannot get rid of its outcomes takes no
// more operations, and answers for those that it has.
func TestFaultUnsettledBound(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		engine := newEngine(t, &faulty{store: newStore(t), before: failing(complete, 20, errDown)},
			idempotency.Config{MaxUnsettled: 2})
		for _, key := range []string{"a", "b"} {
			reply, err := engine.Do(t.Context(), operation(key), keep(key))
			want(t, reply, err, key, true)
		}
		_, err := engine.Do(t.Context(), operation("c"), never(t))
		wantError(t, err, errors.TypeSystem, errors.CodeStore, errors.EffectNone)
		reply, err := engine.Do(t.Context(), operation("a"), never(t))
		want(t, reply, err, "a", false)
		time.Sleep(10 * time.Minute)
		reply, err = engine.Do(t.Context(), operation("c"), keep("c"))
		want(t, reply, err, "c", true)
	})
}

// TestFaultReportPanics: what the operator's function does changes nothing.
func TestFaultReportPanics(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		engine := newEngine(t, &faulty{store: newStore(t), before: failing(complete, 3, errDown)},
			idempotency.Config{MaxResult: 1, Report: func(idempotency.Incident) { panic("boom") }})
		reply, err := engine.Do(t.Context(), operation("k"), keep("done"))
		want(t, reply, err, "done", true)
	})
}
