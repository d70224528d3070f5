package expose_test

import (
	"context"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware/expose"
	"github.com/portavoz/portavoz/middleware/internal/schema"
)

// FuzzArguments holds what a handler gets to what encoding/json reads: the arguments
// without the discriminator, in both of their forms.
func FuzzArguments(f *testing.F) {
	for _, seed := range []string{
		`{"action":"ver"}`, `{"action":"ver","x":1}`, `{"x":[{"action":"b"},"]}"],"action":"ver"}`, ` { "a" : "\\\"" , "action" : "ver" } `,
		`{"\u0061ction":"\u0076er","":{}}`, `{"action":"ver","action":"ver"}`, `{}`, `null`, `[]`, `"action"`, `{"action":null}`, `{"action":{"ver":1}}`,
		`{"n":1e400,"action":"ver"}`, `{"a":"` + "\xff" + `","action":"ver"}`, `{"action":"ver","a":9007199254740993}`, `{"action"`, `{"action":"ver",}`,
	} {
		f.Add(seed)
	}
	none := func(next server.ToolHandlerFunc) server.ToolHandlerFunc { return next }
	var got *mcp.CallToolParams
	d := expose.Query("n.ver", func(_ context.Context, req mcp.CallToolRequest) (*result, error) {
		got = &req.Params
		return &result{}, nil
	})
	surface, err := expose.Compile(expose.Config{Strategy: expose.Grouped, Middleware: none, Validated: true}, d)
	if err != nil {
		f.Fatal(err)
	}
	handler := surface.Tools()[0].Handler
	f.Fuzz(func(t *testing.T, text string) {
		got = nil
		req := mcp.CallToolRequest{}
		req.Params.Name, req.Params.RawArguments = "n", json.RawMessage(text)
		isJSON := json.Unmarshal(req.Params.RawArguments, &req.Params.Arguments) == nil
		_, err := handler(t.Context(), req)
		if !isJSON {
			return // mcp-go lets none through; it is enough that nothing panics
		}
		values, _ := req.Params.Arguments.(map[string]any)
		if err != nil {
			if got != nil {
				t.Fatal("refused after the handler ran")
			}
			return
		}
		if values["action"] != "ver" {
			t.Fatalf("%q ran the action", text)
		}
		want := map[string]any{}
		for name, value := range values {
			if name != "action" {
				want[name] = value
			}
		}
		var fromText map[string]any
		if err := json.Unmarshal(got.RawArguments, &fromText); err != nil {
			t.Fatalf("%q became %q: %v", text, got.RawArguments, err)
		}
		if !reflect.DeepEqual(fromText, want) || !reflect.DeepEqual(got.Arguments, any(want)) {
			t.Errorf("%q: got %q and %v, want %v", text, got.RawArguments, got.Arguments, want)
		}
	})
}

// FuzzSchema compiles whatever schema is given, beside one that is right: there is a
// surface, or a reason why there is none, and what a grouped surface shows is a
// schema.
func FuzzSchema(f *testing.F) {
	for _, seed := range []string{
		`{"type":"object","properties":{"a":{"type":"string"}}}`, `{"properties":{"a":{"$ref":"#"}},"$defs":{"a":{"$ref":"#/$defs/a"}}}`,
		`{"properties":{"a":{"$ref":"#/properties/a"}}}`, `{"properties":{"a":false,"b":true,"c":{"enum":[{}]}},"required":["z","z"]}`,
		`{"type":"object","additionalProperties":{"not":{}}}`, `{"$id":"x","type":"object"}`, `true`, `{"properties":{"a":{"minimum":1e999999}}}`,
		`{"properties":{"a":{"anyOf":[{"$ref":"#/$defs/x~1y"},null]}},"$defs":{"x/y":{}}}`, `{"properties":[],"required":{}}`, `{"type":["object"]}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		surface, err := expose.Compile(expose.Config{Strategy: expose.Grouped, NullIsAbsent: true},
			expose.Query("n.a", ok, mcp.WithRawInputSchema(json.RawMessage(text))),
			expose.Query("n.b", ok, raw(`{"a":{"type":"string","minLength":2},"b":{"$ref":"#/$defs/a"}}`), func(tool *mcp.Tool) {
				tool.RawInputSchema = json.RawMessage(`{"$defs":{"a":{"type":"string"}},` + string(tool.RawInputSchema[1:]))
			}))
		if err != nil {
			return
		}
		for _, tool := range surface.Tools() {
			if _, err := schema.Compile(tool.Tool.RawInputSchema); err != nil {
				t.Errorf("%s became %s: %v", text, tool.Tool.RawInputSchema, err)
			}
		}
	})
}
