package middleware_test

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/portavoz/portavoz/middleware"
)

// FuzzValidate: arguments pass if and only if the validator, used directly, finds
// them valid, and a struct takes no name for another one; with every tolerance what is
// handed on is valid, in both forms the same, and as it was sent where that was valid;
// and what is answered is short.
func FuzzValidate(f *testing.F) {
	for _, seed := range []string{
		`{"documento":"10324","tipo":"falla","referencia":9007199254740993}`,
		`{"documento":"10324","tipo":"falla","cantidad":"10","limit":"null","urgente":"true"}`,
		`{"documento":"10324","tipo":"falla","direccion":"{\"ciudad\":\"Cali\",\"piso\":\"3\"}","items":["{}"]}`,
		`"{\"documento\":\"10324\",\"tipo\":\"falla\"}"`, `{"a":1,"a":2}`, `[]`, `null`, `7`,
		`{"documento":"10324","tipo":"falla","items":[{"SKU":"a"}]}`,
		`{"documento":null,"tipo":"FALLA","etiquetas":{"\ud800":"x","x":{}}}`,
	} {
		f.Add(seed)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(orderSchema))
	if err != nil {
		f.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("mem:///s", doc); err != nil {
		f.Fatal(err)
	}
	direct, err := c.Compile("mem:///s")
	if err != nil {
		f.Fatal(err)
	}
	valid := func(raw []byte) bool {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(string(raw)))
		return err == nil && direct.Validate(v) == nil && !respelled(v)
	}
	exponent := regexp.MustCompile(`\d[eE]`)
	strict, gotStrict := validated(middleware.ValidateConfig{}, orderSchema)
	tolerant, gotTolerant := validated(middleware.ValidateConfig{Tolerate: middleware.AllTolerances()}, orderSchema)
	f.Fuzz(func(t *testing.T, arguments string) {
		if !json.Valid([]byte(arguments)) || exponent.MatchString(arguments) {
			return // mcp-go refuses the first, and an exact 1e999999999 ends the validator
		}
		gotStrict.Params.Name, gotTolerant.Params.Name = "", ""
		call := modernCall("prueba", arguments, "")
		answered := answer(t.Context(), t, strict, call)
		passed := gotStrict.Params.Name != ""
		if twice := strings.Contains(answered, `"code":"invalid_arguments"`); passed != valid([]byte(arguments)) && !twice {
			t.Errorf("%s: passed %v, valid %v\n%s", arguments, passed, !passed, answered)
		}
		if n := len(utf16.Encode([]rune(data(t, answered)))); n > 2500 {
			t.Errorf("%s: the refusal has %d characters", arguments, n)
		}
		if passed && string(gotStrict.Params.RawArguments) != strings.TrimSpace(arguments) {
			t.Errorf("%s: handed on as %s", arguments, gotStrict.Params.RawArguments)
		}

		answer(t.Context(), t, tolerant, call)
		if gotTolerant.Params.Name == "" {
			if passed {
				t.Errorf("%s: refused by tolerance", arguments)
			}
			return
		}
		raw := gotTolerant.Params.RawArguments
		if !valid(raw) || passed && string(raw) != strings.TrimSpace(arguments) {
			t.Errorf("%s: handed on as %s", arguments, raw)
		}
		var want any
		if err := json.Unmarshal(raw, &want); err != nil || !reflect.DeepEqual(gotTolerant.Params.Arguments, want) {
			t.Errorf("%s: Arguments are %v, RawArguments %s", arguments, gotTolerant.Params.Arguments, raw)
		}
	})
}

// respelled reports whether an item has a name that a struct takes for one of those
// which the schema has there. Nothing else in the schema is open and has names.
func respelled(arguments any) bool {
	object, _ := arguments.(map[string]any)
	items, _ := object["items"].([]any)
	for _, item := range items {
		members, _ := item.(map[string]any)
		for name := range members {
			for _, known := range []string{"sku", "unidades"} {
				if name != known && strings.EqualFold(name, known) {
					return true
				}
			}
		}
	}
	return false
}
