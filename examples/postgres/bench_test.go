package main_test

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/sqlstore"
)

// BenchmarkPairs is a claim and a completion with 500 bytes, beside what the same
// database does bare: an INSERT of a row and an UPDATE of it, each of which it
// commits. Each runs with one caller and with 16, on a database on this machine.
func BenchmarkPairs(b *testing.B) {
	result := make([]byte, 500)
	for _, name := range []string{"PostgreSQL", "SQLite", "MariaDB"} {
		b.Run(name, func(b *testing.B) {
			db, dialect := databases[name](b)
			s := newStore(b, db, dialect)
			bare := bareTable(b, db, dialect)
			for _, callers := range []int{1, 16} {
				b.Run(fmt.Sprintf("bare/%d", callers), func(b *testing.B) {
					measure(b, callers, "pairs/s", func(ctx context.Context) error { return bare(ctx, result) })
				})
				b.Run(fmt.Sprintf("store/%d", callers), func(b *testing.B) {
					measure(b, callers, "pairs/s", func(ctx context.Context) error {
						c := newClaim()
						if _, err := s.Claim(ctx, c); err != nil {
							return err
						}
						return s.Complete(ctx, c.Key, c.Token, result, c.TTL)
					})
				})
			}
		})
	}
}

// bareTable makes a table with the same columns, and returns a pair of statements
// on it that a program without keys might as well send.
func bareTable(b *testing.B, db *sql.DB, d sqlstore.Dialect) func(ctx context.Context, result []byte) error {
	b.Helper()
	newStore(b, db, d, sqlstore.WithTable("bare"))
	insert := "INSERT INTO bare (operation, fingerprint, token, state, lease_until, expires_at) VALUES (?, ?, ?, 1, ?, ?)"
	update := "UPDATE bare SET state = 2, result = ?, expires_at = ? WHERE operation = ?"
	if d == sqlstore.PostgreSQL {
		insert = "INSERT INTO bare (operation, fingerprint, token, state, lease_until, expires_at) VALUES ($1, $2, $3, 1, $4, $5)"
		update = "UPDATE bare SET state = 2, result = $1, expires_at = $2 WHERE operation = $3"
	}
	return func(ctx context.Context, result []byte) error {
		c, now := newClaim(), time.Now().UnixMilli()
		if _, err := db.ExecContext(ctx, insert, c.Key[:], c.Fingerprint[:], []byte(c.Token), now+60_000, now+3600_000); err != nil {
			return err
		}
		_, err := db.ExecContext(ctx, update, result, now+3600_001, c.Key[:])
		return err
	}
}

// BenchmarkReplay is a claim that finds 500 bytes, beside a bare SELECT.
func BenchmarkReplay(b *testing.B) {
	for _, name := range []string{"PostgreSQL", "SQLite", "MariaDB"} {
		b.Run(name, func(b *testing.B) {
			db, dialect := databases[name](b)
			s, c := newStore(b, db, dialect), newClaim()
			expect(b, s, c, idempotency.Acquired)
			if err := s.Complete(b.Context(), c.Key, c.Token, make([]byte, 500), c.TTL); err != nil {
				b.Fatal(err)
			}
			find := "SELECT result FROM portavoz_idempotency WHERE operation = ?"
			if dialect == sqlstore.PostgreSQL {
				find = "SELECT result FROM portavoz_idempotency WHERE operation = $1"
			}
			b.Run("bare/16", func(b *testing.B) {
				measure(b, 16, "replays/s", func(ctx context.Context) error {
					var result []byte
					return db.QueryRowContext(ctx, find, c.Key[:]).Scan(&result)
				})
			})
			b.Run("store/16", func(b *testing.B) {
				measure(b, 16, "replays/s", func(ctx context.Context) error { _, err := s.Claim(ctx, c); return err })
			})
		})
	}
}

// BenchmarkWrites is a row that a run inserts under a key: joined, with a commit
// for the claim and one for row and completion; apart, with one for each of the
// three; and the row alone.
func BenchmarkWrites(b *testing.B) {
	for _, name := range []string{"PostgreSQL", "SQLite", "MariaDB"} {
		b.Run(name, func(b *testing.B) {
			db, dialect := databases[name](b)
			engine := newEngine(b, newStore(b, db, dialect), idempotency.Config{})
			newEffects(b, db)
			const insert = "INSERT INTO effects (name) VALUES ('one')"
			keep := idempotency.Settlement{Verdict: idempotency.Keep, Result: make([]byte, 500)}
			runs := map[string]func(ctx context.Context) error{
				"1 effect alone": func(ctx context.Context) error { _, err := db.ExecContext(ctx, insert); return err },
				"2 joined": func(ctx context.Context) error {
					_, err := engine.Do(ctx, operation(newClaim().Token), func(ctx context.Context) idempotency.Settlement {
						if _, err := write(ctx, "one"); err != nil {
							return idempotency.Settlement{Err: err}
						}
						return keep
					})
					return err
				},
				"3 apart": func(ctx context.Context) error {
					_, err := engine.Do(ctx, operation(newClaim().Token), func(ctx context.Context) idempotency.Settlement {
						if _, err := db.ExecContext(ctx, insert); err != nil {
							return idempotency.Settlement{Err: err}
						}
						return keep
					})
					return err
				},
			}
			var kinds []string
			for kind := range runs {
				kinds = append(kinds, kind)
			}
			slices.Sort(kinds)
			for _, kind := range kinds {
				b.Run(kind[2:], func(b *testing.B) { measure(b, 16, "writes/s", runs[kind]) })
			}
		})
	}
}

// measure runs f in callers at a time, and reports how often a second.
func measure(b *testing.B, callers int, unit string, f func(context.Context) error) {
	b.Helper()
	b.ReportAllocs()
	turns := make(chan struct{}, callers)
	failed := make(chan error, callers)
	for range callers {
		go func() {
			var err error
			for range turns {
				if err == nil {
					err = f(b.Context())
				}
			}
			failed <- err
		}()
	}
	begin := time.Now()
	n := 0
	for b.Loop() {
		turns <- struct{}{}
		n++
	}
	close(turns)
	for range callers {
		if err := <-failed; err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n)/time.Since(begin).Seconds(), unit)
}
