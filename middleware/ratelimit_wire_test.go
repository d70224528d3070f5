package middleware_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/call"
	"github.com/portavoz/portavoz/middleware/transport"
)

// TestRateLimitOfBothHalves: one limiter behind both, a real server between them, and
// in both revisions each request is counted once.
func TestRateLimitOfBothHalves(t *testing.T) {
	t.Parallel()
	for revision, opening := range map[string]int{"2025-06-18": 2, "2026-07-28": 0} { // requests that open a session
		t.Run(revision, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				limiter := middleware.NewLimiter(middleware.LimiterConfig{})
				limit := call.Rate(1, time.Hour, 4)
				srv := newServer(ok, middleware.Errors(middleware.ErrorsConfig{}),
					middleware.RateLimit(limit, middleware.RateLimitConfig{Limiter: limiter, ConversationShare: 1}))
				h, err := transport.GatewayConfig{
					Credentials: []transport.Credential{transport.Bearer("asixto", wireSecret)},
					RateLimit:   transport.RateLimit(limiter, limit, transport.RateLimitConfig{}),
				}.Wrap(server.NewStreamableHTTPServer(srv))
				if err != nil {
					t.Fatal(err)
				}
				c := newWireClient(t, h, revision)
				const (
					inside  = `{"error":{"error_type":"SYSTEM","user_message":"Llegaron muchas solicitudes seguidas, y conviene intentarlo de nuevo en una hora.","details":{"code":"rate_limited","retryable":true,"retry_after_seconds":3600}}}`
					outside = `{"jsonrpc":"2.0","id":7,"error":{"code":-32600,"message":"Too many requests.","data":{"retry_after_seconds":3600}}}`
				)
				list := func() (int, string) {
					w := c.post(`{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"_meta":{` + c.meta + `}}}`)
					return w.Code, strings.TrimSpace(w.Body.String())
				}
				for _, step := range []struct {
					name    string
					send    func() (int, string)
					passing int
					want    string // outside; "" is inside
				}{
					{"calls", func() (int, string) { return c.call("prueba", "{}", "") }, 4, ""},
					{"lists", list, 4 - opening, outside},
					{"calls of no tool", func() (int, string) { return c.call("desconocida", "{}", "") }, 4, outside},
				} {
					for i := range step.passing {
						if status, body := step.send(); status == http.StatusTooManyRequests || strings.Contains(body, "retry_after") {
							t.Fatalf("%s: %d was refused: %d %s", step.name, i, status, body)
						}
					}
					status, body := step.send()
					if step.want == "" {
						if got := c.failureOf(t, status, body); got != inside {
							t.Errorf("%s beyond the limit: got %s, want %s", step.name, got, inside)
						}
					} else if status != http.StatusTooManyRequests || body != step.want {
						t.Errorf("%s beyond the limit: got %d %s, want 429 %s", step.name, status, body, step.want)
					}
				}
			})
		})
	}
}
