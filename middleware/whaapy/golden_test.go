package whaapy_test

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware/whaapy"
)

var update = flag.Bool("update", false, "write the golden files again")

// TestGolden shows the bytes that Whaapy gets, one file for each way to come to a
// status. Only durationMs is written as 0.
func TestGolden(t *testing.T) {
	t.Parallel()
	queuedAt := time.Date(2026, 9, 3, 9, 0, 0, 0, time.FixedZone("", -5*60*60))
	for name, tc := range map[string]struct {
		tool    mcp.Tool
		handler handler
		cfg     whaapy.Config
	}{
		"success_read":  {tool: reads("consultar_cliente"), handler: returns(structured(`{"nombre":"Ana Peña","estado":"activo","saldo":9007199254740993}`))},
		"success_write": {tool: writes("crear_caso"), handler: returns(structured(`{"ticketId":"4482","ticketUrl":"/tickets/ver/4482/","status":"created"}`))},
		"success_external_send": {
			tool:    mcp.NewTool("enviar_comprobante", mcp.WithOpenWorldHintAnnotation(true)),
			handler: returns(structured(`{"paymentId":"pay_123","matched":true}`)),
		},
		"success_own_safety": {
			tool: writes("llamar"), handler: returns(structured(`{"recordId":"9"}`)),
			cfg: whaapy.Config{Safety: map[string]whaapy.Safety{"llamar": "phone_call"}},
		},
		"success_structured_kept": {
			tool: reads("consultar_cliente"), handler: returns(structured(`{"nombre":"Ana"}`)), cfg: whaapy.Config{KeepStructured: true},
		},
		"success_list":         {tool: reads("listar"), handler: returns(structured(`[1,2]`))},
		"success_text":         {tool: reads("saludar"), handler: returns(text(`Buenos "días"`, "Ana."))},
		"success_json_text":    {tool: reads("consultar"), handler: returns(text("{\n \"a\": [1, 2] }"))},
		"success_json_strings": {tool: reads("consultar"), handler: returns(structured(`{"a":"{\"b\":\"[1]\"}","c":["[true"," {\"d\":1.50}"]}`))},
		"success_nothing":      {tool: writes("borrar"), handler: returns(&mcp.CallToolResult{})},
		"success_empty_page_of_a_list": {
			tool: reads("consultar_agenda"), handler: returns(structured(`{"resultados":[],"total":0}`)),
		},
		"needs_more_info_failure": {tool: reads("consultar_saldo"), handler: fails(whaapy.NeedsMoreInfo(
			"¿Me comparte su número de servicio?", "servicio", errors.WithCode("missing_customer_identity")))},
		"needs_more_info_empty_search": {tool: reads("buscar_cliente"), handler: returns(structured(`{"resultados":[],"total":0,"limit":10,"offset":0}`))},
		"needs_more_info_own_question": {
			tool: reads("consultar_agenda"), handler: returns(structured(`{"resultados":[],"total":0}`)),
			cfg: whaapy.Config{Questions: map[string]string{"consultar_agenda": "¿Qué otro día le sirve?"}},
		},
		"needs_more_info_data":          {tool: reads("consultar"), handler: returns(structured(`{"status":"needs_more_info","matches":[]}`))},
		"pending_confirmation":          {tool: writes("registrar_pago"), handler: returns(whaapy.Pending([]map[string]string{{"factura": "F-1"}, {"factura": "F-2"}}))},
		"pending_confirmation_one":      {tool: writes("registrar_pago"), handler: returns(whaapy.Pending([]string{"F-1"}))},
		"pending_confirmation_question": {tool: writes("registrar_pago"), handler: returns(whaapy.Pending([]string{"F-1"}, "¿Es la factura de agosto?"))},
		"queued":                        {tool: writes("generar_reporte"), handler: returns(whaapy.Queued("job_7", queuedAt, "El reporte está en camino."))},
		"queued_data":                   {tool: writes("generar_reporte"), handler: returns(structured(`{"jobId":"job_7","queuedAt":"2026-09-03T09:00:00-05:00"}`))},
		"success_state_of_a_job":        {tool: reads("consultar_reporte"), handler: returns(structured(`{"jobId":"job_7","queuedAt":"2026-09-03T09:00:00-05:00","status":"queued"}`))},
		"failed_not_found":              {tool: reads("consultar_cita"), handler: fails(errors.NotFound("No encontré esa cita."))},
		"failed_validation": {tool: writes("cancelar_cita"), handler: fails(errors.Validation("La cita ya está cancelada.",
			errors.WithField("cita"), errors.WithCode("already_cancelled")))},
		"failed_foreign_error": {tool: writes("cobrar"), handler: fails(errors.New("dial tcp 10.0.0.7:5432: secret"))},
		"failed_retryable":     {tool: reads("consultar"), handler: fails(errors.System("", errors.WithCode(errors.CodeRateLimited), errors.WithRetryAfter(20*time.Second)))},
		"failed_panic":         {tool: reads("consultar"), handler: func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) { panic("boom") }},
		"failed_no_result":     {tool: reads("consultar"), handler: returns(nil)},
		"failed_text":          {tool: reads("consultar"), handler: returns(failing(text("No hay conexión.")))},
		"failed_broken_data":   {tool: reads("consultar"), handler: returns(structured(`{"a":`))},
		"failed_image_alone": {tool: reads("consultar_foto"), handler: returns(&mcp.CallToolResult{Content: []mcp.Content{
			mcp.NewImageContent("AAAA", "image/png")}})},
		"failed_too_large_read":  {tool: reads("consultar"), handler: returns(structured(`{"a":"` + string(make0(3000)) + `"}`))},
		"failed_too_large_write": {tool: writes("crear"), handler: returns(structured(`{"a":"` + string(make0(3000)) + `"}`))},
		"failed_data":            {tool: writes("cobrar"), handler: returns(structured(`{"status":"failed","motivo":"Sin fondos.","nextQuestion":"¿Tiene otra tarjeta?"}`))},
		"failed_data_too_large":  {tool: writes("cobrar"), handler: returns(structured(`{"status":"failed","motivo":"` + string(make0(2800)) + `"}`))},
		"failed_data_structured_kept": {
			tool: writes("cobrar"), handler: returns(structured(`{"ok":false,"motivo":"Sin fondos."}`)), cfg: whaapy.Config{KeepStructured: true},
		},
		"own_success": {tool: reads("consultar"), handler: returns(text(
			`{"toolName":"consultar","ok":true,"status":"success","data":{"n":1.0},"extra":"se queda"}`))},
		"own_failure": {tool: reads("consultar"), handler: returns(failing(text(
			`{"ok":false,"status":"failed","errors":[{"code":"a","message":"A."},{"code":"b","message_es":"B."}]}`)))},
		"own_failure_without_is_error": {tool: reads("consultar"), handler: returns(text(
			`{"ok":false,"status":"failed","errors":[{"code":"a","message":"A."}]}`))},
		"own_wrong_read": {tool: reads("consultar"), handler: returns(text(`{"ok":true,"status":"needs_more_info","data":{}}`))},
		"own_wrong_write": {tool: writes("crear"), handler: returns(text(
			`{"ok":true,"status":"success","data":{"a":"{}"}}`))},
		"own_wrong_failure": {tool: reads("consultar"), handler: returns(failing(text(
			`{"ok":false,"status":"failed","errors":[{"code":"not_found","message_es":"No existe."},{}]}`)))},
		"not_an_envelope": {tool: reads("consultar"), handler: returns(structured(`{"ok":true,"status":"activo"}`))},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tc.cfg.Report = func(context.Context, error) {}
			srv := newServer(tc.tool, tc.handler, whaapy.Envelope(tc.cfg))
			res := call(t, srv, tc.tool.Name)
			raw, err := res.MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			checkGolden(t, name, took.ReplaceAllString(textOf(t, res), `"durationMs":0`)+"\n"+
				regexp.MustCompile(`"text":"(\\.|[^"\\])*"`).ReplaceAllString(string(raw), `"text":"..."`)+"\n")
		})
	}
}

func make0(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = '0'
	}
	return b
}

func checkGolden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
