package whaapy_test

import (
	"context"
	"log/slog"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/idempotency/memory"
	"github.com/portavoz/portavoz/middleware/expose"
	"github.com/portavoz/portavoz/middleware/whaapy"
)

// TestInnerCallsAreLeftAlone calls a tool from the handler of another, by way of the
// server and in both eras: the handler gets the bare result, and the client one envelope.
func TestInnerCallsAreLeftAlone(t *testing.T) {
	t.Parallel()
	for name, meta := range map[string]string{
		"2025-06-18": "", "2026-07-28": `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`,
	} {
		for _, whole := range []bool{false, true} {
			srv := newServer(reads("consultar"), returns(structured(`{"nombre":"Ana"}`)), whaapy.Envelope(whaapy.Config{}))
			if whole {
				srv = stackServer(t, reads("consultar"), returns(structured(`{"nombre":"Ana"}`)), whaapy.Config{})
			}
			var inner *mcp.CallToolResult
			srv.AddTool(reads("todo"), func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				inner = send(ctx, t, srv, "consultar", `{}`+meta)
				return inner, nil
			})
			outer := send(t.Context(), t, srv, "todo", `{}`+meta)
			if got := string(inner.RawStructuredContent); got != `{"nombre":"Ana"}` {
				t.Errorf("%s: the handler got %q, want the bare result", name, textOf(t, inner))
			}
			if e := envelopeOf(t, outer); e.ToolName != "todo" || string(e.Data) != `{"nombre":"Ana"}` {
				t.Errorf("%s: the client got %s", name, textOf(t, outer))
			}
		}
	}
}

// TestActionsGetOneEnvelope calls an action of a grouped tool, with the stack around the
// actions, around the server, and around both.
func TestActionsGetOneEnvelope(t *testing.T) {
	t.Parallel()
	newStack := func(t *testing.T) server.ToolHandlerMiddleware {
		t.Helper()
		store, err := memory.Ephemeral(memory.Config{})
		if err != nil {
			t.Fatal(err)
		}
		stack := whaapy.Stack(nil, store, whaapy.Config{})
		stack.Log, stack.Logger = nil, slog.New(slog.DiscardHandler)
		return stack.Middleware()
	}
	const want = `{"ok":true,"status":"success","data":{"ticketId":"1"},"toolName":"casos","safety":"mutation","durationMs":0}`
	for name, tc := range map[string]struct{ actions, server bool }{
		"the actions": {true, false}, "the server": {false, true}, "both": {true, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := expose.Config{Strategy: expose.Grouped}
			if tc.actions {
				cfg.Middleware = newStack(t)
			}
			surface, err := expose.Compile(cfg,
				expose.Query("casos.ver", returns(structured(`{}`))), expose.Mutation("casos.abrir", returns(structured(`{"ticketId":"1"}`))))
			if err != nil {
				t.Fatal(err)
			}
			srv := server.NewMCPServer("prueba", "1.0.0")
			if tc.server {
				srv.Use(newStack(t))
			}
			if err := surface.Register(srv); err != nil {
				t.Fatal(err)
			}
			got := took.ReplaceAllString(textOf(t, send(t.Context(), t, srv, "casos", `{"action":"abrir"}`)), `"durationMs":0`)
			if got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}
