package sqlstore

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
	file     string // what the names of its migrations begin with
	quote    string // around a name
	numbered bool   // parameters are $1, $2, and not ?

	// now is the database's clock in milliseconds since 1970, as late as it can be
	// read: a statement that has waited for a lock decides by the time after it.
	// began is the same at the beginning of the statement, and fit for an index.
	now, began string

	insert string // see statements
	claim  string // likewise; "" where find and insert are two statements
	sweep  string

	// alone says that one transaction writes at a time, and that one that reads
	// first may not be let write later, so that it has to begin with a write.
	alone bool

	// fragile says that some failures of a statement end its transaction, after
	// which whatever follows commits by itself.
	fragile bool

	// A run's transaction gets a mark at its beginning, which is gone when somebody
	// has ended it, also if another one was begun. Marked is a condition that holds
	// in the transaction that has it; "" where the mark is a savepoint, see intact.
	mark, marked string

	// What comes around a migration, so that two processes do not migrate at once.
	lock, unlock []string
}

var dialects = map[Dialect]dialect{
	PostgreSQL: {
		file: "postgresql", quote: `"`, numbered: true,
		now:    `floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint`,
		began:  `floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint`,
		insert: insertRow + ` ON CONFLICT (operation) DO NOTHING`,
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
		// What has waited for the lock is to see what the one before has done.
		lock:   []string{`BEGIN ISOLATION LEVEL READ COMMITTED`, `SELECT pg_advisory_xact_lock(8101127331128611)`},
		unlock: []string{`COMMIT`},
	},
	SQLite: {
		file: "sqlite", quote: `"`,
		now:    `CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER)`,
		began:  `CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER)`,
		insert: insertRow + ` ON CONFLICT (operation) DO NOTHING`,
		sweep: `DELETE FROM {table} WHERE rowid IN (` +
			`SELECT rowid FROM {table} WHERE expires_at <= {began} ORDER BY expires_at LIMIT ?)`,
		alone:   true,
		fragile: true,
		mark:    setMark,
		lock:    []string{`BEGIN IMMEDIATE`},
		unlock:  []string{`COMMIT`},
	},
	MySQL: {
		file: "mysql", quote: "`",
		// Neither the time zone of a session nor its clock change in autumn touch it.
		now:     `(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000)`,
		began:   `(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000)`,
		insert:  `INSERT IGNORE` + insertRow[len(`INSERT`):],
		sweep:   `DELETE FROM {table} WHERE expires_at <= {began} ORDER BY expires_at LIMIT ?`,
		fragile: true,
		mark:    setMark,
		// For a year: that the time is over would be no error, and nobody would be kept out.
		lock:   []string{`SELECT GET_LOCK('portavoz_migrations', 31536000)`},
		unlock: []string{`SELECT RELEASE_LOCK('portavoz_migrations')`},
	},
}
