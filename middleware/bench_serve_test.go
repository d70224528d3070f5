package middleware_test

import (
	"bytes"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/call"
)

// BenchmarkServeHTTP compares the same call through mcp-go's ServeHTTP with and
// without the complete stack, alternating in one run: a read, a write that runs, one
// that is replayed, and a read whose answer is spoken. "ratio" is the median call of
// the whole beside that of the bare server. The mean-ratio beside it is for an idle
// machine: on another one, the few calls during which a foreign process had the
// processor are most of a mean.
func BenchmarkServeHTTP(b *testing.B) {
	const (
		metadata = `"com.asixto/requestId":"req_c41","com.asixto/companyId":"cmp_31a","com.asixto/conversationId":"cnv_%d"`
		key      = `,"com.asixto/idempotencyKey":"9f2a7c"`
	)
	for _, kind := range []struct {
		name, tool, more string
		conversations    int // that take turns
	}{
		{"read", "consultar_cita", "", math.MaxInt},
		{"write", "cancelar_cita", key, math.MaxInt},
		{"replay", "cancelar_cita", key, 1},
		{"spoken", "consultar_cita", `,"com.asixto/channel":"voice"`, math.MaxInt},
	} {
		b.Run(kind.name, func(b *testing.B) {
			handlers := [2]http.Handler{benchHandler(false), benchHandler(true)}
			var took [2][]time.Duration
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				body := modernCall(kind.tool, `{"documento":"1032"}`, fmt.Sprintf(metadata, i%kind.conversations)+kind.more)
				for n := range handlers {
					n = (n + i) % 2 // the second one finds the processor's caches warm
					took[n] = append(took[n], serve(b, handlers[n], kind.tool, body))
				}
			}
			bare, full := median(took[0]), median(took[1])
			b.ReportMetric(float64(bare), "bare-ns/op")
			b.ReportMetric(float64(full), "stack-ns/op")
			b.ReportMetric(float64(full)/float64(bare), "ratio")
			b.ReportMetric(float64(sum(took[1]))/float64(sum(took[0])), "mean-ratio")
		})
	}
}

// benchHandler is a server with a tool that reads and one that writes, bare or
// with everything that a stack has a place for.
func benchHandler(complete bool) http.Handler {
	srv := server.NewMCPServer("prueba", "1.0.0")
	for name, readOnly := range map[string]bool{"consultar_cita": true, "cancelar_cita": false} {
		srv.AddTool(mcp.NewTool(name, mcp.WithReadOnlyHintAnnotation(readOnly),
			mcp.WithString("documento", mcp.Required(), mcp.MaxLength(20)), mcp.WithSchemaAdditionalProperties(false),
			mcp.WithRawOutputSchema([]byte(`{"type":"object","properties":{"estado":{"type":"string"}},"required":["estado"]}`))), ok)
	}
	if complete {
		stack := benchStack(srv)
		stack.RateLimit = middleware.RateLimit(call.Rate(1e9, time.Second, 1e9), middleware.RateLimitConfig{})
		stack.Authorize = middleware.Authorize(middleware.Policy{Allow: middleware.SameTenant})
		srv.Use(stack.Middleware())
	}
	return server.NewStreamableHTTPServer(srv)
}

func serve(b *testing.B, h http.Handler, tool string, body []byte) time.Duration {
	req := httptest.NewRequest(http.MethodPost, "/mcp", bytes.NewReader(body))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Mcp-Protocol-Version", "2026-07-28")
	req.Header.Set("Mcp-Method", "tools/call")
	req.Header.Set("Mcp-Name", tool)
	w := httptest.NewRecorder()
	start := time.Now()
	h.ServeHTTP(w, req)
	took := time.Since(start)
	if w.Code != http.StatusOK || bytes.Contains(w.Body.Bytes(), []byte(`"isError":true`)) {
		b.Fatalf("status %d: %s", w.Code, w.Body)
	}
	return took
}

func median(took []time.Duration) time.Duration {
	slices.Sort(took)
	return took[len(took)/2]
}

func sum(took []time.Duration) (all time.Duration) {
	for _, d := range took {
		all += d
	}
	return all
}
