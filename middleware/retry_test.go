package middleware_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/rs/zerolog"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/middleware"
)

// failing fails with the errors in turn, the last one for ever; nil is a success.
// It counts how often it ran.
func failing(runs *int, errs ...error) handler {
	return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		err := errs[min(*runs, len(errs)-1)]
		*runs++
		if err != nil {
			return nil, err
		}
		return ok(ctx, req)
	}
}

// answering is a handler's own failed result.
func answering(runs *int, shape string) handler {
	return func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		*runs++
		return mcp.NewToolResultError(shape), nil
	}
}

// retried calls the tools "lee", which is read-only, and "escribe" through a
// server with the middlewares, and returns the answer.
func retried(ctx context.Context, t *testing.T, h handler, tool, key string, mws ...server.ToolHandlerMiddleware) string {
	t.Helper()
	srv := newServer(h, mws...)
	srv.AddTool(mcp.NewTool("lee", mcp.WithReadOnlyHintAnnotation(true)), h)
	srv.AddTool(mcp.NewTool("escribe"), h)
	if key != "" {
		key = fmt.Sprintf(`"com.asixto/idempotencyKey":%q`, key)
	}
	return answer(ctx, t, srv, modernCall(tool, `{"documento":"1032"}`, key))
}

var (
	errRefused = &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED} // nothing was sent
	errReset   = &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}   // nobody knows
)

func TestRetryWhat(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name                    string
		err                     error
		read, write, forwarding int // how often the handler runs
	}{
		{"success", nil, 1, 1, 1},
		{"a connection refused", errRefused, 3, 3, 3},
		{"a name that was not found", &net.DNSError{Err: "no such host", Name: "facturas"}, 3, 3, 3},
		{"a connection lost", errReset, 3, 1, 3},
		{"an answer cut off", fmt.Errorf("leer: %w", io.ErrUnexpectedEOF), 3, 1, 3},
		{"a dependency's deadline", context.DeadlineExceeded, 3, 1, 3},
		{"a typed one", errors.System("", errors.WithRetryable()), 3, 1, 3},
		{"a typed one without effect", errors.System("", errors.WithRetryable(), errors.WithEffect(errors.EffectNone)), 3, 3, 3},
		{"a typed one, wrapped", fmt.Errorf("saldo: %w", errors.System("", errors.WithRetryable())), 3, 1, 3},
		{"a typed one by its cause", errors.System("No hay línea.", errors.WithCause(errReset)), 3, 1, 3},
		{"a typed one by its cause, wrapped twice", fmt.Errorf("b: %w", errors.System("", errors.WithCause(fmt.Errorf("a: %w", errRefused)))), 3, 3, 3},
		{"a lost one without effect", errors.NoEffect(errReset), 3, 3, 3},
		{"a limit of a dependency", errors.System("", errors.WithRetryAfter(time.Second)), 3, 1, 3},
		{"a limit for too long", errors.System("", errors.WithRetryAfter(2*time.Second+1)), 1, 1, 1},
		{"a limit for ever", errors.System("", errors.WithRetryAfter(1<<63-1)), 1, 1, 1},

		{"a typed one that is for good", errors.System("Falta la configuración."), 1, 1, 1},
		{"for good, by its cause", errors.System("", errors.WithCause(errors.New("sin tabla"))), 1, 1, 1},
		{"anything foreign", errors.New("sin tabla"), 1, 1, 1},
		{"an unknown outcome", errors.OutcomeUnknown(errRefused), 1, 1, 1},
		{"an unknown outcome below", errors.System("", errors.WithRetryable(), errors.WithCause(errors.OutcomeUnknown(errRefused))), 1, 1, 1},
		{"UNKNOWN", errors.Unknown("", errors.WithRetryable()), 1, 1, 1},
		{"VALIDATION", errors.Validation("", errors.WithRetryable()), 1, 1, 1},
		{"PERMISSION", errors.Permission("", errors.WithRetryable()), 1, 1, 1},
		{"NOT_FOUND", errors.NotFound("", errors.WithRetryable()), 1, 1, 1},
		{"BLOCKER", errors.Blocker("", errors.WithRetryable()), 1, 1, 1},
		{"a context that the handler cancelled", context.Canceled, 1, 1, 1},
		{"cancelled before sending", &net.OpError{Op: "dial", Err: context.Canceled}, 1, 1, 1},
		{"a panic that was caught", errors.System("", errors.WithCode(errors.CodePanic), errors.WithCause(errRefused)), 1, 1, 1},
		{"joined with one that is for good", errors.Join(errRefused, errors.New("sin tabla")), 1, 1, 1},
		{"with methods that panic", panickingError{}, 1, 1, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				for _, way := range []struct {
					name, tool string
					cfg        middleware.RetryConfig
					want       int
				}{
					{"read", "lee", middleware.RetryConfig{}, tt.read},
					{"write", "escribe", middleware.RetryConfig{}, tt.write},
					{"write that forwards its key", "escribe", middleware.RetryConfig{ForwardsKey: []string{"escribe"}}, tt.forwarding},
				} {
					runs := 0
					retried(t.Context(), t, failing(&runs, tt.err), way.tool, "k",
						middleware.Errors(middleware.ErrorsConfig{}), middleware.Idempotency(newEngine(t, idempotency.Config{})), middleware.Retry(way.cfg))
					if runs != way.want {
						t.Errorf("%s: %d runs, want %d", way.name, runs, way.want)
					}
				}
			})
		})
	}
}

// A failure that the handler wrote as a result counts like an error. Its effect
// is not on the wire, so a write is not repeated for it.
func TestRetryOfResults(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, shape string
		read, write int
	}{
		{"SYSTEM for a moment", `{"error":{"error_type":"SYSTEM","user_message":"x","details":{"retryable":true}}}`, 3, 1},
		{"SYSTEM with a time", `{"error":{"error_type":"SYSTEM","user_message":"x","details":{"retryable":true,"retry_after_seconds":1}}}`, 3, 1},
		{"SYSTEM with too long a time", `{"error":{"error_type":"SYSTEM","user_message":"x","details":{"retryable":true,"retry_after_seconds":1e300}}}`, 1, 1},
		{"SYSTEM", `{"error":{"error_type":"SYSTEM","user_message":"x"}}`, 1, 1},
		{"NOT_FOUND", `{"error":{"error_type":"NOT_FOUND","user_message":"x","details":{"retryable":true}}}`, 1, 1},
		{"text", `tente de nuevo`, 1, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				read, write := 0, 0
				retry := middleware.Retry(middleware.RetryConfig{})
				got := retried(t.Context(), t, answering(&read, tt.shape), "lee", "", retry)
				retried(t.Context(), t, answering(&write, tt.shape), "escribe", "", retry)
				if read != tt.read || write != tt.write {
					t.Errorf("%d reads and %d writes, want %d and %d", read, write, tt.read, tt.write)
				}
				if text, _ := json.Marshal(tt.shape); !strings.Contains(got, string(text)) {
					t.Errorf("the result is not the handler's: %s", got)
				}
			})
		})
	}
}

// Each wait lasts between half of its longest and all of it, and the second is
// twice the first.
func TestRetryWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var at []time.Time
		h := func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			at = append(at, time.Now())
			return nil, errRefused
		}
		different := map[time.Duration]bool{}
		for range 50 {
			at = at[:0]
			retried(t.Context(), t, h, "lee", "", middleware.Retry(middleware.RetryConfig{Delay: time.Second}))
			if len(at) != 3 {
				t.Fatalf("%d tries, want 3", len(at))
			}
			first, second := at[1].Sub(at[0]), at[2].Sub(at[1])
			if first < 500*time.Millisecond || first > time.Second || second < time.Second || second > 2*time.Second {
				t.Errorf("waited %s and %s, want 0.5 to 1 s and 1 to 2 s", first, second)
			}
			different[first] = true
		}
		if len(different) < 10 {
			t.Errorf("only %d different waits of 50", len(different))
		}
		at = at[:0]
		limited := func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			at = append(at, time.Now())
			return nil, errors.System("", errors.WithRetryAfter(2*time.Second))
		}
		retried(t.Context(), t, limited, "lee", "", middleware.Retry(middleware.RetryConfig{}))
		for i, gap := range []time.Duration{at[1].Sub(at[0]), at[2].Sub(at[1])} {
			if gap < 2*time.Second || gap > 2200*time.Millisecond {
				t.Errorf("gap %d is %s, want at least the two seconds that were asked for", i, gap)
			}
		}
	})
}

// No wait goes past the deadline, and there has to be time for another try as long
// as the last.
func TestRetryWithinTheDeadline(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		deadline time.Duration
		takes    time.Duration
		err      error
		want     int
	}{
		{"enough for all", 10 * time.Second, time.Second, errRefused, 3},
		{"enough for two", 2500 * time.Millisecond, time.Second, errRefused, 2},
		{"no time for another", 2 * time.Second, time.Second, errRefused, 1},
		{"no time for the wait", 90 * time.Millisecond, 0, errors.System("", errors.WithRetryAfter(90*time.Millisecond)), 1},
		{"time for the hint", 2500 * time.Millisecond, 0, errors.System("", errors.WithRetryAfter(2*time.Second)), 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), tt.deadline)
				defer cancel()
				runs := 0
				var last time.Time
				retried(ctx, t, func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
					runs++
					time.Sleep(tt.takes)
					last = time.Now()
					return nil, tt.err
				}, "lee", "", middleware.Retry(middleware.RetryConfig{}))
				if runs != tt.want {
					t.Errorf("%d tries, want %d", runs, tt.want)
				}
				if late := time.Since(last); late != 0 {
					t.Errorf("the last failure was held back for %s", late)
				}
				if ctx.Err() != nil {
					t.Error("the deadline has passed")
				}
			})
		})
	}
}

func TestRetryEndsWithTheCall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		runs := 0
		time.AfterFunc(time.Second, cancel)
		start := time.Now()
		retried(ctx, t, failing(&runs, errRefused), "lee", "", middleware.Retry(middleware.RetryConfig{Delay: time.Minute}))
		if runs != 1 || time.Since(start) != time.Second {
			t.Errorf("%d runs and %s, want one and the second until the client left", runs, time.Since(start))
		}
		runs = 0
		retried(ctx, t, failing(&runs, errRefused), "lee", "", middleware.Retry(middleware.RetryConfig{}))
		if runs != 1 {
			t.Errorf("%d runs of a call that had ended, want 1", runs)
		}
	})
}

func TestRetrySucceeds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		errs  []error
		tries int
	}{
		{"at once", []error{nil}, 1},
		{"then", []error{errReset, nil}, 2},
		{"in the end", []error{errReset, errRefused, nil}, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var line, attrs bytes.Buffer
				rec, runs := newRecorder(), 0
				got := retried(t.Context(), t, failing(&runs, tt.errs...), "lee", "",
					middleware.Observe(rec.observe, middleware.Zerolog(zerolog.New(&line)), middleware.Slog(slog.New(slog.NewTextHandler(&attrs, nil)))),
					middleware.Retry(middleware.RetryConfig{}))
				if !strings.Contains(got, "Está activo.") || runs != tt.tries {
					t.Errorf("%d runs gave %s", runs, got)
				}
				if ev := rec.next(t); ev.Tries != tt.tries || ev.Outcome != middleware.OutcomeOK {
					t.Errorf("the event says %d tries and %s, want %d and ok", ev.Tries, ev.Outcome, tt.tries)
				}
				inZerolog := strings.Contains(line.String(), fmt.Sprintf(`"tries":%d`, tt.tries))
				inSlog := strings.Contains(attrs.String(), fmt.Sprintf(" tries=%d", tt.tries))
				if several := tt.tries > 1; inZerolog != several || inSlog != several {
					t.Errorf("the lines are %s%s", &line, &attrs)
				}
			})
		})
	}
	if ev := eventOf(t, middleware.Guard(func(context.Context, mcp.CallToolRequest) error { return errors.Blocker("") })); ev.Tries != 0 {
		t.Errorf("a handler that did not run has %d tries", ev.Tries)
	}
}

func eventOf(t *testing.T, outer server.ToolHandlerMiddleware) middleware.Event {
	t.Helper()
	rec := newRecorder()
	_, _ = middleware.Wrap(ok, middleware.Observe(rec.observe), outer, middleware.Retry(middleware.RetryConfig{}))(t.Context(), request(nil))
	return rec.next(t)
}

// If an earlier try may have had an effect, the last one's proof does not free the
// key.
func TestRetryKeepsADoubt(t *testing.T) {
	t.Parallel()
	const unknown = `"error_type":"UNKNOWN","user_message":"No se pudo confirmar si la solicitud se completó, y conviene verificarlo antes de repetirla."`
	for _, tt := range []struct {
		name string
		errs []error
		runs int
		want string
	}{
		{"then refused", []error{errReset, errRefused}, 3, unknown},
		{"then a business result", []error{errReset, errors.Validation("Esa factura ya está pagada.")}, 2, unknown},
		{"refused, lost, refused", []error{errRefused, errReset, errRefused}, 3, unknown},
		{"then unknown itself", []error{errReset, errReset}, 3, `"error_type":"SYSTEM","user_message":"Se perdió la comunicación antes de recibir la respuesta."`},
		{"never any doubt", []error{errRefused, errors.Validation("Esa factura ya está pagada.")}, 2, `"error_type":"VALIDATION","user_message":"Esa factura ya está pagada."`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				runs := 0
				got := retried(t.Context(), t, failing(&runs, tt.errs...), "escribe", "k",
					middleware.Errors(middleware.ErrorsConfig{}), middleware.Idempotency(newEngine(t, idempotency.Config{})),
					middleware.Retry(middleware.RetryConfig{ForwardsKey: []string{"escribe"}}))
				if runs != tt.runs || !strings.Contains(got, `"structuredContent":{"error":{`+tt.want) {
					t.Errorf("%d runs gave %s\nwant %d and %s", runs, got, tt.runs, tt.want)
				}
			})
		})
	}
}

// Without a key there is nothing that the tool could send on.
func TestRetryForwardsNoKey(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		runs := 0
		retry := middleware.Retry(middleware.RetryConfig{ForwardsKey: []string{"escribe"}})
		retried(t.Context(), t, failing(&runs, errReset), "escribe", "", middleware.Idempotency(newEngine(t, idempotency.Config{})), retry)
		retried(t.Context(), t, failing(&runs, errReset), "escribe", "k", retry)
		if runs != 2 {
			t.Errorf("%d runs of two calls, want one each", runs)
		}
	})
}

// Every try has the same effect key.
func TestRetryKeepsTheEffectKey(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		keys, runs := map[string]bool{}, 0
		retried(t.Context(), t, func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			keys[middleware.EffectKey(ctx, "cobro")] = true
			runs++
			return nil, errReset
		}, "escribe", "k", middleware.Idempotency(newEngine(t, idempotency.Config{})), middleware.Retry(middleware.RetryConfig{ForwardsKey: []string{"escribe"}}))
		if len(keys) != 1 || keys[""] || runs != 3 {
			t.Errorf("%d runs had the keys %v, want one key for three", runs, keys)
		}
	})
}

// A run that has joined the transaction of its store is not repeated, whatever proves
// that nothing happened: what the first try wrote is still in the transaction.
func TestRetryOfAJoinedRun(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, joins := range []int{1, 2, 9} { // the try that does
			runs := 0
			retried(t.Context(), t, func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				if runs++; runs == joins {
					idempotency.ForbidRepeat(ctx)
				}
				return nil, errRefused
			}, "escribe", "k", middleware.Errors(middleware.ErrorsConfig{}), middleware.Idempotency(newEngine(t, idempotency.Config{})),
				middleware.Retry(middleware.RetryConfig{ForwardsKey: []string{"escribe"}}))
			if want := min(joins, 3); runs != want {
				t.Errorf("%d tries, want %d", runs, want)
			}
		}
	})
}

func TestRetryGivesFreshArguments(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var got []string
		spoil := func(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			arguments := req.GetArguments()
			got = append(got, fmt.Sprint(arguments))
			arguments["documento"] = "otro"
			delete(arguments, "documento")
			return nil, errRefused
		}
		retried(t.Context(), t, spoil, "escribe", "", middleware.Retry(middleware.RetryConfig{}))
		for i, arguments := range got {
			if arguments != "map[documento:1032]" {
				t.Errorf("try %d got %s", i+1, arguments)
			}
		}
		if len(got) != 3 {
			t.Errorf("%d tries, want 3", len(got))
		}
		req := request(nil)
		req.Params.Arguments = map[string]any{"a": 1}
		if _, err := middleware.Retry(middleware.RetryConfig{})(fails(errRefused))(t.Context(), req); !errors.Is(err, syscall.ECONNREFUSED) {
			t.Errorf("made in Go: got %v, want the handler's error", err)
		}
	})
}

func TestRetryLetsPanicsPass(t *testing.T) {
	t.Parallel()
	runs := 0
	h := middleware.Retry(middleware.RetryConfig{})(func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		runs++
		panic(errRefused)
	})
	defer func() {
		if v := recover(); v != errRefused || runs != 1 {
			t.Errorf("recovered %v after %d runs, want the handler's panic after one", v, runs)
		}
	}()
	_, _ = h(t.Context(), request(nil))
}

// In an outage in which everything fails, the further tries are a tenth of the
// calls and what was saved up, and not twice the calls.
func TestRetryBudget(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		cfg         middleware.RetryConfig
		calls, runs int
	}{
		{middleware.RetryConfig{}, 5, 5 + 10},
		{middleware.RetryConfig{}, 1000, 1000 + 10 + 99}, // what the first call earns finds the budget full
		{middleware.RetryConfig{Budget: 0.2, Burst: 3}, 1000, 1000 + 3 + 199},
		{middleware.RetryConfig{Budget: 1, Burst: 2}, 1000, 1000 + 1001},
		{middleware.RetryConfig{Budget: 0.0005, Burst: 1}, 1000, 1000 + 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			runs := 0
			h := middleware.Retry(tt.cfg)(failing(&runs, errRefused))
			for range tt.calls {
				_, _ = h(t.Context(), request(nil))
			}
			if runs != tt.runs {
				t.Errorf("%+v: %d calls ran %d times, want %d", tt.cfg, tt.calls, runs, tt.runs)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) { // good calls earn for bad ones, up to the burst
		runs := 0
		retry := middleware.Retry(middleware.RetryConfig{Burst: 4})
		bad, good := retry(failing(&runs, errRefused)), retry(ok)
		exhaust := func() int {
			runs = 0
			for range 9 {
				_, _ = bad(t.Context(), request(nil))
			}
			return runs - 9
		}
		first := exhaust()
		for range 1000 {
			_, _ = good(t.Context(), request(nil))
		}
		if second := exhaust(); first != 4 || second != 4 {
			t.Errorf("%d and %d further tries, want 4 and 4", first, second)
		}
	})
}

// A tool with a Retry of its own, on a server that has one for all: the tool's holds.
func TestRetryOfTwo(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		inner server.ToolHandlerMiddleware
		want  int
	}{
		"the usual one":         {middleware.Retry(middleware.RetryConfig{}), 3},
		"one with one more try": {middleware.Retry(middleware.RetryConfig{Budget: 0.0001, Burst: 1}), 2},
		"none":                  {nil, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				runs := 0
				h := middleware.Wrap(failing(&runs, errRefused), tt.inner)
				retried(t.Context(), t, h, "lee", "", middleware.Errors(middleware.ErrorsConfig{}), middleware.Retry(middleware.RetryConfig{}))
				if runs != tt.want {
					t.Errorf("the handler ran %d times, want %d", runs, tt.want)
				}
			})
		})
	}
}

// A tool that calls another one through the server: what was tried three times there
// is not tried three times again, nor what succeeded there.
func TestRetryOfInnerCalls(t *testing.T) {
	t.Parallel()
	for name, h := range map[string]handler{"fails": fails(errRefused), "succeeds": ok} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				inner, outer := 0, 0
				srv := newServer(func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
					inner++
					return h(ctx, req)
				}, middleware.Errors(middleware.ErrorsConfig{}), middleware.Retry(middleware.RetryConfig{}))
				srv.AddTool(mcp.NewTool("afuera"), func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
					outer++
					answer(ctx, t, srv, modernCall("prueba", `{}`, ""))
					return nil, errRefused
				})
				answer(t.Context(), t, srv, modernCall("afuera", `{}`, ""))
				if want := map[string]int{"fails": 3, "succeeds": 1}[name]; inner != want || outer != 1 {
					t.Errorf("the inner handler ran %d times and the outer one %d, want %d and 1", inner, outer, want)
				}
			})
		})
	}
}

func TestRetryReportsEveryMistake(t *testing.T) {
	t.Parallel()
	defer func() {
		got, _ := recover().(string)
		const want = "portavoz/middleware: Retry: Delay is not between 0 and a minute\nBudget is not between 0 and 1\nBurst is negative"
		if got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}()
	middleware.Retry(middleware.RetryConfig{Delay: -1, Budget: 1.1, Burst: -1})
}
