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

// servers are the databases beyond a network.
var servers = map[string]struct {
	shared *shared
	new    func(testing.TB) *database
	reach  func(d *database, name string) (driver, dsn string)
	speaks sqlstore.Dialect
	commit string // how it is told to
	waits  string // counts those who ask what became of a commit, and wait
}{
	"PostgreSQL": {postgres, newPostgres, (*database).postgres, sqlstore.PostgreSQL, "commit",
		"SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"},
	"MariaDB": {mariaDB, newMariaDB, (*database).mariaDB, sqlstore.MySQL, "COMMIT",
		"SELECT count(*) FROM information_schema.processlist WHERE info LIKE 'DELETE FROM%' AND db = DATABASE()"},
}

// TestCommitFails: the connection is lost while a joined run commits. Whether it
// was made is asked, and nobody is told what is not so.
func TestCommitFails(t *testing.T) {
	t.Parallel()
	whole := []sqlstore.TxOption{sqlstore.WholeEffect()}
	for name, tt := range map[string]struct {
		how     failure
		opts    []sqlstore.TxOption
		code    string // of the error; "" for a success
		effects int
		retry   string // code of the error of a retry
		ran     bool   // the retry ran
	}{
		"after it was made":             {cutOff, whole, "", 1, "", false},
		"after it was made, plain":      {cutOff, nil, "", 1, "", false},
		"before it could be made":       {drop, whole, errors.CodeStore, 0, "", true},
		"before it could be made, more": {drop, nil, errors.CodeOutcomeUnknown, 0, errors.CodeOutcomeUnknown, false},
		"while it is on its way":        {detain, whole, "", 1, "", false},
	} {
		for product, server := range servers {
			t.Run(product+" "+name, func(t *testing.T) {
				t.Parallel()
				d, schema := server.shared.schema(t, server.reach)
				driver, dsn := server.reach(d, schema)
				network := startProxy(t, d.addr())
				db := open(t, driver, strings.Replace(dsn, d.addr(), network.addr, 1))
				direct := open(t, driver, dsn)
				store, done := newStore(t, db, server.speaks), newEffects(t, direct)
				engine := newEngine(t, store, idempotency.Config{})
				var runs atomic.Int32
				do := func() (idempotency.Reply, error) {
					return engine.Do(t.Context(), operation("k"), func(ctx context.Context) idempotency.Settlement {
						runs.Add(1)
						if _, err := write(ctx, "one", tt.opts...); err != nil {
							t.Error(err)
						}
						return idempotency.Settlement{Verdict: idempotency.Keep, Result: []byte("done")}
					})
				}
				network.failAt(server.commit, tt.how)
				if tt.how == detain {
					go func() {
						exampletest.InTime(t, "somebody asks what became of the commit", func() bool {
							var n int
							return direct.QueryRowContext(t.Context(), server.waits).Scan(&n) == nil && n > 0
						})
						network.release()
					}()
				}
				reply, err := do()
				want := tt
				if e := errors.From(err); e != nil && e.Code == errors.CodeOutcomeUnknown && tt.code != e.Code {
					// It takes longer to learn than the caller waits, and is learnt all the same.
					exampletest.Eventually(t, "the database is asked again", func() bool {
						reply, err = do()
						return err == nil
					})
					want.code, want.effects, want.ran = "", 1, false
				}
				if e := errors.From(err); want.code == "" && (err != nil || string(reply.Result) != "done") || want.code != "" && (err == nil || e.Code != want.code) {
					t.Errorf("Do = %+v, %v; want %q", reply, err, want.code)
				}
				if n := done.count(t, "one"); n != want.effects {
					t.Errorf("%d effects, want %d", n, want.effects)
				}
				reply, err = do()
				if e := errors.From(err); want.retry == "" && (err != nil || reply.Ran != want.ran) || want.retry != "" && (err == nil || e.Code != want.retry) {
					t.Errorf("retry = %+v, %v; want %q, ran: %t", reply, err, want.retry, want.ran)
				}
				if want.ran {
					want.effects++
				}
				if n := done.count(t, "one"); n != want.effects {
					t.Errorf("%d effects in the end, want %d", n, want.effects)
				}
			})
		}
	}
}

// TestCrashes: a database that crashes and comes back, again and again, in the
// middle of joined runs of two engines. In the end everything has happened once.
func TestCrashes(t *testing.T) {
	t.Parallel()
	server := servers["MariaDB"]
	d := own(t, server.new)
	driver, dsn := server.reach(d, "test_of_crashes")
	_, admin := server.reach(d, "")
	if _, err := open(t, driver, admin).ExecContext(t.Context(), "CREATE DATABASE test_of_crashes"); err != nil {
		t.Fatal(err)
	}
	var engines [2]*idempotency.Engine
	for i := range engines {
		store := newStore(t, open(t, driver, dsn), server.speaks)
		engines[i] = newEngine(t, store, idempotency.Config{Rerun: true, Lease: 2 * time.Second})
	}
	done := newEffects(t, open(t, driver, dsn))
	const keys = 200
	var all sync.WaitGroup
	turn := make(chan int)
	for range 6 {
		all.Go(func() {
			for k := range turn {
				key := fmt.Sprint("key-", k)
				for pause := time.Millisecond; ; pause = min(2*pause, time.Second) {
					reply, err := engines[k%2].Do(t.Context(), operation(key), func(ctx context.Context) idempotency.Settlement {
						if _, err := write(ctx, key, sqlstore.WholeEffect()); err != nil {
							return idempotency.Settlement{Err: err}
						}
						return idempotency.Settlement{Verdict: idempotency.Keep, Result: []byte(key)}
					})
					if err == nil {
						if string(reply.Result) != key {
							t.Errorf("%s: %q", key, reply.Result)
						}
						break
					}
					select {
					case <-time.After(pause):
					case <-t.Context().Done():
						return
					}
				}
			}
		})
	}
	for k := range keys {
		turn <- k
		if k%80 == 40 {
			d.restart(t)
		}
	}
	close(turn)
	all.Wait()
	for k := range keys {
		if n := done.count(t, fmt.Sprint("key-", k)); n != 1 {
			t.Errorf("key %d: %d effects, want 1", k, n)
		}
	}
}

// TestPoolExhausted: an operation that finds no connection is refused in time,
// and was not claimed; one that has its transaction needs no second connection.
func TestPoolExhausted(t *testing.T) {
	t.Parallel()
	for name, open := range databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, dialect := open(t)
			store, done := newStore(t, db, dialect), newEffects(t, db)
			db.SetMaxOpenConns(1)
			engine := newEngine(t, store, idempotency.Config{})
			run := func(ctx context.Context) idempotency.Settlement {
				if _, err := write(ctx, "one", sqlstore.WholeEffect()); err != nil {
					t.Error(err)
				}
				return idempotency.Settlement{Verdict: idempotency.Keep, Result: []byte("done")}
			}
			conn, err := db.Conn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			begin := time.Now()
			_, err = engine.Do(t.Context(), operation("k"), run)
			if e := errors.From(err); e == nil || e.Code != errors.CodeStore || time.Since(begin) > patience {
				t.Errorf("Do without a connection = %v after %v; want %s in time", err, time.Since(begin), errors.CodeStore)
			}
			conn.Close()
			if reply, err := engine.Do(t.Context(), operation("k"), run); err != nil || !reply.Ran {
				t.Errorf("Do with one connection = %+v, %v; want it to run", reply, err)
			}
			if n := done.count(t, "one"); n != 1 {
				t.Errorf("%d effects, want 1", n)
			}
			manyOverOne(t, engine, done)
		})
	}
}

// manyOverOne lets many runs share the only connection: those that do not get it in
// time are refused, and each has its effect once.
func manyOverOne(t *testing.T, engine *idempotency.Engine, done effects) {
	t.Helper()
	const runs = 12
	var all sync.WaitGroup
	for i := range runs {
		all.Go(func() {
			name := fmt.Sprint("many-", i)
			exampletest.InTime(t, "a run gets the connection", func() bool {
				_, err := engine.Do(t.Context(), operation(name), func(ctx context.Context) idempotency.Settlement {
					if _, err := write(ctx, name, sqlstore.WholeEffect()); err != nil {
						return idempotency.Settlement{Err: err}
					}
					return idempotency.Settlement{Verdict: idempotency.Keep, Result: []byte("done")}
				})
				if e := errors.From(err); e != nil && (e.Code != errors.CodeStore || e.Effect != errors.EffectNone) {
					t.Errorf("%s: %v, want %s, which proves that nothing happened", name, err, errors.CodeStore)
				}
				return err == nil
			})
		})
	}
	all.Wait()
	for i := range runs {
		if n := done.count(t, fmt.Sprint("many-", i)); n != 1 {
			t.Errorf("run %d: %d effects, want 1", i, n)
		}
	}
}

// TestIsolation: under repeatable read a key whose lease was renewed during the
// transaction is not completed, and nothing happened.
func TestIsolation(t *testing.T) {
	t.Parallel()
	for _, level := range []sql.IsolationLevel{sql.LevelReadCommitted, sql.LevelRepeatableRead, sql.LevelSerializable} {
		t.Run(level.String(), func(t *testing.T) {
			t.Parallel()
			db, dialect := databases["PostgreSQL"](t)
			store, done := newStore(t, db, dialect), newEffects(t, db)
			for _, renewed := range []bool{false, true} {
				name := fmt.Sprint("renewed ", renewed)
				c := newClaim()
				expect(t, store, c, idempotency.Acquired)
				ctx, conclude := store.Join(t.Context(), c.Key, c.Token)
				if _, err := write(ctx, name, sqlstore.WholeEffect(), sqlstore.Isolation(level)); err != nil {
					t.Fatal(err)
				}
				if renewed {
					if err := store.Extend(t.Context(), c.Key, c.Token, time.Hour); err != nil {
						t.Fatal(err)
					}
				}
				refused := renewed && level != sql.LevelReadCommitted
				stands, told := conclude(ctx, idempotency.Settlement{Verdict: idempotency.Keep}, time.Hour)
				if (stands.Verdict == idempotency.Release) != refused || told == refused {
					t.Errorf("%s: %+v, %t; want it refused: %t", name, stands, told, refused)
				}
				if n := done.count(t, name); (n == 0) != refused {
					t.Errorf("%s: %d effects", name, n)
				}
			}
		})
	}
}
