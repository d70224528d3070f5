package middleware_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/call"
)

// gatewayCall is what a gateway sends for one conversation.
func gatewayCall(tool, arguments, conversation, more string) []byte {
	return modernCall(tool, arguments, fmt.Sprintf(`"com.asixto/conversationId":%q,"com.asixto/companyId":"cmp_1","com.asixto/channel":"chat"%s`, conversation, more))
}

// presetServer is a server under the preset as it is, with the tools of an
// ordinary one.
func presetServer(h handler) *server.MCPServer {
	srv := server.NewMCPServer("prueba", "1.0.0")
	srv.AddTool(mcp.NewTool("consultar_estado", mcp.WithReadOnlyHintAnnotation(true), mcp.WithString("radicado")), h)
	srv.AddTool(mcp.NewTool("buscar_productos", mcp.WithReadOnlyHintAnnotation(true), mcp.WithNumber("offset")), h)
	srv.AddTool(mcp.NewTool("abrir_caso", mcp.WithString("detalle")), h)
	stack := middleware.Asixto(srv, forgetful())
	stack.Log = nil
	srv.Use(stack.Middleware())
	return srv
}

// TestPresetLetsGatewaysWork: one credential, many conversations, each as busy as an
// agent gets. Nothing in the preset refuses any of it.
func TestPresetLetsGatewaysWork(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx := call.WithCaller(t.Context(), call.Caller{Name: "asixto"})
		srv := presetServer(ok)
		send := func(tool, arguments, conversation, more string) {
			if got := answer(ctx, t, srv, gatewayCall(tool, arguments, conversation, more)); !strings.Contains(got, `"estado":"activo"`) {
				t.Errorf("%s %s in %s: %s", tool, arguments, conversation, got)
			}
		}
		for i := range 10 { // ten at once in one conversation
			send("buscar_productos", fmt.Sprintf(`{"offset":%d}`, 10*i), "cnv_0", "")
		}
		time.Sleep(10 * time.Second)
		for second := range 30 { // twenty conversations with up to four calls a second
			for n := range 20 {
				conversation := fmt.Sprintf("cnv_%d", n)
				if second%5 == 0 {
					send("buscar_productos", fmt.Sprintf(`{"offset":%d}`, second), conversation, "")
				}
				if second%24 == 0 {
					send("consultar_estado", `{"radicado":"R-1"}`, conversation, "")
				}
				for range 2 { // a write and its retry
					send("abrir_caso", fmt.Sprintf(`{"detalle":"%d"}`, second), conversation, fmt.Sprintf(`,"com.asixto/idempotencyKey":"k%d"`, second))
				}
			}
			time.Sleep(time.Second)
		}
	})
}

// TestInnerCallsCount: what a handler calls through the server is paid like what the
// client calls, and counts for LoopGuard.
func TestInnerCallsCount(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		mw   server.ToolHandlerMiddleware
		code string
	}{
		"RateLimit": {middleware.RateLimit(call.Rate(1, time.Hour, 4), middleware.RateLimitConfig{ConversationShare: 1}), "rate_limited"},
		"LoopGuard": {middleware.LoopGuard(middleware.LoopGuardConfig{Limits: middleware.LoopLimits{Equal: 3}}), "repeated_call"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := newServer(ok, middleware.Errors(middleware.ErrorsConfig{}), tt.mw)
			var inner []string
			srv.AddTool(mcp.NewTool("afuera"), func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				for range 4 {
					inner = append(inner, answer(ctx, t, srv, modernCall("prueba", `{}`, "")))
				}
				return mcp.NewToolResultText("hecho"), nil
			})
			if got := answer(t.Context(), t, srv, gatewayCall("afuera", `{}`, "cnv", "")); !strings.Contains(got, "hecho") {
				t.Errorf("the outer call gave %s", got)
			}
			for i, got := range inner {
				if refused := strings.Contains(got, `"code":"`+tt.code+`"`); refused != (i == 3) {
					t.Errorf("inner call %d of 4: %s", i+1, got)
				}
			}
		})
	}
}
