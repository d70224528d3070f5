package sqlstore

import "github.com/portavoz/portavoz/internal/sqltable"

// Dialect is the language of a database.
type Dialect uint8

// The dialects.
const (
	// PostgreSQL 12 or newer.
	PostgreSQL Dialect = 1 + iota
	// SQLite 3.24 or newer.
	SQLite
	// MySQL 8.0 or newer, or MariaDB 10.5 or newer, with InnoDB.
	MySQL
)

// dialect is what the databases say differently.
type dialect struct {
	sqltable.Dialect

	insert string // see statements
	claim  string // likewise; "" where find and insert are two statements
	sweep  string

	// fragile says that some failures of a statement end its transaction, after
	// which whatever follows commits by itself.
	fragile bool

	// A run's transaction gets a mark at its beginning, which is gone when somebody
	// has ended it, also if another one was begun. Marked is a condition that holds
	// in the transaction that has it; "" where the mark is a savepoint, see intact.
	mark, marked string
}

var dialects = map[Dialect]dialect{
	PostgreSQL: {
		Dialect: sqltable.PostgreSQL,
		insert:  insertRow + ` ON CONFLICT (operation) DO NOTHING`,
		// One round trip, whatever is found. The row is looked for first: against one
		// that is being written to, the INSERT alone would wait for the writer.
		claim: `WITH found AS (` +
			`SELECT fingerprint, token, state, lease_until, expires_at, result FROM {table} WHERE operation = $1::bytea` +
			`), inserted AS (` +
			`INSERT INTO {table} (operation, fingerprint, token, state, lease_until, expires_at)` +
			` SELECT $1::bytea, $2::bytea, $3::bytea, {running}, {now} + $4::bigint, {now} + $5::bigint` +
			` WHERE NOT EXISTS (SELECT FROM found) ON CONFLICT (operation) DO NOTHING RETURNING 1` +
			`) SELECT (SELECT count(*) FROM inserted), found.*, {now} FROM (SELECT) AS one LEFT JOIN found ON TRUE`,
		sweep: `DELETE FROM {table} WHERE operation = ANY (ARRAY(` +
			`SELECT operation FROM {table} WHERE expires_at <= {began} ORDER BY expires_at LIMIT ? FOR UPDATE SKIP LOCKED))`,
		// Unlike a savepoint it is one round trip, and makes no subtransaction; unlike
		// set_config it is no query, before which an isolation may still be set.
		mark:   `SET LOCAL portavoz.run = 'on'`,
		marked: `current_setting('portavoz.run', TRUE) = 'on'`,
	},
	SQLite: {
		Dialect: sqltable.SQLite,
		insert:  insertRow + ` ON CONFLICT (operation) DO NOTHING`,
		sweep: `DELETE FROM {table} WHERE rowid IN (` +
			`SELECT rowid FROM {table} WHERE expires_at <= {began} ORDER BY expires_at LIMIT ?)`,
		fragile: true,
		mark:    setMark,
	},
	MySQL: {
		Dialect: sqltable.MySQL,
		insert:  `INSERT IGNORE` + insertRow[len(`INSERT`):],
		sweep:   `DELETE FROM {table} WHERE expires_at <= {began} ORDER BY expires_at LIMIT ?`,
		fragile: true,
		mark:    setMark,
	},
}
