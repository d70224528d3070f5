package main

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	"github.com/mark3labs/mcp-go/server"
	"github.com/rs/zerolog"
	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/health"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/sqlstore"
	"github.com/portavoz/portavoz/middleware"
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
	db      *sql.DB
	chores  sync.WaitGroup
	rest    context.CancelFunc // ends the chores
}

func newService(ctx context.Context, cfg config, log zerolog.Logger) (*service, error) {
	db, err := sql.Open(cfg.database.driver, cfg.database.dsn)
	if err != nil {
		return nil, fmt.Errorf("DATABASE_URL: %w", err)
	}
	db.SetMaxOpenConns(20) // less than the database has, for all processes together
	db.SetMaxIdleConns(20)
	db.SetConnMaxIdleTime(5 * time.Minute)
	svc := &service{db: db, rest: func() {}}
	if err := svc.build(ctx, cfg, log); err != nil {
		svc.close()
		return nil, err
	}
	return svc, nil
}

func (svc *service) build(ctx context.Context, cfg config, log zerolog.Logger) (err error) {
	var opts []sqlstore.Option
	if cfg.database.dialect == sqlstore.PostgreSQL {
		opts = append(opts, sqlstore.WithNotify(channel))
	}
	store, err := sqlstore.New(svc.db, cfg.database.dialect, opts...)
	if err != nil {
		return err
	}
	if err := svc.migrate(ctx, store, cfg.database.dialect); err != nil {
		return err
	}
	once := idempotency.Config{Lease: cfg.lease, Report: func(i idempotency.Incident) {
		log.Error().Err(i.Err).Str("kind", i.Kind).Str("tool", i.Operation.Name).Msg("idempotency incident")
	}}
	// What a process that died had begun was rolled back with its transaction, unless
	// the key was written with it: it may run again. See sqlstore.WholeEffect.
	once.Rerun = !cfg.apart
	if svc.engine, err = idempotency.New(store, once); err != nil {
		return err
	}

	desk := desk{svc.db, cfg.database.dialect, cfg.apart}
	srv := server.NewMCPServer("fibra", "1.0.0", server.WithToolCapabilities(false))
	desk.addTools(srv)
	stack := middleware.Asixto(srv, store)
	stack.Log = middleware.Log(log)
	stack.Idempotency = middleware.Idempotency(svc.engine, middleware.RequireKey())
	stack.Use()

	svc.health, err = health.New(health.Config{Checks: []health.Check{{Name: "database", Probe: svc.db.PingContext}}})
	if err != nil {
		return err
	}
	if svc.handler, err = newHandler(srv, cfg); err != nil {
		return err
	}
	svc.start(ctx, store, cfg.database, log)
	return nil
}

// migrate makes the tables that are not there.
func (svc *service) migrate(ctx context.Context, store *sqlstore.Store, dialect sqlstore.Dialect) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	err := store.Migrate(ctx)
	if err == nil {
		_, err = svc.db.ExecContext(ctx, casesTable[dialect])
	}
	if err != nil {
		return fmt.Errorf("DATABASE_URL: no se puede usar la base de datos (cannot use the database): %w", err)
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

// close ends the chores and the connections.
func (svc *service) close() {
	svc.rest()
	svc.chores.Wait()
	_ = svc.db.Close()
}
