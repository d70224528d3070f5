package main_test

import (
	"context"
	"database/sql"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/sqlstore"
)

// newEngine returns an engine that has to come to rest by the end of the test.
func newEngine(t testing.TB, store idempotency.Store, cfg idempotency.Config) *idempotency.Engine {
	t.Helper()
	engine, err := idempotency.New(store, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := engine.Drain(ctx); err != nil {
			t.Errorf("Drain: %v", err)
		}
	})
	return engine
}

// effects is a table of what runs have done.
type effects struct{ db *sql.DB }

func newEffects(t testing.TB, db *sql.DB) effects {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), "CREATE TABLE effects (name VARCHAR(50) NOT NULL)"); err != nil {
		t.Fatal(err)
	}
	return effects{db}
}

// count is how often an effect has happened.
func (e effects) count(t testing.TB, name string) int {
	t.Helper()
	var n int
	if err := e.db.QueryRowContext(t.Context(), "SELECT count(*) FROM effects WHERE name = '"+name+"'").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// write is an effect in the transaction of the run.
func write(ctx context.Context, name string, opts ...sqlstore.TxOption) (*sqlstore.Transaction, error) {
	tx, err := sqlstore.Tx(ctx, opts...)
	if err != nil {
		return nil, err
	}
	_, err = tx.ExecContext(ctx, "INSERT INTO effects (name) VALUES ('"+name+"')")
	return tx, err
}

func operation(key string) idempotency.Operation {
	return idempotency.Operation{Name: "abrir_caso", Key: key}
}

// TestJoined: how a run ends decides over its effect and over its key, and over
// both at once.
func TestJoined(t *testing.T) {
	t.Parallel()
	whole := []sqlstore.TxOption{sqlstore.WholeEffect()}
	keep := idempotency.Settlement{Verdict: idempotency.Keep, Result: []byte("done")}
	plain := errors.New("something went wrong")
	failed := idempotency.Settlement{Verdict: idempotency.Abandon, Err: plain}
	refused := idempotency.Settlement{Verdict: idempotency.Release, Err: errors.Validation("", errors.WithCode(errors.CodeInvalidKey))}
	tests := map[string]struct {
		opts []sqlstore.TxOption
		then func(ctx context.Context, tx *sqlstore.Transaction) idempotency.Settlement
		code string // of the error; "" for none

		effects int
		retry   idempotency.Status // what a claim finds afterwards
	}{
		"success":             {nil, ends(keep), "", 1, idempotency.Completed},
		"success, whole":      {whole, ends(keep), "", 1, idempotency.Completed},
		"refusal":             {nil, ends(refused), errors.CodeInvalidKey, 0, idempotency.Acquired},
		"error":               {nil, ends(failed), "-", 0, idempotency.Abandoned},
		"error, whole":        {whole, ends(failed), "-", 0, idempotency.Acquired},
		"panic":               {nil, panics, errors.CodePanic, 0, idempotency.Abandoned},
		"panic, whole":        {whole, panics, errors.CodePanic, 0, idempotency.Acquired},
		"goexit, whole":       {whole, exits, errors.CodePanic, 0, idempotency.Acquired},
		"commits itself":      {whole, raw((*sql.Tx).Commit, keep), errors.CodeOutcomeUnknown, 1, idempotency.Abandoned},
		"commits, and fails":  {whole, raw((*sql.Tx).Commit, failed), "-", 1, idempotency.Abandoned},
		"rolls back itself":   {whole, raw((*sql.Tx).Rollback, keep), errors.CodeOutcomeUnknown, 0, idempotency.Abandoned},
		"rolls back, refuses": {nil, raw((*sql.Tx).Rollback, refused), errors.CodeInvalidKey, 0, idempotency.Acquired},
	}
	for name, open := range databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, dialect := open(t)
			store, done := newStore(t, db, dialect), newEffects(t, db)
			for name, tt := range tests {
				t.Run(name, func(t *testing.T) {
					engine, op := newEngine(t, store, idempotency.Config{}), operation(name)
					reply, err := engine.Do(t.Context(), op, func(ctx context.Context) idempotency.Settlement {
						tx, err := write(ctx, name, tt.opts...)
						if err != nil {
							t.Error(err)
						}
						return tt.then(ctx, tx)
					})
					switch e := errors.From(err); {
					case tt.code == "":
						if err != nil || string(reply.Result) != "done" || !reply.Ran {
							t.Errorf("Do = %+v, %v; want the result of the run", reply, err)
						}
					case tt.code == "-":
						if !errors.Is(err, plain) || !reply.Ran {
							t.Errorf("Do = %+v, %v; want the error of the run", reply, err)
						}
					case err == nil || e.Code != tt.code:
						t.Errorf("Do = %+v, %v; want %s", reply, err, tt.code)
					}
					if got := done.count(t, name); got != tt.effects {
						t.Errorf("%d effects, want %d", got, tt.effects)
					}
					ran := false
					_, err = engine.Do(t.Context(), op, func(ctx context.Context) idempotency.Settlement {
						ran = true
						return keep
					})
					if e := errors.From(err); ran != (tt.retry == idempotency.Acquired) ||
						tt.retry == idempotency.Abandoned && (e == nil || e.Code != errors.CodeOutcomeUnknown) ||
						tt.retry == idempotency.Completed && err != nil {
						t.Errorf("retry ran: %t, %v; want status %d", ran, err, tt.retry)
					}
				})
			}
		})
	}
}

func ends(s idempotency.Settlement) func(context.Context, *sqlstore.Transaction) idempotency.Settlement {
	return func(context.Context, *sqlstore.Transaction) idempotency.Settlement { return s }
}

func panics(context.Context, *sqlstore.Transaction) idempotency.Settlement { panic("boom") }

func exits(context.Context, *sqlstore.Transaction) idempotency.Settlement {
	runtime.Goexit()
	return idempotency.Settlement{}
}

func raw(end func(*sql.Tx) error, s idempotency.Settlement) func(context.Context, *sqlstore.Transaction) idempotency.Settlement {
	return func(_ context.Context, tx *sqlstore.Transaction) idempotency.Settlement {
		if err := end(tx.Raw()); err != nil {
			return idempotency.Settlement{Err: errors.Join(errors.New("ending the transaction"), err)}
		}
		return s
	}
}

// TestJoinedTakenOver: an owner who was taken for dead, and comes back, has no
// effect: the transaction does not commit without its key.
func TestJoinedTakenOver(t *testing.T) {
	t.Parallel()
	for name, open := range databases {
		if name == "SQLite" { // there the transaction keeps the other one out until it has ended
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, dialect := open(t)
			store, done := newStore(t, db, dialect), newEffects(t, db)
			silent := newEngine(t, mute{store}, idempotency.Config{Lease: 300 * time.Millisecond})
			heir := newEngine(t, store, idempotency.Config{Rerun: true})
			op := operation("k")
			var runs atomic.Int32
			run := func(before func()) func(context.Context) idempotency.Settlement {
				return func(ctx context.Context) idempotency.Settlement {
					runs.Add(1)
					if _, err := write(ctx, "one", sqlstore.WholeEffect()); err != nil {
						return idempotency.Settlement{Err: err}
					}
					before()
					return idempotency.Settlement{Verdict: idempotency.Keep, Result: []byte("done")}
				}
			}
			_, err := silent.Do(t.Context(), op, run(func() {
				if reply, err := heir.Do(t.Context(), op, run(func() {})); err != nil || !reply.Ran {
					t.Errorf("the heir: %+v, %v; want it to run", reply, err)
				}
			}))
			if e := errors.From(err); e == nil || e.Code != errors.CodeStore || !errors.Is(err, idempotency.ErrNotOwner) {
				t.Errorf("who was taken over: %v, want %s", err, errors.CodeStore)
			}
			if n := done.count(t, "one"); n != 1 || runs.Load() != 2 {
				t.Errorf("%d effects of %d runs, want 1 of 2", n, runs.Load())
			}
		})
	}
}

// mute is a store whose leases nobody renews.
type mute struct{ *sqlstore.Store }

func (mute) Extend(context.Context, idempotency.Digest, string, time.Duration) error {
	return errors.New("nobody hears")
}
