package schema_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/portavoz/portavoz/middleware/internal/document"
	"github.com/portavoz/portavoz/middleware/internal/schema"
)

// author writes schemas, and values that are about what those ask for.
type author struct{ *rand.Rand }

func pick[T any](a author, from ...T) T { return from[a.IntN(len(from))] }

// schema uses every keyword that tools have, and some that they do not.
func (a author) schema(depth int) any {
	if depth == 0 || a.IntN(12) == 0 {
		return pick[any](a, true, false, map[string]any{}, map[string]any{"type": "string"}, map[string]any{"type": "null"})
	}
	s := map[string]any{}
	for range 1 + a.IntN(4) {
		switch a.IntN(22) {
		case 0, 1, 2:
			s["type"] = pick[any](a, "string", "integer", "number", "boolean", "array", "object", "null", []any{"integer", "null"}, []any{"string", "null"})
		case 3, 4, 5:
			s["type"] = "object"
			s["properties"] = map[string]any{"a": a.schema(depth - 1), "b": a.schema(depth - 1)}
		case 6:
			s["required"] = pick(a, []any{"a"}, []any{"a", "b"}, []any{})
		case 7:
			s["additionalProperties"] = pick[any](a, false, true, a.schema(depth-1))
		case 8:
			s["items"] = a.schema(depth - 1)
		case 9:
			s["minItems"], s["maxItems"] = a.IntN(2), 1+a.IntN(2)
		case 10:
			s["minLength"], s["maxLength"] = a.IntN(3), 1+a.IntN(3)
		case 11:
			s["pattern"] = pick(a, "^a", "[0-9]", "ñ$")
		case 12, 13:
			s["minimum"] = pick(a, "0", "1", "0.1", "-3", "9007199254740993", "1e21", "1180591620717411303424")
		case 14:
			s["maximum"] = pick(a, "0", "10", "0.3", "9007199254740992", "9007199254740993", "1180591620717411303424")
		case 15:
			s["enum"] = pick(a, []any{"a", "b"}, []any{"a", nil}, []any{1, "10"}, []any{true}, []any{[]any{}})
		case 16:
			s["anyOf"] = []any{a.schema(depth - 1), a.schema(depth - 1)}
		case 17:
			s[pick(a, "oneOf", "allOf")] = []any{a.schema(depth - 1), a.schema(depth - 1)}
		case 18:
			s["not"] = a.schema(depth - 1)
		case 19:
			s["multipleOf"] = pick(a, "2", "0.1")
		case 20:
			s["uniqueItems"] = true
		case 21:
			s["unevaluatedProperties"] = false
		}
	}
	for _, keyword := range []string{"minimum", "maximum", "multipleOf"} {
		if n, ok := s[keyword].(string); ok {
			s[keyword] = json.Number(n)
		}
	}
	return s
}

// value returns JSON text.
func (a author) value(depth int) string {
	if depth == 0 || a.IntN(3) > 0 {
		return pick(a, "null", "true", "false", "0", "1", "-3", "2.0", "0.3", "0.1", "10", "1e21", "1e-7",
			"9007199254740992", "9007199254740993", "1180591620717411303424", "1.1805916207174113e21", `""`, `"a"`, `"ab"`, `"ñ"`, `"10"`, `"null"`, `"\u0061"`,
			`"{\"a\":1}"`, `"[\"a\"]"`)
	}
	if a.IntN(3) == 0 {
		var elements []string
		for range a.IntN(3) {
			elements = append(elements, a.value(depth-1))
		}
		return "[" + strings.Join(elements, ",") + "]"
	}
	var members []string
	for _, name := range []string{"a", "b", "c"} {
		if a.IntN(2) == 0 {
			members = append(members, `"`+name+`":`+a.value(depth-1))
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

// direct compiles a schema with the validator itself.
func direct(t testing.TB, text []byte) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("mem:///s", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("mem:///s")
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return s
}

// agree holds a schema to the validator used directly, and what it says of a value
// to whether it is valid.
func agree(t testing.TB, seed1, seed2 uint64) {
	t.Helper()
	a := author{rand.New(rand.NewPCG(seed1, seed2))}
	text, err := json.Marshal(a.schema(3))
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs := compile(t, string(text)), direct(t, text)
	for range 20 {
		raw := a.value(3)
		exact, err := jsonschema.UnmarshalJSON(strings.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		want := theirs.Validate(exact) == nil
		v := decode(t, raw)
		if got := ours.Valid(v); got != want {
			t.Errorf("schema %s\nvalue %s: Valid = %v, want %v", text, raw, got, want)
		}
		if got := check(t, ours, v); (len(got) == 0) != want {
			t.Errorf("schema %s\nvalue %s: Check = %v, valid: %v", text, raw, got, want)
		}
		doc, err := document.Parse([]byte(raw))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := ours.CheckDocument(doc); err != nil || (len(got) == 0) != want {
			t.Errorf("schema %s\nvalue %s: CheckDocument = %v, %v, valid: %v", text, raw, got, err, want)
		}
	}
}

// TestAgreement is FuzzAgreement with seeds of its own.
func TestAgreement(t *testing.T) {
	t.Parallel()
	seeds := uint64(500)
	if os.Getenv("PORTAVOZ_LONG") == "1" {
		seeds = 50_000
	}
	for seed := range seeds {
		agree(t, seed, 1)
	}
}

func FuzzAgreement(f *testing.F) {
	f.Add(uint64(1), uint64(2))
	f.Fuzz(func(t *testing.T, seed1, seed2 uint64) { agree(t, seed1, seed2) })
}

// FuzzCompile: a schema that somebody made up does not break the compiler, and no
// value breaks what it made.
func FuzzCompile(f *testing.F) {
	for _, seed := range []string{`{"$ref":"#/$defs/a","$defs":{"a":{"$id":"b","enum":[1]}}}`, `{"$schema":"http://json-schema.org/draft-07/schema#","dependencies":{"a":["b"]},"format":"date"}`, `{"unevaluatedItems":false,"contains":{},"$dynamicRef":"#x","$dynamicAnchor":"x"}`} {
		f.Add(seed, `{"a":[1,"b"]}`)
	}
	f.Fuzz(func(t *testing.T, text, raw string) {
		s, err := schema.Compile([]byte(text))
		if err != nil {
			return
		}
		v, err := schema.Decode([]byte(raw))
		if err != nil || schema.Measure([]byte(raw)).Depth > 64 {
			return
		}
		problems, err := s.Check(v, 1_000_000)
		if valid := s.Valid(v); valid != (err == nil && len(problems) == 0) {
			t.Errorf("Valid = %v, Check = %v, %v", valid, problems, err)
		}
	})
}
