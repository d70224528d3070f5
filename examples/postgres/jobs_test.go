package main_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/examples/internal/exampletest"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/sqlstore"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/desktest"
	"github.com/portavoz/portavoz/middleware/sqldesk"
)

// TestDesk: jobs and approvals in each database keep the rules of their interfaces.
func TestDesk(t *testing.T) {
	t.Parallel()
	for name := range databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			t.Run("jobs", func(t *testing.T) {
				t.Parallel()
				desk := newDesk(t, name)
				desktest.Jobs(t, func(*testing.T) middleware.Jobs { return desk.Jobs() }, time.Sleep)
			})
			t.Run("approvals", func(t *testing.T) {
				t.Parallel()
				desk := newDesk(t, name)
				desktest.Approvals(t, func(*testing.T) middleware.Approvals { return desk.Approvals() }, time.Sleep)
			})
		})
	}
}

// newDesk makes a desk in a new database.
func newDesk(t testing.TB, name string, opts ...sqldesk.Option) *sqldesk.Desk {
	t.Helper()
	db, dialect := databases[name](t)
	return deskIn(t, db, dialect, opts...)
}

// deskIn makes a desk in a database.
func deskIn(t testing.TB, db *sql.DB, dialect sqlstore.Dialect, opts ...sqldesk.Option) *sqldesk.Desk {
	t.Helper()
	desk, err := sqldesk.New(db, dialect, opts...)
	if err != nil {
		t.Fatal(err)
	}
	succeeds(t, desk.Migrate(t.Context()))
	return desk
}

// TestDeskMigrate: many migrate at once, under names that need their quotes, beside a
// store that has the same table of versions; what a team has migrated by hand is found,
// and so are tables that were there before their version was written down.
func TestDeskMigrate(t *testing.T) {
	t.Parallel()
	for name, open := range databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, dialect := open(t)
			newStore(t, db, dialect)
			var all sync.WaitGroup
			prefix := sqldesk.WithPrefix("cl'aves \"de\" `todos` ñ;--")
			for range 8 {
				all.Go(func() { deskIn(t, db, dialect, prefix) })
			}
			all.Wait()
			job := newJob()
			has := func(desk *sqldesk.Desk, state middleware.JobState) {
				t.Helper()
				got, err := desk.Jobs().Get(t.Context(), job.Owner, job.ID)
				if state == "" && !errors.Is(err, middleware.ErrNoJob) || state != "" && (err != nil || got.State != state) {
					t.Errorf("the job is %q, %v; want %q", got.State, err, state)
				}
			}
			add := func(desk *sqldesk.Desk) {
				t.Helper()
				_, err := desk.Jobs().Add(t.Context(), job, middleware.JobLimits{Queued: 9, PerOwner: 9})
				succeeds(t, err)
			}
			add(deskIn(t, db, dialect, prefix))
			has(deskIn(t, db, dialect, prefix), middleware.JobQueued)
			has(deskIn(t, db, dialect), "") // other tables

			byHand, err := sqldesk.New(db, dialect, sqldesk.WithPrefix("by hand"))
			succeeds(t, err)
			statements := strings.Split(strings.TrimSuffix(byHand.Migrations()[0].SQL, ";\n"), ";\n")
			for _, statement := range statements[:len(statements)-1] { // all but the version
				_, err := db.ExecContext(t.Context(), statement)
				succeeds(t, err)
			}
			add(byHand)
			for range 2 {
				succeeds(t, byHand.Migrate(t.Context()))
			}
			has(byHand, middleware.JobQueued)
			versions := 0
			succeeds(t, db.QueryRowContext(t.Context(), "SELECT count(*) FROM portavoz_migrations WHERE name = 'by hand_jobs' AND version = 1").Scan(&versions))
			if versions != 1 {
				t.Errorf("the version is written down %d times, want once", versions)
			}

			_, err = db.ExecContext(t.Context(), "INSERT INTO portavoz_migrations (name, version) VALUES ('by hand_jobs', 2)")
			succeeds(t, err)
			if err := byHand.Migrate(t.Context()); err == nil || !strings.Contains(err.Error(), "version 2, newer than 1") {
				t.Errorf("tables of a newer version: %v", err)
			}
		})
	}
}

// newJob is a job that nobody knows.
func newJob() middleware.Job {
	return middleware.Job{
		ID: rand.Text(), Key: idempotency.NewDigest(rand.Text()), Owner: idempotency.NewDigest(rand.Text()), Tool: "iniciar_reporte",
		Wait: time.Hour, Keep: time.Hour, Attempts: 1,
	}
}

// TestDeskStrict: jobs and approvals keep their rules whatever the default isolation.
func TestDeskStrict(t *testing.T) {
	t.Parallel()
	for name, s := range strict {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			desk := deskIn(t, open(t, s.driver, s.dsn(t)+s.options), s.dialect)
			desktest.Jobs(t, func(*testing.T) middleware.Jobs { return desk.Jobs() }, time.Sleep)
			desktest.Approvals(t, func(*testing.T) middleware.Approvals { return desk.Approvals() }, time.Sleep)
		})
	}
}

// TestDeskShares: one caller in one tenant can have no more approvals pending than its
// share. What is decided or has expired takes none, and who comes back is not one more.
func TestDeskShares(t *testing.T) {
	t.Parallel()
	for name := range databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			approvals := newDesk(t, name, sqldesk.WithMaxPending(4, 2)).Approvals()
			ask := func(caller, tenant, subject string, ttl time.Duration, want error) (id string) {
				t.Helper()
				asked, err := approvals.Ask(t.Context(), middleware.ApprovalRequest{
					ID: rand.Text(), Subject: idempotency.NewDigest(caller, tenant, subject), Operation: rand.Text(),
					Caller: caller, Tenant: tenant, Arguments: []byte("{}"), TTL: ttl,
				})
				if !errors.Is(err, want) || want == nil && (err != nil || asked.State != middleware.ApprovalPending) {
					t.Errorf("%s of %s asks for %s: %s, %v; want %v", caller, tenant, subject, asked.State, err, want)
				}
				return asked.ID
			}
			first := ask("uno", "a", "1", time.Hour, nil)
			ask("uno", "a", "2", time.Hour, nil)
			ask("uno", "a", "3", time.Hour, middleware.ErrApprovalsFull)
			ask("uno", "a", "1", time.Hour, nil)
			ask("uno", "A", "3", time.Hour, nil) // which some collations take for the same
			ask("dos", "a", "3", time.Hour, nil)
			ask("dos", "b", "3", time.Hour, middleware.ErrApprovalsFull) // four in all
			_, err := approvals.Decide(t.Context(), middleware.Approver{Name: "ana", Tenant: "a"}, first, middleware.Decision{})
			succeeds(t, err)
			ask("uno", "a", "3", time.Millisecond, nil)
			<-time.After(10 * time.Millisecond)
			ask("uno", "a", "4", time.Hour, nil)
		})
	}
}

// TestDeskHandsOver: what one process leaves in the queue, and what another one left
// when it died, is run by the next.
func TestDeskHandsOver(t *testing.T) {
	t.Parallel()
	for name := range databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			desk := newDesk(t, name)
			var runs atomic.Int64
			process := func(h server.ToolHandlerFunc) (*middleware.Workers, map[string]server.ToolHandlerFunc) {
				w := middleware.NewWorkers(desk.Jobs(), middleware.WorkersConfig{
					Max: 1, Lease: 2 * time.Second, Poll: 20 * time.Millisecond, LeaveQueued: true,
				})
				tools := map[string]server.ToolHandlerFunc{}
				for _, tool := range middleware.Deferred(w, mcp.NewTool("generar_reporte"), h, middleware.DeferredConfig{Rerun: true}) {
					tools[tool.Tool.Name] = middleware.Wrap(tool.Handler, middleware.Errors(middleware.ErrorsConfig{}))
				}
				return w, tools
			}
			dies := make(chan struct{})
			die := sync.OnceFunc(func() { close(dies) })
			first, tools := process(func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				die()
				<-ctx.Done()
				return nil, ctx.Err()
			})
			var ids []string
			for i := range 3 {
				said, err := heard(t.Context(), tools["iniciar_reporte"], keyed("iniciar_reporte", fmt.Sprint("clave ", i)))
				succeeds(t, err)
				ids = append(ids, member(t, said, "jobId"))
			}
			<-dies
			now, cancel := context.WithCancel(t.Context())
			cancel() // there is no time left for what runs
			if err := first.Drain(now); !errors.Is(err, context.Canceled) {
				t.Errorf("Drain without time: %v", err)
			}
			succeeds(t, first.Drain(t.Context()))
			second, tools := process(func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				runs.Add(1)
				return mcp.NewToolResultText("Está listo."), nil
			})
			running, stop := context.WithCancel(t.Context())
			var run sync.WaitGroup
			run.Go(func() { second.Run(running) })
			for _, id := range ids {
				exampletest.Eventually(t, "the job is done", func() bool {
					return strings.Contains(answerTo(t, tools, id), `"status":"done"`)
				})
			}
			stop()
			run.Wait()
			if err := second.Drain(t.Context()); err != nil {
				t.Error(err)
			}
			if runs.Load() != 3 {
				t.Errorf("3 jobs were run %d times", runs.Load())
			}
			if removed, err := desk.Sweep(t.Context()); err != nil || removed != 0 {
				t.Errorf("Sweep removed %d, %v; they are kept for a day", removed, err)
			}
		})
	}
}
