package middleware_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/memory"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/call"
)

// handler is the shape of a tool handler, for short.
type handler = server.ToolHandlerFunc

func ok(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return mcp.NewToolResultStructured(map[string]any{"estado": "activo"}, "Está activo."), nil
}

func fails(err error) handler {
	return func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, err }
}

func returns(res *mcp.CallToolResult) handler {
	return func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) { return res, nil }
}

// request is a call of the tool "prueba" with the given _meta.
func request(meta map[string]any) mcp.CallToolRequest {
	var req mcp.CallToolRequest
	req.Params.Name = "prueba"
	if meta != nil {
		req.Params.Meta = mcp.NewMetaFromMap(meta)
	}
	return req
}

// encode is a result as a client would receive it.
func encode(t *testing.T, res *mcp.CallToolResult) string {
	t.Helper()
	if res == nil {
		t.Fatal("the result is nil")
	}
	raw, err := json.Marshal(res)
	if err != nil {
		t.Fatalf("encode the result: %v", err)
	}
	return string(raw)
}

// failure is what the gateway's shape looks like once it is encoded.
func failure(errorType, message, details string) string {
	if details != "" {
		details = `,"details":` + details
	}
	data := fmt.Sprintf(`{"error":{"error_type":%q,"user_message":%q%s}}`, errorType, message, details)
	text, _ := json.Marshal(data)
	return fmt.Sprintf(`{"content":[{"type":"text","text":%s}],"isError":true,"structuredContent":%s}`, text, data)
}

// modernCall is a tools/call of the 2026-07-28 era.
func modernCall(tool, arguments string, meta string) json.RawMessage {
	if meta != "" {
		meta = "," + meta
	}
	return json.RawMessage(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s,`+
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}%s}}}`,
		tool, arguments, meta))
}

// answer sends a message to a server and returns the encoded answer.
func answer(ctx context.Context, t testing.TB, srv *server.MCPServer, message json.RawMessage) string {
	t.Helper()
	raw, err := json.Marshal(srv.HandleMessage(ctx, message))
	if err != nil {
		t.Fatalf("encode the answer: %v", err)
	}
	return string(raw)
}

// newServer is a server with one tool "prueba" and the given middlewares.
func newServer(h handler, mws ...server.ToolHandlerMiddleware) *server.MCPServer {
	srv := server.NewMCPServer("prueba", "1.0.0")
	srv.Use(mws...)
	srv.AddTool(mcp.NewTool("prueba"), h)
	return srv
}

// forgetful is a store that a test has to itself.
func forgetful() idempotency.Store {
	store, err := memory.Ephemeral(memory.Config{})
	if err != nil {
		panic(err)
	}
	return store
}

// recorder keeps the events of a call.
type recorder struct{ events chan middleware.Event }

func newRecorder() *recorder { return &recorder{events: make(chan middleware.Event, 1024)} }

func (r *recorder) observe(_ context.Context, ev middleware.Event) { r.events <- ev }

func (r *recorder) next(t *testing.T) middleware.Event {
	t.Helper()
	select {
	case ev := <-r.events:
		return ev
	default:
		t.Fatal("no event was reported")
		return middleware.Event{}
	}
}

// ampleLimit counts like the preset's RateLimit, and refuses nobody.
func ampleLimit() server.ToolHandlerMiddleware {
	return middleware.RateLimit(call.Rate(1_000_000_000, time.Second, 1_000_000_000), middleware.RateLimitConfig{})
}
