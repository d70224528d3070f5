package middleware_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/transport"
)

// A replay is for the caller who made the first call, by whatever secret proves
// that name today. Whom nothing proves any more gets none.
func TestAReplayIsForItsCaller(t *testing.T) {
	t.Parallel()
	var runs atomic.Int64
	stack := middleware.Asixto(nil, forgetful())
	stack.Log = middleware.Observe()
	mcpHandler := server.NewStreamableHTTPServer(newServer(numbered(&runs), stack.Middleware()), server.WithStateLess(true))
	tests := []struct {
		name       string
		credential transport.Credential
		wantStatus int
		wantRuns   int64 // of this and all before it
		replayed   bool
	}{
		{"the first call", transport.Bearer("asixto", "the-old-secret-of-asixto"), http.StatusOK, 1, false},
		{"the same secret", transport.Bearer("asixto", "the-old-secret-of-asixto"), http.StatusOK, 1, true},
		{"both secrets are good", transport.Bearer("asixto", "the-new-secret-of-asixto", "the-old-secret-of-asixto"), http.StatusOK, 1, true},
		{"the secret was revoked", transport.Bearer("asixto", "the-new-secret-of-asixto"), http.StatusUnauthorized, 1, false},
		{"another name", transport.Bearer("whaapy", "the-old-secret-of-asixto"), http.StatusOK, 2, false},
		{"another tenant", transport.Bearer("asixto", "the-old-secret-of-asixto").Tenant("cmp_31a"), http.StatusOK, 3, false},
	}
	for _, tt := range tests { // one after the other, over one store
		auth, err := transport.Authenticate(tt.credential)
		if err != nil {
			t.Fatal(err)
		}
		req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/mcp", strings.NewReader(
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"prueba","arguments":{},"_meta":{"com.asixto/idempotencyKey":"k"}}}`))
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Authorization", "Bearer the-old-secret-of-asixto")
		w := httptest.NewRecorder()
		auth(mcpHandler).ServeHTTP(w, req)
		if w.Code != tt.wantStatus || runs.Load() != tt.wantRuns || strings.Contains(w.Body.String(), "portavoz/replayed") != tt.replayed {
			t.Errorf("%s: got %d after %d runs, want %d after %d, replayed=%t: %s",
				tt.name, w.Code, runs.Load(), tt.wantStatus, tt.wantRuns, tt.replayed, w.Body)
		}
	}
}

// The legitimate retry of "cancel" finds its own success and not that somebody
// has cancelled already; a new call finds that.
func TestAReplayComesBeforeTheGuards(t *testing.T) {
	t.Parallel()
	var cancelled atomic.Bool
	stack := middleware.Asixto(nil, forgetful())
	stack.Log = middleware.Observe()
	stack.Guards = []server.ToolHandlerMiddleware{middleware.Guard(func(context.Context, mcp.CallToolRequest) error {
		if cancelled.Load() {
			return errors.Blocker("La cita ya estaba cancelada.")
		}
		return nil
	})}
	srv := newServer(func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		cancelled.Store(true)
		return mcp.NewToolResultText("Cancelé la cita."), nil
	}, stack.Middleware())
	for i, want := range []string{"Cancelé la cita.", "Cancelé la cita.", "ya estaba cancelada"} {
		key := fmt.Sprintf(`"com.asixto/idempotencyKey":"k%d"`, i/2)
		if got := answer(t.Context(), t, srv, modernCall("prueba", `{}`, key)); !strings.Contains(got, want) {
			t.Errorf("call %d: got %s, want it to say %q", i, got, want)
		}
	}
}
