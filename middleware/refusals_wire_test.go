package middleware_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/rs/zerolog"

	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/call"
	"github.com/portavoz/portavoz/middleware/transport"
)

// wireClient calls the tools of a server as a gateway of one revision does.
type wireClient struct {
	handler http.Handler
	meta    string // of the revision, as members
	session string
}

const wireSecret = "s3cret-of-the-gateway"

// newWireClient opens a session, unless the revision is one without.
func newWireClient(t *testing.T, h http.Handler, revision string) *wireClient {
	t.Helper()
	c := &wireClient{handler: h}
	if revision == "2026-07-28" {
		c.meta = `"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}`
		return c
	}
	w := c.post(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"` + revision +
		`","capabilities":{},"clientInfo":{"name":"prueba","version":"1"}}}`)
	if c.session = w.Header().Get("Mcp-Session-Id"); w.Code != http.StatusOK || c.session == "" {
		t.Fatalf("initialize: %d %s", w.Code, w.Body)
	}
	if w := c.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`); w.Code != http.StatusAccepted {
		t.Fatalf("notifications/initialized: %d %s", w.Code, w.Body)
	}
	return c
}

func (c *wireClient) post(body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Authorization", "Bearer "+wireSecret)
	if c.session != "" {
		r.Header.Set("Mcp-Session-Id", c.session)
	}
	w := httptest.NewRecorder()
	c.handler.ServeHTTP(w, r)
	return w
}

// call returns the answer to a call of a tool, and its status.
func (c *wireClient) call(tool, arguments, meta string) (int, string) {
	members := strings.Trim(c.meta+","+meta, ",")
	w := c.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":{%s}}}`,
		tool, arguments, members))
	return w.Code, strings.TrimSpace(w.Body.String())
}

// failureOf is the structured content of a result that is a failure, the same as text.
func (c *wireClient) failureOf(t *testing.T, status int, body string) string {
	t.Helper()
	var a struct {
		Result struct {
			Content []struct{ Text string }
			Data    json.RawMessage `json:"structuredContent"`
			IsError bool
			Type    string `json:"resultType"`
		}
	}
	if err := json.Unmarshal([]byte(body), &a); err != nil || status != http.StatusOK {
		t.Fatalf("%d %s: %v", status, body, err)
	}
	complete := ""
	if c.session == "" {
		complete = "complete"
	}
	if r := a.Result; len(r.Content) != 1 || r.Content[0].Text != string(r.Data) || !r.IsError || r.Type != complete {
		t.Errorf("got %s, want a failure that says the same as text and as data", body)
	}
	return string(a.Result.Data)
}

// TestRefusalsInBothEras: what the whole stack answers to a call that it does not
// allow is the same in both revisions, to the byte.
func TestRefusalsInBothEras(t *testing.T) {
	t.Parallel()
	conversation := func(id string) string { return fmt.Sprintf(`"com.asixto/conversationId":%q`, id) }
	const blocker = `{"error":{"error_type":"BLOCKER","user_message":`
	steps := []struct {
		name, tool, arguments, meta string
		passing                     int // calls before that get through
		want                        string
	}{
		{"the arguments", "lee", `{"id":7,"Id":"a"}`, "", 0,
			`{"error":{"error_type":"VALIDATION","user_message":"Conviene revisar id.","details":{"code":"several_arguments","field":"Id","fields":["Id","id"],"problems":[` +
				`{"field":"Id","rule":"additionalProperties","suggestion":"id","message":"No se espera ese dato, y quizás se quiso decir id."},` +
				`{"field":"id","rule":"type","expected":["string"],"message":"Conviene revisar id, que no es del tipo esperado."}]}}}`},
		{"the tenant", "lee", `{"id":"a"}`, `"com.asixto/companyId":"cmp_2"`, 0,
			`{"error":{"error_type":"PERMISSION","user_message":"No hay autorización para atender esa solicitud."}}`},
		{"the same again", "lee", `{"id":"a"}`, conversation("igual"), 2,
			blocker + `"Esa misma solicitud ya se hizo varias veces, y conviene seguir con lo que ya se sabe.","details":{"code":"repeated_call","calls":2,` +
				`"hint":"The tool has been called this often with these same arguments, and will not give a new answer. Go on with the answers there are, ` +
				`change the arguments, use another tool, or tell the person what is missing.","window_seconds":120}}}`},
		{"too often", "lee", `{"id":"%d"}`, conversation("mucho"), 4,
			blocker + `"Ya se hicieron muchas solicitudes como esa, y conviene buscar otra forma de continuar.","details":{"code":"too_many_calls","calls":4,` +
				`"hint":"The tool has been called this often in this conversation. Go on with the answers there are, use another tool, or ask the person for what would narrow it down.",` +
				`"window_seconds":120}}}`},
		{"tried three times", "cae", `{}`, "", 0,
			`{"error":{"error_type":"SYSTEM","user_message":"El servicio no está disponible en este momento.","details":{"code":"unavailable","retryable":true}}}`},
		{"tried again after a doubt", "duda", `{}`, `"com.asixto/idempotencyKey":"k"`, 0,
			`{"error":{"error_type":"UNKNOWN","user_message":"No se pudo confirmar si la solicitud se completó, y conviene verificarlo antes de repetirla.","details":{"code":"outcome_unknown"}}}`},
		{"the tool's limit", "caro", `{}`, "", 1,
			`{"error":{"error_type":"SYSTEM","user_message":"Llegaron muchas solicitudes seguidas, y conviene intentarlo de nuevo en una hora.","details":{"code":"rate_limited","retryable":true,"retry_after_seconds":3600}}}`},
		{"more than there ever is", "enorme", `{}`, "", 0,
			`{"error":{"error_type":"SYSTEM","user_message":"Esa solicitud supera lo que está permitido.","details":{"code":"no_quota"}}}`},
	}
	const unknown = `{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"tool '%s' not found: tool not found"}}`
	for _, revision := range []string{"2025-06-18", "2026-07-28"} {
		for _, step := range steps {
			t.Run(revision+"/"+step.name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					c := newWireClient(t, strictHandler(t), revision)
					for i := range step.passing {
						if status, body := c.call(step.tool, sprint(step.arguments, i), step.meta); status != http.StatusOK || strings.Contains(body, `"isError":true`) {
							t.Fatalf("call %d: %d %s", i, status, body)
						}
					}
					status, body := c.call(step.tool, sprint(step.arguments, step.passing), step.meta)
					if got := c.failureOf(t, status, body); got != step.want {
						t.Errorf("\n got %s\nwant %s", got, step.want)
					}
				})
			})
		}
		t.Run(revision+"/hidden or unknown", func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c := newWireClient(t, strictHandler(t), revision)
				for _, tool := range []string{"oculta", "ninguna"} {
					for _, arguments := range []string{`{}`, `{"id":7}`, `[]`} {
						if _, body := c.call(tool, arguments, ""); body != fmt.Sprintf(unknown, tool) {
							t.Errorf("got %s, want %s", body, fmt.Sprintf(unknown, tool))
						}
					}
				}
			})
		})
	}
}

// sprint puts a number where a text has a place for one.
func sprint(text string, n int) string {
	if !strings.Contains(text, "%") {
		return text
	}
	return fmt.Sprintf(text, n)
}

// strictHandler is a server with the preset for the gateway, of which every limit is a
// small one, behind the transport's half.
func strictHandler(t *testing.T) http.Handler {
	t.Helper()
	policy := middleware.Policy{
		Visible: func(_ context.Context, _ call.Caller, tool *mcp.Tool) bool { return tool.Name != "oculta" },
		Allow:   middleware.SameTenant,
	}
	srv := server.NewMCPServer("prueba", "1", server.WithToolFilter(policy.Filter))
	stack := middleware.Asixto(srv, forgetful())
	stack.Log, stack.Logger = middleware.Log(zerolog.Nop()), slog.New(slog.DiscardHandler)
	stack.RateLimit = middleware.RateLimit(call.Rate(1, time.Hour, 50), middleware.RateLimitConfig{
		ConversationShare: 1,
		Tools:             map[string]call.Limit{"caro": call.Rate(1, time.Hour, 1)},
		Cost: func(_ context.Context, req mcp.CallToolRequest) int {
			if req.Params.Name == "enorme" {
				return 51
			}
			return 1
		},
	})
	stack.Authorize = middleware.Authorize(policy)
	stack.LoopGuard = middleware.LoopGuard(middleware.LoopGuardConfig{Limits: middleware.LoopLimits{Calls: 4, Equal: 2}})
	stack.Retry = middleware.Retry(middleware.RetryConfig{ForwardsKey: []string{"duda"}})
	srv.Use(stack.Middleware())

	runs := 0
	for name, h := range map[string]handler{
		"caro": ok, "enorme": ok, "oculta": ok, "cae": fails(errRefused),
		"duda": failing(&runs, errReset, errRefused),
	} {
		srv.AddTool(mcp.NewTool(name), h)
	}
	srv.AddTool(mcp.NewTool("lee", mcp.WithReadOnlyHintAnnotation(true), mcp.WithString("id", mcp.Required())), ok)
	h, err := transport.GatewayConfig{
		Credentials: []transport.Credential{transport.Bearer("asixto", wireSecret).Tenant("cmp_1")},
	}.Wrap(server.NewStreamableHTTPServer(srv))
	if err != nil {
		t.Fatal(err)
	}
	return h
}
