package idempotency_test

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
)

// Every test of this file is one fault and what must come of it. What a single
// process cannot show is shown where the process or the server can be killed:
// with the stores that outlive it. That is a crash between effect and outcome, a
// failover, eviction, damaged records and records of another version, and a
// server's clock; an engine has no wall clock to be set.

// slowly takes d, whatever happens to its context.
func slowly(d time.Duration, next runFunc) runFunc {
	return func(ctx context.Context) idempotency.Settlement {
		time.Sleep(d)
		return next(ctx)
	}
}

// TestFaultDuplicates: of all that arrive at once, in two processes, one runs.
func TestFaultDuplicates(t *testing.T) {
	t.Parallel()
	const callers, keys = 64, 1000
	store := newStore(t)
	engines := []*idempotency.Engine{
		newEngine(t, store, idempotency.Config{}), newEngine(t, store, idempotency.Config{}),
	}
	effects := make([]atomic.Int32, keys)
	var callersDone sync.WaitGroup
	for c := range callers {
		callersDone.Go(func() {
			for k := range keys {
				key := (k + c*keys/callers/8) % keys
				result := fmt.Sprintf("receipt %d", key)
				reply, err := engines[c%2].Do(t.Context(), operation(result), func(context.Context) idempotency.Settlement {
					effects[key].Add(1)
					return idempotency.Settlement{Verdict: idempotency.Keep, Result: []byte(result)}
				})
				if err != nil || string(reply.Result) != result {
					t.Errorf("key %d: got %q, %v, want %q", key, reply.Result, err, result)
				}
			}
		})
	}
	callersDone.Wait()
	for key := range effects {
		if n := effects[key].Load(); n != 1 {
			t.Errorf("key %d: %d effects, want 1", key, n)
		}
	}
}

// TestFaultDuplicateWaits: a duplicate waits for the result and is woken at
// once; one that cannot wait that long is told so.
func TestFaultDuplicateWaits(t *testing.T) {
	t.Parallel()
	for name, processes := range map[string]int{"one process": 1, "two processes": 2} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				store := newStore(t)
				engines := make([]*idempotency.Engine, processes)
				for i := range engines {
					engines[i] = newEngine(t, store, idempotency.Config{})
				}
				second := engines[len(engines)-1]
				begin := time.Now()
				var first sync.WaitGroup
				defer first.Wait()
				first.Go(func() {
					reply, err := engines[0].Do(t.Context(), operation("k"), slowly(10*time.Second, keep("done")))
					want(t, reply, err, "done", true)
				})
				synctest.Wait()

				ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
				defer cancel()
				_, err := second.Do(ctx, operation("k"), never(t))
				wantError(t, err, errors.TypeSystem, errors.CodeInProgress, errors.EffectUnknown)
				if e := errors.From(err); !e.Retryable || !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("got %v, retryable %v, want a retryable one with the cause of its context", err, e.Retryable)
				}
				if waited := time.Since(begin); waited != 3*time.Second {
					t.Errorf("it waited %v, want 3s", waited)
				}

				reply, err := second.Do(t.Context(), operation("k"), never(t))
				want(t, reply, err, "done", false)
				if late, limit := time.Since(begin)-10*time.Second, time.Duration(processes-1)*1500*time.Millisecond; late > limit {
					t.Errorf("it was woken %v late, want at most %v", late, limit)
				}
			})
		})
	}
}

// TestFaultOtherArgumentsInFlight: a conflict is a conflict at once, whoever runs
// the operation.
func TestFaultOtherArgumentsInFlight(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := newStore(t)
		first, second := newEngine(t, store, idempotency.Config{}), newEngine(t, store, idempotency.Config{})
		begin := time.Now()
		var callers sync.WaitGroup
		defer callers.Wait()
		callers.Go(func() {
			reply, err := first.Do(t.Context(), operation("k"), slowly(time.Minute, keep("done")))
			want(t, reply, err, "done", true)
		})
		synctest.Wait()
		callers.Go(func() { // waits in the second process, beside the one with other arguments
			reply, err := second.Do(t.Context(), operation("k"), never(t))
			want(t, reply, err, "done", false)
		})
		synctest.Wait()
		for _, engine := range []*idempotency.Engine{first, second} {
			_, err := engine.Do(t.Context(), other(operation("k")), never(t))
			wantError(t, err, errors.TypeValidation, errors.CodeKeyReused, errors.EffectNone)
		}
		if waited := time.Since(begin); waited != 0 {
			t.Errorf("the conflict took %v, want none", waited)
		}
	})
}

// TestFaultOtherArgumentsUnderWay: it is not known yet whose the key is. Whoever
// has other arguments neither gets the other's result nor a conflict that is none.
func TestFaultOtherArgumentsUnderWay(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		claimErr error
		reply    string
	}{
		"the first one gets the key":  {nil, ""},
		"the first one gets no reply": {errDown, "other"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				fail := failing(claim, 1, tc.claimErr)
				engine := newEngine(t, &faulty{store: newStore(t), before: func(ctx context.Context, method string) error {
					time.Sleep(time.Second)
					return fail(ctx, method)
				}}, idempotency.Config{})
				var first sync.WaitGroup
				defer first.Wait()
				first.Go(func() {
					_, err := engine.Do(t.Context(), operation("k"), slowly(time.Minute, keep("done")))
					if (err != nil) != (tc.claimErr != nil) {
						t.Errorf("the first one got %v", err)
					}
				})
				synctest.Wait()
				reply, err := engine.Do(t.Context(), other(operation("k")), keep("other"))
				if tc.reply != "" {
					want(t, reply, err, tc.reply, true)
					return
				}
				wantError(t, err, errors.TypeValidation, errors.CodeKeyReused, errors.EffectNone)
			})
		})
	}
}

// TestFaultKeyReused: the same key with other arguments later, and a key that
// belongs to others only by chance.
func TestFaultKeyReused(t *testing.T) {
	t.Parallel()
	engine := newEngine(t, newStore(t), idempotency.Config{})
	reply, err := engine.Do(t.Context(), operation("k"), keep("done"))
	want(t, reply, err, "done", true)
	for range 2 { // a refused one changes nothing
		_, err = engine.Do(t.Context(), other(operation("k")), never(t))
		wantError(t, err, errors.TypeValidation, errors.CodeKeyReused, errors.EffectNone)
		reply, err = engine.Do(t.Context(), operation("k"), never(t))
		want(t, reply, err, "done", false)
	}

	for name, change := range map[string]func(*idempotency.Operation){
		"tenant":     func(op *idempotency.Operation) { op.Scope = []string{"gateway", "comp_2"} },
		"principal":  func(op *idempotency.Operation) { op.Scope = []string{"gateway_2", "comp_1"} },
		"tool":       func(op *idempotency.Operation) { op.Name = "pagar_recarga" },
		"separators": func(op *idempotency.Operation) { op.Scope = []string{"gateway|comp_1"} },
		"order":      func(op *idempotency.Operation) { op.Scope = []string{"comp_1", "gateway"} },
		"moved":      func(op *idempotency.Operation) { op.Name, op.Scope = "pagar_facturak", op.Scope[1:] },
	} {
		op := operation("k")
		change(&op)
		reply, err := engine.Do(t.Context(), op, keep(name))
		want(t, reply, err, name, true)
	}
}

// TestFaultRunLimit: a run is stopped there, and what it did is unknown.
func TestFaultRunLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		engine := newEngine(t, newStore(t), idempotency.Config{RunLimit: time.Minute})
		_, err := engine.Do(t.Context(), operation("k"), func(ctx context.Context) idempotency.Settlement {
			<-ctx.Done()
			return fails(ctx.Err())(ctx)
		})
		wantError(t, err, errors.TypeSystem, errors.CodeTimeout, errors.EffectUnknown)
		_, err = engine.Do(t.Context(), operation("k"), never(t))
		wantError(t, err, errors.TypeUnknown, errors.CodeOutcomeUnknown, errors.EffectUnknown)
	})
}

// TestFaultFailure: each outcome does to the key what it proves.
func TestFaultFailure(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		first runFunc
		again string // what the second call gets: "runs", "unknown", "done", "the result"
	}{
		"not found":              {fails(errors.NotFound("")), "runs"},
		"validation":             {fails(errors.Validation("")), "runs"},
		"rolled back":            {fails(errors.NoEffect(errors.New("deadlock"))), "runs"},
		"unknown error":          {fails(errors.New("boom")), "unknown"},
		"deadline after sending": {fails(context.DeadlineExceeded), "unknown"},
		"second step not found":  {fails(errors.OutcomeUnknown(errors.NotFound(""))), "unknown"},
		"panic":                  {panics, "unknown"},
		"zero settlement":        {func(context.Context) idempotency.Settlement { return idempotency.Settlement{} }, "unknown"},
		"a verdict that is none": {func(context.Context) idempotency.Settlement { return idempotency.Settlement{Verdict: 9} }, "unknown"},
		"done, and cannot be shown": {func(context.Context) idempotency.Settlement {
			return idempotency.Settlement{Verdict: idempotency.Keep, Err: errors.System("")}
		}, "done"},
		"done, with an empty result": {keep(""), "the result"},
		"done, with no result":       {func(context.Context) idempotency.Settlement { return idempotency.Settlement{Verdict: idempotency.Keep} }, "the result"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			engine := newEngine(t, newStore(t), idempotency.Config{})
			first, err := engine.Do(t.Context(), operation("k"), tc.first)
			if !first.Ran || (err == nil) != (tc.again == "the result") {
				t.Errorf("the first call: ran %v, %v", first.Ran, err)
			}
			w := new(work)
			reply, err := engine.Do(t.Context(), operation("k"), w.count(keep("second")))
			switch tc.again {
			case "runs":
				want(t, reply, err, "second", true)
			case "unknown":
				wantError(t, err, errors.TypeUnknown, errors.CodeOutcomeUnknown, errors.EffectUnknown)
			case "done":
				wantError(t, err, errors.TypeBlocker, errors.CodeAlreadyDone, errors.EffectNone)
			case "the result":
				want(t, reply, err, "", false)
			}
			if (w.total() > 0) != (tc.again == "runs") {
				t.Errorf("%d second runs", w.total())
			}
		})
	}
}

// TestFaultPanic: a run that panics, or ends its goroutine as t.FailNow does, is
// one of which nobody knows the end. Whoever waits is told, and no goroutine of
// the engine goes down with it.
func TestFaultPanic(t *testing.T) {
	t.Parallel()
	for name, run := range map[string]runFunc{
		"panic":   panics,
		"nil":     func(context.Context) idempotency.Settlement { panic(nil) },
		"abort":   func(context.Context) idempotency.Settlement { panic(http.ErrAbortHandler) },
		"Goexit":  func(context.Context) idempotency.Settlement { runtime.Goexit(); return idempotency.Settlement{} },
		"a fault": func(context.Context) idempotency.Settlement { return keep(strings.Repeat("x", -len(t.Name())))(nil) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				engine := newEngine(t, newStore(t), idempotency.Config{})
				var callers sync.WaitGroup
				for range 3 {
					callers.Go(func() {
						_, err := engine.Do(t.Context(), operation("k"), slowly(time.Second, run))
						wantError(t, err, errors.TypeSystem, errors.CodePanic, errors.EffectUnknown)
					})
				}
				callers.Wait()
				_, err := engine.Do(t.Context(), operation("k"), never(t))
				wantError(t, err, errors.TypeUnknown, errors.CodeOutcomeUnknown, errors.EffectUnknown)
			})
		})
	}
}

// TestFaultTTL: a key is known for its whole TTL, counted from the completion,
// and never ends under its own run, however short it is.
func TestFaultTTL(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		cfg  idempotency.Config
		ttl  time.Duration // of the operation
		want time.Duration
	}{
		"default":      {idempotency.Config{}, 0, 7 * 24 * time.Hour},
		"configured":   {idempotency.Config{TTL: time.Hour}, 0, time.Hour},
		"longer":       {idempotency.Config{TTL: time.Hour}, 48 * time.Hour, 48 * time.Hour},
		"shorter":      {idempotency.Config{}, time.Hour, time.Hour},
		"very short":   {idempotency.Config{}, time.Second, time.Second},
		"under a long": {idempotency.Config{TTL: time.Minute}, time.Second, time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				store := newStore(t)
				first, second := newEngine(t, store, tc.cfg), newEngine(t, store, tc.cfg)
				op := operation("k")
				op.TTL = tc.ttl
				var duplicate sync.WaitGroup
				defer duplicate.Wait()
				duplicate.Go(func() {
					time.Sleep(time.Second)
					ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
					defer cancel()
					_, err := second.Do(ctx, op, never(t))
					wantError(t, err, errors.TypeSystem, errors.CodeInProgress, errors.EffectUnknown)
				})
				reply, err := first.Do(t.Context(), op, slowly(4*time.Minute+30*time.Second, keep("done")))
				want(t, reply, err, "done", true)
				time.Sleep(tc.want - time.Millisecond)
				reply, err = second.Do(t.Context(), op, never(t))
				want(t, reply, err, "done", false)
				time.Sleep(time.Millisecond)
				reply, err = second.Do(t.Context(), op, keep("again"))
				want(t, reply, err, "again", true)
			})
		})
	}
}

// TestFaultTooLarge: a result that is not kept was shown to whoever waited for
// it; the effect is not repeated for the next one.
func TestFaultTooLarge(t *testing.T) {
	t.Parallel()
	var seen incidents
	engine := newEngine(t, newStore(t), idempotency.Config{MaxResult: 10, Report: seen.report})
	for _, result := range []string{"0123456789", "0123456789+"} {
		reply, err := engine.Do(t.Context(), operation(result), keep(result))
		want(t, reply, err, result, true)
	}
	reply, err := engine.Do(t.Context(), operation("0123456789"), never(t))
	want(t, reply, err, "0123456789", false)
	_, err = engine.Do(t.Context(), operation("0123456789+"), never(t))
	wantError(t, err, errors.TypeBlocker, errors.CodeAlreadyDone, errors.EffectNone)
	if got := seen.kinds(); !slices.Equal(got, []string{idempotency.IncidentTooLarge}) {
		t.Errorf("incidents %v, want one: %s", got, idempotency.IncidentTooLarge)
	}
}

// TestFaultRunsPileUp: what is behind the runs answers nobody, and their callers
// have left. Others are refused before anything runs, and admitted later.
func TestFaultRunsPileUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		engine := newEngine(t, newStore(t), idempotency.Config{MaxRunning: 2})
		for _, key := range []string{"a", "b"} {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			_, err := engine.Do(ctx, operation(key), slowly(time.Minute, keep(key)))
			cancel()
			wantError(t, err, errors.TypeSystem, errors.CodeInProgress, errors.EffectUnknown)
		}
		_, err := engine.Do(t.Context(), operation("c"), never(t))
		wantError(t, err, errors.TypeSystem, errors.CodeBusy, errors.EffectNone)
		reply, err := engine.Do(t.Context(), operation("a"), never(t)) // joins the run
		want(t, reply, err, "a", false)
		synctest.Wait()
		reply, err = engine.Do(t.Context(), operation("c"), keep("c"))
		want(t, reply, err, "c", true)
	})
}

// TestFaultWithin: an operation that asks for itself is told at once, instead of
// waiting for its own end.
func TestFaultWithin(t *testing.T) {
	t.Parallel()
	engine := newEngine(t, newStore(t), idempotency.Config{})
	reply, err := engine.Do(t.Context(), operation("k"), func(ctx context.Context) idempotency.Settlement {
		_, err := engine.Do(ctx, operation("k"), never(t))
		wantError(t, err, errors.TypeSystem, errors.CodeInProgress, errors.EffectUnknown)
		inner, err := engine.Do(ctx, operation("a step"), keep("step"))
		want(t, inner, err, "step", true)
		return keep("done")(ctx)
	})
	want(t, reply, err, "done", true)
}

// TestFaultIncidents: an operator learns of what no caller may be there to hear.
func TestFaultIncidents(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var got []idempotency.Incident
		engine := newEngine(t, newStore(t), idempotency.Config{Report: func(i idempotency.Incident) { got = append(got, i) }})
		ctx, leave := context.WithTimeout(t.Context(), time.Second)
		defer leave()
		_, err := engine.Do(ctx, operation("k"), slowly(time.Minute, panics))
		wantError(t, err, errors.TypeSystem, errors.CodeInProgress, errors.EffectUnknown)
		time.Sleep(time.Minute)
		synctest.Wait()
		if len(got) != 1 || got[0].Kind != idempotency.IncidentAbandoned || got[0].Operation.Key != "k" ||
			!strings.Contains(fmt.Sprint(got[0].Err), "boom") || !strings.Contains(fmt.Sprint(got[0].Err), "panics(") {
			t.Errorf("incidents %v, want one of %q with the panic and its stack", got, idempotency.IncidentAbandoned)
		}
	})
}
