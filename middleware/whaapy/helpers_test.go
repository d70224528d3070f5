package whaapy_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware/whaapy"
)

type handler = server.ToolHandlerFunc

func returns(res *mcp.CallToolResult) handler {
	return func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) { return res, nil }
}

func fails(err error) handler {
	return func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, err }
}

func structured(raw string) *mcp.CallToolResult {
	return &mcp.CallToolResult{RawStructuredContent: json.RawMessage(raw), Content: []mcp.Content{mcp.NewTextContent("Listo.")}}
}

func text(texts ...string) *mcp.CallToolResult {
	res := new(mcp.CallToolResult)
	for _, t := range texts {
		res.Content = append(res.Content, mcp.NewTextContent(t))
	}
	return res
}

func failing(res *mcp.CallToolResult) *mcp.CallToolResult {
	res.IsError = true
	return res
}

// request is a call of a tool.
func request(tool string) mcp.CallToolRequest {
	var req mcp.CallToolRequest
	req.Params.Name = tool
	return req
}

// newServer has one tool and the middlewares.
func newServer(tool mcp.Tool, h handler, mws ...server.ToolHandlerMiddleware) *server.MCPServer {
	srv := server.NewMCPServer("prueba", "1.0.0")
	srv.Use(mws...)
	srv.AddTool(tool, h)
	return srv
}

func reads(name string) mcp.Tool {
	return mcp.NewTool(name, mcp.WithReadOnlyHintAnnotation(true), mcp.WithOpenWorldHintAnnotation(false))
}

func writes(name string) mcp.Tool {
	return mcp.NewTool(name, mcp.WithOpenWorldHintAnnotation(false))
}

// call sends a call of the 2025-06-18 era and returns the result.
func call(tb testing.TB, srv *server.MCPServer, tool string) *mcp.CallToolResult {
	tb.Helper()
	return send(tb.Context(), tb, srv, tool, "{}")
}

// send is call with arguments, behind which there may be more members of params.
func send(ctx context.Context, tb testing.TB, srv *server.MCPServer, tool, arguments string) *mcp.CallToolResult {
	tb.Helper()
	answer := srv.HandleMessage(ctx, []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`","arguments":`+arguments+`}}`))
	response, ok := answer.(mcp.JSONRPCResponse)
	if !ok {
		tb.Fatalf("the answer is %#v, want a result", answer)
	}
	switch res := response.Result.(type) {
	case *mcp.CallToolResult:
		return res
	case mcp.CallToolResult:
		return &res
	}
	tb.Fatalf("the result is %T", response.Result)
	return nil
}

// envelope is what a client reads of the only text block.
type envelope struct {
	OK       *bool           `json:"ok"`
	Status   whaapy.Status   `json:"status"`
	Data     json.RawMessage `json:"data"`
	Errors   []problem       `json:"errors"`
	ToolName string          `json:"toolName"`
	Safety   string          `json:"safety"`
	Duration *int64          `json:"durationMs"`
	Question string          `json:"nextQuestion"`
}

type problem struct {
	Code      string `json:"code"`
	Message   string `json:"message"`
	MessageES string `json:"message_es"`
	Field     string `json:"field"`
	Retryable *bool  `json:"retryable"`
}

func textOf(tb testing.TB, res *mcp.CallToolResult) string {
	tb.Helper()
	if len(res.Content) != 1 {
		tb.Fatalf("the result has %d blocks, want one: %+v", len(res.Content), res.Content)
	}
	block, ok := res.Content[0].(mcp.TextContent)
	if !ok {
		tb.Fatalf("the block is %T, want text", res.Content[0])
	}
	return block.Text
}

func envelopeOf(tb testing.TB, res *mcp.CallToolResult) envelope {
	tb.Helper()
	var e envelope
	if err := json.Unmarshal([]byte(textOf(tb, res)), &e); err != nil {
		tb.Fatalf("the text is no JSON: %v\n%s", err, textOf(tb, res))
	}
	var exact map[string]json.RawMessage // in which OK is not taken for ok
	if err := json.Unmarshal([]byte(textOf(tb, res)), &exact); err != nil || json.Unmarshal(exact["ok"], &e.OK) != nil {
		tb.Fatalf("the text has no ok: %s", textOf(tb, res))
	}
	if e.OK == nil {
		tb.Fatalf("the text has no ok: %s", textOf(tb, res))
	}
	return e
}
