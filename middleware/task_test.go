package middleware_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware"
)

// A tool that may run as a task comes through the stack in a goroutine of mcp-go,
// after its HTTP request was answered.
func TestATaskRunsThroughTheStack(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		handler handler
		want    string
	}{
		{"success", func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if _, limited := ctx.Deadline(); !limited {
				return nil, errors.Blocker("Sin plazo.")
			}
			return mcp.NewToolResultText("hecho"), ctx.Err()
		}, `"text":"hecho"`},
		{"failure", fails(errors.NotFound("No está.")), `"error_type":"NOT_FOUND"`},
		{"panic", panics("roto"), `"code":"panic"`},
		{"abort", panics(http.ErrAbortHandler), `"code":"panic"`},
	}
	for _, tt := range tests {
		for key, meta := range map[string]string{"without a key": "", "with a key": `,"_meta":{"com.asixto/idempotencyKey":"k1"}`} {
			t.Run(tt.name+" "+key, func(t *testing.T) {
				t.Parallel()
				srv := server.NewMCPServer("prueba", "1.0.0", server.WithTaskCapabilities(true, true, true))
				stack := middleware.Asixto(srv, forgetful())
				stack.Logger = slog.New(slog.DiscardHandler)
				stack.Log = middleware.Observe()
				srv.Use(stack.Middleware())
				answered := make(chan struct{})
				srv.AddTool(mcp.NewTool("prueba", mcp.WithTaskSupport(mcp.TaskSupportOptional)),
					func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
						<-answered
						return tt.handler(ctx, req)
					})
				web := httptest.NewServer(server.NewStreamableHTTPServer(srv, server.WithStateLess(true), server.WithDisableStreaming(true)))
				t.Cleanup(web.Close)

				var created struct {
					Result struct {
						Task struct {
							ID string `json:"taskId"`
						} `json:"task"`
					} `json:"result"`
				}
				raw := post(t, web.URL, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"prueba","task":{"ttl":60000}`+meta+`}}`)
				if err := json.Unmarshal([]byte(raw), &created); err != nil || created.Result.Task.ID == "" {
					t.Fatalf("got %s, want a task", raw)
				}
				close(answered)
				// tasks/result waits for the end of the task.
				got := post(t, web.URL, `{"jsonrpc":"2.0","id":2,"method":"tasks/result","params":{"taskId":"`+created.Result.Task.ID+`"}}`)
				if !strings.Contains(strings.ReplaceAll(got, `\"`, `"`), tt.want) {
					t.Errorf("got %s, want %s", got, tt.want)
				}
			})
		}
	}
}

// post sends one message of the legacy era and returns the answer.
func post(t *testing.T, url, body string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
