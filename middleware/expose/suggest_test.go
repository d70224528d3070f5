package expose_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware/expose"
)

func TestSuggestions(t *testing.T) {
	t.Parallel()
	pay := expose.Suggestion{Action: "cuentas.pagar", Reason: "Pagar la cuenta.", Arguments: map[string]any{"id": "a"}}
	remove := expose.Suggestion{Action: "cuentas.borrar", Reason: "Borrarla."}
	shared := &result{Content: []mcp.Content{mcp.NewTextContent("Debe diez pesos.")}, Result: mcp.Result{Meta: mcp.NewMetaFromMap(map[string]any{"a": 1})}}
	fails := func(context.Context, mcp.CallToolRequest) (*result, error) { return nil, errors.NotFound("No existe.") }
	for name, tc := range map[string]struct {
		strategy expose.Strategy
		change   func(*expose.Declaration)
		inText   bool
		scopes   []string
		want     string // of _meta and content
	}{
		"flat":            {expose.Flat, nil, false, nil, `{"a":1,"portavoz/suggestions":[{"arguments":{"id":"a"},"reason":"Pagar la cuenta.","tool":"cuentas_pagar"}]} [{"type":"text","text":"Debe diez pesos."}]`},
		"grouped":         {expose.Grouped, nil, false, nil, `{"a":1,"portavoz/suggestions":[{"arguments":{"action":"pagar","id":"a"},"reason":"Pagar la cuenta.","tool":"cuentas"}]} [{"type":"text","text":"Debe diez pesos."}]`},
		"split":           {expose.Split, nil, false, nil, `{"a":1,"portavoz/suggestions":[{"arguments":{"action":"pagar","id":"a"},"reason":"Pagar la cuenta.","tool":"cuentas_write"}]} [{"type":"text","text":"Debe diez pesos."}]`},
		"one may see":     {expose.Flat, nil, false, []string{"admin"}, `{"a":1,"portavoz/suggestions":[{"arguments":{"id":"a"},"reason":"Pagar la cuenta.","tool":"cuentas_pagar"},{"reason":"Borrarla.","tool":"cuentas_borrar"}]} [{"type":"text","text":"Debe diez pesos."}]`},
		"in text":         {expose.Grouped, nil, true, nil, `{"a":1,"portavoz/suggestions":[{"arguments":{"action":"pagar","id":"a"},"reason":"Pagar la cuenta.","tool":"cuentas"}]} [{"type":"text","text":"Debe diez pesos."},{"type":"text","text":"Next, if it fits: cuentas (action: pagar). Pagar la cuenta."}]`},
		"none is visible": {expose.Flat, func(d *expose.Declaration) { d.Next = []expose.Suggestion{remove} }, true, nil, `{"a":1} [{"type":"text","text":"Debe diez pesos."}]`},
		"chosen": {expose.Flat, func(d *expose.Declaration) {
			d.Choose = func(_ context.Context, res *result, next []expose.Suggestion) []expose.Suggestion {
				next[0].Reason, next[0].Arguments = mcp.GetTextFromContent(res.Content[0]), nil
				return append(next[:1], expose.Suggestion{Action: "nunca.existio"})
			}
		}, false, nil, `{"a":1,"portavoz/suggestions":[{"reason":"Debe diez pesos.","tool":"cuentas_pagar"}]} [{"type":"text","text":"Debe diez pesos."}]`},
		"a choice of nothing": {expose.Flat, func(d *expose.Declaration) {
			d.Choose = func(context.Context, *result, []expose.Suggestion) []expose.Suggestion { return nil }
		}, true, nil, `{"a":1} [{"type":"text","text":"Debe diez pesos."}]`},
		"a choice that panics": {expose.Flat, func(d *expose.Declaration) {
			d.Choose = func(context.Context, *result, []expose.Suggestion) []expose.Suggestion { panic("sin reglas") }
		}, false, nil, `{"a":1} [{"type":"text","text":"Debe diez pesos."}]`},
		"a failure": {expose.Flat, func(d *expose.Declaration) { d.Handler = fails }, true, nil, `null [{"type":"text","text":"{\"error\":{\"error_type\":\"NOT_FOUND\",\"user_message\":\"No existe.\"}}"}]`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			declarations := cuentas()
			declarations[0].Handler = func(context.Context, mcp.CallToolRequest) (*result, error) { return shared, nil }
			declarations[0].Next = []expose.Suggestion{pay, remove}
			if tc.change != nil {
				tc.change(&declarations[0])
			}
			surface := compile(t, expose.Config{Strategy: tc.strategy, SuggestInText: tc.inText}, declarations...)
			tool, arguments := map[expose.Strategy]string{expose.Flat: "cuentas_ver", expose.Grouped: "cuentas", expose.Split: "cuentas_read"}[tc.strategy], `{"id":"a","action":"ver"}`
			for range 2 { // the handler's result stays as it was
				var got struct {
					Result struct {
						Meta    json.RawMessage `json:"_meta"`
						Content json.RawMessage `json:"content"`
					} `json:"result"`
				}
				if err := json.Unmarshal([]byte(callTool(as(t.Context(), tc.scopes...), t, serve(t, surface), tool, arguments)), &got); err != nil {
					t.Fatal(err)
				}
				meta := string(got.Result.Meta)
				if meta == "" {
					meta = "null"
				}
				if both := meta + " " + string(got.Result.Content); both != tc.want {
					t.Errorf("got  %s\nwant %s", both, tc.want)
				}
			}
		})
	}
}

// A result that a handler shares between calls, and what was declared, stay as they
// are.
func TestSuggestionsAreApart(t *testing.T) {
	t.Parallel()
	shared := &result{Content: make([]mcp.Content, 0, 9), Result: mcp.Result{Meta: mcp.NewMetaFromMap(map[string]any{"a": 1})}}
	arguments := map[string]any{"id": "a"}
	declarations := cuentas()
	declarations[0].Handler = func(context.Context, mcp.CallToolRequest) (*result, error) { return shared, nil }
	declarations[0].Next = []expose.Suggestion{{Action: "cuentas.pagar", Arguments: arguments}}
	none := func(next server.ToolHandlerFunc) server.ToolHandlerFunc { return next }
	surface := compile(t, expose.Config{Strategy: expose.Grouped, Middleware: none, SuggestInText: true}, declarations...)
	if got := callTool(t.Context(), t, serve(t, surface), "cuentas", `{"action":"ver","id":"a"}`); !strings.Contains(got, expose.SuggestionsKey) {
		t.Fatalf("got %s, want suggestions", got)
	}
	if len(shared.Content) != 0 || shared.Content[:1][0] != nil || len(shared.Meta.AdditionalFields) != 1 || len(arguments) != 1 {
		t.Errorf("what is shared has changed: %v, %v, %v", shared.Content[:1], shared.Meta, arguments)
	}
}

// A handler without a result, and one that asks for more, suggest nothing.
func TestNoSuggestionsWithoutAnEnd(t *testing.T) {
	t.Parallel()
	none := func(next server.ToolHandlerFunc) server.ToolHandlerFunc { return next }
	for name, res := range map[string]*result{
		"no result": nil, "a question": {Result: mcp.Result{ResultType: mcp.ResultTypeInputRequired}},
	} {
		d := expose.Query("n.a", func(context.Context, mcp.CallToolRequest) (*result, error) { return res, nil })
		d.Next = []expose.Suggestion{{Action: "n.a"}}
		handler := compile(t, expose.Config{Middleware: none}, d).Tools()[0].Handler
		if got, err := handler(t.Context(), mcp.CallToolRequest{Params: mcp.CallToolParams{Name: "n_a"}}); got != res || err != nil {
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
	}
}

// Suggestions are not part of what is kept for a replay, and a name in them is never
// the full one.
func TestSuggestionsNameTools(t *testing.T) {
	t.Parallel()
	for _, strategy := range []expose.Strategy{expose.Flat, expose.Grouped, expose.Split} {
		declarations := cuentas()
		declarations[0].Next = []expose.Suggestion{{Action: "cuentas.pagar"}, {Action: "cuentas.ver"}}
		declarations[0].Handler = ok
		surface := compile(t, expose.Config{Strategy: strategy, SuggestInText: true}, declarations...)
		for _, tool := range surface.Tools() {
			got := callTool(t.Context(), t, serve(t, surface), tool.Tool.Name, `{"action":"ver","id":"a"}`)
			if strings.Contains(got, "cuentas.pagar") {
				t.Errorf("%s: got %s", strategy, got)
			}
		}
	}
}
