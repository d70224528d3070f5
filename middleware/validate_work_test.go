package middleware_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware"
)

// conditionSchema holds conditions in conditions. Each of its alternatives looks at
// what is in "de", also where "op" has already told that it is another one.
const conditionSchema = `{"type":"object","properties":{"si":{"$ref":"#/$defs/si"}},"additionalProperties":false,
	"$defs":{"si":{"anyOf":[
		{"type":"object","properties":{"op":{"const":"y"},"de":{"type":"array","items":{"$ref":"#/$defs/si"}}},"required":["op","de"]},
		{"type":"object","properties":{"op":{"const":"o"},"de":{"type":"array","items":{"$ref":"#/$defs/si"}}},"required":["op","de"]},
		{"type":"string"}]}}}`

func condition(levels int) string {
	return `{"si":` + strings.Repeat(`{"op":"o","de":[`, levels) + `"nuevo"` + strings.Repeat(`]}`, levels) + `}`
}

// TestValidateEnds: what would keep the validator busy for hours is refused at
// once, corrected or not.
func TestValidateEnds(t *testing.T) {
	t.Parallel()
	const refused = `{"error":{"error_type":"VALIDATION","user_message":"Los datos de la solicitud no tienen la forma esperada.","details":{"code":"invalid_arguments"}}}`
	asText := func(arguments string) string { // the conditions as JSON in a text
		inner := strings.TrimSuffix(strings.TrimPrefix(arguments, `{"si":`), `}`)
		text, err := json.Marshal(inner)
		if err != nil {
			t.Fatal(err)
		}
		return `{"si":` + string(text) + `}`
	}
	objects := strings.Replace(conditionSchema, `,
		{"type":"string"}`, "", 1)
	for name, tc := range map[string]struct {
		schema, arguments string
		tolerate          []middleware.Tolerance
		passes            bool
		want              string // "" for any refusal
	}{
		"some levels":              {schema: conditionSchema, arguments: condition(6), passes: true},
		"many levels":              {schema: conditionSchema, arguments: condition(31), want: refused},
		"many levels, tolerant":    {schema: conditionSchema, arguments: condition(31), tolerate: middleware.AllTolerances(), want: refused},
		"corrected, some levels":   {schema: objects, arguments: asText(`{"si":{"op":"o","de":[]}}`), tolerate: middleware.AllTolerances(), passes: true},
		"corrected to many levels": {schema: objects, arguments: asText(condition(31)), tolerate: middleware.AllTolerances()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv, reached := validated(middleware.ValidateConfig{Tolerate: tc.tolerate}, tc.schema)
			got := data(t, answer(t.Context(), t, srv, modernCall("prueba", tc.arguments, "")))
			if passed := reached.Params.Name != ""; passed != tc.passes {
				t.Fatalf("the handler ran: %v, want %v; answered %s", passed, tc.passes, got)
			}
			if tc.want != "" && got != tc.want {
				t.Errorf("got %s\nwant %s", got, tc.want)
			}
			if !tc.passes && !strings.Contains(got, `"error_type":"VALIDATION"`) {
				t.Errorf("got %s, want VALIDATION", got)
			}
		})
	}
}

// TestValidateResultEnds: a result that nobody can hold to its schema in time is
// one that breaks it.
func TestValidateResultEnds(t *testing.T) {
	t.Parallel()
	res := &mcp.CallToolResult{
		Content:              []mcp.Content{mcp.NewTextContent("x")},
		RawStructuredContent: json.RawMessage(condition(31)),
	}
	for readOnly, want := range map[bool]string{
		true:  `{"error":{"error_type":"SYSTEM","user_message":"Se obtuvo una respuesta, pero no es posible presentarla.","details":{"code":"bad_result"}}}`,
		false: condition(31),
	} {
		srv := server.NewMCPServer("prueba", "1.0.0")
		srv.Use(middleware.Errors(middleware.ErrorsConfig{}), middleware.Validate(middleware.ValidateConfig{CheckResults: true}))
		srv.AddTool(mcp.NewTool("prueba", mcp.WithReadOnlyHintAnnotation(readOnly), mcp.WithRawOutputSchema(json.RawMessage(conditionSchema))), returns(res))
		if got := data(t, answer(t.Context(), t, srv, modernCall("prueba", `{}`, ""))); got != want {
			t.Errorf("read-only %v: got %.300s\nwant %.300s", readOnly, got, want)
		}
	}
}

// TestValidateCircle: a schema that no value satisfies is not the caller's mistake.
func TestValidateCircle(t *testing.T) {
	t.Parallel()
	srv, reached := validated(middleware.ValidateConfig{Tolerate: middleware.AllTolerances()}, `{"type":"object","properties":{"a":{"$ref":"#/properties/a"}}}`)
	got := data(t, answer(t.Context(), t, srv, modernCall("prueba", `{"a":1}`, "")))
	const want = `{"error":{"error_type":"SYSTEM","user_message":"Por ahora no es posible atender ese tipo de solicitud.","details":{"code":"bad_schema"}}}`
	if got != want || reached.Params.Name != "" {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
