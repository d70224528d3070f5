package idempotency_test

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
)

// die lets an engine claim an operation over a store and never be heard of
// again, as a process that was killed in the run.
func die(t *testing.T, store idempotency.Store, op idempotency.Operation) {
	t.Helper()
	answer, err := store.Claim(t.Context(), idempotency.Claim{
		Key:         keyOf(t, op),
		Fingerprint: op.Fingerprint, Token: "dead", Lease: 30 * time.Second, TTL: 7 * 24 * time.Hour,
	})
	if err != nil || answer.Status != idempotency.Acquired {
		t.Fatalf("the claim of the dead: %v, %v", answer.Status, err)
	}
}

// keyOf returns what an engine calls an operation in the store.
func keyOf(t *testing.T, op idempotency.Operation) idempotency.Digest {
	t.Helper()
	var spy spyStore
	engine := newEngine(t, &spy, idempotency.Config{})
	_, _ = engine.Do(t.Context(), op, never(t))
	return spy.claim.Key
}

// spyStore remembers the claim that it refuses.
type spyStore struct {
	idempotency.Store
	claim idempotency.Claim
}

func (s *spyStore) Claim(_ context.Context, c idempotency.Claim) (idempotency.Answer, error) {
	s.claim = c
	return idempotency.Answer{}, idempotency.ErrFull
}

// TestFaultOwnerDies: a run that is heard of no more is in progress until its
// lease ends, and abandoned from then on. Nothing runs again by itself.
func TestFaultOwnerDies(t *testing.T) {
	t.Parallel()
	probe := func(result string, found bool, err error) idempotency.Config {
		return idempotency.Config{Probe: func(ctx context.Context, op idempotency.Operation) ([]byte, bool, error) {
			if op.Key != "k" || idempotency.EffectKey(ctx, "charge") == "" {
				return nil, false, errors.New("the probe does not know what it is asked for")
			}
			return []byte(result), found, err
		}}
	}
	for name, tc := range map[string]struct {
		cfg    idempotency.Config
		result string
		runs   int
	}{
		"default":               {idempotency.Config{}, "", 0},
		"the probe finds it":    {probe("found", true, nil), "found", 0},
		"the probe finds none":  {probe("", false, nil), "ran", 1},
		"the probe fails":       {probe("", false, errors.NoEffect(errDown)), "", 0},
		"the probe panics":      {idempotency.Config{Probe: func(context.Context, idempotency.Operation) ([]byte, bool, error) { panic("boom") }}, "", 0},
		"it may be run again":   {idempotency.Config{Rerun: true}, "ran", 1},
		"it is known elsewhere": {idempotency.Config{Rerun: true, Lease: time.Second}, "ran", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				store, begin := newStore(t), time.Now()
				die(t, store, operation("k"))
				engine, w := newEngine(t, store, tc.cfg), new(work)
				reply, err := engine.Do(t.Context(), operation("k"), w.count(keep("ran")))
				if waited := time.Since(begin); waited < 30*time.Second || waited > 32*time.Second {
					t.Errorf("it waited %v, want until the lease has ended", waited)
				}
				if tc.result == "" {
					if e := errors.From(err); e == nil || e.Effect != errors.EffectUnknown {
						t.Errorf("got %q, %v, want an unknown effect", reply.Result, err)
					}
				} else {
					want(t, reply, err, tc.result, tc.runs > 0)
				}
				if tc.result == "" {
					_, err = newEngine(t, store, idempotency.Config{}).Do(t.Context(), operation("k"), never(t))
					wantError(t, err, errors.TypeUnknown, errors.CodeOutcomeUnknown, errors.EffectUnknown)
				} else {
					reply, err = newEngine(t, store, idempotency.Config{}).Do(t.Context(), operation("k"), never(t))
					want(t, reply, err, tc.result, false)
				}
				if n := w.total(); n != tc.runs {
					t.Errorf("%d runs, want %d", n, tc.runs)
				}
			})
		})
	}
}

// TestFaultTakeoverReplyLost: it is not known whether an abandoned operation was
// taken over. It goes back as abandoned, and not as free: the probe is asked.
func TestFaultTakeoverReplyLost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := newStore(t)
		die(t, store, operation("k"))
		time.Sleep(time.Minute)
		claims := 0
		engine := newEngine(t, &faulty{store: store, after: func(_ context.Context, method string) error {
			if method != claim {
				return nil
			}
			if claims++; claims == 2 { // the first one finds it abandoned
				return errDown
			}
			return nil
		}}, idempotency.Config{Probe: func(context.Context, idempotency.Operation) ([]byte, bool, error) {
			return []byte("found"), true, nil
		}})
		_, err := engine.Do(t.Context(), operation("k"), never(t))
		wantError(t, err, errors.TypeSystem, errors.CodeStore, errors.EffectNone)
		reply, err := engine.Do(t.Context(), operation("k"), never(t))
		want(t, reply, err, "found", false)
	})
}

// TestFaultProbeTooLate: what a probe found is nothing to go by once the lease
// under which it asked is lost.
func TestFaultProbeTooLate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := newStore(t)
		die(t, store, operation("k"))
		engine := newEngine(t, &faulty{store: store, before: failing(extend, -1, errDown)}, idempotency.Config{
			Probe: func(ctx context.Context, _ idempotency.Operation) ([]byte, bool, error) {
				<-ctx.Done()
				return nil, false, nil
			},
		})
		_, err := engine.Do(t.Context(), operation("k"), never(t))
		wantError(t, err, errors.TypeUnknown, errors.CodeOutcomeUnknown, errors.EffectUnknown)
	})
}

// TestFaultAbandonedStays: a short TTL of a result does not shorten the time for
// which it is known that something may have happened.
func TestFaultAbandonedStays(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		engine := newEngine(t, newStore(t), idempotency.Config{})
		op := operation("k")
		op.TTL = time.Second
		_, err := engine.Do(t.Context(), op, panics)
		wantError(t, err, errors.TypeSystem, errors.CodePanic, errors.EffectUnknown)
		time.Sleep(7*24*time.Hour - time.Second)
		_, err = engine.Do(t.Context(), op, never(t))
		wantError(t, err, errors.TypeUnknown, errors.CodeOutcomeUnknown, errors.EffectUnknown)
		time.Sleep(time.Second)
		reply, err := engine.Do(t.Context(), op, keep("done"))
		want(t, reply, err, "done", true)
	})
}

// TestFaultFencing: an owner who comes back after another one took over changes
// nothing any more, and learns of it.
func TestFaultFencing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var seen incidents
		var away atomic.Bool
		store := newStore(t)
		first := newEngine(t, &faulty{store: store, before: func(_ context.Context, method string) error {
			if away.Load() {
				return errDown
			}
			return nil
		}}, idempotency.Config{Report: seen.report})
		second := newEngine(t, store, idempotency.Config{Rerun: true})

		ended := make(chan error)
		go func() {
			reply, err := first.Do(t.Context(), operation("k"), func(ctx context.Context) idempotency.Settlement {
				<-ctx.Done() // when the lease cannot be renewed because it is another's
				return keep("the first")(ctx)
			})
			want(t, reply, err, "the first", true)
			ended <- err
		}()
		synctest.Wait()
		away.Store(true)
		time.Sleep(time.Minute)
		reply, err := second.Do(t.Context(), operation("k"), keep("the second"))
		want(t, reply, err, "the second", true)
		away.Store(false)
		<-ended
		for _, engine := range []*idempotency.Engine{first, second} {
			reply, err = engine.Do(t.Context(), operation("k"), never(t))
			want(t, reply, err, "the second", false)
		}
		if got := seen.kinds(); !slices.Equal(got, []string{idempotency.IncidentFenced}) {
			t.Errorf("incidents %v, want one: %s", got, idempotency.IncidentFenced)
		}
	})
}

// TestFaultCutOff: an owner that cannot renew its lease goes on working where
// nobody may take over, and stops before the lease ends where somebody may.
func TestFaultCutOff(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		cfg   idempotency.Config
		hook  func(context.Context, string) error
		stops bool
	}{
		"nobody takes over":    {idempotency.Config{}, failing(extend, -1, errDown), false},
		"a probe may":          {idempotency.Config{Probe: probeNone}, failing(extend, -1, errDown), true},
		"a rerun may":          {idempotency.Config{Rerun: true}, failing(extend, -1, errDown), true},
		"the store hangs":      {idempotency.Config{Rerun: true}, hanging(extend), true},
		"a short lease":        {idempotency.Config{Rerun: true, Lease: time.Second}, hanging(extend), true},
		"one failure is none":  {idempotency.Config{Rerun: true}, failing(extend, 1, errDown), false},
		"the store panics":     {idempotency.Config{Rerun: true}, panicsIn(extend), true},
		"another is the owner": {idempotency.Config{}, failing(extend, 1, idempotency.ErrNotOwner), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				lease := max(tc.cfg.Lease, 0)
				if lease == 0 {
					lease = 30 * time.Second
				}
				engine := newEngine(t, &faulty{store: newStore(t), before: tc.hook}, tc.cfg)
				begin := time.Now()
				reply, err := engine.Do(t.Context(), operation("k"), func(ctx context.Context) idempotency.Settlement {
					select {
					case <-ctx.Done():
					case <-time.After(4 * time.Minute):
					}
					return keep("done")(ctx)
				})
				want(t, reply, err, "done", true)
				if lasted := time.Since(begin); tc.stops && lasted >= lease || !tc.stops && lasted != 4*time.Minute {
					t.Errorf("it ended after %v with a lease of %v, stopped early: want %v", lasted, lease, tc.stops)
				}
			})
		})
	}
}

func probeNone(context.Context, idempotency.Operation) ([]byte, bool, error) { return nil, false, nil }

func panicsIn(method string) func(context.Context, string) error {
	return func(_ context.Context, called string) error {
		if called == method {
			panic("boom")
		}
		return nil
	}
}

// TestFaultLongRun: a run that lasts longer than its lease is alive, even if it
// ignores its context.
func TestFaultLongRun(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := newStore(t)
		first := newEngine(t, store, idempotency.Config{})
		second := newEngine(t, store, idempotency.Config{Rerun: true})
		var run sync.WaitGroup
		defer run.Wait()
		run.Go(func() {
			reply, err := first.Do(t.Context(), operation("k"), slowly(time.Hour, keep("done")))
			want(t, reply, err, "done", true)
		})
		synctest.Wait()
		reply, err := second.Do(t.Context(), operation("k"), never(t))
		want(t, reply, err, "done", false)
	})
}

// TestFaultDrain: at shutdown nothing new begins, and what runs is waited for.
func TestFaultDrain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := newStore(t)
		engine := newEngine(t, &faulty{store: store, before: failing(complete, 3, errDown)}, idempotency.Config{})
		ctx, leave := context.WithCancel(t.Context())
		go func() { _, _ = engine.Do(ctx, operation("k"), slowly(time.Minute, keep("done"))) }()
		synctest.Wait()
		leave()

		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := engine.Drain(short); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Drain in a second: %v, want its deadline", err)
		}
		_, err := engine.Do(t.Context(), operation("k2"), never(t))
		wantError(t, err, errors.TypeSystem, errors.CodeStore, errors.EffectNone)
		reply, err := engine.Do(t.Context(), operation("k"), never(t)) // it is no new one
		want(t, reply, err, "done", false)
		if err := engine.Drain(t.Context()); err != nil {
			t.Errorf("Drain: %v", err)
		}
	})
}

func TestDrainIdle(t *testing.T) {
	t.Parallel()
	engine := newEngine(t, newStore(t), idempotency.Config{})
	for range 2 {
		if err := engine.Drain(t.Context()); err != nil {
			t.Errorf("Drain: %v", err)
		}
	}
}
