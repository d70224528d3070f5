package main_test

import (
	"context"
	"crypto/rand"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/sqlstore"
)

// newClaim is a claim of an operation that nobody knows.
func newClaim() idempotency.Claim {
	return idempotency.Claim{
		Key: idempotency.NewDigest(rand.Text()), Fingerprint: idempotency.NewDigest("arguments"),
		Token: rand.Text(), Lease: time.Minute, TTL: time.Hour,
	}
}

// rival is the same claim by another owner.
func rival(c idempotency.Claim) idempotency.Claim {
	c.Token = rand.Text()
	return c
}

// expect claims, and wants this status.
func expect(t testing.TB, s idempotency.Store, c idempotency.Claim, want idempotency.Status) {
	t.Helper()
	got, err := s.Claim(t.Context(), c)
	if err != nil || got.Status != want {
		t.Fatalf("Claim = status %d, %v; want status %d", got.Status, err, want)
	}
}

func succeeds(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
}

// TestSweep: what has expired goes, in batches, however many sweep at once, and
// nothing else does.
func TestSweep(t *testing.T) {
	t.Parallel()
	for name, open := range databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, dialect := open(t)
			store := newStore(t, db, dialect)
			const expired = 1100 // more than two batches
			var all sync.WaitGroup
			for range 11 {
				all.Go(func() {
					for range expired / 11 {
						c := newClaim()
						c.Lease, c.TTL = time.Millisecond, time.Millisecond
						_, err := store.Claim(t.Context(), c)
						succeeds(t, err)
					}
				})
			}
			all.Wait()
			alive := newClaim()
			expect(t, store, alive, idempotency.Acquired)
			<-time.After(10 * time.Millisecond)
			var removed [4]int64
			for i := range removed {
				all.Go(func() {
					var err error
					removed[i], err = store.Sweep(t.Context())
					succeeds(t, err)
				})
			}
			all.Wait()
			last, err := store.Sweep(t.Context()) // what others held was left
			succeeds(t, err)
			if n := removed[0] + removed[1] + removed[2] + removed[3] + last; n != expired {
				t.Errorf("%d and %d rows were removed, want %d in all", removed, last, expired)
			}
			expect(t, store, rival(alive), idempotency.InProgress)
		})
	}
}

// hostile are names of tables that mean something where they are not quoted well.
var hostile = []string{
	"cl'aves \"de\" `todos` ñ;--", `x"; DROP TABLE effects; --`, "x`; DROP TABLE effects; -- x", "x'); DROP TABLE effects; --",
	" x", "SELECT", "a.b", "名前", "%s $1 :x @x #x", "/*", "--", "[x]", `"`, "`", "'", "Mixed Case",
}

// TestNames: whatever a table is called, all that a store says to it is said to it
// and to nothing else.
func TestNames(t *testing.T) {
	t.Parallel()
	for name, open := range databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, dialect := open(t)
			done, c := newEffects(t, db), newClaim()
			for _, table := range hostile {
				store := newStore(t, db, dialect, sqlstore.WithTable(table))
				succeeds(t, store.Migrate(t.Context()))
				expect(t, store, c, idempotency.Acquired)
				succeeds(t, store.Extend(t.Context(), c.Key, c.Token, time.Hour))
				ctx, conclude := store.Join(t.Context(), c.Key, c.Token)
				if _, err := write(ctx, "one"); err != nil {
					t.Fatalf("%s: %v", table, err)
				}
				if stands, told := conclude(ctx, idempotency.Settlement{Verdict: idempotency.Keep, Result: []byte(table)}, time.Hour); stands.Err != nil || !told {
					t.Errorf("%s: %+v", table, stands)
				}
				if got, err := store.Claim(t.Context(), rival(c)); err != nil || string(got.Result) != table {
					t.Errorf("%s: %+v, %v", table, got, err)
				}
				other, given := newClaim(), newClaim()
				expect(t, store, other, idempotency.Acquired)
				succeeds(t, store.Release(t.Context(), other.Key, other.Token))
				expect(t, store, given, idempotency.Acquired)
				succeeds(t, store.Abandon(t.Context(), given.Key, given.Token))
				if n, err := store.Sweep(t.Context()); n != 0 || err != nil {
					t.Errorf("%s: Sweep = %d, %v", table, n, err)
				}
			}
			if n := done.count(t, "one"); n != len(hostile) {
				t.Errorf("%d effects, want %d", n, len(hostile))
			}
		})
	}
}

// TestMigrate: many migrate at once, and find what a team has migrated by hand.
func TestMigrate(t *testing.T) {
	t.Parallel()
	for name, open := range databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, dialect := open(t)
			var all sync.WaitGroup
			for range 8 {
				all.Go(func() {
					store, err := sqlstore.New(db, dialect, sqlstore.WithTable("claves"))
					succeeds(t, err)
					succeeds(t, store.Migrate(t.Context()))
				})
			}
			all.Wait()
			c := newClaim()
			store := newStore(t, db, dialect, sqlstore.WithTable("claves"))
			expect(t, store, c, idempotency.Acquired)
			expect(t, newStore(t, db, dialect), rival(c), idempotency.Acquired) // another table

			byHand, err := sqlstore.New(db, dialect, sqlstore.WithTable("by hand"))
			succeeds(t, err)
			for _, m := range byHand.Migrations() {
				for statement := range strings.SplitSeq(strings.TrimSpace(m.SQL), ";\n") {
					_, err := db.ExecContext(t.Context(), statement)
					succeeds(t, err)
				}
			}
			succeeds(t, byHand.Migrate(t.Context()))
			expect(t, byHand, c, idempotency.Acquired)
		})
	}
}

// TestSchema: tables may be in another schema than the connection, whatever it is
// called.
func TestSchema(t *testing.T) {
	t.Parallel()
	const schema = "otro \"es`quema'; --"
	double := strings.ReplaceAll(schema, `"`, `""`)
	for name, create := range map[string]string{
		"PostgreSQL": `CREATE SCHEMA "` + double + `"`,
		"SQLite":     `ATTACH '` + filepath.Join(t.TempDir(), "otro.db") + `' AS "` + double + `"`,
		"MariaDB":    "CREATE DATABASE `" + strings.ReplaceAll(schema, "`", "``") + "`",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, dialect := databases[name](t)
			db.SetMaxOpenConns(1) // an attached database is one connection's
			if _, err := db.ExecContext(t.Context(), create); err != nil {
				t.Fatal(err)
			}
			store := newStore(t, db, dialect, sqlstore.WithSchema(schema), sqlstore.WithTable("cl'a`v\"es"))
			succeeds(t, store.Migrate(t.Context()))
			c := newClaim()
			expect(t, store, c, idempotency.Acquired)
			succeeds(t, store.Complete(t.Context(), c.Key, c.Token, []byte("done"), time.Hour))
			expect(t, store, rival(c), idempotency.Completed)
			expect(t, newStore(t, db, dialect), rival(c), idempotency.Acquired)
		})
	}
}

// watched is a context that tells when somebody begins to wait for its end, once.
type watched struct {
	context.Context //nolint:containedctx // it is a context

	begun chan struct{}
}

func (w watched) Done() <-chan struct{} {
	close(w.begun)
	return w.Context.Done()
}

// TestListen: what PostgreSQL notifies ends the wait for an operation that
// another process runs, joined or not.
func TestListen(t *testing.T) {
	t.Parallel()
	url := postgresURL(t)
	db := open(t, "pgx", url)
	here := newStore(t, db, sqlstore.PostgreSQL, sqlstore.WithNotify(`el "canal"`))
	newEffects(t, db)
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Exec(t.Context(), `LISTEN "el ""canal"""`); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var listening sync.WaitGroup
	listening.Go(func() {
		for {
			n, err := conn.WaitForNotification(ctx)
			if err != nil {
				return
			}
			here.Wake(n.Payload)
		}
	})
	defer conn.Close(t.Context())
	defer listening.Wait()
	defer cancel()

	elsewhere := newStore(t, open(t, "pgx", url), sqlstore.PostgreSQL, sqlstore.WithNotify(`el "canal"`))
	for name, end := range map[string]func(idempotency.Claim) error{
		"complete": func(c idempotency.Claim) error {
			return elsewhere.Complete(t.Context(), c.Key, c.Token, []byte("r"), c.TTL)
		},
		"release": func(c idempotency.Claim) error { return elsewhere.Release(t.Context(), c.Key, c.Token) },
		"abandon": func(c idempotency.Claim) error { return elsewhere.Abandon(t.Context(), c.Key, c.Token) },
		"joined": func(c idempotency.Claim) error {
			ctx, conclude := elsewhere.Join(t.Context(), c.Key, c.Token)
			if _, err := write(ctx, "one"); err != nil {
				return err
			}
			stands, _ := conclude(ctx, idempotency.Settlement{Verdict: idempotency.Keep}, c.TTL)
			return stands.Err
		},
	} {
		c := newClaim()
		expect(t, elsewhere, c, idempotency.Acquired)
		waits, woken := watched{t.Context(), make(chan struct{})}, make(chan struct{})
		go func() {
			here.Wait(waits, c.Key, 10*patience)
			close(woken)
		}()
		<-waits.begun
		succeeds(t, end(c))
		select {
		case <-woken:
		case <-time.After(patience):
			t.Errorf("%s: who waited was not woken", name)
		}
	}
}
