package main

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency/sqlstore"
	"github.com/portavoz/portavoz/middleware/transport"
)

// config is what the environment says.
type config struct {
	addr        string
	healthAddr  string
	credentials []transport.Credential
	database    database
	lease       time.Duration
	apart       bool
}

// database is where cases and keys are.
type database struct {
	dialect sqlstore.Dialect
	driver  string // its name in database/sql
	dsn     string
}

// readConfig reads the environment:
//
//	DATABASE_URL  postgres://user@host/name, or mysql:user@tcp(host)/name, also for
//	              MariaDB, or sqlite:path for one file on this machine;
//	              default sqlite:fibra.db
//	ADDR          where MCP listens; default 127.0.0.1:8080, port 0 is any free one
//	HEALTH_ADDR   where health listens; default 127.0.0.1:8081
//	TOKENS        bearer secrets, comma-separated, each "name=secret"; several of
//	              one name prove one client; default: everybody may call
//	LEASE         for how long a process may be silent before its writes count as
//	              abandoned; default 30s
//	APART         1 writes a case and its key in two transactions, as if the cases
//	              were elsewhere; default: in one
func readConfig(getenv func(string) string) (config, error) {
	cfg := config{
		addr:       cmp.Or(getenv("ADDR"), "127.0.0.1:8080"),
		healthAddr: cmp.Or(getenv("HEALTH_ADDR"), "127.0.0.1:8081"),
		apart:      getenv("APART") == "1",
	}
	var errTokens, errDatabase, errLease error
	cfg.credentials, errTokens = parseTokens(getenv("TOKENS"))
	cfg.database, errDatabase = parseDatabase(cmp.Or(getenv("DATABASE_URL"), "sqlite:fibra.db"))
	if cfg.lease, errLease = time.ParseDuration(cmp.Or(getenv("LEASE"), "30s")); errLease != nil {
		errLease = fmt.Errorf("LEASE: %w", errLease)
	}
	return cfg, errors.Join(errTokens, errDatabase, errLease)
}

// parseDatabase reads DATABASE_URL, which may hold a password and is never part
// of an error.
func parseDatabase(url string) (database, error) {
	if path, ok := strings.CutPrefix(url, "sqlite:"); ok && path != "" && !strings.Contains(path, "?") {
		// Whoever wants to write waits for his turn, readers wait for nobody, and what
		// was committed survives a power cut.
		return database{sqlstore.SQLite, "sqlite", "file:" + path +
			"?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)"}, nil
	}
	if dsn, ok := strings.CutPrefix(url, "mysql:"); ok {
		cfg, err := mysql.ParseDSN(dsn)
		if err != nil {
			return database{}, errors.New("DATABASE_URL: what follows mysql: is not user:password@tcp(host)/name")
		}
		cfg.InterpolateParams = true // one round trip for a statement, and not three
		return database{sqlstore.MySQL, "mysql", cfg.FormatDSN()}, nil
	}
	if _, err := pgx.ParseConfig(url); err != nil || !strings.HasPrefix(url, "postgres") {
		return database{}, errors.New("DATABASE_URL is neither postgres://..., nor mysql:..., nor sqlite:path")
	}
	return database{sqlstore.PostgreSQL, "pgx", url}, nil
}

// parseTokens reads TOKENS. No secret is ever part of an error.
func parseTokens(s string) ([]transport.Credential, error) {
	if s == "" {
		return []transport.Credential{transport.Open()}, nil
	}
	var credentials []transport.Credential
	for i, entry := range strings.Split(s, ",") {
		name, secret, ok := strings.Cut(strings.TrimSpace(entry), "=")
		if !ok {
			return nil, fmt.Errorf("TOKENS: entry %d is not name=secret", i+1)
		}
		credentials = append(credentials, transport.Bearer(name, secret))
	}
	return credentials, nil
}
