package middleware_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/voice"
)

// speak shapes data for the phone and returns the data that come out.
func speak(t *testing.T, cfg middleware.VoiceConfig, data string) string {
	t.Helper()
	return string(told(t, cfg, &mcp.CallToolResult{RawStructuredContent: json.RawMessage(data)}).RawStructuredContent)
}

// told shapes a result for the phone.
func told(t *testing.T, cfg middleware.VoiceConfig, res *mcp.CallToolResult) *mcp.CallToolResult {
	t.Helper()
	got, err := middleware.Voice(cfg)(returns(res))(t.Context(), onChannel("voice"))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestVoiceChannel: only the phone is shaped for, unless an option says otherwise.
func TestVoiceChannel(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		channel string
		always  bool
		shaped  bool
	}{
		{"voice", false, true}, {"chat", false, false}, {"", false, false}, {"fax", false, false}, {"chat", true, true},
	} {
		cfg := inBogota()
		cfg.Always = tt.always
		res := structured(`[1,2,3,4]`, "Van 4.")
		got, err := middleware.Voice(cfg)(returns(res))(t.Context(), onChannel(tt.channel))
		if err != nil {
			t.Fatal(err)
		}
		if shaped := string(got.RawStructuredContent) == `[1,2,3]`; shaped != tt.shaped {
			t.Errorf("channel %q, always %t: got %s", tt.channel, tt.always, got.RawStructuredContent)
		}
	}
}

// TestVoiceMoney: what is an amount and what is not.
func TestVoiceMoney(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ member, want string }{
		{`"precio":"89900.00"`, "ochenta y nueve mil novecientos pesos"},
		{`"precio":89900.5`, "ochenta y nueve mil novecientos un pesos"},
		{`"valorTotal":1`, "un peso"},
		{`"total_a_pagar":"12"`, "doce pesos"},
		{`"saldo":-3`, "menos tres pesos"},
		{`"unit_price":2`, "dos pesos"},
		{`"precio":"89.900"`, ""}, // thousands or decimals
		{`"precio":"89.900 COP"`, ""},
		{`"precio":1e3`, ""},
		{`"precio":` + strings.Repeat("9", 40), ""},
		{`"precio":"gratis"`, ""},
		{`"precio":true`, ""},
		{`"total":148`, ""},
		{`"limit":2`, ""},
		{`"offset":20`, ""},
		{`"cantidad":20`, ""},
		{`"cuotas":12`, ""},
		{`"numero_pago":12345`, ""},
		{`"dia_pago":15`, ""},
		{`"porcentaje_cargo":15`, ""},
		{`"estado_pago":"1"`, ""},
		{`"valoracion":5`, ""},
	} {
		got := speak(t, inBogota(), `{"moneda":"COP",`+tt.member+`}`)
		_, said, _ := strings.Cut(got, `_texto":"`)
		if said = strings.TrimSuffix(said, `"}`); said != tt.want {
			t.Errorf("%s is said %q, want %q", tt.member, said, tt.want)
		}
	}
	for data, want := range map[string]string{
		`{"precio":1}`:                                         `{"precio":1}`,
		`{"moneda":"pesos","precio":1}`:                        `{"moneda":"pesos","precio":1}`,
		`{"currency":"usd","items":[{"precio":1}]}`:            `{"currency":"usd","items":[{"precio":1,"precio_texto":"un dólar"}]}`,
		`{"moneda":"COP","p":{"moneda":"USD","valor":2}}`:      `{"moneda":"COP","p":{"moneda":"USD","valor":2,"valor_texto":"dos dólares"}}`,
		`{"moneda":"COP","precio":1,"precio_texto":"Un peso"}`: `{"moneda":"COP","precio":1,"precio_texto":"Un peso"}`,
		`{"moneda":"COP","precio":1,"precio_texto":7}`:         `{"moneda":"COP","precio":1,"precio_texto":7}`,
	} {
		if got := speak(t, inBogota(), data); got != want {
			t.Errorf("%s became %s, want %s", data, got, want)
		}
	}
}

// TestVoiceFields: rules of the server win over notes of the schema, and both over
// what names suggest.
func TestVoiceFields(t *testing.T) {
	t.Parallel()
	cfg := inBogota()
	cfg.Fields = []middleware.VoiceField{
		{Field: "clave", As: middleware.ReadDigits},
		{Field: "abono", As: middleware.ReadSkip},
		{Field: "lista.abono", As: middleware.ReadMoney, Currency: "USD"},
		{Field: "abono", Tool: "otra", As: middleware.ReadDate},
		{Field: "tarifa", As: middleware.ReadMoney},
		{Field: "tarifa", Tool: "consultar_prueba", As: middleware.ReadDigits},
		{Field: "contacto", As: middleware.ReadPhone},
		{Field: "cuando", As: middleware.ReadDate},
		{Field: "oculto", As: middleware.ReadSkip},
	}
	schema := `{"properties":{"enlaces":{"items":{"x-portavoz":"skip"}},"monto":{"x-portavoz":"money"},"tarifa":{"x-portavoz":"skip"},"fecha":{"x-portavoz":"skip"},"nota":{"x-portavoz":"otra cosa"}}}`
	data := `{"clave":"A7K9","abono":"5.00","lista":[{"abono":"5.00"}],"tarifa":"42","contacto":"(601) 234-5678","cuando":"15:30",` +
		`"oculto":{"url":"https://x.co","l":[1,2,3,4]},"monto":"$ 89.900","fecha":"2026-09-03","nota":"https://x.co","enlaces":["https://x.co"]}`
	got := callTool(t, reads(schema), onVoice+`,"com.asixto/currency":"COP"`, returns(structured(data, "Listo.")), middleware.Voice(cfg))
	want := `{"clave":"A7K9","clave_texto":"a siete ka nueve","abono":"5.00","lista":[{"abono":"5.00","abono_texto":"cinco dólares"}],` +
		`"tarifa":"42","tarifa_texto":"cuatro dos","contacto":"(601) 234-5678","contacto_texto":"seis cero uno, dos tres cuatro, cinco seis siete ocho",` +
		`"cuando":"15:30","cuando_texto":"las tres y media de la tarde","oculto":{"url":"https://x.co","l":[1,2,3]},` +
		`"monto":"$ 89.900","monto_texto":"ochenta y nueve mil novecientos pesos","fecha":"2026-09-03","nota":"","enlaces":["https://x.co"]}`
	if string(got.Data) != want {
		t.Errorf("\n got %s\nwant %s", got.Data, want)
	}
}

// TestVoiceZone: the call's zone, else that of the configuration, else the offset
// that is written.
func TestVoiceZone(t *testing.T) {
	t.Parallel()
	zones := &voice.Zones{Source: func(name string) (*time.Location, error) {
		if name == "America/Mexico_City" {
			return time.FixedZone("CST", -6*60*60), nil
		}
		return nil, errors.New("no such zone")
	}}
	for _, tt := range []struct{ named, want string }{
		{"America/Mexico_City", "ocho de la mañana"},
		{"America/Nowhere", "nueve de la mañana"},
		{"../../etc/passwd", "nueve de la mañana"},
		{"", "nueve de la mañana"},
	} {
		cfg := inBogota()
		cfg.Zones = zones
		req := request(map[string]any{"com.asixto/channel": "voice", "com.asixto/timezone": tt.named})
		got, err := middleware.Voice(cfg)(returns(structured(`{"inicio":"2026-09-03T14:00:00Z"}`, "A las 14:00Z")))(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if data := string(got.RawStructuredContent); !strings.Contains(data, "jueves tres de septiembre a las "+tt.want) {
			t.Errorf("in %q: %s, want %s", tt.named, data, tt.want)
		}
	}
	cfg := inBogota()
	cfg.Zone = nil
	if got := speak(t, cfg, `{"inicio":"2026-09-03T14:00:00+02:00"}`); !strings.Contains(got, "las dos de la tarde") {
		t.Errorf("without a zone: %s", got)
	}
}

// TestVoiceTexts: texts lose what cannot be heard, and nothing else.
func TestVoiceTexts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, data, want string }{
		{"plain", `{"a":"Plan Fibra 100, piso 3 (torre B) 24/7 S.A. 1.500 & más"}`, `{"a":"Plan Fibra 100, piso 3 (torre B) 24/7 S.A. 1.500 & más"}`},
		{"code", `{"a":"TK-4821","b":"C-100"}`, `{"a":"TK-4821","b":"C-100"}`},
		{"uuid", `{"a":"3f2b8c1e-5d4a-4a7e-9b0c-1a2b3c4d5e6f"}`, `{"a":"3f2b8c1e-5d4a-4a7e-9b0c-1a2b3c4d5e6f"}`},
		{"link", `{"a":"https://ejemplo.com/x"}`, `{"a":""}`},
		{"mail in prose", `{"a":"Escriba a ana@ejemplo.com."}`, `{"a":"Escriba al correo."}`},
		{"handle", `{"a":"Síganos en @clinica_norte"}`, `{"a":"Síganos en la cuenta"}`},
		{"file", `{"a":"Ver factura-2026.pdf"}`, `{"a":"Ver el archivo"}`},
		{"id", `{"id":"a_b_c*d*.pdf"}`, `{"id":"a_b_c*d*.pdf"}`},
		{"bold", `{"a":"Es **hoy**"}`, `{"a":"Es hoy"}`},
		{"bullets", `{"a":"- uno\n- dos"}`, `{"a":"uno.\ndos."}`},
		{"html", `{"a":"<b>uno</b>&nbsp;dos"}`, `{"a":"uno dos"}`},
		{"emoji", `{"a":"Listo 🎉"}`, `{"a":"Listo"}`},
		{"in a list", `["vea https://x.co"]`, `["vea el enlace"]`},
		{"own text for the ear", `{"fecha":"x","fecha_texto":"el 3 de septiembre"}`, `{"fecha":"x","fecha_texto":"el tres de septiembre"}`},
		{"alone", `"https://x.co"`, `""`},
		{"signs that are none", `{"a":"5 < 7 y 8 > 3, 2 * 3 * 4, R&D, C#, a_b, *611, -5, +57 300"}`, `{"a":"5 < 7 y 8 > 3, 2 * 3 * 4, R&D, C#, a_b, *611, -5, +57 300"}`},
		{"a list of items", `{"a":"1. Uno\n2. Dos"}`, `{"a":"primero: Uno.\nsegundo: Dos."}`},
		{"text for the ear that nobody hears", `{"fecha":"2026-09-03","fecha_texto":"https://x.co"}`, `{"fecha":"2026-09-03","fecha_texto":"jueves tres de septiembre"}`},
		{"text for the ear before its date", `{"fecha_texto":"🎉","fecha":"2026-09-03"}`, `{"fecha_texto":"jueves tres de septiembre","fecha":"2026-09-03"}`},
	} {
		if got := speak(t, inBogota(), tt.data); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestVoiceSchema: what a schema asks for stays.
func TestVoiceSchema(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, schema, data, want string }{
		{"closed", `{"properties":{"fecha":{}},"additionalProperties":false}`, `{"fecha":"2026-09-03"}`, `{"fecha":"2026-09-03"}`},
		{"null is filled", `{"properties":{"fecha":{},"fecha_texto":{"oneOf":[{"type":"null"},{"type":"string"}]}},"additionalProperties":false}`,
			`{"fecha":"2026-09-03","fecha_texto":null}`, `{"fecha":"2026-09-03","fecha_texto":"jueves tres de septiembre"}`},
		{"too short for the text", `{"properties":{"fecha_texto":{"maxLength":5}}}`, `{"fecha":"2026-09-03"}`, `{"fecha":"2026-09-03"}`},
		{"limit is fixed", `{"properties":{"limit":{"const":10}}}`, `{"l":[1,2,3,4],"limit":10}`, `{"l":[1,2,3],"limit":10}`},
		{"five or more", `{"properties":{"l":{"minItems":5}}}`, `{"l":[1,2,3,4,5,6],"limit":6}`, `{"l":[1,2,3,4,5],"limit":5}`},
		{"next offset is declared", `{"properties":{"siguiente_offset":{"type":"integer"}},"additionalProperties":true}`,
			`{"resultados":[1,2,3,4],"total":4,"limit":10,"offset":0}`, `{"resultados":[1,2,3],"total":4,"limit":3,"offset":0,"siguiente_offset":3}`},
		{"enum", `{"properties":{"a":{"enum":["**uno**"]}}}`, `{"a":"**uno**"}`, `{"a":"**uno**"}`},
		{"an address by format", `{"properties":{"a":{"type":["string","null"],"format":"email"},"b":{"format":"uri","type":"string"}}}`,
			`{"a":"ana@x.co","b":"https://x.co"}`, `{"a":null,"b":"https://x.co"}`},
		{"a text has to be there", `{"properties":{"a":{"minLength":1}}}`, `{"a":"https://x.co"}`, `{"a":"enlace"}`},
		{"the whole decides", `{"oneOf":[{"properties":{"l":{"maxItems":3}},"required":["x"]},{"properties":{"l":{"minItems":2}},"required":["l"]}]}`,
			`{"l":[1,2,3,4]}`, `{"l":[1,2,3]}`},
		{"the whole refuses", `{"not":{"properties":{"l":{"maxItems":3}}}}`, `{"l":[1,2,3,4],"m":"**a**"}`, `{"l":[1,2,3,4],"m":"**a**"}`},
		{"the whole refuses the addition", `{"if":{"required":["fecha_texto"]},"then":false}`, `{"l":[1,2,3,4],"fecha":"2026-09-03"}`, `{"l":[1,2,3],"fecha":"2026-09-03"}`},
		{"a schema of another place", `{"allOf":[{"$ref":"https://example.com/s"}]}`, `{"l":[1,2,3,4]}`, `{"l":[1,2,3,4]}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := callTool(t, reads(tt.schema), onVoice, returns(structured(tt.data, "Listo.")), middleware.Voice(inBogota()))
			if string(got.Data) != tt.want {
				t.Errorf("got %s, want %s", got.Data, tt.want)
			}
		})
	}
}

// TestVoiceKinds: however a handler returns its data, the same comes out, and what
// it holds stays as it was.
func TestVoiceKinds(t *testing.T) {
	t.Parallel()
	const raw = `{"fecha":"2026-09-03","lista":[9007199254740993,1.50,3,4],"nota":"vea https://x.co"}`
	const want = `{"fecha":"2026-09-03","fecha_texto":"jueves tres de septiembre","lista":[9007199254740993,1.50,3],"nota":"vea el enlace"}`
	for name, res := range kindsOf(t, raw) {
		before := encode(t, res)
		got := told(t, inBogota(), res)
		if string(got.RawStructuredContent) != want || got.StructuredContent != nil && name != "raw message" {
			t.Errorf("%s: got %s, want %s", name, got.RawStructuredContent, want)
		}
		if after := encode(t, res); after != before {
			t.Errorf("%s: the handler's result became %s", name, after)
		}
	}
}

// TestVoiceContent: the handler's own words, or a sentence about the data.
func TestVoiceContent(t *testing.T) {
	t.Parallel()
	image := mcp.NewImageContent("AA==", "image/png")
	for _, tt := range []struct {
		name, data string
		content    []mcp.Content
		want       string
	}{
		{"own words", `{"a":1}`, []mcp.Content{mcp.NewTextContent("Son **3** citas.")}, "Son tres citas."},
		{"several blocks", `{"a":1}`, []mcp.Content{mcp.NewTextContent("Uno: 1"), mcp.NewTextContent(`{"a":1}`), image, &mcp.TextContent{Type: "text", Text: "Dos: 2"}}, "Uno: uno|-|Dos: dos"},
		{"only a link", `{"estado":"activo"}`, []mcp.Content{mcp.NewTextContent("https://x.co")}, "Estado: activo."},
		{"image", `{"estado":"activo"}`, []mcp.Content{image}, "Estado: activo.|-"},
		{"one", `{"resultados":[{"nombre":"Ana"}],"total":1}`, nil, "Encontré un resultado: Ana."},
		{"many", `{"resultados":["a","b","c"],"total":21}`, nil, "Encontré veintiún resultados. Los primeros tres son: a, b y c."},
		{"many and one", `{"resultados":["a"],"total":21}`, nil, "Encontré veintiún resultados. El primero es: a."},
		{"million", `{"resultados":[{"id":"x"}],"total":1000000}`, nil, "Encontré un millón de resultados."},
		{"last page", `{"resultados":["a"],"total":21,"offset":20}`, nil, "Encontré veintiún resultados. El último es: a."},
		{"after the end", `{"resultados":[],"total":21,"offset":40}`, nil, "No hay más resultados."},
		{"only a list", `{"citas":[]}`, nil, "No encontré resultados."},
		{"names with e", `["agujas","hilos"]`, nil, "Encontré dos resultados: agujas e hilos."},
		{"labels", `{"direccion_envio":"Calle 5","numeroCuotas":12,"activo":false,"vacio":"","nada":null,"id":"x"}`, nil, "Dirección de envío: Calle cinco. Número de cuotas: doce. Activo: no."},
		{"prose", `{"mensaje":"Quedó agendada.","cita":"C-100"}`, nil, "Quedó agendada. Cita: ce, uno cero cero."},
		{"amount in a closed record", `{"nombre":"Plan","precio":"5.00","precio_texto":null,"moneda":"COP"}`, nil, "Nombre: Plan. Precio: cinco pesos."},
		{"nothing to say", `{"id":"x"}`, nil, "Listo."},
		{"scalar", `7`, nil, "Siete."},
	} {
		got := told(t, inBogota(), &mcp.CallToolResult{RawStructuredContent: json.RawMessage(tt.data), Content: tt.content})
		var said []string
		for _, c := range got.Content {
			if text, ok := c.(mcp.TextContent); ok {
				said = append(said, text.Text)
			} else {
				said = append(said, "-")
			}
		}
		if joined := strings.Join(said, "|"); joined != tt.want {
			t.Errorf("%s: said %q, want %q", tt.name, joined, tt.want)
		}
	}
}

// TestVoiceTextAlone: data that a handler returns as text become structured, so that
// the text is free to be heard.
func TestVoiceTextAlone(t *testing.T) {
	t.Parallel()
	got := told(t, inBogota(), mcp.NewToolResultText(`{"resultados":["a","b","c","d"],"total":4}`))
	want := `{"content":[{"type":"text","text":"Encontré cuatro resultados. Los primeros tres son: a, b y c."}],"structuredContent":{"resultados":["a","b","c"],"total":4}}`
	if s := encode(t, got); s != want {
		t.Errorf("got %s, want %s", s, want)
	}
	got = told(t, inBogota(), mcp.NewToolResultText(`["a","b","c","d"]`))
	want = `{"content":[{"type":"text","text":"Encontré cuatro resultados. Los primeros tres son: a, b y c."}],"structuredContent":{"resultados":["a","b","c"],"total":4}}`
	if s := encode(t, got); s != want {
		t.Errorf("a list: got %s, want %s", s, want)
	}
	for _, text := range []string{`{"a":`, "7", "Van 3."} {
		if got := told(t, inBogota(), mcp.NewToolResultText(text)); got.RawStructuredContent != nil {
			t.Errorf("%s became data: %s", text, got.RawStructuredContent)
		}
	}
}

// TestVoiceFailures: the sentence is put into words, in both places; the rest stays.
func TestVoiceFailures(t *testing.T) {
	t.Parallel()
	cfg := inBogota()
	failing := middleware.Chain(middleware.Voice(cfg), middleware.Errors(middleware.ErrorsConfig{}))
	err := errors.Validation("Faltan 2 datos para el 2026-09-03.", errors.WithCode("x_1"), errors.WithDetails(map[string]any{"lista": []int{1, 2, 3, 4}}))
	got, _ := failing(fails(err))(t.Context(), onChannel("voice"))
	want := failure("VALIDATION", "Faltan dos datos para el tres de septiembre de dos mil veintiséis.", `{"code":"x_1","lista":[1,2,3,4]}`)
	if s := encode(t, got); s != want {
		t.Errorf("got %s, want %s", s, want)
	}
	plain := told(t, cfg, mcp.NewToolResultError("Son 3 errores"))
	if s := mcp.GetTextFromContent(plain.Content[0]); s != "Son tres errores" || !plain.IsError {
		t.Errorf("a failure in words is %q", s)
	}
	res := &mcp.CallToolResult{IsError: true, Content: []mcp.Content{mcp.NewTextContent(`{"error": {"user_message":"Van 3"},"b":9007199254740993}`)}}
	if s := mcp.GetTextFromContent(told(t, cfg, res).Content[0]); s != `{"error":{"user_message":"Van tres"},"b":9007199254740993}` {
		t.Errorf("a failure as text alone is %s", s)
	}
	if s := mcp.GetTextFromContent(res.Content[0]); strings.Contains(s, "tres") {
		t.Errorf("the handler's result became %s", s)
	}
	got, _ = middleware.Voice(cfg)(returns(&mcp.CallToolResult{IsError: true, Content: []mcp.Content{mcp.NewTextContent("https://x.co")},
		RawStructuredContent: []byte(`{"error":{"error_type":"NOT_FOUND","user_message":"https://x.co/ayuda"}}`)}))(t.Context(), onChannel("voice"))
	said := errors.Messages(nil).For(errors.NotFound(""))
	want = `{"content":[{"type":"text","text":"` + said + `"}],"isError":true,"structuredContent":{"error":{"error_type":"NOT_FOUND","user_message":"` + said + `"}}}`
	if s := encode(t, got); s != want {
		t.Errorf("a link alone: got %s, want %s", s, want)
	}
}

// TestVoiceRemoved: the server gets what the texts lost, each piece once.
func TestVoiceRemoved(t *testing.T) {
	t.Parallel()
	var got []string
	cfg := inBogota()
	cfg.OnRemoved = func(ctx context.Context, pieces []voice.Piece) {
		if middleware.RecordFrom(ctx) == nil {
			t.Error("the call is not known")
		}
		for _, p := range pieces {
			got = append(got, string(p.Kind)+" "+p.Text)
		}
	}
	told(t, cfg, structured(`{"a":"vea https://x.co/1","b":"https://x.co/1","c":"ana@x.co","d":["https://x.co/9","b","c","https://x.co/cut"]}`, "Escriba a ana@x.co o baje f.pdf"))
	if want := "url https://x.co/1,email ana@x.co,url https://x.co/9,file f.pdf"; strings.Join(got, ",") != want {
		t.Errorf("got %s, want %s", strings.Join(got, ","), want)
	}
	got = nil
	callTool(t, reads(`{"properties":{"a":{"type":["string","null"],"format":"uri"}}}`), onVoice, returns(structured(`{"a":"urn:x"}`, "Nada.")), middleware.Voice(cfg))
	if strings.Join(got, ",") != "url urn:x" {
		t.Errorf("of an address by format: got %q", got)
	}
	got = nil
	told(t, cfg, structured(`{"a":1}`, "Nada."))
	if got != nil {
		t.Errorf("nothing was removed, and %v was reported", got)
	}
}

// TestVoiceConfig: everything that is wrong is said at once.
func TestVoiceConfig(t *testing.T) {
	t.Parallel()
	defer func() {
		said := fmt.Sprint(recover())
		for _, want := range []string{"portavoz/middleware: Voice: ", "MaxItems", "Country", "rule 0", "rule 1", "rule 2"} {
			if !strings.Contains(said, want) {
				t.Errorf("%q does not speak of %q", said, want)
			}
		}
	}()
	middleware.Voice(middleware.VoiceConfig{MaxItems: -1, Country: "XX", Fields: []middleware.VoiceField{
		{Field: "", As: middleware.ReadDate}, {Field: "a", As: "canto"}, {Field: "a", As: middleware.ReadMoney, Currency: "pesos"},
	}})
}
