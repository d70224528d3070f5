package expose_test

import (
	"encoding/json"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/middleware/expose"
	"github.com/portavoz/portavoz/middleware/internal/schema"
)

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
