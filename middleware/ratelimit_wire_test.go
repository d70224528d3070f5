package middleware_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/call"
	"github.com/portavoz/portavoz/middleware/transport"
)

// TestRateLimitOfBothHalves: one limiter behind both, a real server between
// them, and each request is counted once.
func TestRateLimitOfBothHalves(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const secret = "s3cret-of-the-gateway"
		limiter := middleware.NewLimiter(middleware.LimiterConfig{})
		limit := call.Rate(1, time.Hour, 4)
		srv := newServer(ok, middleware.Errors(middleware.ErrorsConfig{}),
			middleware.RateLimit(limit, middleware.RateLimitConfig{Limiter: limiter, ConversationShare: 1}))
		h, err := transport.GatewayConfig{
			Credentials: []transport.Credential{transport.Bearer("asixto", secret)},
			RateLimit:   transport.RateLimit(limiter, limit, transport.RateLimitConfig{}),
		}.Wrap(server.NewStreamableHTTPServer(srv, server.WithStateLess(true)))
		if err != nil {
			t.Fatal(err)
		}
		send := func(body string) *httptest.ResponseRecorder {
			r := httptest.NewRequest(http.MethodPost, "/mcp", bytes.NewReader([]byte(body)))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Authorization", "Bearer "+secret)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			return w
		}
		list := strings.Replace(string(modernCall("", "{}", "")), "tools/call", "tools/list", 1)
		for _, step := range []struct {
			name, body string
			passing    int
			status     int
			want       string
		}{
			{"calls", string(modernCall("prueba", "{}", "")), 4, 200, `\"retry_after_seconds\":3600`},
			{"lists", list, 4, 429, `"data":{"retry_after_seconds":3600}`},
			{"calls of no tool", string(modernCall("desconocida", "{}", "")), 4, 429, `"data":{"retry_after_seconds":3600}`},
		} {
			for i := range step.passing {
				if w := send(step.body); w.Code == 429 || strings.Contains(w.Body.String(), "retry_after") {
					t.Fatalf("%s: %d was refused: %d %s", step.name, i, w.Code, w.Body)
				}
			}
			if w := send(step.body); w.Code != step.status || !strings.Contains(w.Body.String(), step.want) {
				t.Errorf("%s beyond the limit: got %d %s, want %d with %s", step.name, w.Code, w.Body, step.status, step.want)
			}
		}
	})
}
