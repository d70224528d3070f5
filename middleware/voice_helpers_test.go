package middleware_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// inServer is a context as a handler of the tool "prueba" has it, whose server
// knows the tool with an output schema; without one, a server without the tool.
func inServer(t testing.TB, schema json.RawMessage) context.Context {
	t.Helper()
	contexts := make(chan context.Context, 1)
	srv := server.NewMCPServer("prueba", "1.0.0")
	tool := mcp.NewTool("prueba")
	if len(schema) > 0 {
		tool.RawOutputSchema = schema
	}
	srv.AddTool(tool, func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		contexts <- ctx
		return mcp.NewToolResultText(""), nil
	})
	answer(context.Background(), t, srv, modernCall("prueba", `{}`, ""))
	select {
	case inside := <-contexts:
		return context.WithoutCancel(inside)
	default:
		t.Fatal("the server did not call the tool")
		return nil
	}
}
