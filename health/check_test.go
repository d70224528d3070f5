package health_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/portavoz/portavoz/health"
)

// counter is a probe that knows how often it ran, and how often at once.
type counter struct {
	probe              func(context.Context) error
	runs, now, highest atomic.Int32
}

func newCounter(probe func(context.Context) error) *counter { return &counter{probe: probe} }

func (c *counter) run(ctx context.Context) error {
	c.runs.Add(1)
	now := c.now.Add(1)
	defer c.now.Add(-1)
	if now > c.highest.Load() {
		c.highest.Store(now)
	}
	return c.probe(ctx)
}

// outputOf reads /readyz and returns status and output of the only check.
func outputOf(t *testing.T, h http.Handler) (status, output string) {
	t.Helper()
	var body struct {
		Checks map[string][]struct{ Status, Output string }
	}
	if err := json.Unmarshal(get(h, "/readyz").Body.Bytes(), &body); err != nil {
		t.Fatal(err)
	}
	if len(body.Checks) != 1 {
		t.Fatalf("got %d checks, want 1", len(body.Checks))
	}
	for _, check := range body.Checks {
		status, output = check[0].Status, check[0].Output
	}
	return status, output
}

type nilError struct{ text string }

func (e *nilError) Error() string { return e.text }

func TestProbeOutcomes(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		probe          func(context.Context) error
		status, output string
	}{
		"nil":         {healthy, "pass", ""},
		"error":       {func(context.Context) error { return errors.New("refused") }, "fail", "refused"},
		"empty error": {func(context.Context) error { return errors.New("") }, "fail", ""},
		"panic":       {func(context.Context) error { panic("boom") }, "fail", "panic: boom"},
		"panic with nil": {
			func(context.Context) error { panic(nil) },
			"fail", "panic: panic called with nil argument",
		},
		"error that panics when read": {
			func(context.Context) error { return (*nilError)(nil) },
			"fail", "panic: runtime error: invalid memory address or nil pointer dereference",
		},
		"goexit": {
			func(context.Context) error { runtime.Goexit(); return nil },
			"fail", "the probe ended its goroutine",
		},
		"long text": {
			func(context.Context) error { return errors.New(strings.Repeat("ñ", 1000)) },
			"fail", strings.Repeat("ñ", 299) + "…",
		},
		"text of just the length": {
			func(context.Context) error { return errors.New(strings.Repeat("ñ", 300)) },
			"fail", strings.Repeat("ñ", 300),
		},
		"just in time": {func(context.Context) error { time.Sleep(800*time.Millisecond - 1); return nil }, "pass", ""},
		"too late": {
			func(context.Context) error { time.Sleep(time.Second); return nil },
			"fail", "no answer within 800ms; the probe is still running",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := started(t, health.Config{Checks: []health.Check{{Name: "db", Probe: tt.probe}}, Details: anybody})
				status, output := outputOf(t, h)
				if status != tt.status || output != tt.output {
					t.Errorf("got %s %q, want %s %q", status, output, tt.status, tt.output)
				}
				time.Sleep(time.Minute) // a probe that was late ends inside the bubble
			})
		})
	}
}

func TestProbeSeesItsDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var ended atomic.Int64
		begin := time.Now()
		h := started(t, health.Config{Checks: []health.Check{{
			Name: "db", Timeout: 3 * time.Second,
			Probe: func(ctx context.Context) error {
				<-ctx.Done()
				ended.Store(int64(time.Since(begin)))
				return nil // too late to be believed
			},
		}}})
		wantAnswer(t, h, "/readyz", 503, `{"status":"fail"}`)
		synctest.Wait()
		if got := time.Duration(ended.Load()); got != 3*time.Second {
			t.Errorf("context ended after %v, want 3s", got)
		}
		wantAnswer(t, h, "/readyz", 503, `{"status":"fail"}`)
	})
}

// probing counts the goroutines of the whole process that run a probe.
func probing() int {
	stacks := make([]byte, 1<<20)
	return strings.Count(string(stacks[:runtime.Stack(stacks, true)]), "health.(*checker).execute(")
}

//nolint:paralleltest // probing counts in the whole process
func TestHangingCheckRunsOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		probe := newCounter(func(context.Context) error { // ignores its context
			<-release
			return nil
		})
		h := started(t, health.Config{Checks: []health.Check{{Name: "db", Probe: probe.run}}, Details: anybody})
		crowd := func(want time.Duration) {
			t.Helper()
			begin := time.Now()
			var wg sync.WaitGroup
			for range 500 {
				wg.Go(func() {
					if got := get(h, "/readyz").Code; got != 503 {
						t.Errorf("status = %d, want 503", got)
					}
					if got := time.Since(begin); got != want {
						t.Errorf("answered after %v, want %v", got, want)
					}
				})
			}
			wg.Wait()
		}
		crowd(health.DefaultTimeout) // all wait for the one run
		crowd(0)                     // and now it is known to hang
		time.Sleep(time.Hour)
		crowd(0)
		synctest.Wait() // the last readers are gone
		if got := probing(); got != 1 {
			t.Errorf("%d goroutines run a probe, want 1", got)
		}

		close(release)
		synctest.Wait()
		if got := probing(); got != 0 {
			t.Errorf("%d goroutines run a probe after it returned, want 0", got)
		}
		if runs, highest := probe.runs.Load(), probe.highest.Load(); runs != 1 || highest != 1 {
			t.Errorf("the probe ran %d times, %d at once, want 1 and 1", runs, highest)
		}
		// What was late is an old failure by now, so the probe is asked again.
		if got := get(h, "/readyz").Code; got != 200 {
			t.Errorf("status = %d, want 200", got)
		}
		if got := probe.runs.Load(); got != 2 {
			t.Errorf("runs = %d, want 2", got)
		}
	})
}

func TestHangingCheckDoesNotHideTheOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		hang := func(context.Context) error { <-release; return nil }
		h := started(t, health.Config{Checks: []health.Check{
			{Name: "a", Informative: true, Probe: hang, Timeout: 2 * time.Second},
			{Name: "b", Informative: true, Probe: hang, Timeout: time.Second},
			{Name: "c", Probe: healthy},
		}})
		begin := time.Now()
		wantAnswer(t, h, "/readyz", 200, `{"status":"warn"}`)
		if got := time.Since(begin); got != 2*time.Second {
			t.Errorf("answered after %v, want 2s: checks run at the same time", got)
		}
		close(release)
	})
}

func TestCache(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var broken atomic.Bool
		probe := newCounter(func(context.Context) error {
			if broken.Load() {
				return errors.New("down")
			}
			return nil
		})
		h := started(t, health.Config{Checks: []health.Check{{Name: "db", CacheFor: 10 * time.Second, Probe: probe.run}}})
		steps := []struct {
			after  time.Duration
			broken bool
			code   int
			runs   int32
		}{
			{0, false, 200, 1},
			{10*time.Second - 1, true, 200, 1}, // a good result is told again
			{1, true, 503, 2},
			{10*time.Second - 1, false, 503, 2}, // and so is a bad one
			{1, false, 200, 3},
			{time.Hour, false, 200, 4}, // nobody read, nothing ran
		}
		for i, step := range steps {
			time.Sleep(step.after)
			broken.Store(step.broken)
			if got := get(h, "/readyz").Code; got != step.code {
				t.Errorf("step %d: status = %d, want %d", i, got, step.code)
			}
			if got := probe.runs.Load(); got != step.runs {
				t.Errorf("step %d: runs = %d, want %d", i, got, step.runs)
			}
		}
	})
}

func TestLateAnswerAgesFromTheDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		slow := true
		probe := newCounter(func(context.Context) error {
			if slow {
				time.Sleep(4 * time.Second)
			}
			return nil
		})
		h := started(t, health.Config{
			Checks:  []health.Check{{Name: "db", Timeout: time.Second, CacheFor: 5 * time.Second, Probe: probe.run}},
			Details: anybody,
		})
		wantOutput := func(want string) {
			t.Helper()
			if _, got := outputOf(t, h); got != want {
				t.Errorf("after %v: output = %q, want %q", time.Since(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)), got, want)
			}
		}
		wantOutput("no answer within 1s; the probe is still running")
		time.Sleep(4 * time.Second) // 5 s: it returned one second ago
		wantOutput("no answer within 1s")
		slow = false
		time.Sleep(time.Second) // 6 s: five seconds after the deadline
		wantOutput("")
		if got := probe.runs.Load(); got != 2 {
			t.Errorf("runs = %d, want 2", got)
		}
	})
}

func TestReaderThatLeavesChangesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		probe := newCounter(func(ctx context.Context) error {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(500 * time.Millisecond):
				return nil
			}
		})
		h := started(t, health.Config{Checks: []health.Check{{Name: "db", Probe: probe.run}}})
		ctx, leave := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer leave()
		begin := time.Now()
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/readyz", nil).WithContext(ctx))
		if got := time.Since(begin); got != 100*time.Millisecond {
			t.Errorf("the reader was held for %v, want 100ms", got)
		}
		wantAnswer(t, h, "/readyz", 200, `{"status":"pass"}`)
		if got := probe.runs.Load(); got != 1 {
			t.Errorf("runs = %d, want 1", got)
		}
	})
}
