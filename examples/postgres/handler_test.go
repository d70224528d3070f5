package main_test

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/examples/internal/exampletest"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/sqlstore"
)

// TestSays: what a run may say in its transaction, and what comes of a failure of
// a statement that it does not heed.
func TestSays(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		says  []string
		in    string // databases
		heeds bool   // an error ends the run
		frees bool   // nothing happened, and a retry runs
	}{
		"a savepoint": {[]string{
			"SAVEPOINT a", "INSERT INTO effects (name) VALUES ('one')", "ROLLBACK TO SAVEPOINT a",
		}, "PostgreSQL SQLite MariaDB", true, false},
		"a savepoint that is over": {[]string{"SAVEPOINT a", "RELEASE SAVEPOINT a"}, "PostgreSQL SQLite MariaDB", true, false},
		"BEGIN, a warning":         {[]string{"BEGIN"}, "PostgreSQL", true, false},
		"BEGIN, not heeded":        {[]string{"BEGIN"}, "SQLite", false, false},
		"a failure":                {[]string{"SELECT * FROM nowhere"}, "PostgreSQL SQLite MariaDB", true, true},
		"a failure, not heeded":    {[]string{"SELECT * FROM nowhere"}, "SQLite MariaDB", false, false},
		"aborted, not heeded":      {[]string{"SELECT * FROM nowhere"}, "PostgreSQL", false, true},
		"a timeout":                {[]string{"SET LOCAL statement_timeout = 20", "SELECT pg_sleep(600)"}, "PostgreSQL", true, true},
		"a timeout, not heeded":    {[]string{"SET LOCAL statement_timeout = 20", "SELECT pg_sleep(600)"}, "PostgreSQL", false, true},
	} {
		for database := range strings.FieldsSeq(tt.in) {
			t.Run(name+" "+database, func(t *testing.T) {
				t.Parallel()
				db, dialect := databases[database](t)
				engine, done := newEngine(t, newStore(t, db, dialect), idempotency.Config{}), newEffects(t, db)
				do := func(says ...string) (idempotency.Reply, error) {
					return engine.Do(t.Context(), operation("k"), func(ctx context.Context) idempotency.Settlement {
						tx, err := write(ctx, "one", sqlstore.WholeEffect())
						for _, statement := range says {
							if err == nil {
								_, err = tx.ExecContext(ctx, statement)
							}
							if !tt.heeds {
								err = nil
							}
						}
						if err != nil {
							return idempotency.Settlement{Err: err}
						}
						return idempotency.Settlement{Verdict: idempotency.Keep, Result: []byte("done")}
					})
				}
				reply, err := do(tt.says...)
				if tt.frees != (err != nil) || !tt.frees && !reply.Ran || tt.frees && !tt.heeds && errors.From(err).Code != errors.CodeStore {
					t.Errorf("Do = %+v, %v; want a failure: %t", reply, err, tt.frees)
				}
				if n := done.count(t, "one"); (n == 0) != tt.frees {
					t.Errorf("%d effects", n)
				}
				if reply, err := do(); err != nil || reply.Ran != tt.frees {
					t.Errorf("retry = %+v, %v; want it to run: %t", reply, err, tt.frees)
				}
				if n := done.count(t, "one"); n != 1 {
					t.Errorf("%d effects in the end, want 1", n)
				}
			})
		}
	}
}

// TestIsolationOfRun: a run may set the isolation of its transaction by itself,
// before it says anything else.
func TestIsolationOfRun(t *testing.T) {
	t.Parallel()
	db, dialect := databases["PostgreSQL"](t)
	engine := newEngine(t, newStore(t, db, dialect), idempotency.Config{})
	var level string
	_, err := engine.Do(t.Context(), operation("k"), func(ctx context.Context) idempotency.Settlement {
		tx, err := sqlstore.Tx(ctx)
		if err == nil {
			_, err = tx.ExecContext(ctx, "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE")
		}
		if err == nil {
			err = tx.QueryRowContext(ctx, "SHOW transaction_isolation").Scan(&level)
		}
		return idempotency.Settlement{Verdict: idempotency.Keep, Err: err}
	})
	if err != nil || level != "serializable" {
		t.Errorf("Do = %v, isolated as %s; want serializable", err, level)
	}
}

// TestContextEnds: between the effect and the commit the caller leaves, or the run
// has lasted too long. What it then says of itself stands.
func TestContextEnds(t *testing.T) {
	t.Parallel()
	for name := range databases {
		for end, limit := range map[string]time.Duration{"the caller leaves": 0, "the run's time is over": 10 * time.Millisecond} {
			t.Run(name+" "+end, func(t *testing.T) {
				t.Parallel()
				db, dialect := databases[name](t)
				store, done := newStore(t, db, dialect), newEffects(t, db)
				engine := newEngine(t, store, idempotency.Config{RunLimit: limit})
				caller, leave := context.WithCancel(t.Context())
				defer leave()
				left := make(chan struct{})
				var ended error
				reply, err := engine.Do(caller, operation("k"), func(ctx context.Context) idempotency.Settlement {
					if _, err := write(context.WithoutCancel(ctx), "one"); err != nil { // it may be over by now
						t.Error(err)
					}
					if limit == 0 {
						leave()
						<-left
					} else {
						<-ctx.Done()
					}
					ended = ctx.Err()
					return idempotency.Settlement{Verdict: idempotency.Keep, Result: []byte("done")}
				})
				close(left)
				if limit == 0 && (err == nil || errors.From(err).Code != errors.CodeInProgress) || limit > 0 && (err != nil || !reply.Ran) {
					t.Errorf("Do = %+v, %v", reply, err)
				}
				reply, err = engine.Do(t.Context(), operation("k"), func(context.Context) idempotency.Settlement {
					t.Error("it ran again")
					return idempotency.Settlement{}
				})
				if err != nil || string(reply.Result) != "done" || (ended != nil) != (limit > 0) {
					t.Errorf("retry = %+v, %v; the run's context: %v", reply, err, ended)
				}
				if n := done.count(t, "one"); n != 1 {
					t.Errorf("%d effects, want 1", n)
				}
			})
		}
	}
}

// TestConflicts: of two runs that cannot both be, the database ends one, in a
// statement or at its commit. It has no effect then, is free, and a retry has one.
func TestConflicts(t *testing.T) {
	t.Parallel()
	crossing := func(ctx context.Context, tx *sqlstore.Transaction, i, step int) error {
		_, err := tx.ExecContext(ctx, fmt.Sprintf("UPDATE accounts SET n = n + 1 WHERE id = %d", (i+step)%2))
		return err
	}
	for name, tt := range map[string]struct {
		database string
		level    sql.IsolationLevel
		step     func(ctx context.Context, tx *sqlstore.Transaction, i, step int) error
	}{
		"deadlock of PostgreSQL": {"PostgreSQL", sql.LevelDefault, crossing},
		"deadlock of MariaDB":    {"MariaDB", sql.LevelDefault, crossing},
		"serialization failure": {"PostgreSQL", sql.LevelSerializable, func(ctx context.Context, tx *sqlstore.Transaction, i, step int) error {
			if step == 0 { // each reads what the other one writes
				var n int
				return tx.QueryRowContext(ctx, "SELECT sum(n) FROM accounts").Scan(&n)
			}
			_, err := tx.ExecContext(ctx, fmt.Sprintf("UPDATE accounts SET n = n + 1 WHERE id = %d", i))
			return err
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, dialect := databases[tt.database](t)
			engine, done := newEngine(t, newStore(t, db, dialect), idempotency.Config{}), newEffects(t, db)
			for _, statement := range []string{"CREATE TABLE accounts (id INT PRIMARY KEY, n INT NOT NULL)", "INSERT INTO accounts (id, n) VALUES (0, 0), (1, 0)"} {
				if _, err := db.ExecContext(t.Context(), statement); err != nil {
					t.Fatal(err)
				}
			}
			var both [2]sync.WaitGroup // of the first attempts, after each step
			for step := range both {
				both[step].Add(2)
			}
			var refused atomic.Int32
			work := func(ctx context.Context, i int, first bool) error {
				name := fmt.Sprint("run-", i)
				tx, err := write(ctx, name, sqlstore.WholeEffect(), sqlstore.Isolation(tt.level))
				for step := range both {
					if err == nil {
						err = tt.step(ctx, tx, i, step)
					}
					if first {
						both[step].Done()
						if step == 0 || tt.level != sql.LevelDefault { // who is blocked by the other one cannot wait for him
							both[step].Wait()
						}
					}
				}
				return err
			}
			var all sync.WaitGroup
			for i := range 2 {
				all.Go(func() {
					attempts := 0
					exampletest.InTime(t, "the run succeeds", func() bool {
						_, err := engine.Do(t.Context(), operation(fmt.Sprint("run-", i)), func(ctx context.Context) idempotency.Settlement {
							attempts++
							if err := work(ctx, i, attempts == 1); err != nil {
								refused.Add(1)
								return idempotency.Settlement{Verdict: idempotency.Release, Err: errors.NoEffect(err)} // it gives up at once
							}
							return idempotency.Settlement{Verdict: idempotency.Keep, Result: []byte("done")}
						})
						if e := errors.From(err); e != nil && e.Effect != errors.EffectNone {
							t.Errorf("run %d: %v, want a proof that nothing happened", i, err)
						}
						if e := errors.From(err); e != nil && e.Code == errors.CodeStore {
							refused.Add(1)
						}
						return err == nil
					})
				})
			}
			all.Wait()
			if refused.Load() == 0 {
				t.Error("neither was refused")
			}
			for i := range 2 {
				if n := done.count(t, fmt.Sprint("run-", i)); n != 1 {
					t.Errorf("run %d: %d effects, want 1", i, n)
				}
			}
			var n int
			if err := db.QueryRowContext(t.Context(), "SELECT sum(n) FROM accounts").Scan(&n); err != nil || n != map[bool]int{true: 4, false: 2}[tt.level == sql.LevelDefault] {
				t.Errorf("the accounts have %d, %v", n, err)
			}
		})
	}
}

// TestLeaseLostOverSQLite: a joined run keeps everybody else from writing, its own
// lease included. Where others may take over it is told to stop in time; as nobody
// could, what it has done stands.
func TestLeaseLostOverSQLite(t *testing.T) {
	t.Parallel()
	db, dialect := databases["SQLite"](t)
	store, done := newStore(t, db, dialect), newEffects(t, db)
	engine := newEngine(t, store, idempotency.Config{Rerun: true, Lease: 300 * time.Millisecond})
	reply, err := engine.Do(t.Context(), operation("k"), func(ctx context.Context) idempotency.Settlement {
		if _, err := write(context.WithoutCancel(ctx), "one", sqlstore.WholeEffect()); err != nil {
			t.Error(err)
		}
		<-ctx.Done()
		return idempotency.Settlement{Verdict: idempotency.Keep, Result: []byte("done")}
	})
	if err != nil || !reply.Ran {
		t.Errorf("Do = %+v, %v; want it to stand", reply, err)
	}
	if n := done.count(t, "one"); n != 1 {
		t.Errorf("%d effects, want 1", n)
	}
}
