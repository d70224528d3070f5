package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/mark3labs/mcp-go/server"
	"github.com/rs/zerolog"

	"github.com/portavoz/portavoz/health"
	"github.com/portavoz/portavoz/idempotency/memory"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/contract"
	"github.com/portavoz/portavoz/middleware/transport"
	"github.com/portavoz/portavoz/voice"
)

// callTimeout is below the 30 s after which the gateway gives up.
const callTimeout = 25 * time.Second

// newMCP returns the MCP server with its tools, and what is around them. The
// store of idempotency keys is the one for a demonstration: see the warning.
func newMCP(op *operator, workers *middleware.Workers, cfg config, log zerolog.Logger, level *health.ServiceLevel) (*server.MCPServer, *middleware.Stack, error) {
	policy := policyFor(cfg.readers)
	srv := server.NewMCPServer("fibra", "1.0.0", server.WithToolCapabilities(false), server.WithToolFilter(policy.Filter))
	op.addTools(srv, workers)
	if err := contract.Require(srv, contract.Asixto); err != nil {
		return nil, nil, err
	}

	store, err := memory.Ephemeral(memory.Config{})
	if err != nil {
		return nil, nil, err
	}
	log.Warn().Msg("idempotency keys are kept in memory: a restart forgets them, and a retry after it runs again")

	lines := middleware.Zerolog(log)
	stack := middleware.Asixto(srv, store)
	stack.Log = middleware.Observe(lines, func(_ context.Context, ev middleware.Event) {
		level.Record(ev.Duration, ev.ServerFault())
	})
	stack.Voice = middleware.Voice(middleware.VoiceConfig{Country: voice.CO})
	stack.Authorize = middleware.Authorize(policy)
	if !cfg.limit.Unlimited() {
		stack.RateLimit = middleware.RateLimit(cfg.limit, middleware.RateLimitConfig{})
	}
	stack.Timeout = middleware.Timeout(callTimeout, middleware.OnLate(lines))
	stack.Use()
	return srv, stack, nil
}

// newHandler serves MCP at /mcp to those who have a credential. Behind a proxy
// that hands on the public host, the hosts are ours to check instead of mcp-go's.
func newHandler(srv *server.MCPServer, cfg config) (http.Handler, error) {
	endpoint := server.NewStreamableHTTPServer(srv,
		server.WithDisableStreaming(true),      // there is nothing to push
		server.WithSessionIdleTTL(time.Minute), // of older clients; what goes is the bookkeeping, the id stays good
		server.WithDisableLocalhostProtection(cfg.publicHosts != nil),
	)
	protected, err := transport.GatewayConfig{
		Credentials: cfg.credentials,
		Hosts:       cfg.publicHosts,
		Logger:      slog.Default(),
		RateLimit:   transport.RateLimit(middleware.NewLimiter(middleware.LimiterConfig{}), cfg.limit, transport.RateLimitConfig{}),
	}.Wrap(endpoint)
	if err != nil {
		return nil, fmt.Errorf("TOKENS or PUBLIC_HOSTS: %w", err)
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", protected)
	return mux, nil
}

// newHTTPServer sets every timeout: net/http has none by default.
func newHTTPServer(handler http.Handler) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      callTimeout + 15*time.Second, // counts from the headers: the body, the call, the answer
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
	}
}
