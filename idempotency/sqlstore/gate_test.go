package sqlstore_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/sqlstore"
)

// TestGate: in SQLite one writes at a time. Whoever waits for a transaction to
// end holds no connection, gets his turn then, and waits no longer than he may.
func TestGate(t *testing.T) {
	t.Parallel()
	for name, verdict := range map[string]idempotency.Verdict{
		"committed": idempotency.Keep, "rolled back": idempotency.Release,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				_, conn := play(t, answer{changed: 1})
				s := newStore(t, conn, sqlstore.SQLite)
				ctx, conclude := s.Join(t.Context(), key, "TOKEN")
				if _, err := sqlstore.Tx(ctx); err != nil {
					t.Fatal(err)
				}
				short, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				if err := s.Extend(short, key, "OTHER", time.Hour); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("Extend within a second = %v, want the deadline", err)
				}
				other, concludeOther := s.Join(t.Context(), key, "OTHER")
				other, leave := context.WithTimeout(other, time.Second)
				defer leave()
				if _, err := sqlstore.Tx(other); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("Tx within a second = %v, want the deadline", err)
				}
				written := make(chan error)
				go func() { written <- s.Extend(t.Context(), key, "OTHER", time.Hour) }()
				synctest.Wait()
				if n := conn.Stats().InUse; n != 1 {
					t.Errorf("%d connections in use, want that of the transaction", n)
				}
				conclude(ctx, idempotency.Settlement{Verdict: verdict}, time.Hour)
				if err := <-written; err != nil {
					t.Errorf("Extend after the transaction: %v", err)
				}
				concludeOther(other, idempotency.Settlement{}, time.Hour)
			})
		})
	}
}

// TestGateAfterPanic: a driver that panics in the transaction leaves nobody
// outside for ever.
func TestGateAfterPanic(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"BEGIN", "UPDATE", "COMMIT", "ROLLBACK"} {
		for _, verdict := range []idempotency.Verdict{idempotency.Keep, idempotency.Release} {
			db, conn := play(t)
			var armed atomic.Bool
			armed.Store(true)
			db.reply = func(text string) answer {
				if strings.HasPrefix(text, word) && !strings.Contains(text, "SET state = state") && armed.Swap(false) {
					panic("boom")
				}
				return answer{changed: 1}
			}
			s := newStore(t, conn, sqlstore.SQLite)
			ctx, conclude := s.Join(t.Context(), key, "TOKEN")
			guarded(func() { _, _ = sqlstore.Tx(ctx) })
			guarded(func() { conclude(ctx, idempotency.Settlement{Verdict: verdict}, time.Hour) })
			armed.Store(false)
			short, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			if err := s.Extend(short, key, "OTHER", time.Hour); err != nil {
				t.Errorf("Extend after a panic in %s: %v", word, err)
			}
			cancel()
		}
	}
}

// guarded runs f as an engine would, for which a store that panics has failed.
func guarded(f func()) {
	defer func() { _ = recover() }()
	f()
}
