// Command server is a small operator of fibre internet that offers its tools
// over MCP, with everything that Asixto Gateway demands around them. It runs as
// it is, on demo data in memory:
//
//	go run ./examples/server
//
// The environment says where, and for whom:
//
//	ADDR          where MCP listens; default 127.0.0.1:8080, port 0 is any free one
//	HEALTH_ADDR   where health listens; default 127.0.0.1:8081
//	TOKENS        bearer secrets, comma-separated, each "name=secret" or a bare
//	              secret; several secrets of one name prove one client, and
//	              "name@tenant=secret" binds it to one tenant; without any,
//	              everybody may call, and a warning says so
//	PUBLIC_HOSTS  the host names under which a reverse proxy publishes the server,
//	              comma-separated
//	RATE_LIMIT    how often each client may call, and how often at once: "50ms,40"
//	              is 20 calls a second and 40 at once; default: the preset's
//	READERS       names of TOKENS, comma-separated, that may only read: for them
//	              no other tool exists
//
// The handlers (client.go, search.go, support.go, appointment.go, report.go) are what you
// would write; catalog.go is how they are published, server.go how they are
// protected. Standard output names the two addresses, standard error is the log.
package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/signal"
	"syscall"
	"time"
	_ "time/tzdata" // containers often have no zones

	"github.com/rs/zerolog"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/health"
	"github.com/portavoz/portavoz/middleware"
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
	mcpListener, err := listen(ctx, "ADDR", cfg.addr)
	if err != nil {
		return err
	}
	defer closeQuietly(mcpListener)
	healthListener, err := listen(ctx, "HEALTH_ADDR", cfg.healthAddr)
	if err != nil {
		return err
	}
	defer closeQuietly(healthListener)

	svc, err := build(cfg, log)
	if err != nil {
		return err
	}
	svc.state.Started() // before anybody is told where to ask
	fmt.Fprintf(stdout, "MCP en http://%s/mcp\n", mcpListener.Addr())
	fmt.Fprintf(stdout, "Salud en http://%s/salud\n", healthListener.Addr())

	mcpServer, healthServer := newHTTPServer(svc.mcp), newHTTPServer(svc.state)
	failed := make(chan error, 2)
	go func() { failed <- mcpServer.Serve(mcpListener) }()
	go func() { failed <- healthServer.Serve(healthListener) }()

	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
		return svc.shutdown(mcpServer, healthServer)
	}
}

// service is what this process serves, and what it has to end in order.
type service struct {
	mcp     http.Handler
	state   *health.Health
	stack   *middleware.Stack
	workers *middleware.Workers
}

// build puts the business, the MCP server and its health together.
func build(cfg config, log zerolog.Logger) (*service, error) {
	bogota, err := time.LoadLocation("America/Bogota")
	if err != nil {
		return nil, err
	}
	level, err := health.NewServiceLevel(health.ServiceLevelConfig{})
	if err != nil {
		return nil, err
	}
	state, err := health.New(health.Config{ServiceLevel: level, Details: isLocal})
	if err != nil {
		return nil, err
	}
	workers := middleware.NewWorkers(middleware.NewJobs(middleware.JobsConfig{}), middleware.WorkersConfig{
		Observers: []middleware.Observer{middleware.Zerolog(log)},
	})
	srv, stack, err := newMCP(newOperator(time.Now, bogota), workers, cfg, log, level)
	if err != nil {
		return nil, err
	}
	handler, err := newHandler(srv, cfg)
	return &service{mcp: handler, state: state, stack: stack, workers: workers}, err
}

// isLocal reports whether a request comes from this machine, and not through a
// proxy on it. Elsewhere nobody needs more than the verdict.
func isLocal(r *http.Request) bool {
	for _, header := range [...]string{"Forwarded", "X-Forwarded-For", "X-Real-Ip", "Via"} {
		if r.Header.Get(header) != "" {
			return false
		}
	}
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && peer.Addr().Unmap().IsLoopback()
}

// shutdown refuses new work, finishes what is under way, writes that outlived
// their connection and reports included, and goes silent last.
func (s *service) shutdown(mcpServer, healthServer *http.Server) error {
	s.state.Drain()
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout+5*time.Second)
	defer cancel()
	return errors.Join(mcpServer.Shutdown(ctx), s.stack.Drain(ctx), s.workers.Drain(ctx), healthServer.Shutdown(ctx))
}

// listen opens a listener. When it cannot, the error names the variable to set.
func listen(ctx context.Context, variable, addr string) (net.Listener, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s ya está en uso: elija otra dirección con %s, por ejemplo %s=127.0.0.1:0 "+
			"(address in use: set %s): %w", addr, variable, variable, variable, err)
	case err != nil:
		return nil, fmt.Errorf("%s: no se puede escuchar en %q (cannot listen): %w", variable, addr, err)
	}
	return l, nil
}

// closeQuietly is for a listener that its server has closed already, or that
// never served.
func closeQuietly(l net.Listener) { _ = l.Close() }
