package expose_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware/call"
	"github.com/portavoz/portavoz/middleware/expose"
)

var update = flag.Bool("update", false, "write the golden files again instead of comparing with them")

// golden compares a text with testdata/<name>.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", file, got, want)
	}
}

// result is what a handler answers, for short.
type result = mcp.CallToolResult

// ok is a handler that has nothing to say.
func ok(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return mcp.NewToolResultText("Listo."), nil
}

// raw is an input schema with these properties.
func raw(properties string, required ...string) mcp.ToolOption {
	list, _ := json.Marshal(required)
	if required == nil {
		list = []byte("[]")
	}
	return mcp.WithRawInputSchema(json.RawMessage(`{"type":"object","properties":` + properties + `,"required":` + string(list) + `}`))
}

func text(description string) mcp.ToolOption { return mcp.WithDescription(description) }

// compile compiles what has to be right.
func compile(t testing.TB, cfg expose.Config, declarations ...expose.Declaration) *expose.Surface {
	t.Helper()
	surface, err := expose.Compile(cfg, declarations...)
	if err != nil {
		t.Fatalf("Compile: %v", err)
	}
	return surface
}

// serve puts a surface on a server of its own.
func serve(t testing.TB, surface *expose.Surface) *server.MCPServer {
	t.Helper()
	srv := server.NewMCPServer("prueba", "1", server.WithToolCapabilities(false))
	if err := surface.Register(srv); err != nil {
		t.Fatalf("Register: %v", err)
	}
	return srv
}

// send sends a message and returns the encoded answer.
func send(ctx context.Context, t testing.TB, srv *server.MCPServer, method string, params any) string {
	t.Helper()
	message, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := json.Marshal(srv.HandleMessage(ctx, message))
	if err != nil {
		t.Fatal(err)
	}
	return string(answer)
}

func callTool(ctx context.Context, t testing.TB, srv *server.MCPServer, tool, arguments string) string {
	t.Helper()
	return send(ctx, t, srv, "tools/call", map[string]any{"name": tool, "arguments": json.RawMessage(arguments)})
}

// list is the list of tools as a client gets it, a field a line.
func list(ctx context.Context, t testing.TB, srv *server.MCPServer) string {
	t.Helper()
	var answer struct {
		Result struct {
			Tools json.RawMessage `json:"tools"`
		} `json:"result"`
	}
	if err := json.Unmarshal([]byte(send(ctx, t, srv, "tools/list", map[string]any{})), &answer); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := json.Indent(&b, answer.Result.Tools, "", " "); err != nil {
		t.Fatal(err)
	}
	return b.String() + "\n"
}

func as(ctx context.Context, scopes ...string) context.Context {
	return call.WithCaller(ctx, call.Caller{Name: "asixto", Scopes: scopes})
}
