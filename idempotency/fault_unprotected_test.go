package idempotency_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
)

// TestFaultRunsWithoutStore is the dangerous choice: it runs, this process still
// runs it once, and the store learns of it when it is back.
func TestFaultRunsWithoutStore(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		err  error
		runs bool
	}{
		"away":    {errDown, true},
		"damaged": {idempotency.ErrCorrupt, false},
		"full":    {idempotency.ErrFull, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var seen incidents
				store := newStore(t)
				engine := newEngine(t, &faulty{store: store, before: failing(claim, 3, tc.err)},
					idempotency.Config{DangerouslyRunWithoutStore: true, Report: seen.report})
				w := new(work)
				reply, err := engine.Do(t.Context(), operation("k"), w.count(keep("done")))
				if !tc.runs {
					if err == nil || w.total() != 0 {
						t.Errorf("got %q, %v after %d runs, want it refused", reply.Result, err, w.total())
					}
					return
				}
				want(t, reply, err, "done", true)
				reply, err = engine.Do(t.Context(), operation("k"), never(t))
				want(t, reply, err, "done", false)
				time.Sleep(time.Minute)
				reply, err = newEngine(t, store, idempotency.Config{}).Do(t.Context(), operation("k"), never(t))
				want(t, reply, err, "done", false)
				if got := seen.kinds(); !slices.Equal(got, []string{idempotency.IncidentUnprotected, idempotency.IncidentUnsettled}) {
					t.Errorf("incidents %v, want %s and %s", got, idempotency.IncidentUnprotected, idempotency.IncidentUnsettled)
				}
			})
		})
	}
}

// TestFaultRunsWithoutStoreAnswerLost: the store learns of a run that it was not
// asked about, and the answer to that is lost. It is told again, and nobody took
// anything over.
func TestFaultRunsWithoutStoreAnswerLost(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		method string
		run    runFunc
		seen   []string
	}{
		"completed": {complete, keep("done"), []string{idempotency.IncidentUnprotected, idempotency.IncidentUnsettled}},
		"abandoned": {
			abandon, fails(errors.New("boom")),
			[]string{idempotency.IncidentUnprotected, idempotency.IncidentAbandoned, idempotency.IncidentUnsettled},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var seen incidents
				engine := newEngine(t, &faulty{
					store: newStore(t), before: failing(claim, 1, errDown), after: failing(tc.method, 2, errDown),
				}, idempotency.Config{DangerouslyRunWithoutStore: true, Report: seen.report})
				_, _ = engine.Do(t.Context(), operation("k"), tc.run)
				time.Sleep(time.Minute)
				if got := seen.kinds(); !slices.Equal(got, tc.seen) {
					t.Errorf("incidents %v, want %v", got, tc.seen)
				}
			})
		})
	}
}
