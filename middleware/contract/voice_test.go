package contract_test

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/contract"
)

// A result has fields under many names, with values as they are usual there.
const result = `{
	"fecha":"2026-09-03","fecha_cita":"2026-09-03T09:00:00-05:00","vencimiento":"2026-09-03","created_at":"2026-09-03T09:00:00Z",
	"plazo":"2026-09-03","hora":"15:30","inicio":"2026-09-03T09:00:00-05:00","fin":"2026-09-03","start_hour":"15:30","deadline":"2026-09-03","birth_date":"1990-01-31","nombre":"Ana","estado":"activo","codigo":"V-1042",
	"precio":"89900.00","valor_total":89900,"saldo":"1000.50","monto":1500,"price":20000,"cuota_mensual":"9990",
	"cuotas":12,"total":3,"limit":10,"offset":0,"dias_pago":5,"numero_pago":"7","tipo_pago":"credito","moneda":"COP",
	"cantidad":2,"tasa":"1.5","descuento":"5000","metodo_pago":"efectivo"}`

// TestVoiceAgrees: what the rules want declared is what middleware.Voice says, and
// what Output declares is filled.
func TestVoiceAgrees(t *testing.T) {
	t.Parallel()
	var fields map[string]any
	if err := json.Unmarshal([]byte(result), &fields); err != nil {
		t.Fatal(err)
	}
	properties := make(map[string]any)
	for name, value := range fields {
		kind := "string"
		if _, isText := value.(string); !isText {
			kind = "integer"
		}
		properties[name] = map[string]any{"type": kind}
	}
	schema := map[string]any{"type": "object", "properties": properties}
	spoken := texts(t, schema)

	schema["additionalProperties"] = false
	tool := map[string]any{"name": "consultar_pago", "description": "x", "inputSchema": map[string]any{"type": "object"}, "outputSchema": schema}
	var wanted []string
	for _, f := range lint(t, catalog(t, []any{tool}), contract.Asixto).Findings {
		if f.Rule == "output-date-text" || f.Rule == "output-amount-text" {
			wanted = append(wanted, f.Pointer[strings.LastIndexByte(f.Pointer, '/')+1:]+"_texto")
		}
	}
	slices.Sort(wanted)
	if !slices.Equal(spoken, wanted) {
		t.Errorf("the rules want %v, and Voice says %v", wanted, spoken)
	}
}

// texts calls a tool with this output schema on the phone, and returns the names of
// the texts that Voice added to the result.
func texts(t *testing.T, schema map[string]any) []string {
	t.Helper()
	raw, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	srv := server.NewMCPServer("test", "1", server.WithToolHandlerMiddleware(middleware.Voice(middleware.VoiceConfig{Always: true})))
	srv.AddTool(mcp.NewTool("consultar_pago", mcp.WithRawOutputSchema(raw)),
		func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultStructured(json.RawMessage(result), "Listo."), nil
		})
	answer, err := json.Marshal(srv.HandleMessage(t.Context(), json.RawMessage(
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"consultar_pago"}}`)))
	if err != nil {
		t.Fatal(err)
	}
	var message struct {
		Result struct {
			StructuredContent map[string]any `json:"structuredContent"`
		} `json:"result"`
	}
	if err := json.Unmarshal(answer, &message); err != nil {
		t.Fatal(err)
	}
	var names []string
	for name := range maps.Keys(message.Result.StructuredContent) {
		if strings.HasSuffix(name, "_texto") {
			names = append(names, name)
		}
	}
	if names == nil {
		t.Fatalf("Voice said nothing: %s", answer)
	}
	slices.Sort(names)
	return names
}
