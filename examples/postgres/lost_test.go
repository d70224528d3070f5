package main_test

import (
	"context"
	"database/sql"
	"fmt"
	"testing"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/examples/internal/exampletest"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/sqlstore"
)

// losses are how the transaction of a run ends before the run has: by a statement
// that fails, in some databases, and by what the run says itself. What follows
// commits by itself, or is in a transaction that the run has begun.
var losses = map[string]struct {
	database      string
	lose          func(t *testing.T, db *sql.DB, tx *sqlstore.Transaction)
	before, after int // effects that remain, of one each
}{
	"deadlock of MariaDB":        {"MariaDB", deadlock, 0, 1},
	"ROLLBACK of MariaDB":        {"MariaDB", says("ROLLBACK", false), 0, 1},
	"COMMIT of MariaDB":          {"MariaDB", says("COMMIT", false), 1, 1},
	"START of MariaDB":           {"MariaDB", says("START TRANSACTION", false), 1, 0},
	"CREATE TABLE of MariaDB":    {"MariaDB", says("CREATE TABLE other (id INT)", false), 1, 1},
	"ROLLBACK of SQLite":         {"SQLite", says("ROLLBACK", false), 0, 1},
	"COMMIT of SQLite":           {"SQLite", says("COMMIT", false), 1, 1},
	"constraint of SQLite":       {"SQLite", says("INSERT OR ROLLBACK INTO effects (name) VALUES (NULL)", true), 0, 1},
	"ROLLBACK of PostgreSQL":     {"PostgreSQL", says("ROLLBACK", false), 0, 1},
	"COMMIT of PostgreSQL":       {"PostgreSQL", says("/* done */ commit", false), 1, 1},
	"COMMIT, chain, PostgreSQL":  {"PostgreSQL", says("COMMIT AND CHAIN", false), 1, 0},
	"COMMIT, begin, PostgreSQL":  {"PostgreSQL", says("COMMIT; BEGIN", false), 1, 0},
	"failure, begun again by it": {"PostgreSQL", says("SELECT 1/0", true, "ROLLBACK", "BEGIN"), 0, 0},
}

// says is a statement, which fails or not, and others, which do not.
func says(statement string, fails bool, more ...string) func(t *testing.T, db *sql.DB, tx *sqlstore.Transaction) {
	return func(t *testing.T, _ *sql.DB, tx *sqlstore.Transaction) {
		t.Helper()
		if _, err := tx.ExecContext(t.Context(), statement); (err != nil) != fails {
			t.Errorf("%s: %v", statement, err)
		}
		for _, statement := range more {
			_, err := tx.ExecContext(t.Context(), statement)
			succeeds(t, err)
		}
	}
}

// deadlock lets a transaction and the run's wait for each other. MariaDB chooses
// the one that has less to undo.
func deadlock(t *testing.T, db *sql.DB, tx *sqlstore.Transaction) {
	t.Helper()
	rival, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rival.Rollback() }()
	say := func(by interface {
		ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	}, statement string) {
		t.Helper()
		if _, err := by.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	say(db, "CREATE TABLE accounts (id INT PRIMARY KEY, n INT NOT NULL)")
	say(db, "INSERT INTO accounts (id, n) VALUES (1, 0), (2, 0)")
	say(tx, "UPDATE accounts SET n = 1 WHERE id = 1")
	for i := range 20 {
		say(rival, fmt.Sprintf("INSERT INTO accounts (id, n) VALUES (%d, 0)", 10+i))
	}
	say(rival, "UPDATE accounts SET n = 2 WHERE id = 2")
	const blocked = "UPDATE accounts SET n = 2 WHERE id = 1"
	waits := make(chan error)
	go func() {
		_, err := rival.ExecContext(t.Context(), blocked)
		waits <- err
	}()
	// InnoDB's own tables of locks stay as they are while somebody reads them often.
	exampletest.Eventually(t, "the other one waits", func() bool {
		var n int
		err := db.QueryRowContext(t.Context(), "SELECT count(*) FROM information_schema.processlist "+
			"WHERE db = DATABASE() AND info = ? AND time_ms > 200", blocked).Scan(&n)
		return err == nil && n > 0
	})
	_, err = tx.ExecContext(t.Context(), "UPDATE accounts SET n = 1 WHERE id = 2")
	if other := <-waits; other != nil || err == nil {
		t.Errorf("the other one was chosen: %v, %v", other, err)
	}
}

// TestTransactionLost: a run that does not heed that its transaction has ended is
// not told that all is well, and its key is not completed. One that gives up at
// once says what that proves.
func TestTransactionLost(t *testing.T) {
	t.Parallel()
	for name, loss := range losses {
		for verdict, want := range map[idempotency.Verdict]struct {
			effects int
			ran     bool // a retry
		}{
			idempotency.Keep:    {loss.before + loss.after, false},
			idempotency.Abandon: {loss.before + loss.after, false},
			idempotency.Release: {loss.before, true},
		} {
			t.Run(fmt.Sprint(name, " ", verdict), func(t *testing.T) {
				t.Parallel()
				db, dialect := databases[loss.database](t)
				store, done := newStore(t, db, dialect), newEffects(t, db)
				engine := newEngine(t, store, idempotency.Config{})
				_, err := engine.Do(t.Context(), operation("k"), func(ctx context.Context) idempotency.Settlement {
					tx, err := write(ctx, "one", sqlstore.WholeEffect())
					if err != nil {
						t.Error(err)
					}
					loss.lose(t, db, tx)
					failed := errors.New("it gives up")
					if verdict != idempotency.Release {
						_, err := write(ctx, "one")
						succeeds(t, err)
					}
					if verdict == idempotency.Keep {
						failed = nil
					}
					return idempotency.Settlement{Verdict: verdict, Result: []byte("done"), Err: failed}
				})
				if e := errors.From(err); verdict == idempotency.Keep && (err == nil || e.Code != errors.CodeOutcomeUnknown) {
					t.Errorf("Do = %v, want %s", err, errors.CodeOutcomeUnknown)
				}
				if n := done.count(t, "one"); n != want.effects {
					t.Errorf("%d effects, want %d", n, want.effects)
				}
				ran := false
				_, _ = engine.Do(t.Context(), operation("k"), func(context.Context) idempotency.Settlement {
					ran = true
					return idempotency.Settlement{Verdict: idempotency.Keep}
				})
				if ran != want.ran {
					t.Errorf("retry ran: %t, want %t", ran, want.ran)
				}
			})
		}
	}
}
