package main

import (
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/mark3labs/mcp-go/server"
	"github.com/rs/zerolog"

	"github.com/portavoz/portavoz/idempotency/memory"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/contract"
	"github.com/portavoz/portavoz/middleware/transport"
	"github.com/portavoz/portavoz/middleware/whaapy"
)

// newHandler returns both endpoints. There is one MCP server behind them, with one set
// of tools and one store: what differs is how a result looks.
func newHandler(cfg config, log zerolog.Logger) (http.Handler, *middleware.Stack, error) {
	srv := server.NewMCPServer("mesa", "1.0.0", server.WithToolCapabilities(false))
	newDesk(time.Now).addTools(srv)
	if err := contract.Require(srv, contract.Asixto|contract.Whaapy); err != nil {
		return nil, nil, err
	}
	store, err := memory.Ephemeral(memory.Config{})
	if err != nil {
		return nil, nil, err
	}
	log.Warn().Msg("idempotency keys are kept in memory: a restart forgets them, and a retry after it runs again")

	stack := middleware.Asixto(srv, store)
	lines := middleware.Zerolog(log)
	stack.Log = middleware.Observe(lines)
	stack.Timeout = middleware.Timeout(callTimeout, middleware.OnLate(lines))
	whaapy.Add(stack, whaapy.AtEndpoint(), whaapy.Config{
		Evidence:       map[string][]string{"crear_caso": {"ticketId", "status"}},
		KeepStructured: true, // the tools declare an outputSchema, and MCP promises data with it
	})
	stack.Use()

	sessions, err := whaapy.NewSessions(whaapy.SessionsConfig{Keys: cfg.sessionKeys})
	if err != nil {
		return nil, nil, err
	}
	asixto := server.NewStreamableHTTPServer(srv, server.WithDisableStreaming(true), server.WithStateLess(true))
	agent := server.NewStreamableHTTPServer(srv, server.WithDisableStreaming(true), sessions.Option(),
		server.WithSessionIdleTTL(time.Minute)) // of the bookkeeping; the id stays good

	// Every credential opens both endpoints here. Where one client must not see what the
	// other may, give each endpoint its own.
	mux := http.NewServeMux()
	for path, endpoint := range map[string]http.Handler{
		"/asixto/mcp": asixto,
		"/whaapy/mcp": whaapy.Endpoint(sessions.Guard(agent)),
	} {
		protected, err := transport.GatewayConfig{
			Credentials: cfg.credentials, Logger: slog.Default(), InvalidParams: true, // which Whaapy alone asks for
		}.Wrap(endpoint)
		if err != nil {
			return nil, nil, fmt.Errorf("TOKENS: %w", err)
		}
		mux.Handle(path, protected)
	}
	return mux, stack, nil
}
