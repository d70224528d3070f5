package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"embed"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/portavoz/portavoz/errors"
)

//go:embed migrations/*.sql
var migrations embed.FS

// versionsTable says which migrations have been run: a row for each, with the
// name of the table that it is of.
const versionsTable = "portavoz_migrations"

// Migration is one step from an empty database to the tables of this version.
type Migration struct {
	// Version counts from 1.
	Version int
	// SQL are the statements, each with a semicolon at its end. The last one
	// writes the version down.
	SQL string
}

// Migrations returns all steps, in their order, for teams that run their own.
// What is run that way is not run again by [Store.Migrate].
func (s *Store) Migrations() []Migration {
	fill := strings.NewReplacer("{table}", s.names.table, "{bare}", s.names.bare, "{index}", s.names.index,
		"{versions}", s.names.versions, "{name}", s.names.name)
	var all []Migration
	for version := 1; ; version++ {
		text, err := fs.ReadFile(migrations, "migrations/"+s.dialect.file+"."+strconv.Itoa(version)+".sql")
		if err != nil { // there is no such version
			return all
		}
		all = append(all, Migration{version, fill.Replace(string(text))})
	}
}

// Migrate runs the migrations that have not been run. It may be called at every
// start, by several processes at once: one migrates, the others wait for it.
// Tables of a newer version than this package knows are an error. If there is
// nothing to do, it needs no right but to read.
func (s *Store) Migrate(ctx context.Context) error {
	if err := s.migrateTo(ctx, s.Migrations()); err != nil {
		return fmt.Errorf("portavoz/sqlstore: migrate: %w", err)
	}
	return nil
}

func (s *Store) migrateTo(ctx context.Context, all []Migration) error {
	version, err := s.version(ctx, s.db) // an error may mean that there are no tables
	switch {
	case err == nil && version >= len(all):
		return newer(version, len(all))
	case ctx.Err() != nil:
		return ctx.Err()
	}
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }() // it has nothing to say that matters
	err = s.underLock(ctx, conn, all)
	if err != nil {
		// With the connection goes whatever it holds: the transaction and the lock.
		_ = conn.Raw(func(any) error { return driver.ErrBadConn })
	}
	return err
}

func (s *Store) underLock(ctx context.Context, conn *sql.Conn, all []Migration) error {
	if err := execAll(ctx, conn, s.dialect.lock); err != nil {
		return err
	}
	// The beginning of the first one makes the table that the version is read from.
	first := split(all[0].SQL)[:1]
	if err := execAll(ctx, conn, first); err != nil {
		return err
	}
	version, err := s.version(ctx, conn)
	if err == nil {
		err = newer(version, len(all))
	}
	if err != nil {
		return err
	}
	for _, m := range all[version:] {
		if err := execAll(ctx, conn, split(m.SQL)); err != nil {
			return errors.Join(fmt.Errorf("version %d", m.Version), err)
		}
	}
	return execAll(ctx, conn, s.dialect.unlock)
}

// newer is an error if the tables are.
func newer(version, known int) error {
	if version <= known {
		return nil
	}
	return fmt.Errorf("the tables are of version %d, newer than %d, which is the newest that this program knows", version, known)
}

// version is how far the tables are.
func (s *Store) version(ctx context.Context, db interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}) (version int, err error) {
	err = db.QueryRowContext(ctx, `SELECT COALESCE(MAX(version), 0) FROM `+s.names.versions+
		` WHERE name = `+s.names.name).Scan(&version)
	return version, err
}

// split cuts a migration into statements. None of ours has a semicolon within.
func split(text string) []string {
	var statements []string
	for statement := range strings.SplitSeq(text, ";\n") {
		if statement = strings.TrimSpace(statement); statement != "" {
			statements = append(statements, statement)
		}
	}
	return statements
}

func execAll(ctx context.Context, conn *sql.Conn, statements []string) error {
	for _, statement := range statements {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}
