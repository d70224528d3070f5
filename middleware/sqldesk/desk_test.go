package sqldesk_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/sqlstore"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/sqldesk"
)

// What the statements do is tested in real databases, in examples/postgres. Here is
// what no database can be made to do when it is wanted.

var dialects = map[string]sqlstore.Dialect{"PostgreSQL": sqlstore.PostgreSQL, "SQLite": sqlstore.SQLite, "MySQL": sqlstore.MySQL}

// broken is a database that is away, and counts who asks. It checks that a statement
// has as many arguments as parameters.
type broken struct {
	t     *testing.T
	asked atomic.Int64
}

var errAway = errors.New("the database is away")

func (b *broken) Connect(context.Context) (driver.Conn, error) { return connection{b}, nil }
func (b *broken) Driver() driver.Driver                        { return nil }

type connection struct{ b *broken }

func (c connection) Prepare(string) (driver.Stmt, error) { return nil, errAway }
func (c connection) Begin() (driver.Tx, error)           { return nil, errAway }
func (c connection) Close() error                        { return nil }

func (c connection) QueryContext(_ context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	return nil, c.b.say(text, args)
}

func (c connection) ExecContext(_ context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	return nil, c.b.say(text, args)
}

func (b *broken) say(text string, args []driver.NamedValue) error {
	b.asked.Add(1)
	want := strings.Count(text, "?")
	for strings.Contains(text, "$"+string(rune('1'+want))) {
		want++
	}
	if want != len(args) || strings.ContainsAny(text, "{}") {
		b.t.Errorf("%d arguments for %s", len(args), text)
	}
	return errAway
}

// Every step fails after three tries, with all errors, and at once when its context
// has ended.
func TestDeskWithoutItsDatabase(t *testing.T) {
	t.Parallel()
	var owner idempotency.Digest
	who := middleware.Approver{Name: "ana"}
	steps := map[string]func(context.Context, *sqldesk.Desk) error{
		"Add": func(ctx context.Context, d *sqldesk.Desk) error {
			_, err := d.Jobs().Add(ctx, middleware.Job{}, 1)
			return err
		},
		"Take": func(ctx context.Context, d *sqldesk.Desk) error {
			_, _, err := d.Jobs().Take(ctx, middleware.JobClaim{Tools: []string{"a", "b"}})
			return err
		},
		"Renew": func(ctx context.Context, d *sqldesk.Desk) error {
			_, err := d.Jobs().Renew(ctx, "j", "w", time.Second, 1, "")
			return err
		},
		"End": func(ctx context.Context, d *sqldesk.Desk) error {
			return d.Jobs().End(ctx, "j", "w", middleware.JobDone, nil)
		},
		"Get": func(ctx context.Context, d *sqldesk.Desk) error { _, err := d.Jobs().Get(ctx, owner, "j"); return err },
		"Cancel": func(ctx context.Context, d *sqldesk.Desk) error {
			_, err := d.Jobs().Cancel(ctx, owner, "j")
			return err
		},
		"Ask": func(ctx context.Context, d *sqldesk.Desk) error {
			_, err := d.Approvals().Ask(ctx, middleware.ApprovalRequest{})
			return err
		},
		"Get an approval": func(ctx context.Context, d *sqldesk.Desk) error {
			_, err := d.Approvals().Get(ctx, who, "a")
			return err
		},
		"List": func(ctx context.Context, d *sqldesk.Desk) error {
			_, err := d.Approvals().List(ctx, who, middleware.ApprovalPending, 10)
			return err
		},
		"Decide": func(ctx context.Context, d *sqldesk.Desk) error {
			_, err := d.Approvals().Decide(ctx, who, "a", middleware.Decision{})
			return err
		},
		"Migrate": func(ctx context.Context, d *sqldesk.Desk) error { return d.Migrate(ctx) },
		"Sweep":   func(ctx context.Context, d *sqldesk.Desk) error { _, err := d.Sweep(ctx); return err },
	}
	for dialect, number := range dialects {
		for name, step := range steps {
			t.Run(dialect+"/"+name, func(t *testing.T) {
				t.Parallel()
				b := &broken{t: t}
				db := sql.OpenDB(b)
				t.Cleanup(func() { db.Close() })
				desk, err := sqldesk.New(db, number)
				if err != nil {
					t.Fatal(err)
				}
				if err := step(t.Context(), desk); !errors.Is(err, errAway) || b.asked.Load() != 3 {
					t.Errorf("%v after %d tries, want 3", err, b.asked.Load())
				}
				ended, cancel := context.WithCancel(t.Context())
				cancel()
				if err := step(ended, desk); !errors.Is(err, context.Canceled) || b.asked.Load() != 3 {
					t.Errorf("%v after %d tries more, want none", err, b.asked.Load()-3)
				}
			})
		}
	}
}

func TestDeskConfiguration(t *testing.T) {
	t.Parallel()
	_, err := sqldesk.New(nil, 0)
	if want := "portavoz/sqldesk: the database is nil\nportavoz/sqldesk: the dialect is none of the constants"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	db := sql.OpenDB(&broken{t: t})
	t.Cleanup(func() { db.Close() })
	for name, dialect := range dialects {
		desk, err := sqldesk.New(db, dialect)
		if err != nil {
			t.Fatal(err)
		}
		schema := desk.Schema()
		if n := map[bool]int{true: 2, false: 5}[name == "MySQL"]; len(schema) != n {
			t.Errorf("%s: %d statements, want %d", name, len(schema), n)
		}
		for _, statement := range schema {
			if !strings.HasPrefix(statement, "CREATE ") || !strings.Contains(statement, " IF NOT EXISTS portavoz_") {
				t.Errorf("%s: %s", name, statement)
			}
		}
		if err := desk.Jobs().End(t.Context(), "j", "w", middleware.JobRunning, nil); err == nil || errors.Is(err, errAway) {
			t.Errorf("%s: a job ended as running: %v", name, err)
		}
	}
}
