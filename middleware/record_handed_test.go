package middleware_test

import (
	"context"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/call"
)

// A handler that stands for several tools hands a call on to one of them: it is the
// same call, of another definition.
func TestWithDefinition(t *testing.T) {
	t.Parallel()
	action := mcp.NewTool("citas.ver", mcp.WithReadOnlyHintAnnotation(true), mcp.WithString("id", mcp.Required()))
	validate := middleware.Validate(middleware.ValidateConfig{})
	seen := func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		res, err := definition(ctx, req)
		res.Content = append(res.Content, mcp.NewTextContent(middleware.RecordFrom(ctx).Called()))
		return res, err
	}
	hand := func(called string) handler {
		return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			req.Params.Name = "citas.ver"
			return validate(seen)(middleware.WithDefinition(ctx, called, &action), req)
		}
	}
	log := middleware.Observe(func(context.Context, middleware.Event) {}) // makes a record of the outer name
	for name, tc := range map[string]struct {
		handler   handler
		arguments map[string]any
		want      string
		noted     bool // that the arguments were wrong
	}{
		"without a record":        {hand("citas"), map[string]any{"id": "a"}, `citas.ver "" read-only=true`, false},
		"with one":                {log(hand("citas")), map[string]any{"id": "a"}, `citas.ver "" read-only=true`, false},
		"wrong, without a record": {hand("citas"), nil, "", true},
		"wrong, with one":         {log(hand("citas")), nil, "", true},
		"wrong, a handler's call": {log(hand("otra")), nil, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, exchange := call.WithExchange(t.Context())
			req := mcp.CallToolRequest{}
			req.Params.Name, req.Params.Arguments = "citas", tc.arguments
			res, err := tc.handler(ctx, req)
			if tc.want == "" {
				if err == nil {
					t.Error("wrong arguments were not refused")
				}
			} else if err != nil || mcp.GetTextFromContent(res.Content[0]) != tc.want || mcp.GetTextFromContent(res.Content[1]) != "citas" {
				t.Errorf("got %v, %v, want %s, called as citas", res, err, tc.want)
			}
			if _, noted := exchange.Invalid(); noted != tc.noted {
				t.Errorf("noted %t, want %t", noted, tc.noted)
			}
		})
	}
}

// A definition is that of its name alone.
func TestWithDefinitionOfAnotherName(t *testing.T) {
	t.Parallel()
	tool := mcp.NewTool("citas.ver", mcp.WithReadOnlyHintAnnotation(true))
	res, err := middleware.Metadata(call.Keys{})(definition)(middleware.WithDefinition(t.Context(), "citas", &tool), request(nil))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := mcp.GetTextFromContent(res.Content[0]), `prueba "unknown" read-only=false`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
