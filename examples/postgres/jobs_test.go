package main_test

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/examples/internal/exampletest"
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
func newDesk(t testing.TB, name string) *sqldesk.Desk {
	t.Helper()
	if name != "SQLite" && os.Getenv("PORTAVOZ_LONG") == "" {
		t.Skip("a server of its own is for the long form: PORTAVOZ_LONG=1")
	}
	db, dialect := databases[name](t)
	desk, err := sqldesk.New(db, dialect)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // at every start
		if err := desk.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return desk
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
					Max: 1, Lease: 300 * time.Millisecond, Poll: 20 * time.Millisecond, LeaveQueued: true,
				})
				tools := map[string]server.ToolHandlerFunc{}
				for _, tool := range middleware.Deferred(w, mcp.NewTool("generar_reporte"), h, middleware.DeferredConfig{Rerun: true}) {
					tools[tool.Tool.Name] = tool.Handler
				}
				return w, tools
			}
			dies := make(chan struct{})
			first, tools := process(func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				close(dies)
				<-ctx.Done()
				return nil, ctx.Err()
			})
			var ids []string
			for range 3 {
				ids = append(ids, jobID(t, tools["iniciar_reporte"], "iniciar_reporte", ""))
			}
			<-dies
			ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
			defer cancel()
			if err := first.Drain(ctx); err != nil {
				t.Error(err)
			}
			second, tools := process(func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				runs.Add(1)
				return mcp.NewToolResultText("Está listo."), nil
			})
			running, stop := context.WithCancel(t.Context())
			var run sync.WaitGroup
			run.Go(func() { second.Run(running) })
			for _, id := range ids {
				exampletest.Eventually(t, "the job is done", func() bool {
					return strings.Contains(answerOf(t, tools["consultar_reporte"], "consultar_reporte", id), `"status":"done"`)
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

// answerOf calls a tool of a job and returns its data.
func answerOf(t testing.TB, h server.ToolHandlerFunc, tool, id string) string {
	t.Helper()
	var req mcp.CallToolRequest
	req.Params.Name, req.Params.Arguments = tool, map[string]any{"jobId": id}
	res, err := h(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return string(res.RawStructuredContent)
}

func jobID(t testing.TB, h server.ToolHandlerFunc, tool, id string) string {
	t.Helper()
	var data struct{ JobID string }
	if err := json.Unmarshal([]byte(answerOf(t, h, tool, id)), &data); err != nil {
		t.Fatal(err)
	}
	return data.JobID
}
