package middleware_test

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/middleware"
)

// What one middleware has made of a result or of the arguments serves the next
// one, and not if somebody has changed it in between.
func TestNothingStaleIsReused(t *testing.T) {
	t.Parallel()
	edits := []struct {
		name string
		edit func(*mcp.CallToolResult)
		want string
	}{
		{"nothing", func(*mcp.CallToolResult) {}, `"structuredContent":{"estado":"activo"}`},
		{"other data", func(res *mcp.CallToolResult) {
			res.StructuredContent, res.RawStructuredContent = map[string]any{"estado": "inactivo"}, nil
		}, `"structuredContent":{"estado":"inactivo"}`},
		{"no content", func(res *mcp.CallToolResult) { res.Content = nil }, `"content":[]`},
		{"data that cannot be encoded", func(res *mcp.CallToolResult) {
			res.StructuredContent, res.RawStructuredContent = math.NaN(), nil
		}, `"code":"bad_result"`},
		{"raw data that is broken", func(res *mcp.CallToolResult) { res.RawStructuredContent = json.RawMessage(`{"estado":`) }, `"code":"bad_result"`},
		{"a block that is nil", func(res *mcp.CallToolResult) { res.Content = append(res.Content, nil) }, `"code":"bad_result"`},
		{"_meta that cannot be encoded", func(res *mcp.CallToolResult) { res.EnsureResultMeta().SetMetaField("a", math.Inf(1)) }, `"code":"bad_result"`},
		{"_meta", func(res *mcp.CallToolResult) { res.EnsureResultMeta().SetMetaField("a", []any{1, "b"}) }, `"a":[1,"b"]`},
	}
	for _, tt := range edits {
		for _, round := range []string{"run", "replay"} {
			t.Run(tt.name+"/"+round, func(t *testing.T) {
				t.Parallel()
				between := func(next handler) handler {
					return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
						res, err := next(ctx, req)
						tt.edit(res)
						return res, err
					}
				}
				rec := newRecorder()
				once := middleware.Idempotency(newEngine(t, idempotency.Config{}))
				plain := middleware.Wrap(ok, once)
				h := middleware.Wrap(ok, middleware.Observe(rec.observe), middleware.Errors(middleware.ErrorsConfig{}),
					between, once)
				req := request(map[string]any{"com.asixto/idempotencyKey": "k"})
				if round == "replay" {
					if _, err := plain(t.Context(), req); err != nil {
						t.Fatal(err)
					}
				}
				res, err := h(t.Context(), req)
				if err != nil {
					t.Fatal(err)
				}
				if got := encode(t, res); !strings.Contains(got, tt.want) {
					t.Errorf("got %s\nwant %s", got, tt.want)
				}
				again, err := plain(t.Context(), req)
				if err != nil {
					t.Fatal(err)
				}
				if got := encode(t, again); !strings.Contains(got, `"structuredContent":{"estado":"activo"}`) || strings.Contains(got, `"a":`) {
					t.Errorf("the edit is kept: %s", got)
				}
			})
		}
	}
}

// Arguments that somebody replaces have a fingerprint of their own.
func TestFingerprintOfReplacedArguments(t *testing.T) {
	t.Parallel()
	n := 0
	replace := func(next handler) handler {
		return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			n++
			req.Params.RawArguments = json.RawMessage(strings.Repeat(" ", n) + `{"a":` + strings.Repeat("1", n) + `}`)
			return next(ctx, req)
		}
	}
	h := middleware.Wrap(ok, middleware.Idempotency(newEngine(t, idempotency.Config{})), replace,
		middleware.LoopGuard(middleware.LoopGuardConfig{Limits: middleware.LoopLimits{Equal: 1}}))
	for key := range 3 {
		req := looping("prueba", "cnv", `{}`)
		req.Params.Meta.AdditionalFields["com.asixto/idempotencyKey"] = strings.Repeat("k", key+1)
		if _, err := h(t.Context(), req); err != nil {
			t.Errorf("call %d: %v", key, errors.From(err))
		}
	}
}
