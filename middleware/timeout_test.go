package middleware_test

import (
	"context"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware"
)

// stubborn ignores its context and returns when told to.
func stubborn(release <-chan struct{}, end handler) handler {
	return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		<-release
		return end(ctx, req)
	}
}

func TestTimeoutAnswersAtTheDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		late := newRecorder()
		h := middleware.Timeout(2*time.Second, middleware.OnLate(late.observe))(stubborn(release, ok))

		start := time.Now()
		_, err := h(t.Context(), request(nil))
		if waited := time.Since(start); waited != 2*time.Second {
			t.Errorf("waited %v, want exactly 2s", waited)
		}
		e := errors.From(err)
		if e == nil || e.Type != errors.TypeSystem || e.Code != errors.CodeTimeout || e.Effect != errors.EffectUnknown {
			t.Errorf("got %v, want SYSTEM timeout with an unknown effect", err)
		}

		time.Sleep(3 * time.Second)
		close(release)
		synctest.Wait()
		if ev := late.next(t); ev.Outcome != middleware.OutcomeLateResult || ev.Duration != 5*time.Second {
			t.Errorf("got %s after %v, want late_result after 5s", ev.Outcome, ev.Duration)
		}
	})
}

// The header of a request is net/http's again once the client was answered.
func TestTimeoutGivesTheRunAHeaderOfItsOwn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		var seen string
		h := middleware.Timeout(time.Second)(stubborn(release, func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			seen = req.Header.Get("X-Caller")
			return ok(ctx, req)
		}))
		req := request(nil)
		req.Header = http.Header{"X-Caller": {"first"}}
		if _, err := h(t.Context(), req); !errors.Is(err, errors.TypeSystem) {
			t.Errorf("got %v, want SYSTEM", err)
		}
		req.Header.Set("X-Caller", "second")
		close(release)
		synctest.Wait()
		if seen != "first" {
			t.Errorf("the run saw the header of %q, want that of its own request", seen)
		}
	})
}

func TestTimeoutSwallowsALatePanic(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]handler{
		"panic": panics("tarde"),
		"goexit": func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			runtime.Goexit()
			return nil, nil
		},
		"abort": panics(http.ErrAbortHandler),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				release := make(chan struct{})
				late := newRecorder()
				h := middleware.Timeout(time.Second, middleware.OnLate(late.observe))(stubborn(release, end))
				if _, err := h(t.Context(), request(nil)); !errors.Is(err, errors.TypeSystem) {
					t.Errorf("got %v, want SYSTEM", err)
				}
				close(release)
				synctest.Wait()
				ev := late.next(t)
				if _, ok := errors.AsType[*middleware.PanicError](ev.Err); !ok || ev.Outcome != middleware.OutcomeLatePanic {
					t.Errorf("got %s with %v, want late_panic with a PanicError", ev.Outcome, ev.Err)
				}
			})
		})
	}
}

func TestTimeoutRefusesAToolWithTooManyOverdueRuns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		runs := make(chan struct{}, 10)
		timeout := middleware.Timeout(time.Second, middleware.MaxAbandoned(2))
		h := timeout(func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			runs <- struct{}{}
			return stubborn(release, ok)(ctx, req)
		})
		for range 2 {
			if _, err := h(t.Context(), request(nil)); errors.From(err).Code != errors.CodeTimeout {
				t.Fatalf("got %v, want a timeout", err)
			}
		}
		rec := newRecorder()
		_, err := middleware.Observe(rec.observe)(h)(t.Context(), request(nil))
		e := errors.From(err)
		if e.Code != errors.CodeBusy || e.Effect != errors.EffectNone || e.RetryAfter != time.Second {
			t.Errorf("got %+v, want busy without effect, to be retried after 1s", e)
		}
		if len(runs) != 2 {
			t.Errorf("the handler ran %d times, want 2: the refused call must not run", len(runs))
		}
		if got := rec.next(t).Outcome; got != middleware.OutcomeRefused {
			t.Errorf("got outcome %s, want refused", got)
		}

		other := request(nil)
		other.Params.Name = "otra"
		if _, err := timeout(ok)(t.Context(), other); err != nil {
			t.Errorf("another tool was refused as well: %v", err)
		}
		close(release)
		synctest.Wait()
		if _, err := timeout(ok)(t.Context(), request(nil)); err != nil {
			t.Errorf("the tool is still refused after its runs ended: %v", err)
		}
	})
}

func TestTimeoutPassesOnWhatComesInTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		slow := func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			time.Sleep(3 * time.Second)
			return ok(ctx, req)
		}
		h := middleware.Timeout(time.Second, middleware.TimeoutFor("prueba", 5*time.Second))(slow)
		res, err := h(t.Context(), request(nil))
		if err != nil || res == nil {
			t.Errorf("got %v, %v; want the result of a tool with a longer deadline", res, err)
		}
		_, err = middleware.Timeout(time.Second)(fails(errors.NotFound("No está.")))(t.Context(), request(nil))
		if !errors.Is(err, errors.TypeNotFound) {
			t.Errorf("got %v, want the handler's own error", err)
		}
	})
}

func TestTimeoutEndsWithTheClient(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(100*time.Millisecond, cancel)
		rec := newRecorder()
		h := middleware.Wrap(func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}, middleware.Observe(rec.observe), middleware.Timeout(time.Second))
		_, err := h(ctx, request(nil))
		if e := errors.From(err); e.Code != errors.CodeCanceled {
			t.Errorf("got %v, want canceled", err)
		}
		if ev := rec.next(t); ev.Outcome != middleware.OutcomeCanceled || ev.ServerFault() {
			t.Errorf("got %s (server fault: %t), want canceled, which is not the server's fault", ev.Outcome, ev.ServerFault())
		}
		synctest.Wait()
	})
}

func TestTimeoutBringsUpAPanic(t *testing.T) {
	t.Parallel()
	h := middleware.Wrap(panics("roto"), middleware.Recover(), middleware.Timeout(time.Hour))
	_, err := h(t.Context(), request(nil))
	p, ok := errors.AsType[*middleware.PanicError](err)
	if !ok || p.Value != "roto" || !strings.Contains(string(p.Stack), "recover_test.go") {
		t.Errorf("got %v, want the panic with the stack of the handler's goroutine", err)
	}

	goexit := func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		runtime.Goexit()
		return nil, nil
	}
	_, err = middleware.Wrap(goexit, middleware.Recover(), middleware.Timeout(time.Hour))(t.Context(), request(nil))
	if e := errors.From(err); e.Code != errors.CodePanic {
		t.Errorf("got %v, want Goexit to count as a panic", err)
	}
}

func TestTimeoutPanicsWithoutADuration(t *testing.T) {
	t.Parallel()
	for name, build := range map[string]func(){
		"Timeout":    func() { middleware.Timeout(0) },
		"TimeoutFor": func() { middleware.TimeoutFor("prueba", -time.Second) },
	} {
		func() {
			defer func() {
				if v, _ := recover().(string); !strings.HasPrefix(v, "portavoz/middleware: ") {
					t.Errorf("%s: recovered %q, want a panic of this package", name, v)
				}
			}()
			build()
		}()
	}
}
