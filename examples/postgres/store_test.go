package main_test

import (
	"database/sql"
	"path/filepath"
	"testing"

	_ "github.com/go-sql-driver/mysql"
	_ "github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite"

	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/sqlstore"
	"github.com/portavoz/portavoz/idempotency/storetest"
)

// TestStore: the contract of a store, in each database.
func TestStore(t *testing.T) {
	t.Parallel()
	for name, open := range databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, dialect := open(t)
			store := newStore(t, db, dialect)
			storetest.Run(t, func(*testing.T) idempotency.Store { return store })
		})
	}
}

// databases are those that the store speaks to, each a new one of the test's own.
var databases = map[string]func(t testing.TB) (*sql.DB, sqlstore.Dialect){
	"PostgreSQL": func(t testing.TB) (*sql.DB, sqlstore.Dialect) {
		t.Helper()
		return open(t, "pgx", postgresURL(t)), sqlstore.PostgreSQL
	},
	"SQLite": func(t testing.TB) (*sql.DB, sqlstore.Dialect) {
		t.Helper()
		return open(t, "sqlite", newSQLite(t)), sqlstore.SQLite
	},
	"MariaDB": func(t testing.TB) (*sql.DB, sqlstore.Dialect) {
		t.Helper()
		return open(t, "mysql", mariaDSN(t)), sqlstore.MySQL
	},
}

// newSQLite is how to reach a new file.
func newSQLite(t testing.TB) string {
	t.Helper()
	return sqliteDSN(filepath.Join(t.TempDir(), "fibra.db"))
}

func sqliteDSN(path string) string {
	return "file:" + path + "?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)"
}

func open(t testing.TB, driver, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open(driver, dsn)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(16)
	db.SetMaxIdleConns(16)
	t.Cleanup(func() { db.Close() })
	return db
}

func newStore(t testing.TB, db *sql.DB, d sqlstore.Dialect, opts ...sqlstore.Option) *sqlstore.Store {
	t.Helper()
	store, err := sqlstore.New(db, d, opts...)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return store
}
