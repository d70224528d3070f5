package middleware_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/middleware"
)

// secrets are what must never come out, by kind, each with words around it.
func secrets() map[string]string {
	const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
	return map[string]string{
		"bearer":            "Authorization: Bearer 9f8a7b6c5d4e3f2a1b0c",
		"token":             "Su enlace trae " + jwt + " al final",
		"private key":       "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----",
		"connection string": "falló postgres://admin:s3cr3t-9@db.internal:5432/clientes otra vez",
		"cloud key":         "la llave AKIAIOSFODNN7EXAMPLE quedó activa",
		"address":           "el servidor 10.20.30.40:8080 no respondió",
		"host":              "pida a facturas.internal el recibo",
		"assigned":          "password=Tr0ub4dor&3 fue cambiada",
		"stack":             "panic: x\n\ngoroutine 1 [running]:\nmain.main()\n\t/app/main.go:12 +0x1d\n",
	}
}

// linkWith is a link to a resource that has a text in every place.
func linkWith(text string) mcp.ResourceLink {
	link := mcp.NewResourceLink(text, text, text, "text/plain")
	link.Title = text
	return link
}

// secretParts are what each of the secrets is recognised by when it has leaked.
func secretParts() []string {
	return []string{
		"9f8a7b6c5d4e3f2a1b0c", "dozjgNryP4J3jVmNHl0w5N", "MIIEvQIBADANBg", "s3cr3t-9", "db.internal", "AKIAIOSFODNN7EXAMPLE",
		"10.20.30.40", "facturas.internal", "Tr0ub4dor", "main.go:12", "hunter2-of-tests", "0b5f8f3e-8c1d-4a5e-9b7f-2d6c1e3a4b5c",
	}
}

func leaked(text string) []string {
	var parts []string
	for _, part := range secretParts() {
		if strings.Contains(text, part) {
			parts = append(parts, part)
		}
	}
	return parts
}

const gone = "[dato oculto]"

func TestRedactTexts(t *testing.T) {
	t.Parallel()
	for name, secret := range secrets() {
		data, _ := json.Marshal(map[string]any{"nota": secret, "lista": []any{map[string]any{"texto": secret}}, secret: 1})
		for kind, res := range kindsOf(t, string(data)) {
			if kind == "struct" && strings.ContainsAny(secret, "\n=&@:") {
				continue // no name of a field
			}
			res.Content = []mcp.Content{
				mcp.NewTextContent(secret), mcp.NewTextContent(string(data)),
				mcp.TextContent{Type: "text", Text: string(data), Meta: mcp.NewMetaFromMap(map[string]any{"clave": "hunter2-of-tests"})},
				mcp.TextContent{Type: "text", Text: "x", Meta: mcp.NewMetaFromMap(map[string]any{"origen": secret})},
				mcp.NewEmbeddedResource(mcp.TextResourceContents{URI: "a:b", Text: secret}), linkWith(secret),
				mcp.NewImageContent("AKIAIOSFODNN7EXAMPLf", "image/png"), // base64 is not read
			}
			res.Meta = mcp.NewMetaFromMap(map[string]any{"origen": secret, "n": json.Number("9007199254740993")})
			rec := newRecorder()
			h := middleware.Wrap(returns(res), middleware.Observe(rec.observe), middleware.Redact(middleware.RedactConfig{}))
			got, err := h(t.Context(), request(nil))
			if err != nil {
				t.Fatal(err)
			}
			out := encode(t, got)
			if parts := leaked(out); len(parts) > 0 || !strings.Contains(out, gone) {
				t.Errorf("%s, %s: %q came out in %s", name, kind, parts, out)
			}
			if !strings.Contains(out, "9007199254740993") || !strings.Contains(out, "AKIAIOSFODNN7EXAMPLf") {
				t.Errorf("%s, %s: the number in _meta, or the image, is lost: %s", name, kind, out)
			}
			if ev := rec.next(t); ev.Redacted < 6 {
				t.Errorf("%s, %s: the event says that %d places were redacted", name, kind, ev.Redacted)
			}
		}
	}
}

func TestRedactNames(t *testing.T) {
	t.Parallel()
	const uuid = "0b5f8f3e-8c1d-4a5e-9b7f-2d6c1e3a4b5c"
	all := middleware.RedactConfig{
		HideIDs: true, Public: []string{"ticketId", "código_pin"}, Fields: []string{"margen", "Es Interno"},
		Patterns: []*regexp.Regexp{regexp.MustCompile(`INT-\d+`)},
	}
	for _, test := range []struct {
		name       string
		cfg        middleware.RedactConfig
		data, want string
	}{
		{"nothing", all, `{ "nombre":"Ana", "valor":1.50, "n":9007199254740993 }`, `{ "nombre":"Ana", "valor":1.50, "n":9007199254740993 }`},
		{"credentials", middleware.RedactConfig{}, `{"z":1,"password":"x","clave":1234,"api_key":{"a":"b"},"tokens":["x"],"a":2}`, `{"z":1,"a":2}`},
		{"no credentials", middleware.RedactConfig{},
			`{"nextPageToken":"abc","palabra_clave":"luz","requiere_clave":true,"token":null}`,
			`{"nextPageToken":"abc","palabra_clave":"luz","requiere_clave":true,"token":null}`},
		{"identifiers stay", middleware.RedactConfig{}, `{"id":7,"ticketId":"T-1","x":"` + uuid + `"}`, `{"id":7,"ticketId":"T-1","x":"` + uuid + `"}`},
		{"identifiers go", all, `{"id":7,"_id":"a","cliente_id":"C-9","clienteID":1,"idCliente":2,"citaIds":[1],"uuid":"u","nombre":"Ana","valid":true,"paid":1}`,
			`{"nombre":"Ana","valid":true,"paid":1}`},
		{"unique identifiers go", all, `{"referencia":"` + uuid + `","nota":"el caso ` + strings.ToUpper(uuid) + `, abierto","x":"a` + uuid + `"}`,
			`{"referencia":"` + gone + `","nota":"el caso ` + gone + `, abierto","x":"a` + uuid + `"}`},
		{"public", all, `{"ticket_id":"` + uuid + `","CODIGO PIN":"10.0.0.1","Ticketid":["` + uuid + `"],"codigoPin":{"clave":"x","a":1}}`,
			`{"ticket_id":"` + uuid + `","CODIGO PIN":"10.0.0.1","Ticketid":["` + uuid + `"],"codigoPin":{"a":1}}`},
		{"fields", all, `{"Margen":0.4,"es_interno":true,"margenes":1}`, `{"margenes":1}`},
		{"patterns", all, `{"nota":"pedido INT-55 y INT-56"}`, `{"nota":"pedido ` + gone + ` y ` + gone + `"}`},
		{"twice the same name", middleware.RedactConfig{}, `{"password":"a","b":1,"password":"b"}`, `{"b":1}`},
		{"deep", middleware.RedactConfig{}, `[[{"a":[{"secret":"x","b":1.50}]}]]`, `[[{"a":[{"b":1.50}]}]]`},
		{"JSON in a text", all, `{"cuerpo":"{\"\\u0070assword\":\"x\",\"cliente_id\":7,\"a\":\"{\\\"token\\\":1,\\\"b\\\":2}\"}"}`, `{"cuerpo":"{\"a\":\"{\\\"b\\\":2}\"}"}`},
		{"names in disguise", middleware.RedactConfig{}, `{"\u0070assword":"x","pаssword":"x","ｐａｓｓｗｏｒｄ":"x","pass\u200bword":"x","a":1}`, `{"a":1}`},
		{"names in Spanish", middleware.RedactConfig{},
			`{"claves":["a"],"secreto_webhook":"x","token_sesion":"y","clave_cifrado":{"a":1},"pin_acceso":7,"a":1}`, `{"a":1}`},
		{"the value decides", middleware.RedactConfig{},
			`{"firma":"3f2b8c1e5d4a4a7e9b0c1a2b3c4d5e6f","sesion_id":"9f8a7b6c5d4e3f2a1b0c9f8a","tarjetas":["**** 1111","4111 1111 1111 1111"],"numero_tarjeta":4111111111111111,"card":{"number":"4111-1111-1111-1111","holder":"Ana"},"otra":4111111111111111}`,
			`{"tarjetas":["**** 1111",null],"card":{"holder":"Ana"},"otra":4111111111111111}`},
		{"the value decides that it stays", middleware.RedactConfig{Public: []string{"sesion"}},
			`{"firma":"Ana Peña","fecha_firma":"2026-09-03T09:00:00Z","sesion_id":12,"sesion":"9f8a7b6c5d4e3f2a1b0c9f8a","tarjeta":{"numero":"**** 1111","titular":"Ana"},"firmas":null}`,
			`{"firma":"Ana Peña","fecha_firma":"2026-09-03T09:00:00Z","sesion_id":12,"sesion":"9f8a7b6c5d4e3f2a1b0c9f8a","tarjeta":{"numero":"**** 1111","titular":"Ana"},"firmas":null}`},
		{"pairs", middleware.RedactConfig{},
			`{"h":[{"name":"Authorization","value":"x"},{"Key":"api_key","Value":["x"]},{"nombre":"Contraseña","valor":1234},{"nombre":"pin","valor":true},{"tipo":"password","dato":"x"},{"scheme":"Bearer","value":"x"},{"clave":"token","valor":"x"}]}`,
			`{"h":[{"name":"Authorization"},{"Key":"api_key"},{"nombre":"Contraseña"},{"nombre":"pin","valor":true},{"tipo":"password"},{"scheme":"Bearer"},{}]}`},
		{"no pairs", middleware.RedactConfig{},
			`{"h":[{"nombre":"Token","valor":"89900.00","moneda":"COP"},{"nombre":"Plan","valor":1},{"ref":"password","valor":1},{"nombre":"Token","precio":2}]}`,
			`{"h":[{"nombre":"Token","valor":"89900.00","moneda":"COP"},{"nombre":"Plan","valor":1},{"ref":"password","valor":1},{"nombre":"Token","precio":2}]}`},
		{"lines of a key", middleware.RedactConfig{},
			`{"l":["vea:","-----BEGIN PRIVATE KEY-----","MIIEvQIBADANBgkqhkiG9w0BAQEFAASC","-----END PRIVATE KEY-----","fin"]}`,
			`{"l":["vea:","` + gone + `","` + gone + `","` + gone + `","fin"]}`},
		{"lines of a trace", middleware.RedactConfig{},
			`{"l":["panic: x","","goroutine 1 [running]:","main.main()","\t/app/main.go:12 +0x1d"],"m":["main.main()","fin"]}`,
			`{"l":["` + strings.Repeat(gone+`","`, 4) + gone + `"],"m":["main.main()","fin"]}`},
		{"a scalar", middleware.RedactConfig{}, `"password=Tr0ub4dor&3"`, `"password=` + gone + `"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			res := structured(test.data, test.data)
			h := middleware.Wrap(returns(res), middleware.Redact(test.cfg))
			got, err := h(t.Context(), request(nil))
			if err != nil {
				t.Fatal(err)
			}
			if string(got.RawStructuredContent) != test.want {
				t.Errorf("data\n got %s\nwant %s", got.RawStructuredContent, test.want)
			}
			if text := got.Content[0].(mcp.TextContent).Text; text != test.want { //nolint:forcetypeassert // made above
				t.Errorf("text\n got %s\nwant %s", text, test.want)
			}
			if string(res.RawStructuredContent) != test.data {
				t.Errorf("the handler's own data became %s", res.RawStructuredContent)
			}
			again, err := middleware.Wrap(returns(got), middleware.Redact(test.cfg))(t.Context(), request(nil))
			if err != nil || string(again.RawStructuredContent) != test.want {
				t.Errorf("the second time it became %s, %v", again.RawStructuredContent, err)
			}
		})
	}
}

// TestRedactKeepsSchemas says what takes the place of what the schema demands.
func TestRedactKeepsSchemas(t *testing.T) {
	t.Parallel()
	closed := func(property string) string {
		return `{"type":"object","properties":{"token":` + property + `},"required":["token"],"additionalProperties":false}`
	}
	for _, test := range []struct {
		name, schema, data, want, wantCode string
	}{
		{"not demanded", `{"properties":{"token":{"type":"string"}}}`, `{"token":"x"}`, `{}`, ""},
		{"nullable", closed(`{"type":["string","null"]}`), `{"token":"x"}`, `{"token":null}`, ""},
		{"a text", closed(`{"type":"string"}`), `{"token":"x"}`, `{"token":"` + gone + `"}`, ""},
		{"a short text", closed(`{"type":"string","maxLength":3}`), `{"token":"x"}`, `{"token":""}`, ""},
		{"a number", closed(`{"type":"integer"}`), `{"token":7}`, `{"token":0}`, ""},
		{"a list", closed(`{"type":"array"}`), `{"token":["x"]}`, `{"token":[]}`, ""},
		{"a list of one", closed(`{"type":"array","minItems":1,"items":{"type":"string"}}`), `{"token":["x"]}`, `{"token":["` + gone + `"]}`, ""},
		{"an object", closed(`{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}}`), `{"token":{"a":"x","b":[1]}}`, `{"token":{"a":"` + gone + `"}}`, ""},
		{"a pattern that takes it", closed(`{"type":"string","pattern":"^\\["}`), `{"token":"[x"}`, `{"token":"` + gone + `"}`, ""},
		{"a pattern that does not", closed(`{"type":"string","pattern":"^C-[0-9]+$"}`), `{"token":"C-7"}`, "", errors.CodeBadResult},
		{"an enum", closed(`{"enum":["x","y"]}`), `{"token":"x"}`, "", errors.CodeBadResult},
		{"a text that is redacted, with a length", `{"properties":{"a":{"type":"string","maxLength":14}},"required":["a"]}`, `{"a":"10.0.0.1"}`, `{"a":"` + gone + `"}`, ""},
		{"a text that is redacted, too short", `{"properties":{"a":{"type":"string","maxLength":8}}}`, `{"a":"10.0.0.1"}`, `{}`, ""},
		{"a card", `{"properties":{"tarjetas":{"items":{"required":["n"],"properties":{"n":{"type":"string"}}}}}}`,
			`{"tarjetas":[{"n":"4111 1111 1111 1111"},{"n":"*1111"}]}`, `{"tarjetas":[{"n":"` + gone + `"},{"n":"*1111"}]}`, ""},
		{"a branch", `{"oneOf":[{"properties":{"t":{"const":"a"},"token":{"type":"string"}},"required":["t","token"]},{"properties":{"t":{"const":"b"}},"required":["t"]}]}`,
			`{"t":"a","token":"x"}`, `{"t":"a","token":"` + gone + `"}`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			for kind, res := range kindsOf(t, test.data) {
				got := callTool(t, reads(test.schema), "", returns(res),
					middleware.Errors(middleware.ErrorsConfig{}), middleware.Redact(middleware.RedactConfig{}))
				if got.code() != test.wantCode || test.want != "" && string(got.Data) != test.want {
					t.Errorf("%s: data %s, want %s %s", kind, got.Data, test.want, test.wantCode)
				}
			}
			if test.wantCode == "" {
				return
			}
			got := callTool(t, writes(test.schema), "", returns(structured(test.data, "x")),
				middleware.Errors(middleware.ErrorsConfig{}), middleware.Redact(middleware.RedactConfig{}))
			if got.code() != errors.CodeDoneWithheld {
				t.Errorf("of a write: %s, want the code %s", got.Data, errors.CodeDoneWithheld)
			}
		})
	}
}

func TestRedactFailures(t *testing.T) {
	t.Parallel()
	ids := middleware.RedactConfig{HideIDs: true, Patterns: []*regexp.Regexp{regexp.MustCompile(`INT-\d+`)}}
	boom := errors.NotFound("No encontré INT-55.", errors.WithNextQuestion("¿INT-9?"), errors.WithField("id"),
		errors.WithDetails(map[string]any{"password": "hunter2-of-tests", "host": "10.20.30.40", "cliente_id": 7, "total": json.Number("9007199254740993"), "f": func() {}}))
	res, err := middleware.Wrap(fails(fmt.Errorf("citas: %w", boom)), middleware.Redact(ids))(t.Context(), request(nil))
	e := errors.From(err)
	raw, _ := json.Marshal(e)
	want := `{"error":{"error_type":"NOT_FOUND","user_message":"No encontré ` + gone + `.","details":{"field":"id","next_question":"¿` + gone + `?","host":"` + gone + `","total":9007199254740993}}}`
	if res != nil || string(raw) != want {
		t.Errorf("the failure is\n%s, want\n%s", raw, want)
	}
	if !errors.Is(err, boom) || e.Effect != boom.Effect || len(boom.Details) != 5 {
		t.Errorf("the error is not what it was: %v", err)
	}
	unknown := errors.OutcomeUnknown(errors.Unknown("password=Tr0ub4dor&3", errors.WithDetails(map[string]any{"clave": "hunter2-of-tests"})))
	_, err = middleware.Wrap(fails(unknown), middleware.Redact(ids))(t.Context(), request(nil))
	if e := errors.From(err); e.Code != errors.CodeOutcomeUnknown || e.Effect != errors.EffectUnknown || len(leaked(e.UserMessage+fmt.Sprint(e.Details))) > 0 {
		t.Errorf("an unknown outcome became %+v", e)
	}
	plain := fmt.Errorf("citas: %w", context.DeadlineExceeded)
	if _, err := middleware.Wrap(fails(plain), middleware.Redact(ids))(t.Context(), request(nil)); err != plain { //nolint:errorlint // the very same
		t.Errorf("an error without anything to redact became %v", err)
	}
	// A failure that the handler wrote itself.
	body := `{"error":{"error_type":"NOT_FOUND","user_message":"No.","details":{"dsn":"postgres://a:s3cr3t-9@h/x"}}}`
	written := structured(body, body)
	written.IsError = true
	for name, mw := range map[string]middleware.RedactConfig{"Redact": {}, "Errors": {}} {
		h := middleware.Wrap(returns(written), middleware.Errors(middleware.ErrorsConfig{}))
		if name == "Redact" {
			h = middleware.Wrap(returns(written), middleware.Redact(mw))
		}
		got, err := h(t.Context(), request(nil))
		if err != nil {
			t.Fatal(err)
		}
		if out := encode(t, got); len(leaked(out)) > 0 || !strings.Contains(out, "NOT_FOUND") || !got.IsError {
			t.Errorf("%s: the failure is %s", name, out)
		}
	}
}

// TestRedactRefuses: what cannot be looked at does not leave. What cannot be sent at
// all is for Errors to say.
func TestRedactRefuses(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 900) + strings.Repeat("]", 900)
	for _, test := range []struct {
		name     string
		res      *mcp.CallToolResult
		wantCode string
	}{
		{"too deep", structured(deep, "x"), errors.CodeDoneWithheld},
		{"too deep a text", mcp.NewToolResultText(deep), errors.CodeDoneWithheld},
		{"no JSON", structured(`{"a":`, "x"), errors.CodeBadResult},
		{"too deep, nothing done", structured(`{"status":"needs_more_info","x":`+deep+`}`, "x"), errors.CodeBadResult},
		{"too deep, nothing done, not encoded", mcp.NewToolResultStructured(map[string]any{
			"status": "pending_confirmation", "x": json.RawMessage(deep),
		}, "x"), errors.CodeBadResult},
		{"panics", mcp.NewToolResultStructured(panicsWhenEncoded{}, "x"), errors.CodeBadResult},
	} {
		h := middleware.Wrap(returns(test.res), middleware.Errors(middleware.ErrorsConfig{}), middleware.Redact(middleware.RedactConfig{}))
		got, err := h(t.Context(), request(nil))
		if err != nil {
			t.Fatal(err)
		}
		if e, err := errors.Parse(got.RawStructuredContent); err != nil || e.Code != test.wantCode {
			t.Errorf("%s: %v, %v, want code %s", test.name, e, err, test.wantCode)
		}
		failed := *test.res
		failed.IsError = true
		got, err = middleware.Wrap(returns(&failed), middleware.Errors(middleware.ErrorsConfig{}),
			middleware.Redact(middleware.RedactConfig{}))(t.Context(), request(nil))
		if err != nil {
			t.Fatal(err)
		}
		if e, err := errors.Parse(got.RawStructuredContent); err != nil || e.Type != errors.TypeUnknown {
			t.Errorf("%s, failed: %v, %v", test.name, e, err)
		}
	}
}

// TestRedactWithheldIsDone: a write whose result cannot be shown is not run again,
// and its retry is told the same.
func TestRedactWithheldIsDone(t *testing.T) {
	t.Parallel()
	runs := 0
	h := middleware.Wrap(func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		runs++
		return structured(strings.Repeat("[", 900)+strings.Repeat("]", 900), "x"), nil
	}, middleware.Errors(middleware.ErrorsConfig{}), middleware.Idempotency(newEngine(t, idempotency.Config{})), middleware.Redact(middleware.RedactConfig{}))
	meta := map[string]any{"com.asixto/idempotencyKey": "k", "com.asixto/conversationId": "c"}
	for i, want := range []string{errors.CodeDoneWithheld, errors.CodeAlreadyDone, errors.CodeAlreadyDone} {
		got, err := h(t.Context(), request(meta))
		if err != nil {
			t.Fatal(err)
		}
		if e, err := errors.Parse(got.RawStructuredContent); err != nil || e.Type != errors.TypeBlocker || e.Code != want {
			t.Errorf("call %d: %v, %v, want BLOCKER %s", i, e, err, want)
		}
	}
	if runs != 1 {
		t.Errorf("the handler ran %d times", runs)
	}
}

// TestRedactTextBesideData: JSON in the text is looked at, unless it says what the data
// say.
func TestRedactTextBesideData(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, data, text, want string }{
		{"the same", `{"a":1,"password":"x"}`, `{"a":1,"password":"x"}`, `{"a":1}`},
		{"written otherwise", `{"a":1,"password":"x"}`, "{\n  \"\\u0061\": 1,\n  \"password\": \"x\"\n}", `{"a":1}`},
		{"in another order", `{"a":1,"password":"x"}`, `{"password":"x", "a":1}`, `{"a":1}`},
		{"nothing to take out", `{"a":1}`, `{ "a":1 }`, `{ "a":1 }`},
		{"more than the data", `{"a":1}`, `{"a":1,"password":"hunter2-of-tests"}`, `{"a":1}`},
		{"as much as the data", `{"a":1,"a":1}`, `{"a":1,"password":"hunter2-of-tests"}`, `{"a":1}`},
		{"prose", `{"a":1}`, `password=Tr0ub4dor&3`, `password=` + gone},
		{"a text that is the data", `"password=Tr0ub4dor&3"`, `password=Tr0ub4dor&3`, `password=` + gone},
	} {
		h := middleware.Wrap(returns(structured(test.data, test.text)), middleware.Redact(middleware.RedactConfig{}))
		got, err := h(t.Context(), request(nil))
		if err != nil {
			t.Fatal(err)
		}
		if text := mcp.GetTextFromContent(got.Content[0]); text != test.want {
			t.Errorf("%s: the text is %s, want %s", test.name, text, test.want)
		}
	}
}

func TestRedactConfig(t *testing.T) {
	t.Parallel()
	defer func() {
		text := fmt.Sprint(recover())
		for _, want := range []string{"portavoz/middleware: Redact: ", "pattern 0 is nil", "pattern 2 is nil", "a name is empty", "ticket_id is public and is not"} {
			if !strings.Contains(text, want) {
				t.Errorf("the panic is %q, want %q in it", text, want)
			}
		}
	}()
	middleware.Redact(middleware.RedactConfig{
		Patterns: []*regexp.Regexp{nil, regexp.MustCompile("a"), regexp.MustCompile("a*")},
		Public:   []string{"ticketId", "--"}, Fields: []string{"ticket_id"},
	})
}

// spyStore keeps what it is given to keep.
type spyStore struct {
	idempotency.Store
	mu     sync.Mutex
	result []byte
}

func (s *spyStore) Complete(ctx context.Context, key idempotency.Digest, token string, result []byte, ttl time.Duration) error {
	s.mu.Lock()
	s.result = append(s.result, result...)
	s.mu.Unlock()
	return s.Store.Complete(ctx, key, token, result, ttl)
}

func (s *spyStore) kept() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.result
}

// TestRedactBeforeTheStore: nothing secret is kept, and a replay has none either.
func TestRedactBeforeTheStore(t *testing.T) {
	t.Parallel()
	store := &spyStore{Store: forgetful()}
	engine, err := idempotency.New(store, idempotency.Config{})
	if err != nil {
		t.Fatal(err)
	}
	h := middleware.Wrap(returns(structured(`{"password":"hunter2-of-tests","ok":true}`, "password=Tr0ub4dor&3")),
		middleware.Budget(middleware.BudgetConfig{}), middleware.Idempotency(engine), middleware.Redact(middleware.RedactConfig{}))
	meta := map[string]any{"com.asixto/idempotencyKey": "k", "com.asixto/conversationId": "c"}
	for _, call := range []string{"the first", "the replay"} {
		got, err := h(t.Context(), request(meta))
		if err != nil {
			t.Fatal(err)
		}
		if out := encode(t, got); len(leaked(out)) > 0 || !strings.Contains(out, `{"ok":true}`) {
			t.Errorf("%s: %s", call, out)
		}
	}
	if len(store.kept()) == 0 || len(leaked(string(store.kept()))) > 0 {
		t.Errorf("the store keeps %q", store.kept())
	}
}
