package main_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/examples/internal/exampletest"
	"github.com/portavoz/portavoz/middleware"
)

// newBooks makes the tables in which offices write down what they do.
func newBooks(t testing.TB, db *sql.DB) {
	t.Helper()
	for _, table := range []string{"runs", "reports"} {
		if _, err := db.ExecContext(t.Context(), "CREATE TABLE "+table+" (name VARCHAR(64) NOT NULL PRIMARY KEY)"); err != nil {
			t.Fatal(err)
		}
	}
}

// hasWritten asserts how many runs have begun, and how many effects there are.
func hasWritten(t testing.TB, db *sql.DB, runs, reports int) {
	t.Helper()
	for table, want := range map[string]int{"runs": runs, "reports": reports} {
		var n int
		if err := db.QueryRowContext(t.Context(), "SELECT count(*) FROM "+table).Scan(&n); err != nil || n != want {
			t.Errorf("%d %s, %v; want %d", n, table, err, want)
		}
	}
}

// settled is a new database with books, and an office of the test's own in it.
func settled(t *testing.T, at reached, rerun bool) office {
	t.Helper()
	db := open(t, at.driver, at.dsn)
	newBooks(t, db)
	o, err := office{db: db, lease: time.Minute, rerun: rerun, say: func(string) {}}.open(t.Context(), at.dialect)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// TestDeskWorkerKilled: a process dies by SIGKILL while it runs one job and has another
// one in its queue. Two others look for jobs, and both end in one way, which stays.
func TestDeskWorkerKilled(t *testing.T) {
	t.Parallel()
	const done, lost = `"status":"done"`, `"code":"job_lost"`
	tests := []struct {
		stop          string // that the process says last
		rerun         bool
		want          string // of the first job; the second one is done
		runs, reports int
	}{
		{"begun", false, lost, 2, 1},
		{"begun", true, done, 3, 2},
		{"written", false, lost, 2, 2},
		{"written", true, done, 3, 2},
	}
	for product, reach := range reaches {
		for _, tt := range tests {
			t.Run(fmt.Sprintf("%s %s rerun %t", product, tt.stop, tt.rerun), func(t *testing.T) {
				t.Parallel()
				at := reach(t)
				heir := settled(t, at, tt.rerun)
				doomed := newChild(t, "jobs", at, "STOP="+tt.stop, fmt.Sprint("RERUN=", tt.rerun))
				doomed.tell(t, "uno")
				first := started(t, doomed)
				doomed.hears(t, tt.stop)
				doomed.tell(t, "dos")
				second := started(t, doomed)
				doomed.kill()

				other := heir
				other.db = open(t, at.driver, at.dsn)
				offices := [2]map[string]server.ToolHandlerFunc{}
				running, stop := context.WithCancel(t.Context())
				var heirs sync.WaitGroup
				workers := [2]*middleware.Workers{}
				for i, o := range []office{heir, other} {
					workers[i], offices[i] = o.workers()
					heirs.Go(func() { workers[i].Run(running) })
				}
				for id, want := range map[string]string{first: tt.want, second: done} {
					var ended string
					exampletest.Eventually(t, "the job has ended", func() bool {
						ended = answerTo(t, offices[0], id)
						return !strings.Contains(ended, `"status":"running"`) && !strings.Contains(ended, `"status":"queued"`)
					})
					if !strings.Contains(ended, want) {
						t.Errorf("it ended as %s, want %s", ended, want)
					}
					for range 2 {
						if again := answerTo(t, offices[1], id); again != ended {
							t.Errorf("it ended as %s, and then is %s", ended, again)
						}
					}
				}
				stop()
				heirs.Wait()
				for _, w := range workers {
					succeeds(t, w.Drain(t.Context()))
				}
				hasWritten(t, heir.db, tt.runs, tt.reports)
			})
		}
	}
}

// started is the name of the job that the child has started.
func started(t *testing.T, c *child) string {
	t.Helper()
	return member(t, c.hears(t, "job "), "jobId")
}

// member is one of the members of the data in an answer.
func member(t *testing.T, answer, name string) string {
	t.Helper()
	var data map[string]any
	_, raw, _ := strings.Cut(answer, "{")
	if err := json.Unmarshal([]byte("{"+raw), &data); err != nil {
		t.Fatalf("%s: %v", answer, err)
	}
	value, _ := data[name].(string)
	return value
}

// answerTo is what is said of a job.
func answerTo(t *testing.T, tools map[string]server.ToolHandlerFunc, id string) string {
	t.Helper()
	req := keyed("consultar_reporte", "")
	req.Params.Arguments = map[string]any{"jobId": id}
	said, err := heard(t.Context(), tools["consultar_reporte"], req)
	if err != nil {
		t.Fatal(err)
	}
	return said
}

// TestDeskStartedTwice: two processes start jobs under the same keys at once. A key has
// one job, which runs once.
func TestDeskStartedTwice(t *testing.T) {
	t.Parallel()
	const keys = 12
	for product, reach := range reaches {
		t.Run(product, func(t *testing.T) {
			t.Parallel()
			at := reach(t)
			o := settled(t, at, false)
			children := [2]*child{newChild(t, "jobs", at), newChild(t, "jobs", at)}
			ids := [2][keys]string{}
			var both sync.WaitGroup
			for i, c := range children {
				both.Go(func() {
					for k := range keys {
						c.tell(t, fmt.Sprint("clave ", k))
						ids[i][k] = started(t, c)
					}
				})
			}
			both.Wait()
			if ids[0] != ids[1] {
				t.Errorf("the processes started %v and %v", ids[0], ids[1])
			}
			for _, c := range children {
				c.finish(t)
			}
			_, tools := o.workers()
			for _, id := range ids[0] {
				if got := answerTo(t, tools, id); !strings.Contains(got, `"status":"done"`) {
					t.Errorf("a job is %s, want done", got)
				}
			}
			hasWritten(t, o.db, keys, keys)
		})
	}
}

// TestDeskApprovalKilled: a process dies by SIGKILL around the moment in which it spends
// a grant. The call comes again at another process and runs once at most, under its own
// key; under another key it needs another approval.
func TestDeskApprovalKilled(t *testing.T) {
	t.Parallel()
	const unknown, done = `"code":"outcome_unknown"`, "El informe está listo."
	tests := []struct {
		stop          string // that the process says last
		rerun         bool
		want          string
		runs, reports int
	}{
		{"answer", false, done, 1, 1}, // and was killed before it came back
		{"spent", false, unknown, 0, 0},
		{"spent", true, done, 1, 1},
		{"begun", false, unknown, 1, 0},
		{"written", false, unknown, 1, 1},
		{"written", true, done, 2, 1}, // the effect has a key of its own
	}
	for product, reach := range reaches {
		for _, tt := range tests {
			t.Run(fmt.Sprintf("%s %s rerun %t", product, tt.stop, tt.rerun), func(t *testing.T) {
				t.Parallel()
				at := reach(t)
				heir := settled(t, at, tt.rerun)
				doomed := newChild(t, "approval", at, "STOP="+tt.stop, fmt.Sprint("RERUN=", tt.rerun))
				doomed.tell(t, "clave")
				answer := doomed.hears(t, "answer ")
				id := member(t, answer, "approvalId")
				if member(t, answer, "status") != "pending_confirmation" || id == "" {
					t.Fatalf("it answered %s", answer)
				}
				ana := middleware.Approver{Name: "ana"}
				if _, err := heir.desk.Approvals().Decide(t.Context(), ana, id, middleware.Decision{Grant: true}); err != nil {
					t.Fatal(err)
				}
				if tt.stop != "answer" {
					doomed.tell(t, "clave")
					doomed.hears(t, tt.stop)
				}
				doomed.kill()

				h, err := heir.approved()
				if err != nil {
					t.Fatal(err)
				}
				for range 2 {
					if got := textOf(t, h, "clave"); !strings.Contains(got, tt.want) {
						t.Errorf("under its key: got %s, want %s", got, tt.want)
					}
				}
				if got := textOf(t, h, "otra"); !strings.Contains(got, `"status":"pending_confirmation"`) || strings.Contains(got, id) {
					t.Errorf("under another key: got %s, want it to wait for another approval", got)
				}
				used, err := heir.desk.Approvals().Get(t.Context(), ana, id)
				if err != nil || used.State != middleware.ApprovalUsed {
					t.Errorf("the approval is %s, %v", used.State, err)
				}
				hasWritten(t, heir.db, tt.runs, tt.reports)
			})
		}
	}
}

// textOf is all that a call under a key answers.
func textOf(t *testing.T, h server.ToolHandlerFunc, key string) string {
	t.Helper()
	said, err := heard(t.Context(), h, keyed("enviar_reporte", key))
	if err != nil {
		t.Fatal(err)
	}
	return said
}
