package middleware_test

import (
	"encoding/json"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/middleware"
)

// TestRedactKeepsAnySchema: what satisfied a schema satisfies it afterwards, and
// seeded secrets never come out.
func TestRedactKeepsAnySchema(t *testing.T) {
	t.Parallel()
	var seeded []string
	for _, secret := range secrets() {
		seeded = append(seeded, secret)
	}
	cfg := middleware.RedactConfig{HideIDs: true, Fields: []string{"valor_1", "lista_0", "parte_2"}}
	redacted, refused := 0, 0
	for seed := range uint64(rounds(60)) {
		m := newMaker(seed)
		m.values = func(m *maker) string {
			if m.rng.IntN(3) == 0 {
				return m.prose() + " " + seeded[m.rng.IntN(len(seeded))] + " fin."
			}
			return m.prose()
		}
		schema, data := m.object(4)
		if !valid(t, schema, []byte(data)) {
			t.Fatalf("seed %d: the maker's data breaks its schema: %s %s", seed, schema, data)
		}
		for kind, res := range kindsOf(t, data) {
			if kind != "raw" && seed%10 != 0 {
				continue
			}
			res.Content = append(res.Content, mcp.NewTextContent(data))
			got := callTool(t, reads(schema), "", returns(res), middleware.Errors(middleware.ErrorsConfig{}), middleware.Redact(cfg))
			if parts := leaked(string(got.Data) + got.text()); len(parts) > 0 {
				t.Errorf("seed %d, %s: %q came out: %s", seed, kind, parts, got.Data)
			}
			switch {
			case got.IsError:
				refused++
			case !valid(t, schema, got.Data):
				t.Errorf("seed %d, %s: schema %s\ndata %s\nbecame %s", seed, kind, schema, data, got.Data)
			default:
				redacted++
			}
		}
	}
	if redacted < refused/2 || refused == 0 { // or the property says nothing
		t.Errorf("%d results were redacted, %d were refused", redacted, refused)
	}
}

// FuzzRedact: any JSON and any text in, valid JSON out, and a second time changes
// nothing.
func FuzzRedact(f *testing.F) {
	for _, secret := range secrets() {
		data, _ := json.Marshal(map[string]any{"nota": secret, "clave": secret, "id": []any{secret, 1}})
		f.Add(string(data), secret)
	}
	f.Add(`["-----BEGIN PRIVATE KEY-----","MIIEvQIBADANBgkqhkiG9w0BAQEFAASC",["panic: x","","goroutine 1 [running]:","main.main()"],"x"]`, "")
	f.Add(`["-----BEGIN PRIVATE KEY-----\n","MIIEvQIBADANBgkqhkiG9w0BAQEFAASC","","MIIEvQIBADANBgkqhkiG9w0BAQEFAASC"]`, "")
	f.Add(`[{"":{"password":{"":[1]}},"\u0070assword":"x"}]`, `{"a":"0b5f8f3e-8c1d-4a5e-9b7f-2d6c1e3a4b5c"}`)
	mw := middleware.Redact(middleware.RedactConfig{HideIDs: true})
	f.Fuzz(func(t *testing.T, data, text string) {
		if !json.Valid([]byte(data)) {
			return
		}
		res, err := middleware.Wrap(returns(structured(data, text)), mw)(t.Context(), request(nil))
		if err != nil {
			t.Fatal(err)
		}
		if !json.Valid(res.RawStructuredContent) {
			t.Errorf("data became %s", res.RawStructuredContent)
		}
		again, err := middleware.Wrap(returns(res), mw)(t.Context(), request(nil))
		if err != nil {
			t.Fatal(err)
		}
		if once, twice := encode(t, res), encode(t, again); once != twice {
			t.Errorf("once %s, twice %s", once, twice)
		}
	})
}
