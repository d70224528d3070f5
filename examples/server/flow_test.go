package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// definition is what a checker knows of a tool: what the catalogue says.
type definition struct {
	Name        string `json:"name"`
	InputSchema struct {
		Properties map[string]struct {
			Examples []json.RawMessage `json:"examples"`
		} `json:"properties"`
		Required []string `json:"required"`
	} `json:"inputSchema"`
	OutputSchema json.RawMessage `json:"outputSchema"`
	Annotations  struct {
		ReadOnly *bool `json:"readOnlyHint"`
	} `json:"annotations"`
}

// arguments builds a call from the first example of every property, or only of
// those that are required.
func (d definition) arguments(t *testing.T, onlyRequired bool) string {
	t.Helper()
	args := map[string]json.RawMessage{}
	for name, property := range d.InputSchema.Properties {
		if onlyRequired && !slices.Contains(d.InputSchema.Required, name) {
			continue
		}
		if len(property.Examples) == 0 {
			t.Fatalf("%s.%s has no examples", d.Name, name)
		}
		args[name] = property.Examples[0]
	}
	raw, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func catalogueOf(t *testing.T, list json.RawMessage) []definition {
	t.Helper()
	var catalogue struct {
		Tools []definition `json:"tools"`
	}
	if err := json.Unmarshal(list, &catalogue); err != nil {
		t.Fatal(err)
	}
	return catalogue.Tools
}

// TestCredential is the first thing that a gateway tries.
func TestCredential(t *testing.T) {
	t.Parallel()
	url := start(t).mcp
	for name, sent := range map[string]string{"none": "", "wrong": "guess"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := gateway{url, sent}
			a := do(t, g.request(t, "server/discover", "", envelope("server/discover", "", "")))
			if a.status != http.StatusUnauthorized || a.header.Get("WWW-Authenticate") != `Bearer realm="mcp"` {
				t.Errorf("answer = %d with WWW-Authenticate %q, want 401 with Bearer", a.status, a.header.Get("WWW-Authenticate"))
			}
			want := `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"A valid credential is required."}}`
			if string(a.body) != want {
				t.Errorf("body = %s, want %s", a.body, want)
			}
		})
	}
}

// TestFlow is the whole way of a gateway through the server.
func TestFlow(t *testing.T) {
	t.Parallel()
	p := start(t)
	g := gateway{p.mcp, secret}

	var discovered struct {
		SupportedVersions []string `json:"supportedVersions"`
	}
	if err := json.Unmarshal(g.ask(t, "server/discover"), &discovered); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(discovered.SupportedVersions, "2026-07-28") {
		t.Errorf("supportedVersions = %v, want 2026-07-28 among them", discovered.SupportedVersions)
	}

	list := g.ask(t, "tools/list")
	if again := g.ask(t, "tools/list"); !bytes.Equal(list, again) {
		t.Errorf("two lists differ:\n%s\n%s", list, again)
	}
	tools := catalogueOf(t, list)
	var names []string
	for _, tool := range tools {
		names = append(names, tool.Name)
	}
	want := []string{
		"abrir_caso_soporte", "actualizar_cliente", "buscar_items", "cancelar_cita", "consultar_agenda", "consultar_cliente",
		"consultar_reporte", "iniciar_reporte",
	}
	if !slices.Equal(names, want) {
		t.Fatalf("tools = %v, want %v", names, want)
	}

	// A checker that knows only the catalogue, in any order and more than once.
	for _, onlyRequired := range []bool{false, true} {
		for i, tool := range tools {
			if onlyRequired && tool.Name == "cancelar_cita" {
				continue // what is cancelled stays so, see TestTerminalState
			}
			if tool.Name == "consultar_reporte" {
				continue // nobody has started its example, see TestReport
			}
			key := fmt.Sprintf(`"com.asixto/idempotencyKey":"flow-%d-%t"`, i, onlyRequired)
			r := g.call(t, tool.Name, tool.arguments(t, onlyRequired), key)
			if r.IsError || len(r.Structured) == 0 {
				t.Errorf("%s with its examples = %s, want success", tool.Name, r.Content[0].Text)
			}
			checkSchema(t, tool, r.Structured)
		}
	}
}

// TestFailures are results, not errors of the protocol.
func TestFailures(t *testing.T) {
	t.Parallel()
	g := gateway{start(t).mcp, secret}
	tests := map[string]struct {
		tool, arguments, want string
	}{
		"unknown client": {
			"consultar_cliente", `{"documento":"404"}`,
			`{"error":{"error_type":"NOT_FOUND","user_message":"No encontré un cliente con ese documento.",` +
				`"details":{"field":"documento","next_question":"¿Me confirma el número de documento?"}}}`,
		},
		"missing argument": {
			"cancelar_cita", `{"documento":"1032456789"}`,
			wrongArgument("missing_argument", "cita", `"rule":"required"`, "Hace falta cita."),
		},
		"null for a required argument": {
			"consultar_cliente", `{"documento":null}`,
			wrongArgument("argument_type", "documento", `"rule":"type","expected":["string"]`, "Conviene revisar documento, que no es del tipo esperado."),
		},
		"unknown argument": {
			"consultar_cliente", `{"documento":"1032456789","Documento":"x"}`,
			wrongArgument("misnamed_argument", "Documento", `"rule":"additionalProperties","suggestion":"documento"`, "No se espera ese dato, y quizás se quiso decir documento."),
		},
		"too long": {
			"consultar_cliente", `{"documento":"` + strings.Repeat("1", 31) + `"}`,
			wrongArgument("argument_length", "documento", `"rule":"maxLength","expected":30`, "Conviene revisar documento, que no tiene el largo permitido."),
		},
		"value outside of the list": {
			"abrir_caso_soporte", `{"documento":"1032456789","tipo":"queja","descripcion":"x"}`,
			wrongArgument("argument_value", "tipo", `"rule":"enum","expected":["falla","instalacion","cobro"]`, "Conviene revisar tipo, que no tiene uno de los valores posibles."),
		},
		"state that is no more": {
			"cancelar_cita", `{"documento":"1032456789","cita":"V-1007"}`,
			`{"error":{"error_type":"VALIDATION","user_message":"Esa visita ya está atendida y no se puede cambiar.","details":{"field":"cita"}}}`,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantFailure(t, g.call(t, tt.tool, tt.arguments, ""), tt.want)
		})
	}
}

// wrongArgument is the refusal of a call with one wrong argument; what is the rule
// and what it asks for.
func wrongArgument(code, field, what, message string) string {
	return fmt.Sprintf(`{"error":{"error_type":"VALIDATION","user_message":%[4]q,"details":{"code":%[1]q,"field":%[2]q,`+
		`"problems":[{"field":%[2]q,%[3]s,"message":%[4]q}]}}}`, code, field, what, message)
}

// TestOwnership: another person's appointment answers as one that is not there,
// byte for byte, also after that person was identified elsewhere.
func TestOwnership(t *testing.T) {
	t.Parallel()
	g := gateway{start(t).mcp, secret}
	g.call(t, "consultar_cliente", `{"documento":"79845123"}`, `"com.asixto/conversationId":"of-carlos"`)

	const meta = `"com.asixto/conversationId":"of-ana"`
	body := func(appointment string) []byte {
		params := `"name":"cancelar_cita","arguments":{"documento":"1032456789","cita":"` + appointment + `"}`
		return do(t, g.request(t, "tools/call", "cancelar_cita", envelope("tools/call", params, meta))).body
	}
	others, missing := body("V-1051"), body("V-0000")
	if !bytes.Equal(others, missing) {
		t.Errorf("another person's appointment = %s,\none that does not exist    = %s", others, missing)
	}
	if !strings.Contains(string(missing), "NOT_FOUND") {
		t.Errorf("answer = %s, want NOT_FOUND", missing)
	}
	if r := g.call(t, "consultar_agenda", `{"documento":"79845123","estado":"cancelada"}`, ""); !strings.Contains(string(r.Structured), `"total":0`) {
		t.Errorf("cancelled appointments of the other person = %s, want none", r.Structured)
	}
}

// TestTerminalState: what is cancelled is not cancelled again, and the answer
// names the state.
func TestTerminalState(t *testing.T) {
	t.Parallel()
	g := gateway{start(t).mcp, secret}
	const arguments = `{"documento":"CC 1.032.456.789","cita":"V-1042"}`
	if r := g.call(t, "cancelar_cita", arguments, `"com.asixto/idempotencyKey":"first"`); r.IsError {
		t.Fatalf("first = %s, want success", r.Content[0].Text)
	}
	wantFailure(t, g.call(t, "cancelar_cita", arguments, `"com.asixto/idempotencyKey":"second"`),
		`{"error":{"error_type":"VALIDATION","user_message":"Esa visita ya está cancelada y no se puede cambiar.","details":{"field":"cita"}}}`)
}

// TestMetadata: what the gateway says beside the arguments changes the answer.
func TestMetadata(t *testing.T) {
	t.Parallel()
	g := gateway{start(t).mcp, secret}
	type answer struct {
		Resultados []struct {
			Precio string `json:"precio"`
			Moneda string `json:"moneda"`
		} `json:"resultados"`
		Total, Limit, Offset int
	}
	tests := map[string]struct {
		arguments, meta    string
		shown, limit, from int
		price              string // of the first
	}{
		"no limit":            {`{"texto":"fibra"}`, "", 10, 10, 0, "59900.00"},
		"null limit":          {`{"texto":"fibra","limit":null,"offset":null}`, "", 10, 10, 0, "59900.00"},
		"limit given":         {`{"texto":"FIBRA","limit":2.0,"offset":1}`, "", 2, 2, 1, "74900.00"},
		"largest limit":       {`{"texto":"plan fibra","limit":25}`, "", 25, 25, 0, "59900.00"},
		"voice":               {`{"texto":"fibra","limit":25}`, `"com.asixto/channel":"voice"`, 3, 3, 0, "59900.00"},
		"another price list":  {`{"texto":"fibra","limit":1}`, `"com.asixto/priceListId":"pl_mayorista"`, 1, 1, 0, "50915.00"},
		"price list unknown":  {`{"texto":"fibra","limit":1}`, `"com.asixto/priceListId":"pl_x"`, 1, 1, 0, "59900.00"},
		"metadata of no type": {`{"texto":"fibra","limit":1}`, `"com.asixto/channel":[],"com.asixto/priceListId":7`, 1, 1, 0, "59900.00"},
		"beyond the end":      {`{"texto":"fibra","offset":9999}`, "", 0, 10, 9999, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := g.call(t, "buscar_items", tt.arguments, tt.meta)
			var got answer
			if err := json.Unmarshal(r.Structured, &got); err != nil || r.IsError {
				t.Fatalf("result = %s (%v)", r.Content[0].Text, err)
			}
			if len(got.Resultados) != tt.shown || got.Limit != tt.limit || got.Offset != tt.from || got.Total <= 10 {
				t.Errorf("page = %s", r.Structured)
			}
			if tt.shown > 0 && (got.Resultados[0].Precio != tt.price || got.Resultados[0].Moneda != "COP") {
				t.Errorf("first = %+v, want %s COP", got.Resultados[0], tt.price)
			}
			if n := len([]rune(string(r.Structured))); n > 3000 {
				t.Errorf("the result has %d characters, want 3000 at most", n)
			}
		})
	}
	t.Run("sentences", func(t *testing.T) {
		t.Parallel()
		for arguments, want := range map[string]string{
			`{"texto":"gamer"}`:            "Encontré 2 resultados: Plan Fibra Gamer 500, $129.900; Plan Fibra Gamer 900, $169.900.",
			`{"texto":"router"}`:           "Encontré 1 resultado: Router Wi-Fi 6, $250.000.",
			`{"texto":"gamer","offset":1}`: "Encontré 2 resultados. A continuación: Plan Fibra Gamer 900, $169.900.",
			`{"texto":"gamer","offset":2}`: "No hay más resultados.",
			`{"texto":"helicóptero"}`:      "No encontré resultados.",
			`{"texto":"gamer","limit":1}`:  "Encontré 2 resultados. Para empezar: Plan Fibra Gamer 500, $129.900.",
		} {
			if got := g.call(t, "buscar_items", arguments, "").Content[0].Text; got != want {
				t.Errorf("%s = %q, want %q", arguments, got, want)
			}
		}
	})
	t.Run("nothing found", func(t *testing.T) {
		t.Parallel()
		r := g.call(t, "buscar_items", `{"texto":"helicóptero"}`, "")
		if want := `{"resultados":[],"total":0,"limit":10,"offset":0}`; r.IsError || string(r.Structured) != want {
			t.Errorf("result = %v %s, want success %s", r.IsError, r.Structured, want)
		}
	})
}

// TestLegacy is the flow of clients of the revisions before 2026-07-28.
func TestLegacy(t *testing.T) {
	t.Parallel()
	url := start(t).mcp
	for _, version := range []string{"2025-06-18", "2025-11-25"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			session := ""
			post := func(body string) answer {
				req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
				if err != nil {
					t.Fatal(err)
				}
				req.Header.Set("Content-Type", "application/json")
				req.Header.Set("Accept", "application/json, text/event-stream")
				req.Header.Set("Authorization", "Bearer "+secret)
				if session != "" {
					req.Header.Set("Mcp-Session-Id", session)
					req.Header.Set("Mcp-Protocol-Version", version)
				}
				return do(t, req)
			}
			hello := post(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + version +
				`","capabilities":{},"clientInfo":{"name":"whaapy-mcp-client","version":"1.0.0"}}}`)
			if got := string(resultOf(t, hello)); !strings.Contains(got, `"protocolVersion":"`+version+`"`) {
				t.Errorf("initialize = %s, want version %s", got, version)
			}
			session = hello.header.Get("Mcp-Session-Id")
			if a := post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`); a.status != http.StatusAccepted || len(a.body) > 0 {
				t.Errorf("initialized = %d %q, want 202 without a body", a.status, a.body)
			}
			if n := len(catalogueOf(t, resultOf(t, post(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)))); n != 8 {
				t.Errorf("tools = %d, want 8", n)
			}
			r := toolResult(t, resultOf(t, post(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"consultar_cliente",`+
				`"arguments":{"documento":"1032456789"}}}`)))
			if want := "Ana María Ríos tiene el Plan Fibra 300 por $89.900 al mes, y su servicio está activo."; r.IsError || r.Content[0].Text != want {
				t.Errorf("call = %+v, want %q", r, want)
			}
			if r.ResultType != "" {
				t.Errorf("resultType = %q: that field is of a later revision", r.ResultType)
			}
			req, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, url, http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Authorization", "Bearer "+secret)
			req.Header.Set("Mcp-Session-Id", session)
			if a := do(t, req); a.status != http.StatusOK {
				t.Errorf("goodbye = %d %s, want 200", a.status, a.body)
			}
		})
	}
}

// TestLegacySessionOutlivesItsRecord: what the server keeps of an idle session
// goes after a minute. The client does not notice: an id that this process has no
// record of is served all the same.
func TestLegacySessionOutlivesItsRecord(t *testing.T) {
	t.Parallel()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, start(t).mcp, strings.NewReader(
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"consultar_cliente","arguments":{"documento":"1032456789"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Authorization", "Bearer "+secret)
	req.Header.Set("Mcp-Session-Id", "mcp-session-1637b266-612c-494f-be35-475e28c0bc6c")
	req.Header.Set("Mcp-Protocol-Version", "2025-06-18")
	if r := toolResult(t, resultOf(t, do(t, req))); r.IsError {
		t.Errorf("call = %+v, want a success", r)
	}
}

// TestAppointmentDates: the date and its words say the same, and lie ahead.
func TestAppointmentDates(t *testing.T) {
	t.Parallel()
	g := gateway{start(t).mcp, secret}
	r := g.call(t, "consultar_agenda", `{"documento":"1032456789","estado":"programada"}`, "")
	var agenda struct {
		Resultados []struct {
			Fecha      time.Time `json:"fecha"`
			FechaTexto string    `json:"fecha_texto"`
		} `json:"resultados"`
	}
	if err := json.Unmarshal(r.Structured, &agenda); err != nil || len(agenda.Resultados) != 2 {
		t.Fatalf("agenda = %s (%v), want two appointments", r.Structured, err)
	}
	weekdays := []string{"domingo", "lunes", "martes", "miércoles", "jueves", "viernes", "sábado"}
	for _, a := range agenda.Resultados {
		if _, offset := a.Fecha.Zone(); offset != -5*60*60 || !a.Fecha.After(time.Now()) {
			t.Errorf("fecha = %v, want a time to come in Bogotá", a.Fecha)
		}
		if !strings.HasPrefix(a.FechaTexto, weekdays[a.Fecha.Weekday()]+" ") {
			t.Errorf("fecha_texto = %q for %v", a.FechaTexto, a.Fecha)
		}
	}
}
