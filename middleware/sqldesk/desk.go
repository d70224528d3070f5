package sqldesk

import (
	"cmp"
	"context"
	"database/sql"
	"strings"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency/sqlstore"
	"github.com/portavoz/portavoz/internal/sqltable"
	"github.com/portavoz/portavoz/middleware"
)

// Desk is jobs and approvals in a database. It is safe for concurrent use and holds
// no connection; the database is the caller's to close.
type Desk struct {
	db       *sql.DB
	dialect  dialect
	names    names
	jobs     jobStatements
	approval approvalStatements

	maxPending, maxPendingPerCaller int
}

// dialect is what the databases say differently.
type dialect struct {
	sqltable.Dialect

	unless string // the end of an INSERT that does nothing if the row is there
}

var dialects = map[sqlstore.Dialect]dialect{
	sqlstore.PostgreSQL: {sqltable.PostgreSQL, ` ON CONFLICT DO NOTHING`},
	sqlstore.SQLite:     {sqltable.SQLite, ` ON CONFLICT DO NOTHING`},
	// INSERT IGNORE would also cut what is too long.
	sqlstore.MySQL: {sqltable.MySQL, ` ON DUPLICATE KEY UPDATE id = id`},
}

// Option tunes a [Desk].
type Option func(*options)

type options struct {
	schema, prefix       string
	pending, pendingEach int
}

// WithPrefix says how the names of the tables begin, in 40 bytes at most: with "fibra"
// they are fibra_jobs and fibra_approvals. Desks of several prefixes may share a
// database. Default: "portavoz".
func WithPrefix(prefix string) Option { return func(o *options) { o.prefix = prefix } }

// WithSchema names the schema in which the tables are, see [sqlstore.WithSchema].
func WithSchema(name string) Option { return func(o *options) { o.schema = name } }

// WithMaxPending says how many approvals may be pending at once, and how many of those
// of one caller in one tenant, so that nobody takes the room of everybody. Zero is the
// default: 10,000, and a quarter of what all may, rounded up.
func WithMaxPending(all, perCaller int) Option {
	return func(o *options) { o.pending, o.pendingEach = all, perCaller }
}

// New returns a desk in the database. It does not connect: call [Desk.Migrate] before
// the first use, unless somebody else sees to the tables. All that is wrong is
// reported together.
func New(db *sql.DB, d sqlstore.Dialect, opts ...Option) (*Desk, error) {
	o := options{prefix: "portavoz"}
	for _, opt := range opts {
		opt(&o)
	}
	var problems []error
	if db == nil {
		problems = append(problems, errors.New("portavoz/sqldesk: the database is nil"))
	}
	traits, known := dialects[d]
	if !known {
		problems = append(problems, errors.New("portavoz/sqldesk: the dialect is none of the constants"))
	}
	if o.pending < 0 || o.pendingEach < 0 {
		problems = append(problems, errors.New("portavoz/sqldesk: a number of pending approvals is negative"))
	}
	if d == sqlstore.SQLite && o.schema == "" {
		o.schema = "main" // and not the first table of that name in whatever is attached
	}
	names, err := newNames(traits.Dialect, o.schema, o.prefix)
	problems = append(problems, err)
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	desk := &Desk{db: db, dialect: traits, names: names, maxPending: cmp.Or(o.pending, 10_000)}
	desk.maxPendingPerCaller = cmp.Or(o.pendingEach, (desk.maxPending+3)/4)
	desk.jobs, desk.approval = newJobStatements(desk.say), newApprovalStatements(desk.say)
	return desk, nil
}

// Jobs returns the jobs of the desk.
func (d *Desk) Jobs() middleware.Jobs { return jobs{d, d.db} }

// Approvals returns the approvals of the desk.
func (d *Desk) Approvals() middleware.Approvals { return approvals{d, d.db} }

// say makes a statement of a template: its parameters are question marks, {now} is the
// clock, and {began} what it showed when the statement began.
func (d *Desk) say(template string) string {
	for _, part := range [...][2]string{ // some are within those before them
		{"{job}", jobColumns}, {"{approval}", approvalColumns}, {"{lost}", lost}, {"{takeable}", takeable},
		{"{now}", d.dialect.Now}, {"{began}", d.dialect.Began}, {"{unless}", d.dialect.unless},
	} {
		template = strings.ReplaceAll(template, part[0], part[1])
	}
	return d.dialect.Number(d.names.fill.Replace(template))
}

// asker is a database or a transaction in it.
type asker = sqltable.Asker

// exec runs a statement and says whether it has changed a row.
func exec(ctx context.Context, on asker, statement string, args ...any) (bool, error) {
	res, err := on.ExecContext(ctx, statement, args...)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}

// count returns the two numbers that a query answers: of all, and of one.
func count(ctx context.Context, on asker, query string, args ...any) (all, own int, err error) {
	err = on.QueryRowContext(ctx, query, args...).Scan(&all, &own)
	return all, own, err
}

// maxRaces bounds how often a step begins anew because another one came between its
// statements. Each time, that other one has got somewhere.
const maxRaces = 100

var errRaces = errors.New("portavoz/sqldesk: too many others do the same")

// repeat takes a step again that failed. The errors that are answers end it.
func (d *Desk) repeat(ctx context.Context, step func(on asker) error) error {
	return d.dialect.Repeat(ctx, d.db, step,
		middleware.ErrNoJob, middleware.ErrNotWorker, middleware.ErrJobConflict, middleware.ErrJobsFull,
		middleware.ErrNoApproval, middleware.ErrApprovalDecided, middleware.ErrApprovalExpired, middleware.ErrApprovalsFull)
}

// millis is a positive duration in whole milliseconds, rounded up.
func millis(d time.Duration) int64 {
	return int64((d + time.Millisecond - 1) / time.Millisecond)
}

// at is a time of the database; the zero time if it has none.
func at(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// blob is a text as it is kept: never NULL.
func blob(s string) []byte { return append([]byte{}, s...) }
