package middleware_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/call"
)

func TestAuthorizeRefuses(t *testing.T) {
	t.Parallel()
	const forbidden = "No hay autorización para atender esa solicitud."
	never := func(context.Context, call.Caller, *mcp.Tool) bool { return false }
	says := func(err error) func(context.Context, mcp.CallToolRequest) error {
		return func(context.Context, mcp.CallToolRequest) error { return err }
	}
	tests := []struct {
		name        string
		policy      middleware.Policy
		want        string // "" for the handler's own result
		wantOutcome middleware.Outcome
	}{
		{"no policy", middleware.Policy{}, "", middleware.OutcomeOK},
		{"allowed", middleware.Policy{Allow: says(nil)}, "", middleware.OutcomeOK},
		{"not visible", middleware.Policy{Visible: never}, failure("PERMISSION", forbidden, ""), middleware.OutcomeRefused},
		{"not visible, whatever Allow says", middleware.Policy{Visible: never, Allow: says(errors.NotFound("Sí existe."))},
			failure("PERMISSION", forbidden, ""), middleware.OutcomeRefused},
		{"not this call", middleware.Policy{Allow: says(errors.Permission(""))}, failure("PERMISSION", forbidden, ""), middleware.OutcomeRefused},
		{"with a sentence of its own", middleware.Policy{Allow: says(errors.Permission("El tope es de un millón de pesos."))},
			failure("PERMISSION", "El tope es de un millón de pesos.", ""), middleware.OutcomeRefused},
		{"a policy that could not be asked", middleware.Policy{Allow: says(errors.New("dial tcp 10.0.0.7: no route"))},
			failure("UNKNOWN", "No fue posible confirmar el resultado de la solicitud.", ""), middleware.OutcomeError},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rec, ran := newRecorder(), false
			h := middleware.Wrap(func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				ran = true
				return ok(ctx, req)
			}, middleware.Observe(rec.observe), middleware.Errors(middleware.ErrorsConfig{}), middleware.Authorize(tt.policy))
			res, err := h(t.Context(), request(nil))
			if err != nil {
				t.Fatal(err)
			}
			if got := encode(t, res); tt.want != "" && got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if ran != (tt.want == "") {
				t.Errorf("the handler ran: %t", ran)
			}
			if got := rec.next(t).Outcome; got != tt.wantOutcome {
				t.Errorf("got outcome %s, want %s", got, tt.wantOutcome)
			}
		})
	}
}

// A policy that cannot be asked proves that nothing happened, so that the same
// key may be used again.
func TestAuthorizeHasNoEffect(t *testing.T) {
	t.Parallel()
	h := middleware.Authorize(middleware.Policy{Allow: func(context.Context, mcp.CallToolRequest) error { return context.DeadlineExceeded }})(ok)
	if _, err := h(t.Context(), request(nil)); errors.From(err).Effect != errors.EffectNone {
		t.Errorf("got %v with an unknown effect", err)
	}
}

func TestScopes(t *testing.T) {
	t.Parallel()
	visible := middleware.Scopes(map[string][]string{
		"horario": {middleware.Public},
		"saldo":   {"saldo:leer"},
		"pagar":   {"saldo:leer", "pagos:hacer"},
		"abierta": {middleware.Public, "saldo:leer"},
		"vacia":   {},
		"nula":    nil,
		"blanco":  {""},
	})
	tests := []struct {
		scopes []string
		want   string
	}{
		{nil, "horario"},
		{[]string{"saldo:leer"}, "abierta horario saldo"},
		{[]string{"pagos:hacer"}, "horario"},
		{[]string{"pagos:hacer", "saldo:leer"}, "abierta horario pagar saldo"},
		{[]string{"saldo", "saldo:leer:todo", "SALDO:LEER", "*"}, "horario"},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.scopes), func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, name := range []string{"abierta", "blanco", "horario", "nula", "olvidada", "pagar", "saldo", "vacia", ""} {
				if visible(t.Context(), call.Caller{Name: "x", Scopes: tt.scopes}, &mcp.Tool{Name: name}) {
					got = append(got, name)
				}
			}
			if names := strings.Join(got, " "); names != tt.want {
				t.Errorf("got %q, want %q", names, tt.want)
			}
		})
	}
	if middleware.Scopes(nil)(t.Context(), call.Caller{}, &mcp.Tool{Name: "horario"}) {
		t.Error("no map at all opens a tool")
	}
}

func TestSameTenant(t *testing.T) {
	t.Parallel()
	h := middleware.Authorize(middleware.Policy{Allow: middleware.SameTenant})(ok)
	for _, tt := range []struct {
		bound, named string
		want         bool
	}{
		{"", "", true}, {"", "cmp_1", true}, {"cmp_1", "", true}, {"cmp_1", "cmp_1", true},
		{"cmp_1", "cmp_2", false}, {"cmp_1", "CMP_1", false}, {"cmp_1", "cmp_11", false},
	} {
		ctx := call.WithCaller(t.Context(), call.Caller{Name: "x", Tenant: tt.bound})
		_, err := h(ctx, request(map[string]any{"com.asixto/companyId": tt.named}))
		if allowed := err == nil; allowed != tt.want {
			t.Errorf("bound to %q and naming %q: allowed %t, want %t", tt.bound, tt.named, allowed, tt.want)
		}
		if err != nil && errors.TypeOf(err) != errors.TypePermission {
			t.Errorf("got %v, want PERMISSION", err)
		}
	}
	if err := middleware.SameTenant(t.Context(), request(nil)); errors.TypeOf(err) != errors.TypePermission {
		t.Errorf("outside of a call: got %v, want PERMISSION", err)
	}
}

// The policy sees the definition, and a tool of unknown definition as one that
// writes.
func TestAuthorizeShowsTheDefinition(t *testing.T) {
	t.Parallel()
	readers := middleware.Policy{Visible: func(_ context.Context, caller call.Caller, tool *mcp.Tool) bool {
		readOnly := tool.Annotations.ReadOnlyHint != nil && *tool.Annotations.ReadOnlyHint
		return readOnly || caller.Has("escribir")
	}}
	srv := server.NewMCPServer("prueba", "1", server.WithToolHandlerMiddleware(middleware.Authorize(readers)))
	srv.AddTool(mcp.NewTool("lee", mcp.WithReadOnlyHintAnnotation(true)), ok)
	srv.AddTool(mcp.NewTool("escribe", mcp.WithReadOnlyHintAnnotation(false)), ok)
	for _, tt := range []struct {
		tool   string
		scopes []string
		want   bool
	}{{"lee", nil, true}, {"escribe", nil, false}, {"escribe", []string{"escribir"}, true}} {
		ctx := call.WithCaller(t.Context(), call.Caller{Name: "x", Scopes: tt.scopes})
		got := answer(ctx, t, srv, modernCall(tt.tool, `{}`, ""))
		if allowed := strings.Contains(got, "Está activo."); allowed != tt.want {
			t.Errorf("%s with %v: got %s", tt.tool, tt.scopes, got)
		}
	}
	if _, err := middleware.Authorize(readers)(ok)(t.Context(), request(nil)); errors.TypeOf(err) != errors.TypePermission {
		t.Errorf("outside of a server: got %v, want PERMISSION", err)
	}
}

// eras are the two forms of a request over HTTP.
var eras = []struct {
	name, meta string
	headers    map[string]string
}{
	{"legacy", `{}`, nil},
	{"modern", `{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"com.asixto/companyId":"cmp_1"}`,
		map[string]string{"Mcp-Protocol-Version": "2026-07-28"}},
}

// exchange sends one request and returns everything that a client can see.
func exchange(h http.Handler, caller *call.Caller, headers map[string]string, method, name, params string) string {
	req := httptest.NewRequest(http.MethodPost, "/mcp",
		strings.NewReader(fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":%q,"params":%s}`, method, params)))
	req.Header.Set("Content-Type", "application/json")
	if len(headers) > 0 {
		req.Header.Set("Mcp-Method", method)
		req.Header.Set("Mcp-Name", name)
	}
	for key, value := range headers {
		req.Header.Set(key, value)
	}
	if caller != nil {
		req = req.WithContext(call.WithCaller(req.Context(), *caller))
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, req)
	return fmt.Sprint(w.Code, w.Header(), "\n", w.Body)
}

// What is hidden is answered byte for byte like what was never registered, in
// both eras, for every way to ask.
func TestHiddenIsLikeUnknown(t *testing.T) {
	t.Parallel()
	policy := middleware.Policy{
		Visible: middleware.Scopes(map[string][]string{"prueba": {middleware.Public}, "oculta": {"admin"}, "larga": {"admin"}}),
		Allow:   middleware.SameTenant,
	}
	build := func(tools ...server.ServerTool) http.Handler {
		srv := server.NewMCPServer("prueba", "1", server.WithToolFilter(policy.Filter), server.WithToolCapabilities(false),
			server.WithTaskCapabilities(true, true, true))
		stack := middleware.Asixto(srv, forgetful())
		stack.Authorize = middleware.Authorize(policy)
		srv.Use(stack.Middleware())
		srv.AddTools(append(tools, server.ServerTool{Tool: mcp.NewTool("prueba"), Handler: ok})...)
		return server.NewStreamableHTTPServer(srv, server.WithStateLess(true), server.WithDisableStreaming(true))
	}
	withHidden := build(
		server.ServerTool{Tool: mcp.NewTool("oculta", mcp.WithString("documento", mcp.Required())), Handler: ok},
		server.ServerTool{Tool: mcp.NewTool("larga", mcp.WithTaskSupport(mcp.TaskSupportRequired)), Handler: ok},
	)
	without := build()

	asks := []struct{ name, method, tool, params string }{
		{"list", "tools/list", "-", `{"_meta":%s}`},
		{"call", "tools/call", "oculta", `{"name":"oculta","arguments":{},"_meta":%s}`},
		{"call with arguments", "tools/call", "oculta", `{"name":"oculta","arguments":{"documento":1032},"_meta":%s}`},
		{"call of one that is a task", "tools/call", "larga", `{"name":"larga","_meta":%s}`},
		{"call as a task", "tools/call", "larga", `{"name":"larga","task":{"ttl":1000},"_meta":%s}`},
		{"call of no task as one", "tools/call", "oculta", `{"name":"oculta","task":{},"_meta":%s}`},
	}
	callers := map[string]*call.Caller{
		"nobody":        nil,
		"without scope": {Name: "asixto", Tenant: "cmp_2", Scopes: []string{"saldo:leer"}},
	}
	for _, era := range eras {
		for who, caller := range callers {
			for _, ask := range asks {
				t.Run(strings.Join([]string{era.name, who, ask.name}, "/"), func(t *testing.T) {
					t.Parallel()
					params := fmt.Sprintf(ask.params, era.meta)
					got := exchange(withHidden, caller, era.headers, ask.method, ask.tool, params)
					want := exchange(without, caller, era.headers, ask.method, ask.tool, params)
					if got != want {
						t.Errorf("hidden:  %s\nunknown: %s", got, want)
					}
					if ask.method == "tools/call" && !strings.Contains(got, `"error":{"code":-32602,"message":"tool '`+ask.tool+`' not found: tool not found"}`) {
						t.Errorf("got %s, want the answer for an unknown tool", got)
					}
				})
			}
		}
		t.Run(era.name+"/one who may", func(t *testing.T) {
			t.Parallel()
			admin := &call.Caller{Name: "admin", Scopes: []string{"admin"}}
			if got := exchange(withHidden, admin, era.headers, "tools/list", "-", fmt.Sprintf(`{"_meta":%s}`, era.meta)); !strings.Contains(got, `"oculta"`) {
				t.Errorf("the list is %s", got)
			}
			if got := exchange(withHidden, admin, era.headers, "tools/call", "oculta", fmt.Sprintf(`{"name":"oculta","arguments":{"documento":"1032"},"_meta":%s}`, era.meta)); !strings.Contains(got, "Está activo.") {
				t.Errorf("the call gave %s", got)
			}
		})
	}
	t.Run("a visible tool of another tenant", func(t *testing.T) {
		t.Parallel()
		bound := &call.Caller{Name: "asixto", Tenant: "cmp_2"}
		got := exchange(withHidden, bound, eras[1].headers, "tools/call", "prueba", fmt.Sprintf(`{"name":"prueba","_meta":%s}`, eras[1].meta))
		if !strings.Contains(got, `"structuredContent":{"error":{"error_type":"PERMISSION","user_message":"No hay autorización para atender esa solicitud."}}`) {
			t.Errorf("got %s, want PERMISSION", got)
		}
	})
}

// A list does not fail for one tool, and mcp-go is not left with a lock held.
func TestFilterSurvivesAPolicyThatPanics(t *testing.T) {
	t.Parallel()
	policy := middleware.Policy{Visible: func(_ context.Context, _ call.Caller, tool *mcp.Tool) bool {
		if tool.Name == "rota" {
			panic("sin reglas")
		}
		return true
	}}
	tools := []mcp.Tool{{Name: "a"}, {Name: "rota"}, {Name: "b"}}
	var names []string
	for _, tool := range policy.Filter(t.Context(), tools) {
		names = append(names, tool.Name)
	}
	if got := strings.Join(names, " "); got != "a b" {
		t.Errorf("got %q, want %q", got, "a b")
	}
	if len(tools) != 3 || tools[1].Name != "rota" {
		t.Errorf("the list that was given has changed: %v", tools)
	}
}
