package main_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/sqlstore"
	"github.com/portavoz/portavoz/idempotency/storetest"
)

// strict are databases whose default isolates by more than what is committed.
var strict = map[string]struct {
	driver  string
	dsn     func(testing.TB) string
	options string
	dialect sqlstore.Dialect
}{
	"PostgreSQL repeatable read": {"pgx", postgresURL, "&default_transaction_isolation=repeatable%20read", sqlstore.PostgreSQL},
	"PostgreSQL serializable":    {"pgx", postgresURL, "&default_transaction_isolation=serializable", sqlstore.PostgreSQL},
	"MariaDB repeatable read":    {"mysql", mariaDSN, "&innodb_snapshot_isolation=ON", sqlstore.MySQL}, // the default from 11.6 on
	"MariaDB serializable":       {"mysql", mariaDSN, "&innodb_snapshot_isolation=ON&tx_isolation=%27SERIALIZABLE%27", sqlstore.MySQL},
}

// TestStrict: the contract of a store does not depend on the default isolation,
// and many may migrate at once under any.
func TestStrict(t *testing.T) {
	t.Parallel()
	for name, s := range strict {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t, s.driver, s.dsn(t)+s.options)
			var all sync.WaitGroup
			for range 8 {
				all.Go(func() {
					store, err := sqlstore.New(db, s.dialect)
					succeeds(t, err)
					succeeds(t, store.Migrate(t.Context()))
				})
			}
			all.Wait()
			store := newStore(t, db, s.dialect)
			storetest.Run(t, func(*testing.T) idempotency.Store { return store })
		})
	}
}

// TestStrictJoined: a joined run whose lease was renewed after its transaction had
// read is not completed there, and has no effect.
func TestStrictJoined(t *testing.T) {
	t.Parallel()
	for name, s := range strict {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t, s.driver, s.dsn(t)+s.options)
			store, done := newStore(t, db, s.dialect), newEffects(t, db)
			for _, renewed := range []bool{false, true} {
				name := fmt.Sprint("renewed ", renewed)
				c := newClaim()
				expect(t, store, c, idempotency.Acquired)
				ctx, conclude := store.Join(t.Context(), c.Key, c.Token)
				tx, err := write(ctx, name, sqlstore.WholeEffect())
				succeeds(t, err)
				var n int
				succeeds(t, tx.QueryRowContext(ctx, "SELECT count(*) FROM effects").Scan(&n))
				if renewed {
					succeeds(t, store.Extend(t.Context(), c.Key, c.Token, time.Hour))
				}
				stands, told := conclude(ctx, idempotency.Settlement{Verdict: idempotency.Keep}, time.Hour)
				if (stands.Verdict == idempotency.Release) != renewed || told == renewed {
					t.Errorf("%s: %+v, %t", name, stands, told)
				}
				if n := done.count(t, name); (n == 0) != renewed {
					t.Errorf("%s: %d effects", name, n)
				}
			}
		})
	}
}

// TestAlike: keys that a collation, a C string or a trimmed column would take for
// the same are not.
func TestAlike(t *testing.T) {
	t.Parallel()
	for name, open := range databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, dialect := open(t)
			engine := newEngine(t, newStore(t, db, dialect), idempotency.Config{})
			for _, key := range []string{"clave", "CLAVE", "clavé", "clave\u0301", "clave ", "clave\x00", "clave\x00x", "clave\xff", "clave'--"} {
				reply, err := engine.Do(t.Context(), operation(key), func(context.Context) idempotency.Settlement {
					return idempotency.Settlement{Verdict: idempotency.Keep, Result: []byte(key)}
				})
				if err != nil || !reply.Ran || string(reply.Result) != key {
					t.Errorf("%q: %+v, %v; want it to run", key, reply, err)
				}
			}
		})
	}
}

// TestConnectionKilled: an administrator ends the connection of a joined run. It
// has no effect, is free again, and its transaction serves nobody any more.
func TestConnectionKilled(t *testing.T) {
	t.Parallel()
	for name, words := range map[string]struct{ who, kill string }{
		"PostgreSQL": {"SELECT pg_backend_pid()", "SELECT pg_terminate_backend(%d)"},
		"MariaDB":    {"SELECT CONNECTION_ID()", "KILL %d"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, dialect := databases[name](t)
			engine, done := newEngine(t, newStore(t, db, dialect), idempotency.Config{}), newEffects(t, db)
			var leaked *sqlstore.Transaction
			run := func(kill bool) func(ctx context.Context) idempotency.Settlement {
				return func(ctx context.Context) idempotency.Settlement {
					tx, err := write(ctx, "one", sqlstore.WholeEffect())
					succeeds(t, err)
					if kill {
						var id int
						succeeds(t, tx.QueryRowContext(ctx, words.who).Scan(&id))
						_, err := db.ExecContext(ctx, fmt.Sprintf(words.kill, id))
						succeeds(t, err)
					}
					leaked = tx
					return idempotency.Settlement{Verdict: idempotency.Keep, Result: []byte("done")}
				}
			}
			for _, kill := range []bool{true, false} {
				_, err := engine.Do(t.Context(), operation("k"), run(kill))
				if e := errors.From(err); kill != (err != nil) || kill && e.Code != errors.CodeStore {
					t.Errorf("killed: %t: %v", kill, err)
				}
				if _, err := leaked.ExecContext(t.Context(), "INSERT INTO effects (name) VALUES ('one')"); err == nil {
					t.Error("the transaction is in use after its run")
				}
			}
			if n := done.count(t, "one"); n != 1 {
				t.Errorf("%d effects, want 1", n)
			}
		})
	}
}
