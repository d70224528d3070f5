package whaapy_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency/memory"
	"github.com/portavoz/portavoz/middleware"
	mwcall "github.com/portavoz/portavoz/middleware/call"
	"github.com/portavoz/portavoz/middleware/whaapy"
)

// TestStackMeetsTheProfile says what the preset leaves to the user.
func TestStackMeetsTheProfile(t *testing.T) {
	t.Parallel()
	store, err := memory.Ephemeral(memory.Config{})
	if err != nil {
		t.Fatal(err)
	}
	var missing []string
	for _, gap := range whaapy.Stack(server.NewMCPServer("prueba", "1"), store, whaapy.Config{}).Missing(middleware.ProfileWhaapy) {
		missing = append(missing, gap.Field)
	}
	if got, want := strings.Join(missing, " "), "Authorize"; got != want {
		t.Errorf("the preset lacks %q, want %q", got, want)
	}
}

// TestStackAndKeys says which results are kept under an idempotency key: the handler of
// the others runs again.
func TestStackAndKeys(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		res  *mcp.CallToolResult
		err  error
		runs int64
	}{
		"success":                  {res: structured(`{"ticketId":"1"}`), runs: 1},
		"queued":                   {res: whaapy.Queued("job_7", time.Unix(1, 0).UTC(), "Va en camino."), runs: 1},
		"pending":                  {res: whaapy.Pending([]string{"a", "b"}), runs: 3},
		"needs more info":          {err: whaapy.NeedsMoreInfo("¿Cuál?", "cita"), runs: 3},
		"needs more info as data":  {res: structured(`{"status":"needs_more_info"}`), runs: 3},
		"data that say failed":     {res: structured(`{"status":"failed"}`), runs: 1}, // nobody knows
		"own envelope, needs more": {res: failing(text(`{"ok":false,"status":"needs_more_info","errors":[{"code":"a","message":"b"}],"nextQuestion":"¿Cuál?"}`)), runs: 3},
		"own failure, unmarked":    {res: text(`{"ok":false,"status":"failed","errors":[{"code":"not_found","message_es":"No está."}]}`), runs: 3},
		"own envelope, pending":    {res: text(`{"ok":true,"status":"pending_confirmation","data":{}}`), runs: 3},
		"own envelope, success":    {res: text(`{"ok":true,"status":"success","data":{}}`), runs: 1},
		"own envelope, queued":     {res: text(`{"ok":true,"status":"queued","data":{"jobId":"1","queuedAt":"2026-09-03T09:00:00Z"}}`), runs: 1},
		"own envelope, not found":  {res: failing(text(`{"ok":false,"status":"failed","errors":[{"code":"not_found","message":"b"}]}`)), runs: 3},
		"own envelope, failed":     {res: failing(text(`{"ok":false,"status":"failed","errors":[{"code":"a","message":"b"}]}`)), runs: 1}, // nobody knows
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var runs atomic.Int64
			srv := stackServer(t, writes("crear"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				runs.Add(1)
				return tc.res, tc.err
			}, whaapy.Config{})
			for range 3 {
				answer, ok := srv.HandleMessage(t.Context(), []byte(withKey)).(mcp.JSONRPCResponse)
				if !ok {
					t.Fatalf("the answer is no result")
				}
				if res, ok := answer.Result.(*mcp.CallToolResult); ok {
					envelopeOf(t, res)
				}
			}
			if runs.Load() != tc.runs {
				t.Errorf("the handler ran %d times, want %d", runs.Load(), tc.runs)
			}
		})
	}
}

// TestAddServesBoth asks one server as each of its clients.
func TestAddServesBoth(t *testing.T) {
	t.Parallel()
	store, err := memory.Ephemeral(memory.Config{})
	if err != nil {
		t.Fatal(err)
	}
	srv := newServer(reads("consultar"), returns(structured(`{"cliente_id":"7","nombre":"Ana","clave":"secreta"}`)))
	stack := middleware.Asixto(srv, store)
	stack.Log = nil
	whaapy.Add(stack, whaapy.Any(whaapy.Principal("whaapy"), whaapy.AtEndpoint(), whaapy.Client(whaapy.ClientName)), whaapy.Config{})
	srv.Use(stack.Middleware())

	const (
		bare     = `{"nombre":"Ana"}`
		envelope = `"data":{"cliente_id":"7","nombre":"Ana"}`
	)
	as := func(name string) context.Context { return mwcall.WithCaller(t.Context(), mwcall.Caller{Name: name}) }
	check := func(ctx context.Context, who string, agent bool) {
		res := send(ctx, t, srv, "consultar", `{}`)
		if text := textOf(t, res); agent && (!strings.Contains(text, envelope) || res.RawStructuredContent != nil) {
			t.Errorf("%s: got %s, want an envelope with %s", who, text, envelope)
		}
		if !agent && string(res.RawStructuredContent) != bare {
			t.Errorf("%s: got %s, want %s", who, res.RawStructuredContent, bare)
		}
	}
	check(t.Context(), "nobody", false)
	check(as("asixto"), "Asixto", false)
	check(as("whaapy"), "by principal", true)
	whaapy.Endpoint(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { check(r.Context(), "by endpoint", true) })).
		ServeHTTP(nil, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", http.NoBody))
	known, exchange := mwcall.WithExchange(t.Context())
	exchange.SetRequest(mwcall.Request{Client: whaapy.ClientName})
	check(known, "by client", true)
}

// TestReplaysAreEqual repeats a write under its key: but for the time that it took, the
// envelope is the same.
func TestReplaysAreEqual(t *testing.T) {
	t.Parallel()
	for name, res := range map[string]*mcp.CallToolResult{
		"data":             structured(`{"ticketId":"1","n":9007199254740993,"z":{"b":1,"a":1.50}}`),
		"JSON in a string": structured(`{"ticketId":"1","raw":"{\"b\":[1]}"}`),
		"a text":           text("Listo."),
		"texts":            text("Listo.", `{"ticketId":"1"}`),
		"a value":          mcp.NewToolResultStructured(whaapy.Evidence{TicketID: "1"}, "Listo."),
		"data, failed":     structured(`{"status":"failed","motivo":"Sin fondos."}`),
		"queued":           whaapy.Queued("job_7", time.Unix(1, 0).UTC(), "Va en camino."),
		"an own envelope":  text(`{"ok":true,"status":"success","data":{"ticketId":"1"},"durationMs":1}`),
		"too much":         structured(`{"ticketId":"1","lista":[` + strings.Repeat(`"una línea",`, 400) + `""]}`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := stackServer(t, writes("crear"), returns(res), whaapy.Config{})
			var first string
			for range 3 {
				answer, ok := srv.HandleMessage(t.Context(), []byte(withKey)).(mcp.JSONRPCResponse)
				if !ok {
					t.Fatal("the answer is no result")
				}
				got, ok := answer.Result.(*mcp.CallToolResult)
				if !ok {
					t.Fatalf("the result is %T", answer.Result)
				}
				raw := took.ReplaceAllString(textOf(t, got), `"durationMs":0`)
				if first == "" {
					first = raw
				}
				if raw != first {
					t.Errorf("got  %s\nwant %s", raw, first)
				}
			}
		})
	}
}

const withKey = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"crear","arguments":{},"_meta":{"com.asixto/idempotencyKey":"k"}}}`

// TestWhenByClient finds the name in _meta, and in the session that mcp-go keeps.
func TestWhenByClient(t *testing.T) {
	t.Parallel()
	match := whaapy.Client("a", whaapy.ClientName)
	req := request("consultar")
	if match(t.Context(), &req) {
		t.Error("a client without a name matches")
	}
	for name, want := range map[string]bool{whaapy.ClientName: true, "a": true, "otro": false} {
		req.Params.Meta = mcp.NewMetaFromMap(map[string]any{mcp.MetaKeyClientInfo: map[string]any{"name": name, "version": "1"}})
		if got := match(t.Context(), &req); got != want {
			t.Errorf("%s in _meta: %v, want %v", name, got, want)
		}
	}
}

// TestOwnFailureWithASecret is not passed on as it is.
func TestOwnFailureWithASecret(t *testing.T) {
	t.Parallel()
	const secret = "sk_live_4eC39HqLyjWDarjtT1zdp7dc"
	res := failing(text(`{"ok":false,"status":"failed","errors":[{"code":"not_found","message_es":"No está.","token":"Bearer ` + secret + `"}]}`))
	got := textOf(t, call(t, newServer(reads("consultar"), returns(res), whaapy.Envelope(whaapy.Config{})), "consultar"))
	if strings.Contains(got, secret) || !strings.Contains(got, `"message_es":"No está."`) {
		t.Errorf("got %s, want the failure without the secret", got)
	}
}

// TestLogKeepsTheFailure reads the line of a call whose result became an envelope.
func TestLogKeepsTheFailure(t *testing.T) {
	t.Parallel()
	cause := errors.New("the row is gone")
	var event middleware.Event
	srv := newServer(reads("consultar"), fails(errors.NotFound("No está.", errors.WithCause(cause))),
		middleware.Observe(func(_ context.Context, e middleware.Event) { event = e }),
		whaapy.Envelope(whaapy.Config{}), middleware.Budget(middleware.BudgetConfig{Reserve: whaapy.Reserve}),
		middleware.Errors(middleware.ErrorsConfig{}))
	got := textOf(t, call(t, srv, "consultar"))
	if !errors.Is(event.Err, cause) || event.ErrorType != errors.TypeNotFound || event.Outcome != middleware.OutcomeBusinessError {
		t.Errorf("the event has %v, %s, %s", event.Err, event.ErrorType, event.Outcome)
	}
	if event.Characters != len([]rune(got)) {
		t.Errorf("the event has %d characters, want those of the envelope: %d", event.Characters, len([]rune(got)))
	}
}

// TestLogOfAFailureInTheData reads the line of a write whose data alone say that it failed,
// and nothing of the data.
func TestLogOfAFailureInTheData(t *testing.T) {
	t.Parallel()
	var event middleware.Event
	srv := newServer(writes("cobrar"), returns(structured(`{"status":"failed","motivo":"Sin fondos."}`)),
		middleware.Observe(func(_ context.Context, e middleware.Event) { event = e }), whaapy.Envelope(whaapy.Config{}))
	if res := call(t, srv, "cobrar"); !res.IsError {
		t.Errorf("got %s, want a failure", textOf(t, res))
	}
	if event.ErrorType != errors.TypeUnknown || event.Outcome != middleware.OutcomeError ||
		event.Err == nil || strings.Contains(event.Err.Error(), "fondos") {
		t.Errorf("the event has %v, %s, %s", event.Err, event.ErrorType, event.Outcome)
	}
}
