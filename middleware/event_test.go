package middleware_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/rs/zerolog"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/call"
)

var fullMeta = map[string]any{
	"com.asixto/conversationId": "cnv_77b", "com.asixto/requestId": "req_c41", "com.asixto/channel": "voice",
	"com.asixto/companyId": "cmp_31a", "com.asixto/idempotencyKey": "clave-secreta",
}

// lines runs one call that fails, in both loggers, and returns their lines.
func lines(t *testing.T, h handler) (zero, std map[string]any) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var a, b bytes.Buffer
		ctx := call.WithCaller(t.Context(), call.Caller{Name: "asixto"})
		mw := middleware.Observe(
			middleware.Zerolog(zerolog.New(&a)),
			middleware.Slog(slog.New(slog.NewJSONHandler(&b, nil))))
		_, _ = mw(func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			time.Sleep(1500 * time.Microsecond)
			return h(ctx, req)
		})(ctx, request(maps.Clone(fullMeta)))
		for buf, line := range map[*bytes.Buffer]*map[string]any{&a: &zero, &b: &std} {
			if n := bytes.Count(buf.Bytes(), []byte("\n")); n != 1 {
				t.Fatalf("got %d lines, want one: %s", n, buf)
			}
			if err := json.Unmarshal(buf.Bytes(), line); err != nil {
				t.Fatalf("not JSON: %v: %s", err, buf)
			}
		}
	})
	return zero, std
}

func TestLogWritesOneLineWithTheFacts(t *testing.T) {
	t.Parallel()
	cause := errors.New("pq: duplicate key\nlevel=info forged=yes Authorization: Bearer abcdefghijklmnop1234567890")
	zero, std := lines(t, fails(errors.System("", errors.WithCode("db"), errors.WithCause(cause))))
	want := map[string]any{
		"tool": "prueba", "request_id": "req_c41", "conversation_id": "cnv_77b", "company_id": "cmp_31a",
		"channel": "voice", "caller": "asixto", "duration_ms": 1.5, "outcome": "error", "error_type": "SYSTEM",
		"error_code": "db", "characters": 0.0, "truncated": false, "era": "legacy",
	}
	for name, got := range map[string]map[string]any{"zerolog": zero, "slog": std} {
		for k, v := range want {
			if got[k] != v {
				t.Errorf("%s: %s is %v, want %v", name, k, got[k], v)
			}
		}
		text, _ := got["error"].(string)
		if !strings.Contains(text, "duplicate key") || strings.Contains(text, "abcdefghijklmnop") {
			t.Errorf("%s: the error reads %q, want the cause without the secret", name, text)
		}
	}
	if keys := slices.Sorted(maps.Keys(zero)); !slices.Equal(keys, slices.Sorted(maps.Keys(mergeKeys(want, "error", "level", "message")))) {
		t.Errorf("zerolog wrote the fields %v", keys)
	}
}

func TestLogSaysWhereAHandlerPanicked(t *testing.T) {
	t.Parallel()
	zero, std := lines(t, middleware.Recover()(panics("sin clientes, clave=s3cr3t0")))
	for name, got := range map[string]map[string]any{"zerolog": zero, "slog": std} {
		text, _ := got["error"].(string)
		if !strings.Contains(text, "sin clientes") || strings.Contains(text, "s3cr3t0") {
			t.Errorf("%s: the error reads %q, want the value without the secret", name, text)
		}
		if stack, _ := got["stack"].(string); !strings.Contains(stack, "recover_test.go") {
			t.Errorf("%s: the stack reads %q, want the place that panicked", name, stack)
		}
	}
}

func TestLogHasALineForAnErrorWithoutText(t *testing.T) {
	t.Parallel()
	var pathError *fs.PathError // its Error method needs more than nil
	for name, err := range map[string]error{"nil pointer": pathError, "panics": panickingError{}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			zero, std := lines(t, fails(err))
			if zero["outcome"] != "error" || std["outcome"] != "error" {
				t.Errorf("got %v and %v, want an error in both", zero, std)
			}
		})
	}
}

func mergeKeys(m map[string]any, keys ...string) map[string]any {
	out := maps.Clone(m)
	for _, k := range keys {
		out[k] = nil
	}
	return out
}

func TestLogLeavesOutWhatIsNotKnown(t *testing.T) {
	t.Parallel()
	var buf bytes.Buffer
	_, err := middleware.Log(zerolog.New(&buf))(ok)(t.Context(), request(nil))
	if err != nil {
		t.Fatal(err)
	}
	var line map[string]any
	if err := json.Unmarshal(buf.Bytes(), &line); err != nil {
		t.Fatalf("not JSON: %v: %s", err, &buf)
	}
	want := []string{"characters", "duration_ms", "era", "level", "message", "outcome", "request_id", "tool", "truncated"}
	if got := slices.Sorted(maps.Keys(line)); !slices.Equal(got, want) {
		t.Errorf("got the fields %v, want %v", got, want)
	}
	if id, _ := line["request_id"].(string); !strings.HasPrefix(id, "req_") || len(id) != 30 {
		t.Errorf("got the request id %q, want one made here", id)
	}
	if line["characters"] != 19.0 { // {"estado":"activo"} is longer than the sentence
		t.Errorf("got %v characters, want 19", line["characters"])
	}
}

func TestObserveSeesEveryOutcome(t *testing.T) {
	t.Parallel()
	goal := mcp.NewToolResultText("a😀é")
	tests := []struct {
		name    string
		handler handler
		want    middleware.Outcome
		chars   int
		fault   bool
	}{
		{"ok", returns(goal), middleware.OutcomeOK, 4, false},
		{"business", fails(errors.NotFound("")), middleware.OutcomeBusinessError, 0, false},
		{"business, marked by the handler", returns(mcp.NewToolResultError(`{"error":{"error_type":"BLOCKER","user_message":"x"}}`)), middleware.OutcomeBusinessError, 53, false},
		{"marked by the handler", returns(mcp.NewToolResultError("no")), middleware.OutcomeError, 2, true},
		{"foreign", fails(errors.New("x")), middleware.OutcomeError, 0, true},
		{"deadline", fails(context.DeadlineExceeded), middleware.OutcomeTimeout, 0, true},
		{"panic, recovered", middleware.Recover()(panics("x")), middleware.OutcomePanic, 0, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rec := newRecorder()
			_, _ = middleware.Observe(rec.observe)(tt.handler)(t.Context(), request(nil))
			ev := rec.next(t)
			if ev.Outcome != tt.want || ev.Characters != tt.chars || ev.ServerFault() != tt.fault {
				t.Errorf("got %s, %d characters, server fault %t; want %s, %d, %t",
					ev.Outcome, ev.Characters, ev.ServerFault(), tt.want, tt.chars, tt.fault)
			}
		})
	}
}

func TestObserveReportsAPanicThatPasses(t *testing.T) {
	t.Parallel()
	rec := newRecorder()
	func() {
		defer func() {
			if recover() != "roto" {
				t.Error("the panic did not pass")
			}
		}()
		_, _ = middleware.Observe(rec.observe)(panics("roto"))(t.Context(), request(nil))
	}()
	if ev := rec.next(t); ev.Outcome != middleware.OutcomePanic || !ev.ServerFault() {
		t.Errorf("got %+v, want a panic that is the server's fault", ev)
	}
}

func TestObserverThatPanicsDoesNotUndoTheCall(t *testing.T) {
	t.Parallel()
	rec := newRecorder()
	broken := func(context.Context, middleware.Event) { panic("observador") }
	res, err := middleware.Observe(broken, nil, rec.observe)(ok)(t.Context(), request(nil))
	if res == nil || err != nil {
		t.Errorf("got %v, %v; want the result", res, err)
	}
	rec.next(t)
}

func TestExchangeHearsHowTheCallEnded(t *testing.T) {
	t.Parallel()
	ctx, x := call.WithExchange(t.Context())
	if _, reached := x.Outcome(); reached {
		t.Fatal("reached before any call")
	}
	_, _ = middleware.Observe()(fails(errors.NotFound("")))(ctx, request(maps.Clone(fullMeta)))
	got, reached := x.Outcome()
	want := call.Outcome{Tool: "prueba", RequestID: "req_c41", Outcome: "business_error", ErrorType: "NOT_FOUND"}
	if got != want || !reached {
		t.Errorf("got %+v, %t; want %+v", got, reached, want)
	}
}
