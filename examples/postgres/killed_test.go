package main_test

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/portavoz/portavoz/examples/internal/exampletest"
)

// kills are the databases beyond a network, as the server is told of them. What is
// said is said in words there, which the network reads.
var kills = map[string]struct {
	shared   *shared
	new      func(testing.TB) *database
	reach    func(d *database, name string) (driver, dsn string)
	url      func(addr, name string) string
	database string // there is one of this name
	says     map[string]string
	busy     string // counts those who wait for an answer
}{
	"PostgreSQL": {
		postgres, newPostgres, (*database).postgres,
		func(addr, name string) string {
			return "postgres://fibra@" + addr + "/" + name + "?sslmode=disable&default_query_exec_mode=exec"
		}, "postgres",
		map[string]string{
			"claimed": `INSERT INTO "portavoz_idempotency"`, "begun": "begin", "opened": "INSERT INTO casos",
			"written": `UPDATE "portavoz_idempotency" SET state`, "finished": "commit",
		},
		`SELECT count(*) FROM pg_stat_activity
			WHERE state = 'active' AND pid <> pg_backend_pid() AND datname = current_database()`,
	},
	"MariaDB": {
		mariaDB, newMariaDB, (*database).mariaDB,
		func(addr, name string) string { return "mysql:root@tcp(" + addr + ")/" + name }, "mysql",
		map[string]string{
			"claimed": "INSERT IGNORE INTO `portavoz_idempotency`", "begun": "START TRANSACTION", "opened": "INSERT INTO casos",
			"written": "UPDATE `portavoz_idempotency` SET state", "finished": "COMMIT",
		},
		`SELECT count(*) FROM information_schema.processlist
			WHERE command = 'Query' AND id <> CONNECTION_ID() AND db = DATABASE()`,
	},
}

// TestKilledApplication: a process dies by SIGKILL in the middle of a write, at
// each step: the database has done it, and the process never learnt. The retry,
// at another process, never has a second effect. Joined, it always has one.
func TestKilledApplication(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		last  string // that the process says, see kills
		env   string
		want  string // error_type of the retry; "" for success
		dead  int    // cases, when it has died
		cases int    // after the retry
	}{
		"claimed":            {"claimed", "APART=", "", 0, 1},
		"begun":              {"begun", "APART=", "", 0, 1},
		"opened":             {"opened", "APART=", "", 0, 1},
		"key written":        {"written", "APART=", "", 0, 1},
		"committed":          {"finished", "APART=", "", 1, 1},
		"apart, claimed":     {"claimed", "APART=1", "UNKNOWN", 0, 0},
		"apart, opened":      {"opened", "APART=1", "UNKNOWN", 1, 1},
		"apart, key written": {"written", "APART=1", "", 1, 1},
	}
	for product, k := range kills {
		for name, tt := range tests {
			t.Run(product+" "+name, func(t *testing.T) {
				t.Parallel()
				server, database := k.shared.schema(t, k.reach)
				network := startProxy(t, server.addr())
				url := k.url(server.addr(), database)
				env := []string{"LEASE=2s", tt.env}
				doomed := start(t, k.url(network.addr, database), env...)
				db := look(t, url)

				network.failAt(k.says[tt.last], freeze)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				var gone sync.WaitGroup
				gone.Go(func() {
					for { // a machine that is too slow to renew a lease has a write begin anew
						switch r, err := doomed.Try(ctx, exampletest.CaseTool, "key", exampletest.Problem("key")); {
						case err != nil:
							return
						case network.hasFailed():
							t.Errorf("the process that died answered %s", r.Structured)
							return
						}
					}
				})
				exampletest.Eventually(t, "the process has said its last", network.hasFailed)
				exampletest.Eventually(t, "the database has heard it", func() bool { return cases(t, db) == tt.dead && idle(t, db, k.busy) })
				doomed.Kill(t)
				gone.Wait()

				heir := start(t, url, env...)
				for range 2 {
					if r, _ := heir.OpenAtLast(t, "key"); r.Failure(t) != tt.want {
						t.Errorf("retry = %s, want %q", r.Structured, tt.want)
					}
				}
				if n := cases(t, db); n != tt.cases {
					t.Errorf("%d cases, want %d", n, tt.cases)
				}
			})
		}
	}
}

// idle reports whether the database has answered everybody else.
func idle(t testing.TB, db *sql.DB, busy string) bool {
	t.Helper()
	var n int
	if err := db.QueryRowContext(t.Context(), busy).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n == 0
}

// TestKilledOverSQLite: what a process that dies by SIGKILL has acknowledged is in
// the file, and what it was at work on runs once.
func TestKilledOverSQLite(t *testing.T) {
	t.Parallel()
	url := urls["SQLite"](t)
	env := []string{"LEASE=1s"}
	doomed := start(t, url, env...)
	const keys = 40
	var answered [keys]exampletest.Result
	var all sync.WaitGroup
	turn := make(chan int)
	for range 8 {
		all.Go(func() {
			for k := range turn {
				answered[k], _ = doomed.Try(t.Context(), exampletest.CaseTool, fmt.Sprint("key-", k), exampletest.Problem(fmt.Sprint("key-", k))) // it may have died
			}
		})
	}
	for k := range keys {
		if k == keys/2 {
			doomed.Kill(t)
		}
		turn <- k
	}
	close(turn)
	all.Wait()
	heir := start(t, url, env...)
	for k, before := range answered {
		r, _ := heir.OpenAtLast(t, fmt.Sprint("key-", k))
		if r.IsError || before.Structured != nil && (string(before.Structured) != string(r.Structured) || !r.Meta.Replayed) {
			t.Errorf("key %d: %s (replayed: %t), want %s", k, r.Structured, r.Meta.Replayed, before.Structured)
		}
	}
	if n := cases(t, look(t, url)); n != keys {
		t.Errorf("%d cases, want %d", n, keys)
	}
}

// TestKilledDatabase: the database is restarted as after a crash (by pg_ctl restart
// -m immediate, and by SIGKILL), again and again, while two processes work. Whoever is
// told of a success is told the same again, and everything happens once.
func TestKilledDatabase(t *testing.T) {
	t.Parallel()
	for product, k := range kills {
		t.Run(product, func(t *testing.T) {
			t.Parallel()
			server := own(t, k.new)
			url := k.url(server.addr(), k.database)
			processes := []*process{start(t, url, "LEASE=1s"), start(t, url, "LEASE=1s")}
			const keys, callers = 60, 6
			var results [keys]exampletest.Result
			var all sync.WaitGroup
			turn := make(chan int)
			for range callers {
				all.Go(func() {
					for k := range turn {
						p, key := processes[k%2], fmt.Sprint("key-", k)
						exampletest.InTime(t, "the write succeeds", func() bool { // as a gateway that retries under the same key
							if p.status(t, "/readyz") != http.StatusOK {
								return false
							}
							var err error
							results[k], err = p.Try(t.Context(), exampletest.CaseTool, key, exampletest.Problem(key))
							return err == nil && !results[k].IsError
						})
					}
				})
			}
			for k := range keys {
				turn <- k
				if k%20 == 10 {
					server.restart(t)
				}
			}
			close(turn)
			all.Wait()
			for k, before := range results {
				if r, _ := processes[(k+1)%2].OpenAtLast(t, fmt.Sprint("key-", k)); !r.Meta.Replayed || string(r.Structured) != string(before.Structured) {
					t.Errorf("key %d: %s (replayed: %t), want %s", k, r.Structured, r.Meta.Replayed, before.Structured)
				}
			}
			if n := cases(t, look(t, url)); n != keys {
				t.Errorf("%d cases, want %d", n, keys)
			}
		})
	}
}
