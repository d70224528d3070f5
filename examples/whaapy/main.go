// Command whaapy serves one set of handlers to two gateways: Asixto at /asixto/mcp and
// the Whaapy agent at /whaapy/mcp. It runs as it is, on demo data in memory:
//
//	go run ./examples/whaapy
//
// The environment says where, and for whom:
//
//	ADDR          where MCP listens; default 127.0.0.1:8080, port 0 is any free one
//	HEALTH_ADDR   where health listens; default 127.0.0.1:8081
//	TOKENS        secrets, comma-separated, each "name=secret" or a bare secret, as a
//	              bearer token or in X-API-Key; without any, everybody may call, and a
//	              warning says so
//	SESSION_KEYS  what signs the session ids of Whaapy: 64 hexadecimal digits each,
//	              comma-separated, the first one signs; replicas have the same; without
//	              any, sessions end with the process
//
// Whaapy sends no idempotency key: crear_caso called twice from there opens two cases.
// Nothing in its arguments tells a repeated call from a second problem; whaapy.Stack shows
// what to do where something does.
//
// Replicas of it do not share which sessions were closed, nor idempotency keys: that
// takes whaapy.NewRedisClosed, and a store as in examples/redis.
//
// desk.go is the business and its handlers, catalog.go how they are published, and
// server.go what is around them for each gateway. Standard output names the addresses,
// standard error is the log.
package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/rs/zerolog"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/health"
)

// callTimeout is below the 30 s after which both gateways give up.
const callTimeout = 25 * time.Second

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	if err := run(ctx, os.Getenv, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run serves until ctx ends, and then finishes what is under way.
func run(ctx context.Context, getenv func(string) string, stdout, stderr io.Writer) error {
	log := zerolog.New(stderr).With().Timestamp().Logger()
	slog.SetDefault(slog.New(zerolog.NewSlogHandler(log)))
	cfg, err := readConfig(getenv)
	if err != nil {
		return err
	}
	state, err := health.New(health.Config{})
	if err != nil {
		return err
	}
	handler, stack, err := newHandler(cfg, log)
	if err != nil {
		return err
	}
	mcpListener, err := new(net.ListenConfig).Listen(ctx, "tcp", cfg.addr)
	if err != nil {
		return fmt.Errorf("ADDR: %w", err)
	}
	defer closeQuietly(mcpListener)
	healthListener, err := new(net.ListenConfig).Listen(ctx, "tcp", cfg.healthAddr)
	if err != nil {
		return fmt.Errorf("HEALTH_ADDR: %w", err)
	}
	defer closeQuietly(healthListener)
	state.Started() // before anybody is told where to ask
	fmt.Fprintf(stdout, "Asixto en http://%[1]s/asixto/mcp\nWhaapy en http://%[1]s/whaapy/mcp\nSalud en http://%[2]s/salud\n",
		mcpListener.Addr(), healthListener.Addr())

	mcpServer, healthServer := newHTTPServer(handler), newHTTPServer(state)
	failed := make(chan error, 2)
	go func() { failed <- mcpServer.Serve(mcpListener) }()
	go func() { failed <- healthServer.Serve(healthListener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	state.Drain()
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout+5*time.Second)
	defer cancel()
	return errors.Join(mcpServer.Shutdown(ctx), stack.Drain(ctx), healthServer.Shutdown(ctx))
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

// closeQuietly is for a listener that its server has closed already, or that never
// served.
func closeQuietly(l net.Listener) { _ = l.Close() }
