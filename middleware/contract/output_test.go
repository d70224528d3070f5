package contract_test

import (
	"slices"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/middleware/contract"
)

type plan struct {
	Nombre string `json:"nombre"`
	Precio string `json:"precio"`
	Moneda string `json:"moneda"`
}

type visit struct {
	Inicio  time.Time  `json:"inicio"`
	Fin     *time.Time `json:"fin,omitempty"`
	Fecha   string     `json:"fecha" jsonschema:"ISO 8601"`
	Valor   int        `json:"valor" portavoz:"money"`
	Salida  string     `json:"salida" portavoz:"date"`
	Vence   string     `json:"vence" portavoz:"skip"`
	Cuotas  int        `json:"cuotas"`
	Anuncio string     `json:"anuncio"`
	Planes  []plan     `json:"planes"`
	extra   string
}

func TestOutputTexts(t *testing.T) {
	t.Parallel()
	tool := mcp.NewTool("x", contract.Output[visit]())
	properties := wire(t, tool)["outputSchema"].(map[string]any)["properties"].(map[string]any)
	var texts []string
	for name := range properties {
		if len(name) > 6 && name[len(name)-6:] == "_texto" {
			texts = append(texts, name)
		}
	}
	slices.Sort(texts)
	if want := []string{"fecha_texto", "fin_texto", "inicio_texto", "salida_texto", "valor_texto"}; !slices.Equal(texts, want) {
		t.Errorf("texts = %v, want %v", texts, want)
	}
	for path, want := range map[string]string{
		"inicio": `{"format":"date-time","type":"string"}`,
		"fecha":  `{"description":"ISO 8601","type":"string"}`,
		"valor":  `{"type":"integer","x-portavoz":"money"}`,
	} {
		if got := encoded(t, tool, "outputSchema", "properties", path); got != want {
			t.Errorf("%s = %s, want %s", path, got, want)
		}
	}
	if got := encoded(t, tool, "outputSchema", "properties", "planes", "items", "properties", "precio_texto", "type"); got != `"string"` {
		t.Errorf("precio_texto within a list has type %s", got)
	}
	if _, ok := properties["extra"]; ok {
		t.Error("an unexported field is in the schema")
	}
	if extra := (visit{}).extra; extra != "" {
		t.Error(extra)
	}
}

// TestOutputKeeps: what the type declares itself stays as it is.
func TestOutputKeeps(t *testing.T) {
	t.Parallel()
	tool := mcp.NewTool("x", contract.Output[struct {
		Fecha      string `json:"fecha"`
		FechaTexto string `json:"fecha_texto" jsonschema:"Para decirla"`
		Total      int    `json:"total"`
	}]())
	if got, want := encoded(t, tool, "outputSchema", "properties", "fecha_texto"), `{"description":"Para decirla","type":"string"}`; got != want {
		t.Errorf("fecha_texto = %s, want %s", got, want)
	}
	if got, want := encoded(t, tool, "outputSchema", "required"), `["fecha","fecha_texto","total"]`; got != want {
		t.Errorf("required = %s, want %s", got, want)
	}
	if got := encoded(t, tool, "outputSchema", "additionalProperties"); got != "false" {
		t.Errorf("additionalProperties = %s, want false", got)
	}
}

// TestOutputAmounts: an amount is one where the object names a currency.
func TestOutputAmounts(t *testing.T) {
	t.Parallel()
	type without struct {
		Saldo int `json:"saldo"`
	}
	type around struct {
		Moneda string    `json:"moneda"`
		Pagos  []without `json:"pagos"`
	}
	if got := encoded(t, mcp.NewTool("x", contract.Output[around]()), "outputSchema", "properties", "pagos", "items", "properties", "saldo_texto"); got == "null" {
		t.Error("an amount within an object that names the currency has no text")
	}
	type with struct {
		Saldo    int    `json:"saldo"`
		Moneda   string `json:"moneda"`
		Total    int    `json:"total"`
		PagoDias int    `json:"dias_pago"`
	}
	if got := encoded(t, mcp.NewTool("x", contract.Output[without]()), "outputSchema", "properties"); got != `{"saldo":{"type":"integer"}}` {
		t.Errorf("properties without a currency = %s", got)
	}
	properties := wire(t, mcp.NewTool("x", contract.Output[with]()))["outputSchema"].(map[string]any)["properties"].(map[string]any)
	for name, want := range map[string]bool{"saldo_texto": true, "total_texto": false, "dias_pago_texto": false, "moneda_texto": false} {
		if _, got := properties[name]; got != want {
			t.Errorf("%s declared: %t, want %t", name, got, want)
		}
	}
}
