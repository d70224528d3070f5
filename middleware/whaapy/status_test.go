package whaapy_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/whaapy"
)

// TestStatusOfData says what the data of a success make its status.
func TestStatusOfData(t *testing.T) {
	t.Parallel()
	const job = `"jobId":"7","queuedAt":"2026-09-03T09:00:00-05:00"`
	for name, tc := range map[string]struct {
		tool mcp.Tool
		data string
		want whaapy.Status
	}{
		"a write":                          {writes("crear"), `{"ticketId":"1","status":"created"}`, whaapy.Success},
		"a write that failed":              {writes("crear"), `{"status":"failed","motivo":"Sin fondos."}`, whaapy.Failed},
		"a write that is not ok":           {writes("crear"), `{"ok":false,"motivo":"Sin fondos."}`, whaapy.Failed},
		"a write of which one part failed": {writes("crear"), `{"ticketId":"1","ok":false,"status":"created"}`, whaapy.Failed},
		"a job that failed in the wait":    {writes("crear"), `{"status":"failed",` + job + `}`, whaapy.Failed},
		"a read of what failed":            {reads("consultar"), `{"status":"failed","motivo":"Sin fondos."}`, whaapy.Success},
		"a read of what is not ok":         {reads("consultar"), `{"ok":false,"motivo":"Sin fondos."}`, whaapy.Success},
		"an ok that is a text":             {writes("crear"), `{"ok":"false"}`, whaapy.Success},
		"a failure deeper down":            {writes("crear"), `{"pago":{"status":"failed","ok":false}}`, whaapy.Success},
		"a write in a queue":               {writes("crear"), `{` + job + `}`, whaapy.InQueue},
		"a write that says so":             {writes("crear"), `{"status":"queued"}`, whaapy.InQueue},
		"a write that has begun":           {writes("crear"), `{"status":"running",` + job + `}`, whaapy.InQueue},
		"a job that was done in the wait":  {writes("crear"), `{"status":"done",` + job + `}`, whaapy.Success},
		"a job that was cancelled":         {writes("cancelar"), `{"status":"cancelled",` + job + `}`, whaapy.Success},
		"a job that is being cancelled":    {writes("cancelar"), `{"status":"cancelling",` + job + `}`, whaapy.InQueue},
		"a job of another system":          {writes("crear"), `{"jobId":"7"}`, whaapy.Success},
		"a read of a job":                  {reads("consultar"), `{"status":"queued",` + job + `}`, whaapy.Success},
		"a write to be confirmed":          {writes("crear"), `{"status":"pending_confirmation"}`, whaapy.PendingConfirmation},
		"a read with candidates":           {reads("consultar"), `{"status":"pending_confirmation","candidates":[]}`, whaapy.PendingConfirmation},
		"a read of a record that waits":    {reads("consultar"), `{"citaId":"1","status":"pending_confirmation"}`, whaapy.Success},
		"a read with a question":           {reads("consultar"), `{"status":"pending_confirmation","nextQuestion":"¿Es esta?"}`, whaapy.PendingConfirmation},
		"a search":                         {reads("buscar_cita"), `{"resultados":[1],"total":1}`, whaapy.Success},
		"an empty search":                  {reads("buscar_cita"), `{"resultados":[],"total":0}`, whaapy.NeedsInfo},
		"an empty page beyond the results": {reads("buscar_cita"), `{"resultados":[],"total":3}`, whaapy.Success},
		"an empty list":                    {reads("listar_citas"), `{"resultados":[],"total":0}`, whaapy.Success},
		"a write that finds nothing":       {writes("buscar_cita"), `{"total":0}`, whaapy.Success},
		"a number for a status":            {writes("crear"), `{"status":7}`, whaapy.Success},
		"deeper down":                      {writes("crear"), `{"cita":{"status":"pending_confirmation"}}`, whaapy.Success},
		"the last of two":                  {writes("crear"), `{"status":"pending_confirmation","status":"created"}`, whaapy.Success},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := whaapy.Config{Report: func(context.Context, error) {}}
			res := call(t, newServer(tc.tool, returns(structured(tc.data)), whaapy.Envelope(cfg)), tc.tool.Name)
			checkEnvelope(t, res, tc.tool.Name, 3_000)
			if e := envelopeOf(t, res); e.Status != tc.want || string(e.Data) != tc.data {
				t.Errorf("got %s, want status %s and the data as they were", textOf(t, res), tc.want)
			}
		})
	}
}

// TestApprovalIsPending holds a write back: also where the tool's schema has no place for
// that, the agent is told that it waits, and not that it failed.
func TestApprovalIsPending(t *testing.T) {
	t.Parallel()
	needed := func(context.Context, mcp.CallToolRequest) (string, bool) { return "siempre", true }
	narrow := writes("pagar")
	narrow.RawOutputSchema = json.RawMessage(`{"type":"object","properties":{"reciboId":{"type":"string"}},"required":["reciboId"],"additionalProperties":false}`)
	for name, tool := range map[string]mcp.Tool{"no schema": writes("pagar"), "a schema without a place": narrow} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pay := func(cfg whaapy.Config) *mcp.CallToolResult {
				return call(t, newServer(tool, returns(structured(`{"reciboId":"1"}`)), whaapy.Envelope(cfg), middleware.Errors(middleware.ErrorsConfig{}),
					middleware.Approve(needed, middleware.NewApprovals(middleware.ApprovalsConfig{}), middleware.ApproveConfig{})), "pagar")
			}
			kept := pay(whaapy.Config{KeepStructured: true})
			if e := envelopeOf(t, kept); kept.IsError != (name != "no schema") || kept.IsError && (e.Status != whaapy.Failed || e.Errors[0].Code != errors.CodeApprovalPending) {
				t.Errorf("with its structured content: got %s", textOf(t, kept))
			}
			res := pay(whaapy.Config{})
			checkEnvelope(t, res, "pagar", 3_000)
			var data struct{ Status, ApprovalID string }
			e := envelopeOf(t, res)
			if err := json.Unmarshal(e.Data, &data); err != nil || data.Status != "pending_confirmation" || data.ApprovalID == "" ||
				e.Status != whaapy.PendingConfirmation || e.Question != "¿Desea esperar esa autorización?" {
				t.Errorf("got %s, want it to wait for an approval", textOf(t, res))
			}
		})
	}
}
