package sqlstore

import (
	"database/sql"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
)

// Store is an [idempotency.Store] in a database. It is safe for concurrent use
// and holds no connection; the database is the caller's to close.
type Store struct {
	db      *sql.DB
	dialect dialect
	names   names
	say     statements
	writing gate
	waiting waiting
}

var (
	_ idempotency.Store  = (*Store)(nil)
	_ idempotency.Joiner = (*Store)(nil)
	_ idempotency.Waiter = (*Store)(nil)
)

// Option tunes a [Store].
type Option func(*options)

type options struct{ schema, table, channel string }

// WithTable names the table of the keys, in 50 bytes at most; tables of several
// names may share a database. Default: "portavoz_idempotency".
func WithTable(name string) Option { return func(o *options) { o.table = name } }

// WithSchema names the schema in which the tables are: of PostgreSQL a schema, of
// MySQL a database, of SQLite one that is attached to every connection. It has
// to be there. Default: what the connection is in, and main in SQLite, which would
// look for a table in all that are attached.
func WithSchema(name string) Option { return func(o *options) { o.schema = name } }

// New returns a store in the database. It does not connect: call [Store.Migrate]
// before the first use, unless somebody else sees to the tables. All that is
// wrong with the configuration is reported together.
func New(db *sql.DB, d Dialect, opts ...Option) (*Store, error) {
	o := options{table: "portavoz_idempotency"}
	for _, opt := range opts {
		opt(&o)
	}
	var problems []error
	if db == nil {
		problems = append(problems, errors.New("portavoz/sqlstore: the database is nil"))
	}
	traits, known := dialects[d]
	if !known {
		problems = append(problems, errors.New("portavoz/sqlstore: the dialect is none of the constants"))
	}
	if d == SQLite && o.schema == "" {
		o.schema = "main"
	}
	names, err := newNames(traits.Dialect, o.schema, o.table)
	problems = append(problems, err)
	notify, err := notification(d, o.channel)
	problems = append(problems, err)
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	s := &Store{
		db: db, dialect: traits, names: names, say: newStatements(traits, names, notify),
		waiting: waiting{notified: notify != ""},
	}
	if traits.Alone {
		s.writing = make(gate, 1)
	}
	return s, nil
}
