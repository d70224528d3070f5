package contract_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/middleware/contract"
)

// TestFalseAlarms are good definitions that look like bad ones, and bad ones that look
// like these.
func TestFalseAlarms(t *testing.T) {
	t.Parallel()
	six := "When to use: consulta la cuenta. Never use for: pagos. Identity: documento. Side effects: ninguno. " +
		"Success criteria: hay un saldo. Fallback: falta un dato."
	for _, tt := range []struct {
		name, description string
		writes            bool
		rule              string
		want              bool
	}{
		{"registrar_direccion_ip", "Registra una dirección IPv4 o IPv6. No elimina direcciones.", true, "description-price", false},
		{"consultar_cancelaciones", "Devuelve las cancelaciones del cliente. No cancela nada.", false, "annotations-write-name", false},
		{"buscar_para_eliminar", "Busca registros antiguos. No los elimina.", false, "annotations-write-name", false},
		{"consultar_productos", "Devuelve hasta 3 elementos, los más vendidos. No reserva.", false, "description-stock", false},
		{"consultar_protocolo", "Consulta si se usa HTTP/1.1 o TLS 1.3. No lo cambia.", false, "description-date", false},
		{"consultar_impresora", "Consulta el tóner y el tono de color. No los cambia.", false, "description-tone", false},
		{"consultar_cita", "Consulta la cita y usa un tono formal. No agenda.", false, "description-tone", true},
		{"consultar_citas", "Si no hay citas, responde una lista vacía. No agenda.", false, "description-instructions", false},
		{"leer_mensajes", "Lee los mensajes del cliente. No responde.", false, "description-instructions", false},
		{"consultar_saldo", "Consulta el saldo y responde amablemente. No paga.", false, "description-instructions", true},
		{"consultar_deuda", "Consulta la deuda. Recuerde que no se paga aquí.", false, "description-instructions", true},
		{"consultar_y_actualizar_cliente", "Consulta y actualiza al cliente. No lo crea.", true, "annotations-read-name", false},
		{"consultar_y_actualizar_cliente", "Consulta y actualiza al cliente. No lo crea.", false, "annotations-write-name", true},
		{"consultar_y_actualizar_cliente", "Consulta y actualiza al cliente. No lo crea.", true, "several-intentions", true},
		{"consultar_cuenta", six, false, "description-sentences", false},
		{"consultar_cuenta", "Uno. Dos. Tres. Cuatro. No cinco.", false, "description-sentences", true},
	} {
		tool := map[string]any{
			"name": tt.name, "description": tt.description, "inputSchema": map[string]any{"type": "object"},
			"annotations": map[string]any{"readOnlyHint": !tt.writes, "destructiveHint": false, "idempotentHint": true},
		}
		if got := slices.Contains(ids(lint(t, catalog(t, []any{tool}), contract.Asixto)), tt.rule); got != tt.want {
			t.Errorf("%s, %q: %s = %t, want %t", tt.name, tt.description, tt.rule, got, tt.want)
		}
	}
}

// TestOutsized: what is too deep or too large is said to be so, and not compiled, which would
// take minutes.
func TestOutsized(t *testing.T) {
	t.Parallel()
	var many strings.Builder
	for i := range 20_000 {
		many.WriteString(`"p` + strconv.Itoa(i) + `":{"$ref":"#a` + strconv.Itoa(i) + `"},`)
	}
	for name, schema := range map[string]string{
		"deep": strings.Repeat(`{"type":"object","properties":{"a":`, 4000) + `{}` + strings.Repeat(`}}`, 4000),
		"wide": `{"type":"object","properties":{` + many.String() + `"z":{}}}`,
	} {
		for _, key := range []string{"inputSchema", "outputSchema"} {
			c, err := contract.ParseList([]byte(`[{"name":"consultar_x","` + key + `":` + schema + `}]`))
			if err != nil {
				t.Fatal(err)
			}
			r := lint(t, c, contract.Asixto)
			if !slices.ContainsFunc(r.Findings, func(f contract.Finding) bool { return f.Rule == "schema-invalid" && f.Pointer == "/"+key }) {
				t.Errorf("%s %s: rules = %v, want schema-invalid", name, key, ids(r))
			}
		}
	}
}

// TestReferenceCircle: references that lead to each other lead nowhere.
func TestReferenceCircle(t *testing.T) {
	t.Parallel()
	c, err := contract.ParseList([]byte(`[{"name":"consultar_x","inputSchema":{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},
		"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}}]`))
	if err != nil {
		t.Fatal(err)
	}
	if got := ids(lint(t, c, contract.Core)); !slices.Contains(got, "schema-ref") {
		t.Errorf("rules = %v, want schema-ref", got)
	}
}

// TestFollowed: a limit counts wherever it is said, and is missed wherever it is not.
func TestFollowed(t *testing.T) {
	t.Parallel()
	const (
		text   = "string-max-length"
		figure = "number-bounds"
		list   = "array-max-items"
	)
	for name, tt := range map[string]struct{ property, defs, want string }{
		"itself":            {`{"type":"string","maxLength":9}`, `{}`, ""},
		"nowhere":           {`{"type":"string"}`, `{}`, text},
		"part":              {`{"type":"string","allOf":[{"maxLength":9}]}`, `{}`, ""},
		"other part":        {`{"type":"string","allOf":[{"minLength":9}]}`, `{}`, text},
		"part of a part":    {`{"type":"string","allOf":[{"allOf":[{"maxLength":9}]}]}`, `{}`, ""},
		"typed in a part":   {`{"allOf":[{"type":"string"}]}`, `{}`, text},
		"both in parts":     {`{"allOf":[{"type":"string"},{"maxLength":9}]}`, `{}`, ""},
		"reference":         {`{"type":"string","$ref":"#/$defs/a"}`, `{"a":{"maxLength":9}}`, ""},
		"loose reference":   {`{"type":"string","$ref":"#/$defs/a"}`, `{"a":{"minLength":9}}`, text},
		"anchor":            {`{"type":"string","$ref":"#b"}`, `{"a":{"$anchor":"b","maxLength":9}}`, ""},
		"reference in part": {`{"type":"integer","allOf":[{"$ref":"#/$defs/a"}]}`, `{"a":{"minimum":1,"allOf":[{"maximum":9}]}}`, ""},
		"one bound only":    {`{"type":"integer","allOf":[{"$ref":"#/$defs/a"}]}`, `{"a":{"minimum":1}}`, figure},
		"beside reference":  {`{"$ref":"#/$defs/a","maxLength":9}`, `{"a":{"type":"string"}}`, ""},
		"beside in a part":  {`{"allOf":[{"$ref":"#/$defs/a"},{"maxLength":9}]}`, `{"a":{"type":"string"}}`, ""},
		"around a branch":   {`{"anyOf":[{"$ref":"#/$defs/a"},{"type":"null"}],"maxLength":9}`, `{"a":{"type":"string"}}`, ""},
		"used loosely":      {`{"anyOf":[{"$ref":"#/$defs/a","maxLength":9},{"$ref":"#/$defs/a"}]}`, `{"a":{"type":"string"}}`, text},
		"not used":          {`{"type":"null"}`, `{"a":{"type":"string"}}`, text},
		"values in a part":  {`{"type":"string","allOf":[{"enum":["a"]}]}`, `{}`, ""},
		"format in a part":  {`{"type":"string","allOf":[{"format":"date"}]}`, `{}`, ""},
		"elements":          {`{"type":"array","items":{"type":"null"},"allOf":[{"maxItems":3}]}`, `{}`, ""},
		"loose elements":    {`{"type":"array","items":{"type":"null"},"allOf":[{"minItems":3}]}`, `{}`, list},
		"circle":            {`{"type":"string","allOf":[{"$ref":"#/properties/x"}]}`, `{}`, ""},
	} {
		c, err := contract.ParseList([]byte(`[{"name":"a","inputSchema":{"type":"object","properties":{"x":` + tt.property + `},"$defs":` + tt.defs + `}}]`))
		if err != nil {
			t.Fatal(err)
		}
		got := slices.DeleteFunc(ids(lint(t, c, contract.Asixto)), func(id string) bool { return id != text && id != figure && id != list })
		want := slices.DeleteFunc([]string{tt.want}, func(id string) bool { return id == "" })
		if !slices.Equal(got, want) {
			t.Errorf("%s: rules = %v, want %v", name, got, want)
		}
	}
}

// TestPageFollowed: limit is a number of one page at most, however that is said.
func TestPageFollowed(t *testing.T) {
	t.Parallel()
	const number, size = "search-limit-offset", "search-limit-maximum"
	for limit, want := range map[string]string{
		`{"$ref":"#/$defs/limit"}`:                                            "",
		`{"allOf":[{"$ref":"#/$defs/limit"}]}`:                                "",
		`{"anyOf":[{"$ref":"#/$defs/limit"},{"type":"null"}]}`:                "",
		`{"$ref":"#/$defs/many"}`:                                             size,
		`{"$ref":"#/$defs/many","maximum":25}`:                                "",
		`{"oneOf":[{"type":"null"},{"allOf":[{"$ref":"#/$defs/many"}]}]}`:     size,
		`{"$ref":"#/$defs/text"}`:                                             number,
		`{"anyOf":[{"$ref":"#/$defs/text"},{"type":"null"}]}`:                 number,
		`{"allOf":[{"description":"x"}]}`:                                     number,
		`{"type":["integer","null"],"minimum":1,"maximum":25,"allOf":[true]}`: "",
	} {
		c, err := contract.ParseList([]byte(`[{"name":"buscar_citas","inputSchema":{"type":"object","properties":{"limit":` + limit + `,"offset":{"type":"integer"}},
			"$defs":{"limit":{"type":["integer","null"],"maximum":25},"many":{"type":["integer","null"],"maximum":100},"text":{"type":"string"}}}}]`))
		if err != nil {
			t.Fatal(err)
		}
		got := slices.DeleteFunc(ids(lint(t, c, contract.Asixto)), func(id string) bool { return id != number && id != size })
		if wanted := slices.DeleteFunc([]string{want}, func(id string) bool { return id == "" }); !slices.Equal(got, wanted) {
			t.Errorf("%s: rules = %v, want %v", limit, got, wanted)
		}
	}
}

// TestForeignPatterns: a pattern that only other engines know is right.
func TestForeignPatterns(t *testing.T) {
	t.Parallel()
	list := good(t)
	put(t, any(list), "/0/inputSchema/properties/codigo/pattern", `^(?!\.)(?!.*\.\.)[A-Za-z0-9_'+.-]*@[a-z.]+$`) // as zod writes an e-mail
	if r := lint(t, catalog(t, list), contract.Asixto); len(r.Findings) > 0 {
		t.Error(r.Text(contract.English))
	}
}

// TestManyAnchors: references to anchors, each of which leads to many, are followed only so far.
func TestManyAnchors(t *testing.T) {
	t.Parallel()
	var properties strings.Builder
	for i := range 400 {
		properties.WriteString(`"p` + strconv.Itoa(i) + `":{"$ref":"#a","type":["string","null"]},`)
	}
	c, err := contract.ParseList([]byte(`[{"name":"consultar_x","inputSchema":{"type":"object","properties":{` + properties.String() +
		`"z":{"$anchor":"a","allOf":[` + strings.Repeat(`{"$ref":"#b"},`, 400) + `{}]},"zz":{"$anchor":"b","type":["string","null"]}}}}]`))
	if err != nil {
		t.Fatal(err)
	}
	if got := ids(lint(t, c, contract.Asixto)); slices.Contains(got, "schema-ref") || slices.Contains(got, "optional-null") || !slices.Contains(got, "schema-size") {
		t.Errorf("rules = %v, want no schema-ref, no optional-null, and schema-size", got)
	}
}
