package contract_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/middleware/contract"
	"github.com/portavoz/portavoz/paginate"
)

// wire is a definition as clients get it.
func wire(t *testing.T, tool mcp.Tool) map[string]any {
	t.Helper()
	raw, err := json.Marshal(tool)
	if err != nil {
		t.Fatal(err)
	}
	var v map[string]any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// encoded is the JSON of one member of a definition.
func encoded(t *testing.T, tool mcp.Tool, path ...string) string {
	t.Helper()
	var at any = wire(t, tool)
	for _, name := range path {
		at = at.(map[string]any)[name]
	}
	raw, err := json.Marshal(at)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestKeys(t *testing.T) {
	t.Parallel()
	keys := contract.Keys()
	if len(keys) != 26 || !slices.IsSorted(keys) || len(slices.Compact(slices.Clone(keys))) != 26 {
		t.Errorf("Keys() = %v, want 26 different ones in order", keys)
	}
	want := strings.Fields("actualizacion_datos agenda busqueda_web cambio_plan cancelacion consulta_estado emergencia " +
		"encuestas_satisfaccion facturacion felicitacion garantia general informacion_empresa informacion_productos " +
		"informacion_servicios lead notificaciones pqr reactivacion reclamo_calidad renovacion reporte_fraude " +
		"seguimiento_postventa solicitud_documentos soporte ventas")
	for i, key := range keys {
		if string(key) != want[i] {
			t.Errorf("key %d = %q, want %q", i, key, want[i])
		}
	}
}

func TestTool(t *testing.T) {
	t.Parallel()
	tool := mcp.NewTool("abrir_caso", contract.Tool("abrir un caso", contract.Soporte, contract.PQR))
	if got, want := encoded(t, tool, "_meta"), `{"com.asixto/capabilities":["soporte","pqr"],"com.asixto/verb":"abrir un caso"}`; got != want {
		t.Errorf("_meta = %s, want %s", got, want)
	}
	if got := encoded(t, tool, "inputSchema", "additionalProperties"); got != "false" {
		t.Errorf("additionalProperties = %s, want false", got)
	}

	t.Run("keeps other metadata", func(t *testing.T) {
		t.Parallel()
		tool := mcp.Tool{Name: "x", Meta: mcp.NewMetaFromMap(map[string]any{"example.com/team": "a"})}
		contract.Tool("abrir un caso", contract.Soporte)(&tool)
		if tool.Meta.AdditionalFields["example.com/team"] != "a" || tool.Meta.AdditionalFields["com.asixto/verb"] != "abrir un caso" {
			t.Errorf("_meta = %v", tool.Meta.AdditionalFields)
		}
	})
	t.Run("closes a raw schema", func(t *testing.T) {
		t.Parallel()
		tool := mcp.NewToolWithRawSchema("x", "", json.RawMessage(`{"type":"object","properties":{"n":{"const":9007199254740993}}}`))
		contract.Tool("abrir un caso", contract.Soporte)(&tool)
		want := `{"additionalProperties":false,"properties":{"n":{"const":9007199254740993}},"type":"object"}`
		if string(tool.RawInputSchema) != want {
			t.Errorf("raw schema = %s, want %s", tool.RawInputSchema, want)
		}
	})
	t.Run("shares nothing between tools", func(t *testing.T) {
		t.Parallel()
		option := contract.Tool("abrir un caso", contract.Soporte)
		a, b := mcp.NewTool("a", option), mcp.NewTool("b", option)
		a.Meta.AdditionalFields["com.asixto/verb"] = "otra cosa"
		if b.Meta.AdditionalFields["com.asixto/verb"] != "abrir un caso" {
			t.Error("two tools share one _meta")
		}
	})
}

func TestToolPanics(t *testing.T) {
	t.Parallel()
	for name, call := range map[string]func(){
		"no verb":     func() { contract.Tool(" ", contract.Soporte) },
		"no key":      func() { contract.Tool("abrir un caso") },
		"unknown key": func() { contract.Tool("abrir un caso", "apoyo") },
		"not an object": func() {
			contract.Output[[]string]()
		},
		"no schema": func() {
			type tree struct{ Children []*tree }
			mcp.NewTool("x", contract.Output[tree]())
		},
		"unknown tag": func() {
			mcp.NewTool("x", contract.Output[struct {
				A string `json:"a" portavoz:"dinero"`
			}]())
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			defer func() {
				text, _ := recover().(string)
				if !strings.HasPrefix(text, "portavoz/contract: ") {
					t.Errorf("panic = %q, want one of portavoz/contract", text)
				}
			}()
			call()
		})
	}
}

func TestNullable(t *testing.T) {
	t.Parallel()
	closing := contract.Tool("abrir un caso", contract.Soporte)
	for _, tt := range []struct {
		name string
		tool mcp.Tool
		want string
	}{
		{"string", mcp.NewTool("x", mcp.WithString("p", contract.Nullable())), `{"type":["string","null"]}`},
		{"twice", mcp.NewTool("x", mcp.WithString("p", contract.Nullable(), contract.Nullable())), `{"type":["string","null"]}`},
		{"enum before", mcp.NewTool("x", mcp.WithString("p", mcp.Enum("a", "b"), contract.Nullable())),
			`{"enum":["a","b",null],"type":["string","null"]}`},
		{"enum after, tool last", mcp.NewTool("x", mcp.WithString("p", contract.Nullable(), mcp.Enum("a", "b")), closing),
			`{"enum":["a","b",null],"type":["string","null"]}`},
		{"enum before, tool last", mcp.NewTool("x", mcp.WithString("p", mcp.Enum("a"), contract.Nullable()), closing),
			`{"enum":["a",null],"type":["string","null"]}`},
		{"not nullable, tool last", mcp.NewTool("x", mcp.WithString("p", mcp.Enum("a")), closing), `{"enum":["a"],"type":"string"}`},
		{"list of types", mcp.NewTool("x", mcp.WithAny("p", put2("type", []any{"string", "integer"}), contract.Nullable())),
			`{"type":["string","integer","null"]}`},
		{"anyOf", mcp.NewTool("x", mcp.WithAny("p", put2("anyOf", []any{map[string]any{"type": "string"}}), contract.Nullable())),
			`{"anyOf":[{"type":"string"},{"type":"null"}]}`},
		{"oneOf with null", mcp.NewTool("x", mcp.WithAny("p", put2("oneOf", []any{map[string]any{"type": "null"}}), contract.Nullable())),
			`{"oneOf":[{"type":"null"}]}`},
		{"untyped", mcp.NewTool("x", mcp.WithAny("p", contract.Nullable())), `{}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := encoded(t, tt.tool, "inputSchema", "properties", "p"); got != tt.want {
				t.Errorf("property = %s, want %s", got, tt.want)
			}
		})
	}
}

func put2(keyword string, value any) mcp.PropertyOption {
	return func(schema map[string]any) { schema[keyword] = value }
}

func TestAnnotations(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		option mcp.ToolOption
		want   string
	}{
		{"reads", contract.Reads(), `{"destructiveHint":false,"idempotentHint":true,"openWorldHint":true,"readOnlyHint":true}`},
		{"adds", contract.Writes(contract.Additive, contract.Repeats),
			`{"destructiveHint":false,"idempotentHint":false,"openWorldHint":true,"readOnlyHint":false}`},
		{"overwrites", contract.Writes(contract.Destructive, contract.Settles),
			`{"destructiveHint":true,"idempotentHint":true,"openWorldHint":true,"readOnlyHint":false}`},
	} {
		if got := encoded(t, mcp.NewTool("x", tt.option), "annotations"); got != tt.want {
			t.Errorf("%s: annotations = %s, want %s", tt.name, got, tt.want)
		}
	}
	titled := mcp.NewTool("x", mcp.WithTitleAnnotation("Consultar"), mcp.WithOpenWorldHintAnnotation(false), contract.Reads())
	want := `{"destructiveHint":false,"idempotentHint":true,"openWorldHint":false,"readOnlyHint":true,"title":"Consultar"}`
	if got := encoded(t, titled, "annotations"); got != want {
		t.Errorf("annotations = %s, want %s", got, want)
	}
}

// TestHelpersPass: a definition that is written with the helpers breaks no rule.
func TestHelpersPass(t *testing.T) {
	t.Parallel()
	tool := mcp.NewTool("buscar_planes",
		mcp.WithDescription("Busca planes por su nombre. No sirve para contratarlos."),
		mcp.WithString("texto", mcp.Required(), mcp.MaxLength(80), mcp.Description("Lo que se busca")),
		contract.Pages(paginate.Rules{}),
		contract.Output[paginate.Page[plan]](),
		contract.Reads(),
		contract.Tool("buscar planes", contract.Ventas),
	)
	if r := lint(t, contract.Tools(tool), contract.Asixto); len(r.Findings) > 0 {
		t.Error(r.Text(contract.English))
	}
	if got := encoded(t, tool, "outputSchema", "properties", "resultados", "type"); got != `"array"` {
		t.Errorf("the list of a page is %s, want it never null", got)
	}
}
