// Package sqltable is what packages share that keep tables in a database of their
// user's: how the databases speak, names between their quotes, migrations, and steps
// that are taken again.
package sqltable

import (
	"strconv"
	"strings"
)

// Dialect is what the databases say differently.
type Dialect struct {
	// File is what the names of its migrations begin with.
	File string
	// Quote comes around a name.
	Quote string
	// Numbered says that parameters are $1, $2, and not ?.
	Numbered bool
	// Now is the database's clock in milliseconds since 1970, as late as it can be
	// read: a statement that has waited for a lock decides by the time after it.
	Now string
	// Began is that clock at the beginning of the statement: the same wherever it
	// stands in one, and fit for an index.
	Began string
	// Alone says that one transaction writes at a time, and that one that reads first
	// may not be let write later, so that it has to begin with a write.
	Alone bool

	// What comes around a migration, so that two processes do not migrate at once.
	lock, unlock []string
}

// Clocks that stand still within a statement.
const (
	sqliteNow = `CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER)`
	// Neither the time zone of a session nor its clock change in autumn touch it.
	mysqlNow = `(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000)`
)

// The dialects.
var (
	PostgreSQL = Dialect{
		File: "postgresql", Quote: `"`, Numbered: true,
		Now:   `floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint`,
		Began: `floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint`,
		// What has waited for the lock is to see what the one before has done.
		lock:   []string{`BEGIN ISOLATION LEVEL READ COMMITTED`, `SELECT pg_advisory_xact_lock(8101127331128611)`},
		unlock: []string{`COMMIT`},
	}
	SQLite = Dialect{
		File: "sqlite", Quote: `"`,
		Now: sqliteNow, Began: sqliteNow,
		Alone:  true,
		lock:   []string{`BEGIN IMMEDIATE`},
		unlock: []string{`COMMIT`},
	}
	MySQL = Dialect{
		File: "mysql", Quote: "`",
		Now: mysqlNow, Began: mysqlNow,
		// For a year: that the time is over would be no error, and nobody would be kept out.
		lock:   []string{`SELECT GET_LOCK('` + VersionsTable + `', 31536000)`},
		unlock: []string{`SELECT RELEASE_LOCK('` + VersionsTable + `')`},
	}
)

// Number writes the parameters of a statement, which are question marks, as the
// database has them.
func (d Dialect) Number(statement string) string {
	if !d.Numbered {
		return statement
	}
	var b strings.Builder
	for i := 1; ; i++ {
		before, after, ok := strings.Cut(statement, "?")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		b.WriteString("$" + strconv.Itoa(i))
		statement = after
	}
}
