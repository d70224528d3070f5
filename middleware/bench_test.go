package middleware_test

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/rs/zerolog"

	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/middleware"
)

func noGuard(context.Context, mcp.CallToolRequest) error { return nil }

// benchStack is the preset with a log that is written and thrown away.
func benchStack(srv *server.MCPServer) *middleware.Stack {
	stack := middleware.Asixto(srv, forgetful())
	stack.Log = middleware.Log(zerolog.New(io.Discard))
	stack.RateLimit = ampleLimit()
	stack.Guards = []server.ToolHandlerMiddleware{middleware.Guard(noGuard)}
	return stack
}

// BenchmarkStack says what each middleware costs beside the bare handler:
// composed once ("wrap"), and as mcp-go does it, by calling the factory on
// every call ("factory").
func BenchmarkStack(b *testing.B) {
	whole := benchStack(nil)
	bare := func(next server.ToolHandlerFunc) server.ToolHandlerFunc { return next }
	for _, bench := range []struct {
		name string
		mw   server.ToolHandlerMiddleware
	}{
		{"bare", bare},
		{"Log", whole.Log},
		{"Recover", whole.Recover},
		{"Budget", whole.Budget},
		{"Voice", middleware.Voice(middleware.VoiceConfig{Always: true})},
		{"Errors", whole.Errors},
		{"Authorize", middleware.Authorize(middleware.Policy{
			Visible: middleware.Scopes(map[string][]string{"prueba": {middleware.Public}}), Allow: middleware.SameTenant,
		})},
		{"Timeout", whole.Timeout},
		{"Idempotency", whole.Idempotency},
		{"LoopGuard", middleware.LoopGuard(middleware.LoopGuardConfig{Limits: middleware.LoopLimits{Calls: 30, Equal: 30, Window: time.Microsecond}})},
		{"Redact", whole.Redact},
		{"Ownership", whole.Ownership},
		{"Guard", whole.Guards[0]},
		{"Retry", whole.Retry},
		{"whole", whole.Middleware()},
	} {
		req := request(map[string]any{"com.asixto/requestId": "req_c41", "com.asixto/conversationId": "cnv_77b", "com.asixto/idempotencyKey": "9f2a7c"})
		b.Run(bench.name+"/wrap", func(b *testing.B) {
			b.ReportAllocs()
			h := bench.mw(ok)
			for b.Loop() {
				if _, err := h(b.Context(), req); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(bench.name+"/factory", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := bench.mw(ok)(b.Context(), req); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkReplay measures a replay of 500 bytes through [middleware.Idempotency]
// alone, by keys that are asked for in turn.
func BenchmarkReplay(b *testing.B) {
	const keys = 1_000
	reqs := make([]mcp.CallToolRequest, keys)
	h := middleware.Idempotency(newEngine(b, idempotency.Config{}))(
		returns(mcp.NewToolResultText(strings.Repeat("r", 500))))
	for i := range reqs {
		reqs[i] = request(map[string]any{"com.asixto/requestId": "req_c41", "com.asixto/conversationId": "cnv_77b",
			"com.asixto/idempotencyKey": fmt.Sprintf("%064d", i)})
		if _, err := h(b.Context(), reqs[i]); err != nil {
			b.Fatal(err)
		}
	}
	for _, goroutines := range []int{1, 8, 64} {
		b.Run(strconv.Itoa(goroutines), func(b *testing.B) {
			b.ReportAllocs()
			var all sync.WaitGroup
			for g := range goroutines {
				all.Go(func() {
					for i := g; i < b.N; i += goroutines { // b.Loop is for one goroutine
						if _, err := h(b.Context(), reqs[i%keys]); err != nil {
							b.Error(err)
						}
					}
				})
			}
			all.Wait()
		})
	}
}
