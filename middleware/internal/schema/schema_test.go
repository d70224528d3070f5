package schema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/middleware/internal/schema"
)

func compile(t testing.TB, raw string) *schema.Schema {
	t.Helper()
	s, err := schema.Compile([]byte(raw))
	if err != nil {
		t.Fatalf("Compile(%s): %v", raw, err)
	}
	return s
}

func decode(t testing.TB, raw string) any {
	t.Helper()
	v, err := schema.Decode([]byte(raw))
	if err != nil {
		t.Fatalf("Decode(%s): %v", raw, err)
	}
	return v
}

func TestCompileRefuses(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ raw, want string }{
		"no JSON":                {`{`, "unexpected end of JSON"},
		"two values":             {`{} {}`, "after top-level value"},
		"a type that is none":    {`{"type":"texto"}`, "not valid against metaschema"},
		"a pattern that is none": {`{"pattern":"("}`, "is not valid regex"},
		"a file":                 {`{"$ref":"file:///etc/hostname"}`, "may refer to nothing outside of itself"},
		"a relative file":        {`{"$ref":"schema_test.go"}`, "may refer to nothing outside of itself"},
		"an address":             {`{"$ref":"https://example.com/s.json"}`, "may refer to nothing outside of itself"},
		"a file by base":         {`{"$id":"file:///etc/x","$ref":"hostname"}`, "may refer to nothing outside of itself"},
		"a draft that is none":   {`{"$schema":"https://example.com/draft"}`, "may refer to nothing outside of itself"},
		"a place that is none":   {`{"$ref":"#/$defs/x"}`, "not found"},
		"a number beyond range":  {`{"maximum":1e400}`, "a number is beyond float64"},
		"nested too deeply":      {strings.Repeat(`{"not":`, 256) + `{}` + strings.Repeat(`}`, 256), "nested too deeply"},
		"two schemas, one id":    {`{"$id":"a","$defs":{"x":{"$id":"a"}}}`, "duplicate id"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := schema.Compile([]byte(tc.raw)); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("Compile(%s) = %v, want an error with %q", tc.raw, err, tc.want)
			}
		})
	}
}

// TestCompileDeep: arguments are no deeper than a schema may be.
func TestCompileDeep(t *testing.T) {
	t.Parallel()
	s := compile(t, strings.Repeat(`{"not":`, 255)+`{}`+strings.Repeat(`}`, 255))
	if s.Valid(1.0) { // an odd number of them says no
		t.Error("the deepest schema that is compiled takes what it must not")
	}
}

func TestDrafts(t *testing.T) {
	t.Parallel()
	const tuple = `{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"string"}],"additionalItems":false}`
	for name, tc := range map[string]struct {
		raw, value string
		want       bool
	}{
		"2020-12 by default":      {`{"prefixItems":[{"type":"string"}]}`, `[1]`, false},
		"draft-07 by $schema":     {tuple, `["a",1]`, false},
		"draft-07, valid":         {tuple, `["a"]`, true},
		"the meta-schema":         {`{"$ref":"https://json-schema.org/draft/2020-12/schema"}`, `{"type":"texto"}`, false},
		"format is a note":        {`{"format":"date"}`, `"ayer"`, true},
		"true":                    {`true`, `1`, true},
		"false":                   {`false`, `1`, false},
		"2^53+1 as written":       {`{"const":9007199254740993}`, `9007199254740993`, true},
		"2^53 is another":         {`{"const":9007199254740993}`, `9007199254740992`, false},
		"1.0 is an integer":       {`{"type":"integer"}`, `1.0`, true},
		"tenths are exact":        {`{"multipleOf":0.1}`, `0.3`, true},
		"a million zeros":         {`{"exclusiveMinimum":0}`, `1e-1000000`, false},
		"characters, not bytes":   {`{"maxLength":3}`, `"año"`, true},
		"unevaluated, known":      {`{"allOf":[{"properties":{"a":{}}}],"unevaluatedProperties":false}`, `{"a":1}`, true},
		"unevaluated, not known":  {`{"allOf":[{"properties":{"a":{}}}],"unevaluatedProperties":false}`, `{"b":1}`, false},
		"recursion ends with it":  {`{"properties":{"a":{"$ref":"#"}},"additionalProperties":false}`, `{"a":{"a":{"b":1}}}`, false},
		"definitions of draft-07": {`{"$ref":"#/definitions/t","definitions":{"t":{"type":"string"}}}`, `1`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, v := compile(t, tc.raw), decode(t, tc.value)
			if got := s.Valid(v); got != tc.want {
				t.Errorf("Valid(%s) = %v, want %v", tc.value, got, tc.want)
			}
			if got := len(check(t, s, v)) == 0; got != tc.want {
				t.Errorf("Check(%s) found nothing: %v, want %v", tc.value, got, tc.want)
			}
		})
	}
}

func TestDecode(t *testing.T) {
	t.Parallel()
	digits := strings.Repeat("9", 41)
	for raw, want := range map[string]any{
		"9007199254740993":  json.Number("9007199254740993"),
		"1.10":              1.1,
		"1.234567890123450": json.Number("1.234567890123450"),
		"1e3":               1000.0,
		"1e-1000000":        0.0,
		digits:              1e41,
		`"\ud800"`:          "\uFFFD",
		"null\n":            nil,
		digits[:40]:         json.Number(digits[:40]),
		"-" + digits[:39]:   json.Number("-" + digits[:39]),
		"0.1" + digits[:40]: 0.2,
	} {
		if got := decode(t, raw); got != want {
			t.Errorf("Decode(%s) = %#v, want %#v", raw, got, want)
		}
	}
	for _, raw := range []string{"", "{", "1 2", "1 9007199254740993", "[1e999]", `{"a":1e999}`, `[1e999,9007199254740993]`, "nul"} {
		if v, err := schema.Decode([]byte(raw)); err == nil || strings.Contains(err.Error(), "999") {
			t.Errorf("Decode(%q) = %v, %v, want an error without the value", raw, v, err)
		}
	}
}
