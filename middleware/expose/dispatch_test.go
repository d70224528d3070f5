package expose_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency/memory"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/call"
	"github.com/portavoz/portavoz/middleware/expose"
)

// echo is a handler that answers with the name and the arguments that it got.
func echo(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	values, _ := json.Marshal(req.Params.Arguments)
	return mcp.NewToolResultText(req.Params.Name + " " + string(req.Params.RawArguments) + " " + string(values)), nil
}

// said is the text of an answer.
func said(answer string) string {
	var a struct {
		Result struct {
			Content []struct{ Text string } `json:"content"`
		} `json:"result"`
		Error json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal([]byte(answer), &a); err != nil || a.Error != nil || len(a.Result.Content) == 0 {
		return answer
	}
	return a.Result.Content[0].Text
}

func cuentas() []expose.Declaration {
	secret := expose.Mutation("cuentas.borrar", echo, raw(`{"id":{"type":"string"},"clave":{"type":"string"}}`, "id"))
	secret.Scopes = []string{"admin"}
	return []expose.Declaration{
		expose.Query("cuentas.ver", echo, raw(`{"id":{"type":"string","maxLength":4}}`, "id")),
		expose.Mutation("cuentas.pagar", echo, raw(`{"id":{"type":"string"},"valor":{"type":"integer","maximum":9}}`, "id", "valor")),
		secret,
	}
}

func TestCalls(t *testing.T) {
	t.Parallel()
	failure := func(code, message, problem string) string {
		return fmt.Sprintf(`{"error":{"error_type":"VALIDATION","user_message":%q,"details":{"code":%q,%s}}}`, message, code, problem)
	}
	unknown := func(problem string) string {
		return failure("unknown_action", "No existe esa operación.",
			`"field":"action","problems":[{"field":"action","rule":"enum","expected":["pagar","ver"],`+problem+`"message":"No existe esa operación."}]`)
	}
	missing := failure("missing_action", "Hace falta indicar qué operación se necesita.",
		`"field":"action","problems":[{"field":"action","rule":"required","expected":["pagar","ver"],"message":"Hace falta indicar qué operación se necesita."}]`)
	noObject := `{"error":{"error_type":"VALIDATION","user_message":"Los datos de la solicitud no tienen la forma esperada.","details":{"code":"invalid_arguments"}}}`
	for name, tc := range map[string]struct {
		strategy              expose.Strategy
		tool, arguments, want string
	}{
		"grouped":                     {expose.Grouped, "cuentas", `{"action":"ver","id":"a"}`, `cuentas.ver {"id":"a"} {"id":"a"}`},
		"grouped, anywhere":           {expose.Grouped, "cuentas", ` { "id" : "a" , "action" : "pagar" , "valor" : 9 } `, `cuentas.pagar {"id":"a","valor":9} {"id":"a","valor":9}`},
		"grouped, last":               {expose.Grouped, "cuentas", `{"id":"}]\\\"","action":"ver"}`, `cuentas.ver {"id":"}]\\\""} {"id":"}]\\\""}`},
		"grouped, with an escape":     {expose.Grouped, "cuentas", `{"\u0061ction":"v\u0065r","id":"a"}`, `cuentas.ver {"id":"a"} {"id":"a"}`},
		"split":                       {expose.Split, "cuentas_write", `{"id":"a","action":"pagar","valor":3}`, `cuentas.pagar {"id":"a","valor":3} {"id":"a","valor":3}`},
		"split, the other half":       {expose.Split, "cuentas_read", `{"id":"a","action":"pagar","valor":3}`, failure("unknown_action", "No existe esa operación.", `"field":"action","problems":[{"field":"action","rule":"enum","expected":["ver"],"tool":"cuentas_write","message":"No existe esa operación."}]`)},
		"split, a hidden one":         {expose.Split, "cuentas_read", `{"id":"a","action":"borrar"}`, failure("unknown_action", "No existe esa operación.", `"field":"action","problems":[{"field":"action","rule":"enum","expected":["ver"],"message":"No existe esa operación."}]`)},
		"no action":                   {expose.Grouped, "cuentas", `{"id":"a"}`, missing},
		"null for an action":          {expose.Grouped, "cuentas", `{"action":null,"id":"a"}`, missing},
		"no arguments":                {expose.Grouped, "cuentas", `{}`, missing},
		"null for arguments":          {expose.Grouped, "cuentas", `null`, missing},
		"a list":                      {expose.Grouped, "cuentas", `["action"]`, noObject},
		"a similar action":            {expose.Grouped, "cuentas", `{"action":"pagr"}`, unknown(`"suggestion":"pagar",`)},
		"another case":                {expose.Grouped, "cuentas", `{"action":"Ver"}`, unknown(`"suggestion":"ver",`)},
		"a number":                    {expose.Grouped, "cuentas", `{"action":3}`, unknown(``)},
		"empty":                       {expose.Grouped, "cuentas", `{"action":""}`, unknown(``)},
		"a hidden action":             {expose.Grouped, "cuentas", `{"action":"borrar"}`, unknown(``)},
		"similar to a hidden action":  {expose.Grouped, "cuentas", `{"action":"borar"}`, unknown(``)},
		"the full name":               {expose.Grouped, "cuentas", `{"action":"cuentas.ver"}`, unknown(``)},
		"flat, twice":                 {expose.Flat, "cuentas_ver", `{"action":"ver","id":"a","action":"pagar"}`, failure("invalid_arguments", "Los datos de la solicitud no tienen la forma esperada.", `"field":"action"`)},
		"flat, a redundant null":      {expose.Flat, "cuentas_ver", `{"id":"a","action":null}`, failure("other_action", "La solicitud nombra dos operaciones distintas.", `"field":"action","problems":[{"field":"action","rule":"const","message":"La solicitud nombra dos operaciones distintas."}]`)},
		"twice":                       {expose.Grouped, "cuentas", `{"action":"ver","id":"a","action":"pagar"}`, failure("invalid_arguments", "Los datos de la solicitud no tienen la forma esperada.", `"field":"action"`)},
		"a field of another action":   {expose.Grouped, "cuentas", `{"action":"ver","id":"a","valor":3}`, failure("foreign_argument", "No se espera valor en esa operación.", `"field":"valor","problems":[{"field":"valor","rule":"additionalProperties","belongs_to":["pagar"],"message":"No se espera valor en esa operación."}]`)},
		"a field of a hidden action":  {expose.Grouped, "cuentas", `{"action":"ver","id":"a","clave":"x"}`, ``},
		"beyond the action's rule":    {expose.Grouped, "cuentas", `{"action":"ver","id":"abcde"}`, ``},
		"within another one's":        {expose.Grouped, "cuentas", `{"action":"pagar","id":"abcde","valor":1}`, `cuentas.pagar {"id":"abcde","valor":1} {"id":"abcde","valor":1}`},
		"flat":                        {expose.Flat, "cuentas_ver", `{"id":"a"}`, `cuentas.ver {"id":"a"} {"id":"a"}`},
		"flat, a redundant action":    {expose.Flat, "cuentas_ver", `{"id":"a","action":"ver"}`, `cuentas.ver {"id":"a"} {"id":"a"}`},
		"flat, another action":        {expose.Flat, "cuentas_ver", `{"id":"a","action":"pagar"}`, failure("other_action", "La solicitud nombra dos operaciones distintas.", `"field":"action","problems":[{"field":"action","rule":"const","message":"La solicitud nombra dos operaciones distintas."}]`)},
		"flat, a hidden action":       {expose.Flat, "cuentas_ver", `{"id":"a","action":"borrar"}`, failure("other_action", "La solicitud nombra dos operaciones distintas.", `"field":"action","problems":[{"field":"action","rule":"const","message":"La solicitud nombra dos operaciones distintas."}]`)},
		"flat, the grouped name":      {expose.Flat, "cuentas", `{"id":"a","action":"ver"}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"tool 'cuentas' not found: tool not found"}}`},
		"flat, a hidden tool":         {expose.Flat, "cuentas_borrar", `{"id":"a"}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"tool 'cuentas_borrar' not found: tool not found"}}`},
		"grouped, the name of flat":   {expose.Grouped, "cuentas_ver", `{"id":"a"}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"tool 'cuentas_ver' not found: tool not found"}}`},
		"flat, a field that it lacks": {expose.Flat, "cuentas_ver", `{"id":"a","valor":3}`, ``},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := serve(t, compile(t, expose.Config{Strategy: tc.strategy}, cuentas()...))
			got := said(callTool(t.Context(), t, srv, tc.tool, tc.arguments))
			if tc.want == "" {
				golden(t, "calls_"+strings.NewReplacer(" ", "_", ",", "", "'", "").Replace(name)+".golden", got+"\n")
			} else if got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}

// A null for what an action does not take, or takes no null for, is not there.
func TestNullIsAbsent(t *testing.T) {
	t.Parallel()
	declarations := append(cuentas(), expose.Query("cuentas.buscar", echo, raw(`{"texto":{"type":["string","null"]},"id":{"type":"string"}}`)))
	srv := serve(t, compile(t, expose.Config{Strategy: expose.Grouped, NullIsAbsent: true}, declarations...))
	for arguments, want := range map[string]string{
		`{"action":"buscar","texto":null,"id":null,"valor":null,"clave":null}`: `cuentas.buscar {"texto":null} {"texto":null}`,
		`{"action":"pagar","texto":null,"id":"a","valor":1}`:                   `cuentas.pagar {"id":"a","valor":1} {"id":"a","valor":1}`,
	} {
		if got := said(callTool(t.Context(), t, srv, "cuentas", arguments)); got != want {
			t.Errorf("%s: got %s, want %s", arguments, got, want)
		}
	}
	if got := said(callTool(t.Context(), t, srv, "cuentas", `{"action":"pagar","id":null,"valor":1}`)); !strings.Contains(got, `"missing_argument"`) {
		t.Errorf("a null for what is required: got %s", got)
	}
}

// Arguments that a program gave, in any form, reach the handler as those of a client
// do, and what it holds is not changed.
func TestArgumentsOfAProgram(t *testing.T) {
	t.Parallel()
	surface := compile(t, expose.Config{Strategy: expose.Grouped}, cuentas()...)
	handler := surface.Tools()[0].Handler
	values := map[string]any{"action": "ver", "id": "a"}
	for name, arguments := range map[string]any{
		"values": values,
		"text":   json.RawMessage(`{"action":"ver","id":"a"}`),
		"struct": struct {
			Action string `json:"action"`
			ID     string `json:"id"`
		}{"ver", "a"},
	} {
		res, err := handler(t.Context(), mcp.CallToolRequest{Params: mcp.CallToolParams{Name: "cuentas", Arguments: arguments}})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := mcp.GetTextFromContent(res.Content[0]), `cuentas.ver {"id":"a"} {"id":"a"}`; got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
	if len(values) != 2 {
		t.Errorf("the values have become %v", values)
	}
	for _, strategy := range []expose.Strategy{expose.Flat, expose.Grouped} { // what is no JSON reaches nobody
		handler := compile(t, expose.Config{Strategy: strategy}, cuentas()...).Tools()[0].Handler
		req := mcp.CallToolRequest{Params: mcp.CallToolParams{Name: "cuentas", Arguments: map[string]any{"action": func() {}}}}
		if res, err := handler(call.WithCaller(t.Context(), call.Caller{Scopes: []string{"admin"}}), req); err != nil || !strings.Contains(mcp.GetTextFromContent(res.Content[0]), `"invalid_arguments"`) {
			t.Errorf("%s: got %+v, %v", strategy, res, err)
		}
	}
}

// Middlewares see the action, whatever the tool: its name, its hints, and one record
// for the whole call.
func TestMiddlewareSeesTheAction(t *testing.T) {
	t.Parallel()
	for _, strategy := range []expose.Strategy{expose.Flat, expose.Grouped, expose.Split} {
		var seen []string
		spy := func(next server.ToolHandlerFunc) server.ToolHandlerFunc {
			return middleware.Guard(func(ctx context.Context, req mcp.CallToolRequest) error {
				rec := middleware.RecordFrom(ctx)
				seen = append(seen, fmt.Sprintf("%s %t/%t %s", rec.Tool(), rec.ReadOnly(ctx), rec.Definition(ctx).Name == rec.Tool(), req.Params.Name))
				return nil
			})(next)
		}
		srv := serve(t, compile(t, expose.Config{Strategy: strategy, Middleware: spy}, cuentas()...))
		srv.Use(middleware.Observe(func(context.Context, middleware.Event) {})) // makes a record under the tool's name
		for _, action := range []string{"ver", "pagar"} {
			tool, arguments := "cuentas", fmt.Sprintf(`{"action":%q,"id":"a"}`, action)
			switch {
			case strategy == expose.Flat:
				tool += "_" + action
			case strategy == expose.Split && action == "ver":
				tool += "_read"
			case strategy == expose.Split:
				tool += "_write"
			}
			callTool(t.Context(), t, srv, tool, arguments)
		}
		want := []string{"cuentas.ver true/true cuentas.ver", "cuentas.pagar false/true cuentas.pagar"}
		if !slices.Equal(seen, want) {
			t.Errorf("%s: got %q, want %q", strategy, seen, want)
		}
	}
}

// A key is of the action: a retry after the surface has changed finds the first
// answer, and one key for two actions of a grouped tool is two operations.
func TestIdempotencyOfActions(t *testing.T) {
	t.Parallel()
	store, err := memory.Ephemeral(memory.Config{})
	if err != nil {
		t.Fatal(err)
	}
	runs := map[string]int{}
	count := func(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		runs[req.Params.Name]++
		return mcp.NewToolResultText("Listo."), nil
	}
	declarations := []expose.Declaration{
		expose.Mutation("citas.crear", count, raw(`{"id":{"type":"string"}}`)),
		expose.Mutation("citas.mover", count, raw(`{"id":{"type":"string"}}`)),
		expose.Query("citas.ver", count, raw(`{"id":{"type":"string"}}`)),
	}
	serveWith := func(strategy expose.Strategy) *server.MCPServer {
		stack := middleware.Asixto(nil, store)
		stack.Log = nil
		return serve(t, compile(t, expose.Config{Strategy: strategy, Middleware: stack.Middleware()}, declarations...))
	}
	grouped, flat, split := serveWith(expose.Grouped), serveWith(expose.Flat), serveWith(expose.Split)
	call := func(srv *server.MCPServer, tool, arguments string) {
		t.Helper()
		answer := send(t.Context(), t, srv, "tools/call", map[string]any{
			"name": tool, "arguments": json.RawMessage(arguments), "_meta": map[string]any{"com.asixto/idempotencyKey": "k"},
		})
		if said(answer) != "Listo." {
			t.Errorf("%s: got %s", tool, answer)
		}
	}
	call(grouped, "citas", `{"action":"crear","id":"a"}`)
	call(grouped, "citas", `{"id":"a","action":"crear"}`)
	call(flat, "citas_crear", `{"id":"a"}`)
	call(flat, "citas_crear", `{"id":"a","action":"crear"}`)
	call(split, "citas_write", `{"id":"a","action":"crear"}`)
	call(grouped, "citas", `{"action":"mover","id":"a"}`)
	call(grouped, "citas", `{"action":"ver","id":"a"}`)
	call(grouped, "citas", `{"action":"ver","id":"a"}`)
	if want := map[string]int{"citas.crear": 1, "citas.mover": 1, "citas.ver": 2}; fmt.Sprint(runs) != fmt.Sprint(want) {
		t.Errorf("got runs %v, want %v", runs, want)
	}
}

// A call that leads to no action meets the limits and the log as any other does, and
// nothing that is for writes or for tools with a name of their own.
func TestRefusals(t *testing.T) {
	t.Parallel()
	store, err := memory.Ephemeral(memory.Config{})
	if err != nil {
		t.Fatal(err)
	}
	var events []string
	var allowed error
	stack := middleware.Asixto(nil, store)
	stack.Log = middleware.Observe(func(_ context.Context, ev middleware.Event) {
		events = append(events, fmt.Sprint(ev.Tool, " ", ev.Outcome, " ", ev.ErrorCode, " ", ev.Unprotected))
	})
	stack.RateLimit = middleware.RateLimit(call.Rate(1, time.Hour, 2), middleware.RateLimitConfig{})
	stack.Authorize = middleware.Authorize(middleware.Policy{ // denies what it does not know
		Visible: middleware.Scopes(map[string][]string{"cuentas.ver": {middleware.Public}}),
		Allow:   func(context.Context, mcp.CallToolRequest) error { return allowed },
	})
	stack.Approve = middleware.Approve(func(context.Context, mcp.CallToolRequest) (string, bool) {
		t.Error("an approval was asked")
		return "", false
	}, middleware.NewApprovals(middleware.ApprovalsConfig{}), middleware.ApproveConfig{})
	stack.Guards = append(stack.Guards, middleware.Guard(func(ctx context.Context, _ mcp.CallToolRequest) error {
		if schema := string(middleware.RecordFrom(ctx).Definition(ctx).RawInputSchema); strings.Contains(schema, "borrar") {
			t.Errorf("the middlewares see %s", schema)
		}
		return nil
	}))
	srv := serve(t, compile(t, expose.Config{Strategy: expose.Grouped, Middleware: stack.Middleware()}, append(cuentas(), expose.Query("otra", echo))...))
	srv.Use(func(next server.ToolHandlerFunc) server.ToolHandlerFunc { // has looked the tool up already, with all that is in it
		return middleware.Guard(func(ctx context.Context, _ mcp.CallToolRequest) error {
			middleware.RecordFrom(ctx).Definition(ctx)
			return nil
		})(next)
	})
	ask := func(arguments, want string) {
		t.Helper()
		answer := send(t.Context(), t, srv, "tools/call", map[string]any{
			"name": "cuentas", "arguments": json.RawMessage(arguments), "_meta": map[string]any{"com.asixto/idempotencyKey": "k"},
		})
		if got := said(answer); !strings.Contains(got, `"`+want+`"`) {
			t.Errorf("%s: got %s, want %s", arguments, got, want)
		}
	}
	ask(`{"action":"vr"}`, "unknown_action")
	allowed = errors.Permission("", errors.WithCode("ajeno"))
	ask(`{"action":"vr"}`, "ajeno")
	ask(`{}`, "rate_limited")
	if got := callTool(call.WithCaller(t.Context(), call.Caller{Name: "otro"}), t, srv, "otra", `{}`); !strings.Contains(got, "PERMISSION") {
		t.Errorf("a tool that the policy does not know: got %s", got)
	}
	want := []string{"cuentas refused unknown_action false", "cuentas refused ajeno false", "cuentas refused rate_limited false", "otra refused  false"}
	if !slices.Equal(events, want) {
		t.Errorf("logged %q, want %q", events, want)
	}
}

// A client that wants to be told about its arguments by the protocol is told of a
// refusal, in the words of the configuration.
func TestRefusalsAreNoted(t *testing.T) {
	t.Parallel()
	const own = "Esa gestión no se ofrece."
	surface := compile(t, expose.Config{Strategy: expose.Grouped, Messages: errors.Messages{errors.CodeUnknownAction: own}}, cuentas()...)
	ctx, exchange := call.WithExchange(t.Context())
	if got := callTool(ctx, t, serve(t, surface), "cuentas", `{"action":"nada"}`); strings.Count(got, own) != 4 {
		t.Errorf("got %s, want %q for the person and for the model", got, own)
	}
	if got, noted := exchange.Invalid(); !noted || got != (call.Invalid{Field: "action", Message: own}) {
		t.Errorf("noted %+v, %t", got, noted)
	}

	// A call that a handler makes is none of the client's.
	var srv *server.MCPServer
	outer := expose.Query("otra", func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText(callTool(ctx, t, srv, "cuentas", `{"action":"nada"}`)), nil
	})
	srv = serve(t, compile(t, expose.Config{Strategy: expose.Grouped}, append(cuentas(), outer)...))
	ctx, exchange = call.WithExchange(t.Context())
	if got := callTool(ctx, t, srv, "otra", `{}`); !strings.Contains(got, "unknown_action") {
		t.Errorf("got %s", got)
	}
	if got, noted := exchange.Invalid(); noted {
		t.Errorf("noted %+v of a handler's own call", got)
	}
}
