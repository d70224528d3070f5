package whaapy_test

import (
	"context"
	"regexp"
	"testing"
	"testing/synctest"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/whaapy"
)

var id = regexp.MustCompile(`[A-Z2-7]{26}`)

// TestLater shows what Whaapy gets of work that is not done yet: a job that is started
// and asked for, and a write that waits for a person.
func TestLater(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		workers := middleware.NewWorkers(middleware.NewJobs(middleware.JobsConfig{}), middleware.WorkersConfig{})
		srv := server.NewMCPServer("prueba", "1.0.0")
		everything := func(_ context.Context, req mcp.CallToolRequest) (string, bool) {
			return "", req.Params.Name == "registrar_pago"
		}
		srv.Use(whaapy.Envelope(whaapy.Config{}), middleware.Errors(middleware.ErrorsConfig{}),
			middleware.Approve(everything, middleware.NewApprovals(middleware.ApprovalsConfig{}), middleware.ApproveConfig{}))
		fail := false
		srv.AddTools(middleware.Deferred(workers, writes("generar_reporte"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if fail {
				return nil, errors.NotFound("No hay facturas de ese mes.")
			}
			return structured(`{"facturas":[1,2]}`), nil
		}, middleware.DeferredConfig{})...)
		srv.AddTool(writes("registrar_pago"), returns(structured(`{"paymentId":"p"}`)))
		var job string
		for _, step := range []struct{ name, tool, want string }{
			{"started", "iniciar_reporte", `{"ok":true,"status":"queued","data":{"status":"queued","jobId":"*","queuedAt":"2000-01-01T00:00:00Z"},` +
				`"toolName":"iniciar_reporte","safety":"mutation","durationMs":0}`},
			{"done", "consultar_reporte", `{"ok":true,"status":"success","data":{"status":"done","jobId":"*","queuedAt":"2000-01-01T00:00:00Z",` +
				`"result":{"facturas":[1,2]}},"toolName":"consultar_reporte","safety":"read_only","durationMs":0}`},
			{"started again", "iniciar_reporte", `{"ok":true,"status":"queued","data":{"status":"queued","jobId":"*","queuedAt":"2000-01-01T00:00:00Z"},` +
				`"toolName":"iniciar_reporte","safety":"mutation","durationMs":0}`},
			{"failed", "consultar_reporte", `{"ok":false,"status":"failed","errors":[{"code":"not_found","message":"There is no such record.",` +
				`"message_es":"No hay facturas de ese mes.","retryable":false}],"toolName":"consultar_reporte","safety":"read_only","durationMs":0}`},
			{"waits for a person", "registrar_pago", `{"ok":true,"status":"pending_confirmation","data":{"status":"pending_confirmation","approvalId":"apr_*",` +
				`"nextQuestion":"¿Desea esperar esa autorización?"},` +
				`"toolName":"registrar_pago","safety":"mutation","durationMs":0,"nextQuestion":"¿Desea esperar esa autorización?"}`},
		} {
			said := textOf(t, send(t.Context(), t, srv, step.tool, `{"jobId":"`+job+`"}`))
			if step.tool == "iniciar_reporte" {
				job = id.FindString(said)
			}
			if got := id.ReplaceAllString(took.ReplaceAllString(said, `"durationMs":0`), "*"); got != step.want {
				t.Errorf("%s: got  %s\nwant %s", step.name, got, step.want)
			}
			synctest.Wait()
			fail = step.name == "done"
		}
		if err := workers.Drain(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
