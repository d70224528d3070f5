// Command postgres is an MCP server whose writes happen once per idempotency key,
// in as many processes as you like: case and key are in one database, and are
// committed in one transaction.
//
//	go run . # in examples/postgres, with the database in a file of SQLite
//
// The environment is described at readConfig. desk.go is where a write joins the
// transaction, server.go how the store is made and put to work, chores.go what
// goes on beside. examples/server shows what a whole server looks like.
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
)

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
	svc, err := newService(ctx, cfg, log)
	if err != nil {
		return err
	}
	defer svc.close()

	mcpListener, err := new(net.ListenConfig).Listen(ctx, "tcp", cfg.addr)
	if err != nil {
		return fmt.Errorf("ADDR: %w", err)
	}
	healthListener, err := new(net.ListenConfig).Listen(ctx, "tcp", cfg.healthAddr)
	if err != nil {
		return errors.Join(fmt.Errorf("HEALTH_ADDR: %w", err), mcpListener.Close())
	}
	svc.health.Started() // before anybody is told where to ask
	fmt.Fprintf(stdout, "MCP en http://%s/mcp\n", mcpListener.Addr())
	fmt.Fprintf(stdout, "Salud en http://%s/salud\n", healthListener.Addr())

	mcpServer, healthServer := newHTTPServer(svc.handler), newHTTPServer(svc.health)
	failed := make(chan error, 2)
	go func() { failed <- mcpServer.Serve(mcpListener) }()
	go func() { failed <- healthServer.Serve(healthListener) }()

	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
		return shutdown(svc, mcpServer, healthServer)
	}
}

// shutdown refuses new work and finishes what is under way: first the requests,
// then the writes that have outlived theirs. It goes silent last.
func shutdown(svc *service, mcpServer, healthServer *http.Server) error {
	svc.health.Drain()
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout+5*time.Second)
	defer cancel()
	return errors.Join(mcpServer.Shutdown(ctx), svc.engine.Drain(ctx), healthServer.Shutdown(ctx))
}

// newHTTPServer sets every timeout: net/http has none by default.
func newHTTPServer(handler http.Handler) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      callTimeout + 15*time.Second, // counts from the headers: the body, the call, the answer
		IdleTimeout:       2 * time.Minute,
	}
}
