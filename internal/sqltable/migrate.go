package sqltable

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/portavoz/portavoz/errors"
)

// VersionsTable says which migrations have been run: a row for each, with the name of
// the table that it is of.
const VersionsTable = "portavoz_migrations"

// Tables are the tables of one package, as they are migrated.
type Tables struct {
	Dialect Dialect
	// Versions is the table of versions, as it is written in a statement.
	Versions string
	// Name is what these tables go by there: the name of one of them, quoted as a value.
	Name string
	// Steps are the statements of each version from 1 on, each with a semicolon at its
	// end. The first one of all makes the table of versions if it is not there, and
	// the last one of a step writes the version down.
	Steps []string
}

// Steps reads the migrations of a dialect from files named migrations/sqlite.1.sql
// and so on, and fills in the names.
func (d Dialect) Steps(files fs.FS, fill *strings.Replacer) []string {
	var all []string
	for {
		text, err := fs.ReadFile(files, "migrations/"+d.File+"."+strconv.Itoa(len(all)+1)+".sql")
		if err != nil { // there is no such version
			return all
		}
		all = append(all, fill.Replace(string(text)))
	}
}

// Migrate takes the steps that have not been taken. Several processes may at once: one
// migrates, the others wait for it. Tables of a newer version than there are steps are
// an error. If there is nothing to do, it needs no right but to read.
func (t Tables) Migrate(ctx context.Context, db *sql.DB) error {
	version, err := t.version(ctx, db) // an error may mean that there are no tables
	switch {
	case err == nil && version >= len(t.Steps):
		return newer(version, len(t.Steps))
	case ctx.Err() != nil:
		return ctx.Err()
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }() // it has nothing to say that matters
	err = t.underLock(ctx, conn)
	if err != nil {
		// With the connection goes whatever it holds: the transaction and the lock.
		_ = conn.Raw(func(any) error { return driver.ErrBadConn })
	}
	return err
}

func (t Tables) underLock(ctx context.Context, conn *sql.Conn) error {
	if err := execAll(ctx, conn, t.Dialect.lock); err != nil {
		return err
	}
	// The beginning of the first one makes the table that the version is read from.
	first := split(t.Steps[0])[:1]
	if err := execAll(ctx, conn, first); err != nil {
		return err
	}
	version, err := t.version(ctx, conn)
	if err == nil {
		err = newer(version, len(t.Steps))
	}
	if err != nil {
		return err
	}
	for i, step := range t.Steps[version:] {
		if err := execAll(ctx, conn, split(step)); err != nil {
			return errors.Join(fmt.Errorf("version %d", version+i+1), err)
		}
	}
	return execAll(ctx, conn, t.Dialect.unlock)
}

// newer is an error if the tables are.
func newer(version, known int) error {
	if version <= known {
		return nil
	}
	return fmt.Errorf("the tables are of version %d, newer than %d, which is the newest that this program knows", version, known)
}

// version is how far the tables are.
func (t Tables) version(ctx context.Context, on Asker) (version int, err error) {
	err = on.QueryRowContext(ctx, `SELECT COALESCE(MAX(version), 0) FROM `+t.Versions+` WHERE name = `+t.Name).Scan(&version)
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

func execAll(ctx context.Context, on Asker, statements []string) error {
	for _, statement := range statements {
		if _, err := on.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}
