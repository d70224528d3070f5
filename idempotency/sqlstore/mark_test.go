package sqlstore_test

import (
	"context"
	"database/sql/driver"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/sqlstore"
)

// TestMark: PostgreSQL completes a key in the transaction that has the mark, and
// in no other. Where it did not, the mark tells a transaction that has ended from a
// key that is another's.
func TestMark(t *testing.T) {
	t.Parallel()
	const begun = "BEGIN SET "
	for name, tt := range map[string]struct {
		run       idempotency.Verdict
		completes bool
		marked    answer
		want      idempotency.Verdict
		told      bool
		said      string
	}{
		"completed":       {idempotency.Keep, true, answer{}, idempotency.Keep, true, begun + "UPDATE COMMIT"},
		"another's":       {idempotency.Keep, false, answer{row: []driver.Value{int64(1)}}, idempotency.Release, false, begun + "UPDATE SELECT ROLLBACK"},
		"ended":           {idempotency.Keep, false, answer{}, idempotency.Abandon, false, begun + "UPDATE SELECT ROLLBACK"},
		"failed":          {idempotency.Abandon, false, answer{row: []driver.Value{int64(1)}}, idempotency.Release, false, begun + "SELECT ROLLBACK"},
		"failed, aborted": {idempotency.Abandon, false, answer{err: errDown}, idempotency.Release, false, begun + "SELECT ROLLBACK"},
		"failed, ended":   {idempotency.Abandon, false, answer{}, idempotency.Abandon, false, begun + "SELECT ROLLBACK"},
		"refused, ended":  {idempotency.Release, false, answer{}, idempotency.Release, false, begun + "SELECT ROLLBACK"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, conn := play(t)
			db.reply = func(text string) answer {
				switch {
				case strings.HasPrefix(text, "SELECT"):
					return tt.marked
				case strings.HasPrefix(text, "UPDATE") && !strings.Contains(text, `AND current_setting('portavoz.run', TRUE) = 'on' RETURNING`):
					t.Errorf("statement = %s, want the mark in it", text)
				}
				return answer{changed: map[bool]int64{true: 1}[tt.completes]}
			}
			ctx, conclude := newStore(t, conn, sqlstore.PostgreSQL, sqlstore.WithNotify("portavoz")).Join(t.Context(), key, "TOKEN")
			if _, err := sqlstore.Tx(ctx, sqlstore.WholeEffect()); err != nil {
				t.Fatal(err)
			}
			stands, told := conclude(ctx, idempotency.Settlement{Verdict: tt.run}, time.Hour)
			if stands.Verdict != tt.want || told != tt.told || db.texts() != tt.said {
				t.Errorf("conclude = %+v, %t after %s; want verdict %d, %t after %s", stands, told, db.texts(), tt.want, tt.told, tt.said)
			}
			if lost := tt.run == idempotency.Keep && tt.want == idempotency.Abandon; lost != (stands.Err != nil && errors.From(stands.Err).Code == errors.CodeOutcomeUnknown) {
				t.Errorf("conclude: %v, want %s: %t", stands.Err, errors.CodeOutcomeUnknown, lost)
			}
		})
	}
}

// TestHangs: a driver that waits for the answer to a COMMIT or a ROLLBACK for ever
// keeps the run waiting for half a minute. Then what became of a commit is asked,
// and a rollback is one in any case.
func TestHangs(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		run  idempotency.Verdict
		made bool // the commit, when it is asked about
		opts []sqlstore.TxOption
		want idempotency.Verdict
		told bool
	}{
		"committed":            {idempotency.Keep, true, nil, idempotency.Keep, true},
		"not committed":        {idempotency.Keep, false, nil, idempotency.Abandon, true},
		"not committed, whole": {idempotency.Keep, false, []sqlstore.TxOption{sqlstore.WholeEffect()}, idempotency.Release, true},
		"rolled back":          {idempotency.Abandon, false, nil, idempotency.Abandon, false},
		"rolled back, whole":   {idempotency.Abandon, false, []sqlstore.TxOption{sqlstore.WholeEffect()}, idempotency.Release, false},
	} {
		for d := sqlstore.PostgreSQL; d <= sqlstore.MySQL; d++ {
			t.Run(fmt.Sprint(name, " ", d), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					db, conn := play(t)
					db.hangs = map[string]chan struct{}{"COMMIT": make(chan struct{}), "ROLLBACK": make(chan struct{})}
					asked := false
					db.reply = func(text string) answer {
						switch {
						case strings.HasPrefix(text, "DELETE"), strings.Contains(text, "SET state = 4"):
							asked = true
							return answer{changed: map[bool]int64{false: 1}[tt.made]}
						case asked:
							return row(kept, "TOKEN", 5, 9, []byte("done"))
						}
						return answer{row: []driver.Value{int64(1)}, changed: 1}
					}
					ctx, conclude := newStore(t, conn, d).Join(t.Context(), key, "TOKEN")
					if _, err := sqlstore.Tx(ctx, tt.opts...); err != nil {
						t.Fatal(err)
					}
					begin := time.Now()
					stands, told := conclude(ctx, idempotency.Settlement{Verdict: tt.run}, time.Hour)
					if passed := time.Since(begin); stands.Verdict != tt.want || told != tt.told || passed != 30*time.Second {
						t.Errorf("conclude = %+v, %t after %v; want verdict %d, %t after half a minute", stands, told, passed, tt.want, tt.told)
					}
					close(db.hangs["COMMIT"])
					close(db.hangs["ROLLBACK"])
				})
			})
		}
	}
}

// TestHangsApart: nor does a claim wait longer than it may, which is taken again in
// a transaction.
func TestHangsApart(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db, conn := play(t, answer{err: errDown}, answer{}, answer{}, answer{changed: 1})
		db.hangs = map[string]chan struct{}{"COMMIT": make(chan struct{})}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		begin := time.Now()
		_, err := newStore(t, conn, sqlstore.MySQL).Claim(ctx, claim)
		if passed := time.Since(begin); !errors.Is(err, context.DeadlineExceeded) || passed != 2*time.Second || db.texts() != "SELECT BEGIN SELECT INSERT" {
			t.Errorf("Claim = %v after %v and %s; want the deadline after two seconds", err, passed, db.texts())
		}
		close(db.hangs["COMMIT"])
	})
}
