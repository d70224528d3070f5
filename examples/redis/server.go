package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/mark3labs/mcp-go/server"
	"github.com/redis/go-redis/v9"
	"github.com/rs/zerolog"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/health"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/redisstore"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/redislimit"
	"github.com/portavoz/portavoz/middleware/transport"
)

// callTimeout is how long the stack lets a client wait: less than the 30 s after
// which the gateway gives up.
const callTimeout = 25 * time.Second

// service is what this process serves, and what it has to close.
type service struct {
	handler http.Handler
	health  *health.Health
	engine  *idempotency.Engine
	client  *redis.Client
}

func newService(ctx context.Context, cfg config, log zerolog.Logger) (*service, error) {
	redis.SetLogger(redisLog{log})
	cfg.redis.ContextTimeoutEnabled = true // or go-redis waits beyond our deadlines
	svc := &service{client: redis.NewClient(cfg.redis)}
	if err := svc.build(ctx, cfg, log); err != nil {
		svc.close()
		return nil, err
	}
	return svc, nil
}

func (svc *service) build(ctx context.Context, cfg config, log zerolog.Logger) (err error) {
	do := func(ctx context.Context, args ...any) (any, error) { return svc.client.Do(ctx, args...).Result() }
	if err := checkRedis(ctx, do, log); err != nil {
		return err
	}
	store, err := redisstore.New(do, redisstore.WithPrefix("fibra:once:"))
	if err != nil {
		return err
	}
	desk := desk{svc.client}
	once := idempotency.Config{Lease: cfg.lease, Report: func(i idempotency.Incident) {
		log.Error().Err(i.Err).Str("kind", i.Kind).Str("tool", i.Operation.Name).Msg("idempotency incident")
	}}
	if cfg.probe {
		once.Probe = desk.probe
	}
	if svc.engine, err = idempotency.New(store, once); err != nil {
		return err
	}

	srv := server.NewMCPServer("fibra", "1.0.0", server.WithToolCapabilities(false))
	desk.addTools(srv)
	stack := middleware.Asixto(srv, store)
	stack.Log = middleware.Log(log)
	stack.Idempotency = middleware.Idempotency(svc.engine, middleware.RequireKey())
	if !cfg.limit.Unlimited() {
		limiter, err := redislimit.New(do, redislimit.Config{Prefix: "fibra:limit:", Timeout: cfg.limitWait, Report: func(err error) {
			log.Error().Err(err).Msg("limits are counted in this process alone, since Redis is away")
		}})
		if err != nil {
			return err
		}
		stack.RateLimit = middleware.RateLimit(cfg.limit, middleware.RateLimitConfig{Limiter: limiter})
	}
	stack.Use()

	svc.health, err = health.New(health.Config{Checks: []health.Check{{
		Name: "redis", Probe: func(ctx context.Context) error { return svc.client.Ping(ctx).Err() },
	}}})
	if err != nil {
		return err
	}
	svc.handler, err = newHandler(srv, cfg)
	return err
}

// checkRedis warns of a Redis that may forget what it has acknowledged.
func checkRedis(ctx context.Context, do redisstore.Do, log zerolog.Logger) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	warnings, err := redisstore.Check(ctx, do)
	if err != nil {
		return fmt.Errorf("REDIS_URL: no se puede hablar con Redis (cannot talk to Redis): %w", err)
	}
	for _, w := range warnings {
		log.Warn().Str("kind", w.Kind).Str("detail", w.Detail).Msg("redis may forget idempotency keys")
	}
	return nil
}

// newHandler serves MCP at /mcp to those who have a credential.
func newHandler(srv *server.MCPServer, cfg config) (http.Handler, error) {
	endpoint := server.NewStreamableHTTPServer(srv, server.WithDisableStreaming(true))
	protected, err := transport.GatewayConfig{Credentials: cfg.credentials, Logger: slog.Default()}.Wrap(endpoint)
	if err != nil {
		return nil, errors.Join(errors.New("TOKENS"), err)
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", protected)
	return mux, nil
}

// redisLog makes lines of ours of what go-redis would print.
type redisLog struct{ log zerolog.Logger }

// Printf implements the logger of go-redis.
func (l redisLog) Printf(_ context.Context, format string, args ...any) {
	l.log.Warn().Str("component", "go-redis").Msgf(format, args...)
}

func (svc *service) close() { _ = svc.client.Close() }
