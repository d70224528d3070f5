package sqldesk_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
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

// broken is a database that is away, and writes down what it is asked. It checks that
// a statement has as many arguments as parameters.
type broken struct {
	t    testing.TB
	mu   sync.Mutex
	said []string // with the arguments
	then func()   // called after it, if it is not nil
}

var errAway = errors.New("the database is away")

func (b *broken) Connect(context.Context) (driver.Conn, error) { return connection{b}, nil }
func (b *broken) Driver() driver.Driver                        { return nil }

type connection struct{ b *broken }

func (c connection) Prepare(string) (driver.Stmt, error) { return nil, errAway }
func (c connection) Begin() (driver.Tx, error)           { return nil, errAway }
func (c connection) Close() error                        { return nil }
func (c connection) Commit() error                       { return nil }
func (c connection) Rollback() error                     { return nil }

func (c connection) BeginTx(context.Context, driver.TxOptions) (driver.Tx, error) { return c, nil }

func (c connection) QueryContext(_ context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	return nil, c.b.say(text, args)
}

func (c connection) ExecContext(_ context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	return nil, c.b.say(text, args)
}

func (b *broken) say(text string, args []driver.NamedValue) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.said = append(b.said, fmt.Sprint(text, args))
	want := strings.Count(text, "?")
	for strings.Contains(text, "$"+string(rune('1'+want))) {
		want++
	}
	if want != len(args) || strings.ContainsAny(text, "{}") {
		b.t.Errorf("%d arguments for %s", len(args), text)
	}
	if b.then != nil {
		b.then()
	}
	return errAway
}

// steps are everything that a desk is asked.
func steps() map[string]func(context.Context, *sqldesk.Desk) error {
	var owner idempotency.Digest
	who := middleware.Approver{Name: "ana"}
	return map[string]func(context.Context, *sqldesk.Desk) error{
		"Add": func(ctx context.Context, d *sqldesk.Desk) error {
			_, err := d.Jobs().Add(ctx, middleware.Job{}, middleware.JobLimits{Queued: 1, PerOwner: 1})
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
		"Sweep": func(ctx context.Context, d *sqldesk.Desk) error { _, err := d.Sweep(ctx); return err },
	}
}

// Every step fails after three tries, with all errors, and at once when its context
// has ended.
func TestDeskWithoutItsDatabase(t *testing.T) {
	t.Parallel()
	for dialect, number := range dialects {
		for name, step := range steps() {
			t.Run(dialect+"/"+name, func(t *testing.T) {
				t.Parallel()
				b, desk := newDesk(t, number)
				if err := step(t.Context(), desk); !errors.Is(err, errAway) || len(b.said) != 3 {
					t.Errorf("%v after %d tries, want 3", err, len(b.said))
				}
				ended, cancel := context.WithCancel(t.Context())
				cancel()
				if err := step(ended, desk); !errors.Is(err, context.Canceled) || len(b.said) != 3 {
					t.Errorf("%v after %d tries more, want none", err, len(b.said)-3)
				}
			})
		}
	}
}

// newDesk is a desk in a database that is away.
func newDesk(t testing.TB, d sqlstore.Dialect, opts ...sqldesk.Option) (*broken, *sqldesk.Desk) {
	t.Helper()
	b := &broken{t: t}
	db := sql.OpenDB(b)
	t.Cleanup(func() { db.Close() })
	desk, err := sqldesk.New(db, d, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return b, desk
}

// What processes say to their database does not depend on their clocks, which may be
// apart: all times are the database's.
func TestDeskHasNoClock(t *testing.T) {
	t.Parallel()
	for dialect, number := range dialects {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b, desk := newDesk(t, number)
				now := [2][]string{}
				for i := range now {
					for _, name := range slices.Sorted(maps.Keys(steps())) {
						b.said = nil
						if err := steps()[name](t.Context(), desk); !errors.Is(err, errAway) {
							t.Errorf("%s: %v", name, err)
						}
						now[i] = append(now[i], b.said...)
					}
					time.Sleep(10_000 * time.Hour)
				}
				if len(now[0]) == 0 || !slices.Equal(now[0], now[1]) {
					t.Errorf("a year later it says\n%s\nand before\n%s", strings.Join(now[1], "\n"), strings.Join(now[0], "\n"))
				}
			})
		})
	}
}

func TestDeskConfiguration(t *testing.T) {
	t.Parallel()
	_, err := sqldesk.New(nil, 0, sqldesk.WithPrefix(strings.Repeat("a", 41)), sqldesk.WithSchema("a?"), sqldesk.WithMaxPending(0, -1))
	want := "portavoz/sqldesk: the database is nil\nportavoz/sqldesk: the dialect is none of the constants\n" +
		"portavoz/sqldesk: a number of pending approvals is negative\n" +
		"portavoz/sqldesk: the prefix of the tables has more than 40 bytes\n" +
		"portavoz/sqldesk: the name of the schema has a character that may not be in it"
	if err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
	for name, dialect := range dialects {
		_, desk := newDesk(t, dialect)
		if err := desk.Jobs().End(t.Context(), "j", "w", middleware.JobRunning, nil); err == nil || errors.Is(err, errAway) {
			t.Errorf("%s: a job ended as running: %v", name, err)
		}
		if err := desk.Migrate(t.Context()); !errors.Is(err, errAway) || !strings.HasPrefix(err.Error(), "portavoz/sqldesk: migrate: ") {
			t.Errorf("%s: Migrate: %v", name, err)
		}
	}
}

// Migrations can be run by hand, and hold no name but those that were given.
func TestMigrations(t *testing.T) {
	t.Parallel()
	for name, dialect := range dialects {
		_, desk := newDesk(t, dialect, sqldesk.WithPrefix("fi'bra"), sqldesk.WithSchema("otro"))
		all := desk.Migrations()
		if len(all) != 1 || all[0].Version != 1 {
			t.Fatalf("%s: %d migrations, want one", name, len(all))
		}
		quote := map[string]string{"MySQL": "`"}[name]
		if quote == "" {
			quote = `"`
		}
		in := quote + "otro" + quote + "."
		text := all[0].SQL
		for _, want := range []string{
			"CREATE TABLE IF NOT EXISTS " + in + quote + "portavoz_migrations" + quote + " (",
			"CREATE TABLE IF NOT EXISTS " + in + quote + "fi'bra_jobs" + quote + " (",
			"CREATE TABLE IF NOT EXISTS " + in + quote + "fi'bra_approvals" + quote + " (",
			quote + "fi'bra_jobs_state" + quote, quote + "fi'bra_jobs_token" + quote, quote + "fi'bra_approvals_state" + quote,
			"INSERT INTO " + in + quote + "portavoz_migrations" + quote + " (name, version) VALUES ('fi''bra_jobs', 1);\n",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: there is no %s in\n%s", name, want, text)
			}
		}
		if strings.ContainsAny(text, "{}") {
			t.Errorf("%s: a name was not filled in:\n%s", name, text)
		}
	}
}

// FuzzPrefix: a prefix either is refused, or stays between its quotes.
func FuzzPrefix(f *testing.F) {
	f.Add("portavoz", "")
	f.Add("a\"b`c'd", `"`)
	f.Add("a;--", "{jobs}")
	f.Fuzz(func(t *testing.T, prefix, schema string) {
		for d, quote := range map[sqlstore.Dialect]string{sqlstore.PostgreSQL: `"`, sqlstore.SQLite: `"`, sqlstore.MySQL: "`"} {
			b := &broken{t: t}
			db := sql.OpenDB(b)
			t.Cleanup(func() { db.Close() })
			desk, err := sqldesk.New(db, d, sqldesk.WithPrefix(prefix), sqldesk.WithSchema(schema))
			if err != nil {
				continue
			}
			ctx, cancel := context.WithCancel(t.Context())
			b.then = cancel // one try is enough
			if err := desk.Jobs().End(ctx, "j", "w", middleware.JobDone, nil); err == nil {
				t.Fatal("it is not away")
			}
			within := func(name string) string { return quote + strings.ReplaceAll(name, quote, quote+quote) + quote }
			name, in := within(prefix+"_jobs")+" SET state", schema
			if in == "" && d == sqlstore.SQLite {
				in = "main"
			}
			if in != "" {
				name = within(in) + "." + name
			}
			if !strings.HasPrefix(b.said[0], "UPDATE "+name) {
				t.Errorf("statement = %s, want the name %s", b.said[0], name)
			}
		}
	})
}
