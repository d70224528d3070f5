package sqldesk

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency/sqlstore"
	"github.com/portavoz/portavoz/middleware"
)

//go:embed schema/*.sql
var schemas embed.FS

// Desk is jobs and approvals in a database. It is safe for concurrent use and holds
// no connection; the database is the caller's to close.
type Desk struct {
	db       *sql.DB
	dialect  dialect
	say      func(template string) string
	jobs     jobStatements
	approval approvalStatements
}

// dialect is what the databases say differently.
type dialect struct {
	file     string // of its schema
	numbered bool   // parameters are $1, $2, and not ?
	now      string // the clock in milliseconds since 1970
	unless   string // the end of an INSERT that does nothing if the row is there
}

var dialects = map[sqlstore.Dialect]dialect{
	sqlstore.PostgreSQL: {
		file: "postgresql", numbered: true,
		now:    `floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint`,
		unless: ` ON CONFLICT DO NOTHING`,
	},
	sqlstore.SQLite: {
		file:   "sqlite",
		now:    `CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER)`,
		unless: ` ON CONFLICT DO NOTHING`,
	},
	sqlstore.MySQL: {
		file: "mysql",
		now:  `(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000)`,
		// INSERT IGNORE would also cut what is too long.
		unless: ` ON DUPLICATE KEY UPDATE id = id`,
	},
}

// New returns a desk in the database. It does not connect: call [Desk.Migrate] before
// the first use, unless somebody else sees to the tables. All that is wrong is
// reported together.
func New(db *sql.DB, d sqlstore.Dialect) (*Desk, error) {
	var problems []error
	if db == nil {
		problems = append(problems, errors.New("portavoz/sqldesk: the database is nil"))
	}
	traits, known := dialects[d]
	if !known {
		problems = append(problems, errors.New("portavoz/sqldesk: the dialect is none of the constants"))
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	desk := &Desk{db: db, dialect: traits, say: traits.speak}
	desk.jobs, desk.approval = newJobStatements(traits), newApprovalStatements(traits)
	return desk, nil
}

// Jobs returns the jobs of the desk.
func (d *Desk) Jobs() middleware.Jobs { return jobs{d} }

// Approvals returns the approvals of the desk.
func (d *Desk) Approvals() middleware.Approvals { return approvals{d} }

// Schema returns the statements that make the tables, for teams that run their own
// migrations. They do nothing where the tables are.
func (d *Desk) Schema() []string {
	text, err := schemas.ReadFile("schema/" + d.dialect.file + ".sql")
	if err != nil { // it is embedded
		return nil
	}
	var all []string
	for statement := range strings.SplitSeq(string(text), ";\n") {
		if statement = strings.TrimSpace(statement); statement != "" {
			all = append(all, statement)
		}
	}
	return all
}

// Migrate makes the tables where they are missing. It may be called at every start,
// by several processes at once.
func (d *Desk) Migrate(ctx context.Context) error {
	for _, statement := range d.Schema() {
		err := repeat(ctx, func() error {
			_, err := d.db.ExecContext(ctx, statement)
			return err
		})
		if err != nil {
			return fmt.Errorf("portavoz/sqldesk: migrate: %w", err)
		}
	}
	return nil
}

// speak makes a statement of a template: its parameters are question marks, and
// {now} is the clock.
func (d dialect) speak(template string) string {
	text := template
	for _, part := range [...][2]string{ // some are within those before them
		{"{job}", jobColumns}, {"{approval}", approvalColumns}, {"{lost}", lost}, {"{takeable}", takeable},
		{"{now}", d.now}, {"{unless}", d.unless},
	} {
		text = strings.ReplaceAll(text, part[0], part[1])
	}
	if !d.numbered {
		return text
	}
	var b strings.Builder
	for i := 1; ; i++ {
		before, after, ok := strings.Cut(text, "?")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		b.WriteString("$" + strconv.Itoa(i))
		text = after
	}
}

// exec runs a statement by itself and says whether it has changed a row.
func (d *Desk) exec(ctx context.Context, statement string, args ...any) (bool, error) {
	res, err := d.db.ExecContext(ctx, statement, args...)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}

// count returns the number that a query answers.
func (d *Desk) count(ctx context.Context, query string, args ...any) (n int, err error) {
	err = d.db.QueryRowContext(ctx, query, args...).Scan(&n)
	return n, err
}

// How often, and how soon, a step is taken again that failed.
const (
	tries      = 3
	firstPause = 5 * time.Millisecond
)

// maxRaces bounds how often a step begins anew because another one came between its
// statements. Each time, that other one has got somewhere.
const maxRaces = 100

var errRaces = errors.New("portavoz/sqldesk: too many others do the same")

// answers are the errors that are answers: taking the step again changes nothing.
var answers = [...]error{
	middleware.ErrNoJob, middleware.ErrNotWorker, middleware.ErrJobConflict, middleware.ErrJobsFull,
	middleware.ErrNoApproval, middleware.ErrApprovalDecided, middleware.ErrApprovalExpired, middleware.ErrApprovalsFull,
}

// repeat takes a step again that failed, as long as ctx lasts: the connection was
// dead, or the database chose the statement to end a deadlock.
func repeat(ctx context.Context, step func() error) error {
	var failed []error
	for pause := firstPause; ; pause *= 4 {
		err := step()
		if err == nil {
			return nil
		}
		for _, answer := range answers {
			if errors.Is(err, answer) {
				return err
			}
		}
		failed = append(failed, err)
		if len(failed) == tries || !sleep(ctx, pause) {
			return errors.Join(failed...)
		}
	}
}

// sleep reports whether ctx lasted that long.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
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
