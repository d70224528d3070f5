package middleware_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware"
)

// A second Validate of one call holds what somebody has changed in between to the
// schema, and lets pass what the first has found right.
func TestValidateTwice(t *testing.T) {
	t.Parallel()
	tool := mcp.NewTool("citas.ver", mcp.WithString("id", mcp.Required(), mcp.MaxLength(2)))
	for name, tc := range map[string]struct{ first, changed, want string }{
		"as it was":     {`{"id":"a"}`, "", ""},
		"right again":   {`{"id":"a"}`, `{"id":"b"}`, ""},
		"wrong":         {`{"id":"a"}`, `{"id":"abc"}`, errors.CodeArgumentLength},
		"of one length": {`{"id":"a"}`, `{"id":123}`, errors.CodeArgumentType},
		"gone":          {`{"id":"a"}`, `{}`, errors.CodeMissingArgument},
		"wrong at once": {`{"id":"abc"}`, `{"id":"a"}`, errors.CodeArgumentLength},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			change := func(next handler) handler {
				return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
					if tc.changed != "" {
						setArguments(t, &req, tc.changed)
					}
					return next(ctx, req)
				}
			}
			first, second := middleware.Validate(middleware.ValidateConfig{}), middleware.Validate(middleware.ValidateConfig{})
			req := mcp.CallToolRequest{}
			req.Params.Name = tool.Name
			setArguments(t, &req, tc.first)
			_, err := first(change(second(returns(mcp.NewToolResultText("ok")))))(middleware.WithDefinition(t.Context(), "citas", &tool), req)
			code := ""
			if err != nil {
				code = errors.From(err).Code
			}
			if code != tc.want {
				t.Errorf("got %q, want %q", code, tc.want)
			}
		})
	}
}

// setArguments gives a call arguments in both of their forms, as mcp-go does.
func setArguments(t *testing.T, req *mcp.CallToolRequest, text string) {
	t.Helper()
	req.Params.RawArguments, req.Params.Arguments = json.RawMessage(text), nil
	if err := json.Unmarshal(req.Params.RawArguments, &req.Params.Arguments); err != nil {
		t.Fatal(err)
	}
}
