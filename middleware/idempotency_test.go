package middleware_test

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/call"
)

// newEngine is an engine over a store of its own.
func newEngine(t testing.TB, cfg idempotency.Config) *idempotency.Engine {
	t.Helper()
	engine, err := idempotency.New(forgetful(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return engine
}

// keyed is a call of "prueba" under the key "k", with arguments.
func keyed(arguments string) mcp.CallToolRequest {
	req := request(map[string]any{
		"com.asixto/idempotencyKey": "k", "com.asixto/companyId": "cmp", "com.asixto/conversationId": "cnv",
	})
	req.Params.RawArguments = []byte(arguments)
	return req
}

// counted counts how often a handler runs.
func counted(runs *atomic.Int64, h handler) handler {
	return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		runs.Add(1)
		return h(ctx, req)
	}
}

// numbered returns a result that differs from run to run.
func numbered(runs *atomic.Int64) handler {
	return func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		n := runs.Add(1)
		return &mcp.CallToolResult{
			Content:              []mcp.Content{mcp.NewTextContent(fmt.Sprintf("Radicado %d <ñ & 😀>", n))},
			RawStructuredContent: fmt.Appendf(nil, `{"z":9007199254740993,"radicado":%d,"a":[]}`, n),
		}, nil
	}
}

func TestIdempotencyOnAServer(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		readOnly bool
		first    string // _meta beside the era's
		second   string
		args     string // of the second call
		wantRuns int64
		want     string
	}{
		{"the same key twice", false, `"com.asixto/idempotencyKey":"k"`, `"com.asixto/idempotencyKey":"k"`, `{"b":2,"a":1}`, 1, `"portavoz/replayed":true`},
		{"keys of the arguments in another order", false, `"com.asixto/idempotencyKey":"k"`, `"com.asixto/idempotencyKey":"k"`, `{ "a": 1, "b": 2 }`, 1, `"portavoz/replayed":true`},
		{"other arguments", false, `"com.asixto/idempotencyKey":"k"`, `"com.asixto/idempotencyKey":"k"`, `{"a":2}`, 1, `"code":"idempotency_key_reused"`},
		{"another key", false, `"com.asixto/idempotencyKey":"k"`, `"com.asixto/idempotencyKey":"k2"`, `{"b":2,"a":1}`, 2, `"radicado":2`},
		{"another tenant", false, `"com.asixto/idempotencyKey":"k","com.asixto/companyId":"x"`, `"com.asixto/idempotencyKey":"k","com.asixto/companyId":"y"`, `{"b":2,"a":1}`, 2, `"radicado":2`},
		{"another conversation", false, `"com.asixto/idempotencyKey":"k","com.asixto/conversationId":"x"`, `"com.asixto/idempotencyKey":"k","com.asixto/conversationId":"y"`, `{"b":2,"a":1}`, 2, `"radicado":2`},
		{"no key", false, `"com.asixto/idempotencyKey":null`, `"com.asixto/requestId":"r"`, `{"b":2,"a":1}`, 2, `"radicado":2`},
		{"a read", true, `"com.asixto/idempotencyKey":"k"`, `"com.asixto/idempotencyKey":"k"`, `{"b":2,"a":1}`, 2, `"radicado":2`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var runs atomic.Int64
			srv := server.NewMCPServer("prueba", "1")
			srv.Use(middleware.Errors(middleware.ErrorsConfig{}), middleware.Idempotency(newEngine(t, idempotency.Config{})))
			srv.AddTool(mcp.NewTool("prueba", mcp.WithReadOnlyHintAnnotation(tt.readOnly)), numbered(&runs))
			answer(t.Context(), t, srv, modernCall("prueba", `{"b":2,"a":1}`, tt.first))
			got := answer(t.Context(), t, srv, modernCall("prueba", tt.args, tt.second))
			if runs.Load() != tt.wantRuns || !strings.Contains(got, tt.want) {
				t.Errorf("ran %d times, want %d; got %s, want it to say %s", runs.Load(), tt.wantRuns, got, tt.want)
			}
		})
	}
}

func TestUnusableKey(t *testing.T) {
	t.Parallel()
	refusal := `"structuredContent":{"error":{"error_type":"VALIDATION","user_message":"La solicitud llegó con un dato interno que no es válido.","details":{"code":"invalid_idempotency_key"}}}`
	tests := []struct {
		name     string
		readOnly bool
		key      string
		refused  bool
	}{
		{"number on a write", false, `12`, true},
		{"blank on a write", false, `"  "`, true},
		{"256 bytes on a write", false, `"` + strings.Repeat("k", 256) + `"`, true},
		{"object on a write", false, `{}`, true},
		{"null on a write", false, `null`, false},
		{"255 bytes on a write", false, `"` + strings.Repeat("k", 255) + `"`, false},
		{"number on a read", true, `12`, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			srv := server.NewMCPServer("prueba", "1")
			srv.Use(middleware.Errors(middleware.ErrorsConfig{}), middleware.Idempotency(newEngine(t, idempotency.Config{})))
			srv.AddTool(mcp.NewTool("prueba", mcp.WithReadOnlyHintAnnotation(tt.readOnly)), ok)
			got := answer(t.Context(), t, srv, modernCall("prueba", `{}`, `"com.asixto/idempotencyKey":`+tt.key))
			if refused := strings.Contains(got, refusal); refused != tt.refused {
				t.Errorf("got %s, want refused=%t", got, tt.refused)
			}
		})
	}
}

// A replay differs from the first answer in its mark and in nothing else, in
// each era.
func TestReplayIsIdenticalInEachEra(t *testing.T) {
	t.Parallel()
	var runs atomic.Int64
	srv := newServer(numbered(&runs), middleware.Errors(middleware.ErrorsConfig{}), middleware.Idempotency(newEngine(t, idempotency.Config{})))
	legacyCall := []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"prueba","arguments":{},"_meta":{"com.asixto/idempotencyKey":"k"}}}`)
	modern := modernCall("prueba", `{}`, `"com.asixto/idempotencyKey":"k"`)

	first := answer(t.Context(), t, srv, modern)
	for range 3 {
		if got := answer(t.Context(), t, srv, modern); strings.Replace(got, `,"portavoz/replayed":true`, "", 1) != first {
			t.Errorf("got  %s\nwant %s and the mark", got, first)
		}
	}
	got := answer(t.Context(), t, srv, legacyCall)
	want := `{"jsonrpc":"2.0","id":1,"result":{"_meta":{"portavoz/replayed":true},"content":[{"type":"text","text":"Radicado 1 \u003cñ \u0026 😀\u003e"}],"structuredContent":{"z":9007199254740993,"radicado":1,"a":[]}}}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if runs.Load() != 1 {
		t.Errorf("ran %d times, want once", runs.Load())
	}
}

func TestWhatBecomesOfTheKey(t *testing.T) {
	t.Parallel()
	inputRequired := &mcp.CallToolResult{}
	inputRequired.SetResultType(mcp.ResultTypeInputRequired)
	status := func(s string) handler {
		return returns(&mcp.CallToolResult{RawStructuredContent: []byte(`{"status":"` + s + `"}`)})
	}
	goexit := func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		runtime.Goexit()
		return nil, nil
	}
	const (
		kept      = "kept"
		freed     = "freed"
		abandoned = "abandoned"
	)
	tests := []struct {
		name    string
		handler handler
		want    string
	}{
		{"success", ok, kept},
		{"queued", status("queued"), kept},
		{"content that cannot be encoded", returns(mcp.NewToolResultStructured(make(chan int), "x")), kept},
		{"more information needed", status("needs_more_info"), freed},
		{"confirmation pending", status("pending_confirmation"), freed},
		{"another round", returns(inputRequired), freed},
		{"not found", fails(errors.NotFound("")), freed},
		{"validation", fails(errors.Validation("")), freed},
		{"permission", fails(errors.Permission("")), freed},
		{"blocker", fails(errors.Blocker("")), freed},
		{"connection refused", fails(fmt.Errorf("billing: %w", syscall.ECONNREFUSED)), freed},
		{"said to have no effect", fails(errors.NoEffect(errors.New("rolled back"))), freed},
		{"marked by the handler, validation", returns(mcp.NewToolResultError(`{"error":{"error_type":"VALIDATION","user_message":"x"}}`)), freed},
		{"marked by the handler, unknown", returns(mcp.NewToolResultError("falló")), abandoned},
		{"system", fails(errors.System("")), abandoned},
		{"foreign", fails(errors.New("boom")), abandoned},
		{"deadline after sending", fails(context.DeadlineExceeded), abandoned},
		{"connection lost after sending", fails(syscall.ECONNRESET), abandoned},
		{"outcome unknown", fails(errors.OutcomeUnknown(errors.NotFound(""))), abandoned},
		{"neither result nor error", returns(nil), abandoned},
		{"panic", panics("roto"), abandoned},
		{"goexit", goexit, abandoned},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var runs atomic.Int64
			h := middleware.Wrap(counted(&runs, tt.handler), middleware.Recover(), middleware.Idempotency(newEngine(t, idempotency.Config{})))
			_, _ = h(t.Context(), keyed(`{}`))
			res, err := h(t.Context(), keyed(`{}`))
			got := freed
			switch {
			case runs.Load() == 1 && errors.TypeOf(err) == errors.TypeUnknown && errors.From(err).Code == errors.CodeOutcomeUnknown:
				got = abandoned
			case runs.Load() == 1 && (err == nil || errors.From(err).Code == errors.CodeAlreadyDone):
				got = kept
			}
			if got != tt.want {
				t.Errorf("the key was %s, want %s (ran %d times; then %v, %v)", got, tt.want, runs.Load(), res, err)
			}
		})
	}
}

func TestDuplicatesWaitForTheFirst(t *testing.T) {
	t.Parallel()
	var runs atomic.Int64
	slow := func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		time.Sleep(time.Second)
		return numbered(&runs)(ctx, req)
	}
	synctest.Test(t, func(t *testing.T) {
		rec := newRecorder()
		h := middleware.Wrap(slow, middleware.Observe(rec.observe), middleware.Errors(middleware.ErrorsConfig{}),
			middleware.Idempotency(newEngine(t, idempotency.Config{})))
		var wg sync.WaitGroup
		for range 64 {
			wg.Go(func() {
				res, err := h(t.Context(), keyed(`{}`))
				if err != nil || !strings.Contains(encode(t, res), `"radicado":1`) {
					t.Errorf("got %v, %v; want the first run's result", res, err)
				}
			})
		}
		wg.Wait()
		replayed := 0
		for range 64 {
			if rec.next(t).Outcome == middleware.OutcomeReplayed {
				replayed++
			}
		}
		if runs.Load() != 1 || replayed != 63 {
			t.Errorf("ran %d times with %d replays, want 1 and 63", runs.Load(), replayed)
		}
	})
}

// The client is cut off, the work goes on, and the retry finds its result.
func TestAWriteOutlivesItsConnection(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var runs atomic.Int64
		var header http.Header
		engine := newEngine(t, idempotency.Config{})
		h := middleware.Wrap(func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			time.Sleep(3 * time.Second)
			if ctx.Err() != nil {
				t.Error("the run was cancelled with its client")
			}
			if call.MetaFrom(ctx).ConversationID != "cnv" {
				t.Error("the run lost the values of its context")
			}
			header = req.Header
			return numbered(&runs)(ctx, req)
		}, middleware.Errors(middleware.ErrorsConfig{}), middleware.Timeout(time.Second), middleware.Idempotency(engine))

		req := keyed(`{}`)
		req.Header = http.Header{"X-Prueba": {"1"}}
		res, _ := h(t.Context(), req)
		if !strings.Contains(encode(t, res), `"error_type":"SYSTEM"`) {
			t.Errorf("got %s, want SYSTEM at the deadline", encode(t, res))
		}
		req.Header.Set("X-Prueba", "2") // net/http may use it again
		res, _ = h(t.Context(), keyed(`{}`))
		if !strings.Contains(encode(t, res), `"error_type":"SYSTEM"`) {
			t.Errorf("got %s, want SYSTEM again: it is still running", encode(t, res))
		}
		if err := engine.Drain(t.Context()); err != nil {
			t.Errorf("drain: %v", err)
		}
		if runs.Load() != 1 || header.Get("X-Prueba") != "1" {
			t.Errorf("ran %d times with the header %q, want once with its own copy", runs.Load(), header.Get("X-Prueba"))
		}
		synctest.Wait()
	})
}

func TestEffectKeyReachesTheHandler(t *testing.T) {
	t.Parallel()
	var keys []string
	h := middleware.Idempotency(newEngine(t, idempotency.Config{Rerun: true}))(
		func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			keys = append(keys, middleware.EffectKey(ctx, "cobro"), middleware.EffectKey(ctx, "aviso"))
			return nil, errors.New("boom")
		})
	for range 2 {
		_, _ = h(t.Context(), keyed(`{}`))
	}
	if len(keys) != 4 || keys[0] != keys[2] || keys[0] == keys[1] || keys[0] == "" {
		t.Errorf("got %q, want one key per step, the same in both runs", keys)
	}
	if got := middleware.EffectKey(t.Context(), "cobro"); got != "" {
		t.Errorf("got %q outside of an operation, want none", got)
	}
}

func TestAnotherRoundPassesByTheStore(t *testing.T) {
	t.Parallel()
	var runs atomic.Int64
	h := middleware.Idempotency(newEngine(t, idempotency.Config{}))(numbered(&runs))
	for range 2 {
		req := keyed(`{}`)
		req.Params.RequestState = "estado"
		if _, err := h(t.Context(), req); err != nil {
			t.Fatal(err)
		}
	}
	if runs.Load() != 2 {
		t.Errorf("ran %d times, want each round to run", runs.Load())
	}
}

func TestAWriteWithoutAKey(t *testing.T) {
	t.Parallel()
	rec := newRecorder()
	observe := middleware.Observe(rec.observe)
	_, err := middleware.Wrap(ok, observe, middleware.Idempotency(newEngine(t, idempotency.Config{})))(t.Context(), request(nil))
	if ev := rec.next(t); err != nil || !ev.Unprotected {
		t.Errorf("got %v, unprotected %t; want it to run and the log to say so", err, ev.Unprotected)
	}
	_, err = middleware.Wrap(ok, observe, middleware.Idempotency(newEngine(t, idempotency.Config{}), middleware.RequireKey()))(t.Context(), request(nil))
	if ev := rec.next(t); errors.From(err).Code != errors.CodeKeyRequired || ev.Outcome != middleware.OutcomeRefused {
		t.Errorf("got %v, %s; want it refused", err, ev.Outcome)
	}
}

func TestArgumentsThatAreNotJSON(t *testing.T) {
	t.Parallel()
	req := keyed(``)
	req.Params.Arguments = map[string]any{"f": func() {}}
	var runs atomic.Int64
	_, err := middleware.Idempotency(newEngine(t, idempotency.Config{}))(counted(&runs, ok))(t.Context(), req)
	if !errors.Is(err, errors.TypeValidation) || runs.Load() != 0 {
		t.Errorf("got %v after %d runs, want VALIDATION and no run", err, runs.Load())
	}
}

func TestContentOfEveryKindIsReplayed(t *testing.T) {
	t.Parallel()
	annotated := mcp.NewTextContent("con nota")
	annotated.Annotations = &mcp.Annotations{Audience: []mcp.Role{mcp.RoleUser}}
	res := &mcp.CallToolResult{Content: []mcp.Content{
		mcp.NewTextContent("uno"), annotated, mcp.NewImageContent("aGk=", "image/png"),
		mcp.NewEmbeddedResource(mcp.TextResourceContents{URI: "x:y", Text: "r"}),
	}}
	res.Meta = mcp.NewMetaFromMap(map[string]any{"origen": "catálogo"})
	h := middleware.Wrap(returns(res), middleware.Errors(middleware.ErrorsConfig{}), middleware.Idempotency(newEngine(t, idempotency.Config{})))
	first, err := h(t.Context(), keyed(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	second, err := h(t.Context(), keyed(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(encode(t, first), `"_meta":{"origen":"catálogo"}`, `"_meta":{"origen":"catálogo","portavoz/replayed":true}`, 1)
	if got := encode(t, second); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// The owner died after the effect. The system of record knows what happened, and
// the retry gets the result that its first caller would have got.
func TestProbeFindsTheResult(t *testing.T) {
	t.Parallel()
	var runs atomic.Int64
	probe := func(_ context.Context, op idempotency.Operation) ([]byte, bool, error) {
		if op.Name != "prueba" || op.Key != "k" {
			t.Errorf("asked for %q under %q", op.Name, op.Key)
		}
		kept, err := middleware.KeptResult(mcp.NewToolResultStructured(map[string]any{"radicado": 7}, "Radicado 7"))
		return kept, true, err
	}
	h := middleware.Wrap(counted(&runs, fails(errors.New("la conexión se cortó"))), middleware.Errors(middleware.ErrorsConfig{}),
		middleware.Idempotency(newEngine(t, idempotency.Config{Probe: probe})))
	if res, err := h(t.Context(), keyed(`{}`)); err != nil || !res.IsError {
		t.Fatalf("the first call got %v, %v; want a failure", res, err)
	}
	want := `{"_meta":{"portavoz/replayed":true},"content":[{"type":"text","text":"Radicado 7"}],"structuredContent":{"radicado":7}}`
	for range 2 {
		res, err := h(t.Context(), keyed(`{}`))
		if err != nil || encode(t, res) != want {
			t.Errorf("got %s, %v; want %s", encode(t, res), err, want)
		}
	}
	if runs.Load() != 1 {
		t.Errorf("ran %d times, want once", runs.Load())
	}
	for name, res := range map[string]*mcp.CallToolResult{
		"nil": nil, "not encodable": mcp.NewToolResultStructured(make(chan int), "x"),
	} {
		if _, err := middleware.KeptResult(res); err == nil {
			t.Errorf("%s: got no error", name)
		}
	}
}
