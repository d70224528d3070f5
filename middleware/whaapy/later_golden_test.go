package whaapy_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/memory"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/contract"
	"github.com/portavoz/portavoz/middleware/whaapy"
)

// monthly is the result of the work.
type monthly struct {
	Mes      string `json:"mes"`
	Facturas int    `json:"facturas"`
}

// later is a server with work that is deferred, and a write that a person has to agree
// to, for both gateways.
type later struct {
	srv       *server.MCPServer
	workers   *middleware.Workers
	jobs      middleware.Jobs
	approvals middleware.Approvals
	step      chan error // ends the work, well or not
}

type forWhaapy struct{}

func newLater(t *testing.T) later {
	t.Helper()
	jobs := middleware.NewJobs(middleware.JobsConfig{})
	l := later{
		srv: server.NewMCPServer("prueba", "1.0.0"), jobs: jobs, step: make(chan error),
		workers:   middleware.NewWorkers(jobs, middleware.WorkersConfig{Max: 1, MaxQueuedPerCaller: 3}),
		approvals: middleware.NewApprovals(middleware.ApprovalsConfig{}),
	}
	store, err := memory.Ephemeral(memory.Config{})
	if err != nil {
		t.Fatal(err)
	}
	stack := middleware.Asixto(l.srv, store)
	stack.Approve = middleware.Approve(func(_ context.Context, req mcp.CallToolRequest) (string, bool) {
		return "siempre", req.Params.Name == "registrar_pago"
	}, l.approvals, middleware.ApproveConfig{TTL: time.Hour})
	whaapy.Add(stack, func(ctx context.Context, _ *mcp.CallToolRequest) bool { return ctx.Value(forWhaapy{}) != nil }, whaapy.Config{})
	l.srv.Use(stack.Middleware())
	l.srv.AddTools(middleware.Deferred(l.workers, mcp.NewTool("generar_reporte",
		mcp.WithDescription("Reúne las facturas de un mes."), contract.Output[monthly](),
	), l.work, middleware.DeferredConfig{
		Cancel: true, Deadline: 20 * time.Minute, Wait: 30 * time.Minute,
		Say: middleware.JobSentences{Started: "Ya inicié su informe, le aviso en unos minutos."},
	})...)
	l.srv.AddTool(mcp.NewTool("registrar_pago", contract.Output[monthly](), middleware.OrPending()),
		returns(structured(`{"mes":"2026-09","facturas":3}`)))
	return l
}

// work tells its progress and ends when it is told to.
func (l later) work(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	middleware.Progress(ctx, 40, "Falta reunir las facturas.")
	select {
	case err := <-l.step:
		if err != nil {
			return nil, err
		}
		return mcp.NewToolResultStructured(monthly{"2026-09", 3}, "El informe del 2026-09-03 tiene 3 facturas."), nil
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.Canceled) {
			<-l.step // it takes its time
		}
		return nil, ctx.Err()
	}
}

// ask makes a call in one of the forms and returns the result as it leaves.
func (l later) ask(t *testing.T, form, tool, arguments string) string {
	t.Helper()
	ctx, channel := t.Context(), form
	if form == "whaapy" {
		ctx, channel = context.WithValue(ctx, forWhaapy{}, true), "chat"
	}
	message := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s,`+
		`"_meta":{"com.asixto/channel":%q,"com.asixto/companyId":"cmp","com.asixto/requestId":"req"}}}`, tool, arguments, channel)
	answer, ok := l.srv.HandleMessage(ctx, json.RawMessage(message)).(mcp.JSONRPCResponse)
	if !ok {
		t.Fatalf("%s: %s has no result", form, tool)
	}
	raw, err := json.Marshal(answer.Result)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// golden holds what a call answers in chat, on the phone and to Whaapy to a file, and
// returns the names in the answers.
func (l later) golden(t *testing.T, name, tool, arguments string) (ids []string) {
	t.Helper()
	var all strings.Builder
	for _, form := range []string{"chat", "voice", "whaapy"} {
		answer := l.ask(t, form, tool, arguments)
		if found := id.FindString(answer); found != "" {
			ids = append(ids, found)
		}
		all.WriteString(form + " " + id.ReplaceAllString(answer, "*") + "\n")
	}
	checkGolden(t, "later_"+name, all.String())
	return ids
}

// TestLaterGolden shows every state of a job and of an approval, in chat, on the phone
// and in Whaapy's envelope.
func TestLaterGolden(t *testing.T) {
	t.Parallel()
	named := func(id string) string { return fmt.Sprintf(`{"jobId":%q}`, id) }
	synctest.Test(t, func(t *testing.T) {
		l := newLater(t)
		job := func(state, id string) {
			t.Helper()
			synctest.Wait()
			l.golden(t, state, "consultar_reporte", named(id))
		}
		l.ask(t, "chat", "iniciar_reporte", `{}`) // is taken at once
		synctest.Wait()
		queued := l.golden(t, "started", "iniciar_reporte", `{}`)
		job("queued", queued[0])
		l.step <- nil // the first one is done, and the next one runs
		time.Sleep(time.Second)
		job("running", queued[0])
		l.step <- nil
		job("done", queued[0])
		l.step <- errors.NotFound("No hay facturas de ese mes.")
		job("failed", queued[1])
		l.golden(t, "cancelling", "cancelar_reporte", named(queued[2]))
		l.step <- nil
		job("cancelled", queued[2])
		l.golden(t, "ended", "cancelar_reporte", named(queued[2]))

		slow := id.FindString(l.ask(t, "chat", "iniciar_reporte", `{}`))
		time.Sleep(time.Second)
		for range 3 {
			l.ask(t, "chat", "iniciar_reporte", `{}`)
		}
		l.golden(t, "busy", "iniciar_reporte", `{}`)
		time.Sleep(20 * time.Minute)
		job("deadline", slow)
		for range 3 {
			l.step <- nil
		}
		synctest.Wait()

		dead := middleware.Job{ID: strings.Repeat("A", 26), Owner: ownerInTests, Tool: "iniciar_reporte", Wait: time.Hour, Keep: time.Hour, Attempts: 1}
		late := dead
		late.ID, late.Key, late.Wait = strings.Repeat("B", 26), [32]byte{1}, time.Second
		for _, j := range []middleware.Job{dead, late} {
			if _, err := l.jobs.Add(t.Context(), j, middleware.JobLimits{Queued: 9, PerOwner: 9}); err != nil {
				t.Fatal(err)
			}
		}
		if taken, _, err := l.jobs.Take(t.Context(), middleware.JobClaim{Token: "w", Tools: []string{"iniciar_reporte"}, Lease: time.Second}); taken.ID != dead.ID {
			t.Fatal(taken.ID, err)
		}
		time.Sleep(time.Second)
		job("lost", dead.ID)
		job("not_started", late.ID)
		time.Sleep(24 * time.Hour)
		job("expired", queued[0])
		if err := l.workers.Drain(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// ownerInTests is that of the calls above, which name the company "cmp".
var ownerInTests = idempotency.NewDigest("job owner/1", "", "", "cmp")

// TestApprovalGolden does the same for a write that waits for a person.
func TestApprovalGolden(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLater(t)
		ana := middleware.Approver{Name: "ana", Tenant: "cmp"}
		pay := func(state string) string {
			t.Helper()
			ids := l.golden(t, "approval_"+state, "registrar_pago", `{}`)
			if len(ids) == 0 {
				return ""
			}
			if len(ids) != 3 || ids[0] != ids[1] || ids[1] != ids[2] {
				t.Errorf("%s: one call waits for %v", state, ids)
			}
			return "apr_" + ids[0]
		}
		decide := func(id string, grant bool) {
			t.Helper()
			if _, err := l.approvals.Decide(t.Context(), ana, id, middleware.Decision{Grant: grant}); err != nil {
				t.Error(err)
			}
		}
		first := pay("pending")
		time.Sleep(time.Hour)
		second := pay("expired")
		if second == first {
			t.Error("an approval that has expired is asked for anew")
		}
		decide(second, false)
		pay("refused")
		time.Sleep(time.Hour)
		var all strings.Builder
		for _, form := range []string{"chat", "voice", "whaapy"} { // each spends a grant of its own
			id := "apr_" + id.FindString(l.ask(t, form, "registrar_pago", `{}`))
			decide(id, true)
			all.WriteString(form + " " + l.ask(t, form, "registrar_pago", `{}`) + "\n")
		}
		checkGolden(t, "later_approval_granted", all.String())
	})
}
