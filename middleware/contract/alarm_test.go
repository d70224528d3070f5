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
