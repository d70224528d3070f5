package main_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/sqlstore"
)

// TestClocksApart: one process believes that it is the year 2000, as it is in a
// bubble of testing/synctest. Leases and lifetimes are counted by the database, and
// nobody's are over by the clock of another.
func TestClocksApart(t *testing.T) {
	t.Parallel()
	for name, product := range map[string]struct {
		driver  string
		dsn     func(testing.TB) string
		dialect sqlstore.Dialect
	}{
		"PostgreSQL": {"pgx", postgresURL, sqlstore.PostgreSQL},
		"SQLite":     {"sqlite", newSQLite, sqlstore.SQLite},
		"MariaDB":    {"mysql", mariaDSN, sqlstore.MySQL},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dsn, now := product.dsn(t), time.Now()
			store := newStore(t, open(t, product.driver, dsn), product.dialect)
			early, late, done := newClaim(), newClaim(), newClaim()
			expect(t, store, late, idempotency.Acquired)
			synctest.Test(t, func(t *testing.T) {
				if apart := time.Until(now); apart < 20*365*24*time.Hour {
					t.Fatalf("the clocks are %v apart", apart)
				}
				store := newStore(t, open(t, product.driver, dsn), product.dialect)
				inProgress(t, store, late)
				expect(t, store, early, idempotency.Acquired)
				expect(t, store, done, idempotency.Acquired)
				succeeds(t, store.Complete(t.Context(), done.Key, done.Token, []byte("done"), time.Hour))
				if n, err := store.Sweep(t.Context()); n != 0 || err != nil {
					t.Errorf("Sweep = %d, %v", n, err)
				}
			})
			inProgress(t, store, early)
			if got, err := store.Claim(t.Context(), rival(done)); err != nil || got.TTLLeft <= 0 || got.TTLLeft > time.Hour {
				t.Errorf("Claim = %+v, %v; want it to live for an hour at most", got, err)
			}
			if n, err := store.Sweep(t.Context()); n != 0 || err != nil {
				t.Errorf("Sweep = %d, %v", n, err)
			}
		})
	}
}

// inProgress wants the claim to have a lease of what is left of a minute.
func inProgress(t *testing.T, s idempotency.Store, c idempotency.Claim) {
	t.Helper()
	if got, err := s.Claim(t.Context(), rival(c)); err != nil || got.Status != idempotency.InProgress || got.LeaseLeft <= 0 || got.LeaseLeft > time.Minute {
		t.Errorf("Claim = %+v, %v; want it in progress, for a minute at most", got, err)
	}
}
