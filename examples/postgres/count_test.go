package main_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/sqlstore"
)

// counter connects through another driver, and writes down the first word of
// each statement, which is a round trip.
type counter struct {
	of  driver.Driver
	dsn string

	mu   sync.Mutex
	said []string
}

func (c *counter) Driver() driver.Driver { return c.of }

func (c *counter) Connect(context.Context) (driver.Conn, error) {
	conn, err := c.of.Open(c.dsn)
	if err != nil {
		return nil, err
	}
	return counted{conn, c}, nil
}

func (c *counter) note(statement string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	word, _, _ := strings.Cut(statement, " ")
	c.said = append(c.said, word)
}

// heard is what was said since that was last asked for.
func (c *counter) heard() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	words := strings.Join(c.said, " ")
	c.said = nil
	return words
}

// counted is a connection of a driver that has all that database/sql asks for.
type counted struct {
	driver.Conn
	counter *counter
}

func (c counted) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	c.counter.note(query)
	return c.Conn.(driver.ExecerContext).ExecContext(ctx, query, args)
}

func (c counted) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	c.counter.note(query)
	return c.Conn.(driver.QueryerContext).QueryContext(ctx, query, args)
}

func (c counted) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	c.counter.note("BEGIN")
	tx, err := c.Conn.(driver.ConnBeginTx).BeginTx(ctx, opts)
	return countedTx{tx, c.counter}, err
}

func (c counted) CheckNamedValue(v *driver.NamedValue) error {
	if checker, ok := c.Conn.(driver.NamedValueChecker); ok {
		return checker.CheckNamedValue(v)
	}
	return driver.ErrSkip
}

type countedTx struct {
	driver.Tx
	counter *counter
}

func (t countedTx) Commit() error {
	t.counter.note("COMMIT")
	return t.Tx.Commit()
}

func (t countedTx) Rollback() error {
	t.counter.note("ROLLBACK")
	return t.Tx.Rollback()
}

// TestStatements: what each step takes, in each database.
func TestStatements(t *testing.T) {
	t.Parallel()
	products := map[string]struct {
		driver  string
		dsn     func(testing.TB) string
		dialect sqlstore.Dialect

		claim, joined string // what differs
	}{
		"PostgreSQL": {"pgx", postgresURL, sqlstore.PostgreSQL, "WITH", "BEGIN SET INSERT UPDATE COMMIT"},
		"SQLite": {"sqlite", newSQLite,
			sqlstore.SQLite, "SELECT", "BEGIN UPDATE SAVEPOINT INSERT RELEASE UPDATE COMMIT"},
		"MariaDB": {"mysql", mariaDSN, sqlstore.MySQL, "SELECT", "BEGIN SAVEPOINT INSERT RELEASE UPDATE COMMIT"},
	}
	for name, p := range products {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dsn := p.dsn(t)
			plain := open(t, p.driver, dsn)
			newEffects(t, plain)
			heard := &counter{of: plain.Driver(), dsn: dsn}
			db := sql.OpenDB(heard)
			t.Cleanup(func() { db.Close() })
			store := newStore(t, db, p.dialect)
			check := func(step, want string) {
				t.Helper()
				if got := heard.heard(); got != want {
					t.Errorf("%s took %s, want %s", step, got, want)
				}
			}
			heard.heard()
			free := p.claim
			if free == "SELECT" {
				free = "SELECT INSERT"
			}
			c, freed, given := newClaim(), newClaim(), newClaim()
			expect(t, store, c, idempotency.Acquired)
			check("a claim", free)
			expect(t, store, rival(c), idempotency.InProgress)
			check("a claim that waits", p.claim)
			<-time.After(2 * time.Millisecond) // MariaDB does not count a row that stays as it was
			expect(t, store, c, idempotency.Acquired)
			check("a claim that is sent again", p.claim+" UPDATE")
			succeeds(t, store.Extend(t.Context(), c.Key, c.Token, time.Hour))
			check("an extension", "UPDATE")
			succeeds(t, store.Complete(t.Context(), c.Key, c.Token, []byte("done"), time.Hour))
			check("a completion", "UPDATE")
			succeeds(t, store.Complete(t.Context(), c.Key, c.Token, []byte("done"), time.Hour))
			check("a completion that is sent again", "UPDATE SELECT")
			expect(t, store, rival(c), idempotency.Completed)
			check("a replay", p.claim)

			expect(t, store, freed, idempotency.Acquired)
			expect(t, store, given, idempotency.Acquired)
			heard.heard()
			succeeds(t, store.Release(t.Context(), freed.Key, freed.Token))
			check("a release", "DELETE")
			succeeds(t, store.Abandon(t.Context(), given.Key, given.Token))
			check("an abandonment", "UPDATE")
			given.Takeover = true
			expect(t, store, rival(given), idempotency.Acquired)
			check("a takeover", p.claim+" UPDATE")

			reply, err := newEngine(t, store, idempotency.Config{}).Do(t.Context(), operation("k"), func(ctx context.Context) idempotency.Settlement {
				_, err := write(ctx, "one")
				succeeds(t, err)
				return idempotency.Settlement{Verdict: idempotency.Keep, Result: []byte("done")}
			})
			if err != nil || !reply.Ran {
				t.Errorf("Do = %+v, %v", reply, err)
			}
			check("a joined run", free+" "+p.joined)
		})
	}
}
