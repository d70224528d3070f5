package paginate_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/portavoz/portavoz/paginate"
)

// wantJSON compares the encoding of v.
func wantJSON(t *testing.T, v any, want string) {
	t.Helper()
	got, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("got\n %s\nwant\n %s", got, want)
	}
}

func TestProperties(t *testing.T) {
	t.Parallel()
	small, err := paginate.NewRules(paginate.Config{MaxLimit: 2, MaxOffset: 50})
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		rules paginate.Rules
		want  string
	}{
		"the contract's": {paginate.Rules{}, `{` +
			`"limit":{"default":10,"description":"Cuántos resultados devolver: 10 si no se indica y 25 como máximo (3 en voz).",` +
			`"maximum":25,"minimum":1,"type":["integer","null"]},` +
			`"offset":{"default":0,"description":"Cuántos resultados saltar antes del primero: ninguno si no se indica.",` +
			`"maximum":10000,"minimum":0,"type":["integer","null"]}}`},
		"others": {small, `{` +
			`"limit":{"default":2,"description":"Cuántos resultados devolver: 2 si no se indica y 2 como máximo.",` +
			`"maximum":2,"minimum":1,"type":["integer","null"]},` +
			`"offset":{"default":0,"description":"Cuántos resultados saltar antes del primero: ninguno si no se indica.",` +
			`"maximum":50,"minimum":0,"type":["integer","null"]}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantJSON(t, tt.rules.Properties(), tt.want)
		})
	}
}

// TestSchemasAgree: what the schema says is what the rules do.
func TestSchemasAgree(t *testing.T) {
	t.Parallel()
	for _, cfg := range []paginate.Config{{}, {MaxLimit: 2, MaxOffset: 50}, {DefaultLimit: 3, MaxLimit: 1000, MaxOffset: 1e9}} {
		rules, err := paginate.NewRules(cfg)
		if err != nil {
			t.Fatal(err)
		}
		for name, property := range rules.Properties() {
			schema := property.(map[string]any)
			least, most := schema["minimum"].(float64), schema["maximum"].(float64)
			of := func(v any) (int, error) {
				p, err := rules.FromMap(map[string]any{name: v}, false)
				if name == "limit" {
					return p.Limit, err
				}
				return p.Offset, err
			}
			for value, want := range map[any]float64{least: least, most: most, nil: schema["default"].(float64)} {
				if got, err := of(value); err != nil || got != int(want) {
					t.Errorf("%+v: %s of %v = %d, %v, want %v", cfg, name, value, got, err, want)
				}
			}
			if got, err := of(least - 1); err == nil {
				t.Errorf("%+v: %s below the minimum = %d, want an error", cfg, name, got)
			}
		}
	}
}

// TestSchemasAsDecoded: whoever looks into a schema finds the types of JSON.
func TestSchemasAsDecoded(t *testing.T) {
	t.Parallel()
	for name, schema := range map[string]map[string]any{
		"properties": paginate.Rules{}.Properties(),
		"page":       paginate.Rules{}.PageSchema(map[string]any{"type": "string"}, paginate.Names{Next: "siguiente"}),
	} {
		raw, err := json.Marshal(schema)
		if err != nil {
			t.Fatal(err)
		}
		var decoded map[string]any
		if err := json.Unmarshal(raw, &decoded); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(schema, decoded) {
			t.Errorf("%s:\n %#v\nwant what JSON decodes to\n %#v", name, schema, decoded)
		}
	}
}

// TestPropertyKeepsTheRest: an option before this one keeps what it set.
func TestPropertyKeepsTheRest(t *testing.T) {
	t.Parallel()
	schema := map[string]any{"type": "number", "examples": []any{5}}
	paginate.Rules{}.Offset(schema)
	if want := []any{5}; !reflect.DeepEqual(schema["examples"], want) {
		t.Errorf("examples = %v, want %v", schema["examples"], want)
	}
	if want := []any{"integer", "null"}; !reflect.DeepEqual(schema["type"], want) {
		t.Errorf("type = %v, want %v", schema["type"], want)
	}
}

func TestPropertiesAreFresh(t *testing.T) {
	t.Parallel()
	first := paginate.Rules{}.Properties()
	first["limit"].(map[string]any)["maximum"] = 99.0
	if got := (paginate.Rules{}).Properties()["limit"].(map[string]any)["maximum"]; got != 25.0 {
		t.Errorf("a change went through to the next copy: maximum = %v, want 25", got)
	}
}

func TestPageSchema(t *testing.T) {
	t.Parallel()
	const members = `{"description":"Cuántos resultados caben en esta página.","minimum":1,"type":"integer"}`
	const offset = `{"description":"Cuántos resultados hay antes del primero.","minimum":0,"type":"integer"}`
	const results = `{"description":"Los resultados de esta página, los más relevantes primero.","items":{"type":"string"},"maxItems":25,"type":"array"}`
	const total = `{"description":"Cuántos resultados hay en todas las páginas.","minimum":0,"type":"integer"}`
	const next = `{"description":"El offset de la página siguiente; la última no lo trae.","minimum":0,"type":"integer"}`
	wantJSON(t, paginate.Rules{}.PageSchema(json.RawMessage(`{"type":"string"}`), paginate.Names{}),
		`{"additionalProperties":false,"properties":{"limit":`+members+`,"offset":`+offset+`,"resultados":`+results+`,"total":`+total+`},`+
			`"required":["resultados","total","limit","offset"],"type":"object"}`)
	wantJSON(t, paginate.Rules{}.PageSchema(json.RawMessage(`{"type":"string"}`), paginate.Names{Results: "citas", Next: "siguiente"}),
		`{"additionalProperties":false,"properties":{"citas":`+results+`,"limit":`+members+`,"offset":`+offset+`,"siguiente":`+next+`,"total":`+total+`},`+
			`"required":["citas","total","limit","offset"],"type":"object"}`)
}
