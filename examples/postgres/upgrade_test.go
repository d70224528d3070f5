package main_test

import (
	"database/sql"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/sqlstore"
)

// firsts are the files of the tables as the first version made them.
var firsts = map[sqlstore.Dialect]string{
	sqlstore.PostgreSQL: "testdata/v1/postgresql.sql", sqlstore.SQLite: "testdata/v1/sqlite.sql", sqlstore.MySQL: "testdata/v1/mysql.sql",
}

// TestUpgrade: what the first version has written is what the newest one finds,
// when its tables were migrated. Its first migration is what it was.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	for name, open := range databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, dialect := open(t)
			first, err := os.ReadFile(firsts[dialect])
			if err != nil {
				t.Fatal(err)
			}
			store, err := sqlstore.New(db, dialect)
			if err != nil {
				t.Fatal(err)
			}
			if got := store.Migrations()[0]; got.Version != 1 || got.SQL != string(first) {
				t.Errorf("the first migration is %d, %s; want %s", got.Version, got.SQL, first)
			}
			for statement := range strings.SplitSeq(strings.TrimSpace(string(first)), ";\n") {
				_, err := db.ExecContext(t.Context(), statement)
				succeeds(t, err)
			}
			rows := map[string]struct {
				claim  idempotency.Claim
				state  int
				lease  time.Duration // from now
				life   time.Duration
				result []byte
				want   idempotency.Status
			}{
				"in progress":    {newClaim(), 1, time.Hour, 2 * time.Hour, nil, idempotency.InProgress},
				"its lease over": {newClaim(), 1, -time.Hour, time.Hour, nil, idempotency.Abandoned},
				"completed":      {newClaim(), 2, -time.Hour, time.Hour, []byte("done\x00\xff'"), idempotency.Completed},
				"dropped":        {newClaim(), 3, -time.Hour, time.Hour, nil, idempotency.Completed},
				"abandoned":      {newClaim(), 4, time.Hour, time.Hour, nil, idempotency.Abandoned},
				"expired":        {newClaim(), 2, -2 * time.Hour, -time.Hour, []byte("old"), idempotency.Acquired},
			}
			for _, r := range rows {
				insert(t, db, dialect, r.claim, r.state, time.Now().Add(r.lease), time.Now().Add(r.life), r.result)
			}
			for range 2 {
				succeeds(t, store.Migrate(t.Context()))
			}
			for name, r := range rows {
				got, err := store.Claim(t.Context(), rival(r.claim))
				if err != nil || got.Status != r.want || string(got.Result) != map[bool]string{true: string(r.result)}[r.want == idempotency.Completed] ||
					got.Dropped != (name == "dropped") {
					t.Errorf("%s: %+v, %v", name, got, err)
				}
			}
			for _, name := range []string{"in progress", "its lease over"} { // the owner is an older process, which still runs
				c := rows[name].claim
				succeeds(t, store.Extend(t.Context(), c.Key, c.Token, time.Minute))
				succeeds(t, store.Complete(t.Context(), c.Key, c.Token, []byte("at last"), time.Hour))
				expect(t, store, rival(c), idempotency.Completed)
			}

			newest := store.Migrations()
			_, err = db.ExecContext(t.Context(), fmt.Sprintf("INSERT INTO portavoz_migrations (name, version) VALUES ('portavoz_idempotency', %d)", len(newest)+1))
			succeeds(t, err)
			if err := store.Migrate(t.Context()); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("version %d, newer than %d", len(newest)+1, len(newest))) {
				t.Errorf("Migrate of tables of a newer version: %v", err)
			}
		})
	}
}

// insert writes a row as the first version did.
func insert(t *testing.T, db *sql.DB, d sqlstore.Dialect, c idempotency.Claim, state int, lease, life time.Time, result []byte) {
	t.Helper()
	statement := "INSERT INTO portavoz_idempotency (operation, fingerprint, token, state, lease_until, expires_at, result) VALUES (?, ?, ?, ?, ?, ?, ?)"
	if d == sqlstore.PostgreSQL {
		statement = strings.Replace(statement, "(?, ?, ?, ?, ?, ?, ?)", "($1, $2, $3, $4, $5, $6, $7)", 1)
	}
	_, err := db.ExecContext(t.Context(), statement, c.Key[:], c.Fingerprint[:], []byte(c.Token), state, lease.UnixMilli(), life.UnixMilli(), result)
	succeeds(t, err)
}
