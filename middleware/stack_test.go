package middleware_test

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware"
)

// tracer notes its name on the way in.
func tracer(trace *[]string, name string) server.ToolHandlerMiddleware {
	return func(next server.ToolHandlerFunc) server.ToolHandlerFunc {
		return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			*trace = append(*trace, name)
			return next(ctx, req)
		}
	}
}

func TestStackKeepsTheOrder(t *testing.T) {
	t.Parallel()
	var got []string
	mw := func(name string) server.ToolHandlerMiddleware { return tracer(&got, name) }
	stack := &middleware.Stack{
		Metadata: mw("Metadata"), Log: mw("Log"), Recover: mw("Recover"), Envelope: mw("Envelope"), Budget: mw("Budget"), Voice: mw("Voice"),
		Errors: mw("Errors"), RateLimit: mw("RateLimit"), Authorize: mw("Authorize"), Validate: mw("Validate"),
		Timeout: mw("Timeout"), Idempotency: mw("Idempotency"), LoopGuard: mw("LoopGuard"), Approve: mw("Approve"),
		Redact: mw("Redact"), Ownership: mw("Ownership"),
		Guards: []server.ToolHandlerMiddleware{mw("guard 1"), nil, mw("guard 2")}, Retry: mw("Retry"),
	}
	if _, err := stack.Middleware()(ok)(t.Context(), request(nil)); err != nil {
		t.Fatal(err)
	}
	want := "Metadata Log Recover Envelope Budget Voice Errors Recover RateLimit Authorize Validate Timeout " +
		"Idempotency LoopGuard Approve Redact Ownership guard 1 guard 2 Retry"
	if order := strings.Join(got, " "); order != want {
		t.Errorf("got  %s\nwant %s", order, want)
	}
}

func TestChainAndWrapLeaveOutNil(t *testing.T) {
	t.Parallel()
	var got []string
	h := middleware.Wrap(ok, nil, tracer(&got, "a"), nil, tracer(&got, "b"))
	for range 2 {
		if _, err := h(t.Context(), request(nil)); err != nil {
			t.Fatal(err)
		}
	}
	if order := strings.Join(got, " "); order != "a b a b" {
		t.Errorf("got %s, want a b a b", order)
	}
	if res, err := (&middleware.Stack{}).Middleware()(ok)(t.Context(), request(nil)); res == nil || err != nil {
		t.Errorf("an empty stack gave %v, %v", res, err)
	}
}

func TestMissing(t *testing.T) {
	t.Parallel()
	fields := func(gaps []middleware.Gap) string {
		var names []string
		for _, g := range gaps {
			names = append(names, g.Field)
			if g.Demand == "" {
				t.Errorf("the gap %s does not say what goes wrong", g.Field)
			}
		}
		return strings.Join(names, " ")
	}
	empty := &middleware.Stack{}
	if got, want := fields(empty.Missing(middleware.ProfileCore)), "Log Recover Errors Timeout"; got != want {
		t.Errorf("core: got %q, want %q", got, want)
	}
	if got, want := fields(empty.Missing(middleware.ProfileAsixto)), "Log Recover Budget Voice Errors RateLimit Authorize Validate Timeout Idempotency LoopGuard Redact Ownership"; got != want {
		t.Errorf("asixto: got %q, want %q", got, want)
	}
	if got, want := fields(empty.Missing(middleware.ProfileWhaapy)), "Log Recover Envelope Errors RateLimit Authorize Validate Timeout Idempotency LoopGuard Redact Ownership"; got != want {
		t.Errorf("of an empty stack Whaapy misses %q, want %q", got, want)
	}
	preset := middleware.Asixto(server.NewMCPServer("prueba", "1"), forgetful())
	if got := fields(preset.Missing(middleware.ProfileCore)); got != "" {
		t.Errorf("the preset lacks %q of the core profile", got)
	}
}

func TestUseNeedsAPresetAndWorksOnce(t *testing.T) {
	t.Parallel()
	srv := newServer(ok)
	var got []string
	stack := middleware.Asixto(srv, forgetful())
	var told strings.Builder
	stack.Logger = slog.New(slog.NewTextHandler(&told, nil))
	stack.Log, stack.Guards = nil, []server.ToolHandlerMiddleware{tracer(&got, "guard")}
	stack.Use()
	stack.Use()
	if n := strings.Count(told.String(), "field=Log "); n != 1 {
		t.Errorf("was told %d times that Log is missing, want once:\n%s", n, &told)
	}
	answer(t.Context(), t, srv, modernCall("prueba", `{}`, ""))
	if len(got) != 1 {
		t.Errorf("the guard ran %d times, want once", len(got))
	}
	defer func() {
		if v, _ := recover().(string); !strings.HasPrefix(v, "portavoz/middleware: ") {
			t.Errorf("recovered %q, want a panic of this package", v)
		}
	}()
	(&middleware.Stack{}).Use()
}

// What a server with the whole stack answers to the worst handlers.
func TestStackSurvivesItsHandlers(t *testing.T) {
	t.Parallel()
	const neverReturns = "never returns"
	forever := make(chan struct{})
	t.Cleanup(func() { close(forever) })
	tests := []struct {
		name    string
		handler handler
		want    string
	}{
		{"panic", panics("roto"), `"error_type":"SYSTEM","user_message":"Ocurrió un problema inesperado al atender la solicitud."`},
		{"goexit", func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			runtime.Goexit()
			return nil, nil
		}, `"error_type":"SYSTEM","user_message":"Ocurrió un problema inesperado al atender la solicitud."`},
		{neverReturns, stubborn(forever, ok), `"error_type":"SYSTEM","user_message":"La respuesta tardó más de lo esperado."`},
		{"a result whose marshaler panics", returns(mcp.NewToolResultStructured(panicsWhenEncoded{}, "x")), `"error_type":"SYSTEM","user_message":"Se obtuvo una respuesta, pero no es posible presentarla."`},
		{"an error whose methods panic", fails(panickingError{}), `"error_type":"UNKNOWN","user_message":"No fue posible confirmar el resultado de la solicitud."`},
		{"NUL and invalid UTF-8 in a message", fails(errors.Validation("El dato \x00\xff no sirve.")), `"error_type":"VALIDATION","user_message":"El dato no sirve."`},
	}
	for _, era := range []struct{ name, message string }{
		{"modern", string(modernCall("prueba", `{}`, ""))},
		{"legacy", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"prueba","_meta":null}}`},
	} {
		for _, tt := range tests {
			t.Run(era.name+"/"+tt.name, func(t *testing.T) {
				t.Parallel()
				rec := newRecorder()
				srv := newServer(tt.handler)
				stack := middleware.Asixto(srv, forgetful())
				stack.Log = middleware.Observe(rec.observe)
				stack.Timeout = middleware.Timeout(time.Hour)
				if tt.name == neverReturns {
					stack.Timeout = middleware.Timeout(time.Millisecond)
				}
				srv.Use(stack.Middleware())
				if got := answer(t.Context(), t, srv, []byte(era.message)); !strings.Contains(got, `"structuredContent":{"error":{`+tt.want) {
					t.Errorf("got %s\nwant %s", got, tt.want)
				}
				if ev := rec.next(t); ev.Era != era.name {
					t.Errorf("the event says %s", ev.Era)
				}
			})
		}
	}
}

// panickingError is a mistake of its author: every method of it panics.
type panickingError struct{}

func (panickingError) Error() string { panic("sin texto") }
func (panickingError) Unwrap() error { panic("sin causa") }

// What shapes results lies outside of Errors; a panic there must not reach the
// client as the text of a Go error.
func TestStackSurvivesWhatShapesResults(t *testing.T) {
	t.Parallel()
	rec := newRecorder()
	stack := middleware.Asixto(nil, forgetful())
	stack.Log = middleware.Observe(rec.observe)
	stack.Errors = middleware.Errors(middleware.ErrorsConfig{Messages: errors.Messages{errors.CodePanic: "Algo se rompió."}})
	stack.Voice = func(server.ToolHandlerFunc) server.ToolHandlerFunc { return panics("dsn postgres://admin:s3cr3t@db") }
	res, err := stack.Middleware()(ok)(t.Context(), request(nil))
	if err != nil {
		t.Fatalf("got the error %v, want a result", err)
	}
	if got, want := encode(t, res), failure("SYSTEM", "Algo se rompió.", `{"code":"panic"}`); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	ev := rec.next(t)
	if p, ok := errors.AsType[*middleware.PanicError](ev.Err); !ok || ev.Outcome != middleware.OutcomePanic || len(p.Stack) == 0 {
		t.Errorf("the event says %s, %v; want a panic with its stack", ev.Outcome, ev.Err)
	}
}

func TestAnIncidentIsLoggedWithoutSecrets(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	stack := middleware.Asixto(nil, forgetful())
	stack.Logger = slog.New(slog.NewTextHandler(&log, nil))
	stack.Log = middleware.Observe()
	req := request(map[string]any{"com.asixto/idempotencyKey": "k1"})
	if _, err := stack.Middleware()(fails(errors.New("crm: password=s3cr3t0 refused")))(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	if got := log.String(); !strings.Contains(got, "kind=abandoned") || !strings.Contains(got, "crm:") || strings.Contains(got, "s3cr3t0") {
		t.Errorf("got %s, want the incident with its cause and without the secret", got)
	}
}

func TestStackServes500CallsAtOnce(t *testing.T) {
	t.Parallel()
	echo := func(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText(req.GetString("eco", "")), nil
	}
	srv := newServer(echo)
	rec := newRecorder()
	stack := middleware.Asixto(srv, forgetful())
	stack.Log = middleware.Observe(rec.observe)
	stack.RateLimit = ampleLimit()
	srv.Use(stack.Middleware())
	var wg sync.WaitGroup
	for i := range 500 {
		wg.Go(func() {
			got := answer(t.Context(), t, srv, modernCall("prueba", fmt.Sprintf(`{"eco":"n%d"}`, i), ""))
			if !strings.Contains(got, fmt.Sprintf(`"text":"n%d"`, i)) {
				t.Errorf("call %d got %s", i, got)
			}
		})
	}
	wg.Wait()
	if len(rec.events) != 500 {
		t.Errorf("got %d events, want 500", len(rec.events))
	}
}
