package expose

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/middleware/internal/schema"
)

// What any variant admits, the wide schema admits, and what one demands beyond it is
// said. The schemas are of one type or of several, with demands of every sort.
func TestWidenAdmitsWhatVariantsAdmit(t *testing.T) {
	t.Parallel()
	demands := [][]string{ // the values of a keyword after it
		{"type", `"string"`, `["string","null"]`, `"integer"`, `"number"`, `["integer","string"]`, `"array"`, `"object"`},
		{"enum", `["a","ab",1,null]`, `[2,3,"abcd"]`, `[1.0]`}, {"const", `"a"`, `null`, `2`},
		{"minLength", `1`, `2`}, {"maxLength", `1`, `3`}, {"pattern", `"^a"`, `"b$"`}, {"format", `"date"`, `"x"`},
		{"minimum", `1`, `2.5`}, {"exclusiveMinimum", `1`, `2`}, {"multipleOf", `2`, `3`},
		{"maximum", `3`, `9007199254740992`, `9007199254740993`}, {"exclusiveMaximum", `3`, `9007199254740993`},
		{"minItems", `1`, `2`}, {"maxItems", `1`, `2`}, {"uniqueItems", `true`, `false`}, {"items", `{"type":"string"}`, `{"type":"integer"}`, `true`},
		{"minProperties", `1`, `2`}, {"maxProperties", `1`, `2`}, {"properties", `{"x":{"type":"string"}}`}, {"required", `["x"]`, `["y"]`},
		{"anyOf", `[{"type":"string"},{"minimum":2}]`, `[{"type":"null"},{"type":"array"}]`}, {"not", `{"const":"a"}`, `{"type":"null"}`},
	}
	values := []string{
		`"a"`, `"ab"`, `"abc"`, `"abcd"`, `"b"`, `""`, `null`, `1`, `1.0`, `2`, `2.5`, `3`, `4`, `0`, `9007199254740992`, `9007199254740993`, `9007199254740994`, `true`,
		`[]`, `["a"]`, `[1]`, `["a","a"]`, `{}`, `{"x":"a"}`, `{"x":1}`, `{"x":"a","y":1}`,
	}
	compiled := func(s object) *schema.Schema {
		c, err := schema.Compile([]byte(encode(s)))
		if err != nil {
			t.Fatalf("%s: %v", encode(s), err)
		}
		return c
	}
	m := rand.New(rand.NewPCG(1, 2))
	admitted, refused := 0, 0
	for range 800 {
		var variants []variant
		keywords := m.Perm(len(demands))[:1+m.IntN(3)] // most variants have all of them, each with a value of its own
		for i := range 2 + m.IntN(2) {
			var members []string
			for _, k := range keywords {
				if keyword, values := demands[k][0], demands[k][1:]; m.IntN(6) > 0 {
					members = append(members, `"`+keyword+`":`+values[m.IntN(len(values))])
				}
			}
			v, err := decode([]byte("{" + strings.Join(members, ",") + "}"))
			if err != nil {
				t.Fatal(err)
			}
			s, _ := v.(object)
			variants = append(variants, variant{schema: s, keys: []string{string(rune('a' + i))}})
		}
		wide, differ := widen(variants)
		whole := compiled(wide)
		nulls := compiled(nullable(object{"anyOf": []any{wide}, "description": "x"}))
		for _, v := range variants {
			one := compiled(v.schema)
			for _, text := range values {
				value, err := schema.Decode([]byte(text))
				if err != nil {
					t.Fatal(err)
				}
				switch own, all := one.Valid(value), whole.Valid(value); {
				case own && (!all || !nulls.Valid(value)):
					t.Fatalf("%s admits %s, and %s does not", encode(v.schema), text, encode(wide))
				case own:
					admitted++
				case all:
					refused++
					if !strings.Contains("; "+differ, "; "+v.keys[0]+": ") {
						t.Fatalf("%s refuses %s, and nothing is said of it: %s, %q", encode(v.schema), text, encode(wide), differ)
					}
				}
			}
		}
		if !nulls.Valid(nil) {
			t.Fatalf("%s made nullable does not admit null", encode(wide))
		}
	}
	if admitted < 3000 || refused < 3000 {
		t.Errorf("only %d values were admitted, and %d refused", admitted, refused)
	}
}

// What is taken for right without the compiler is right for the compiler, too.
func TestObviousSchemasCompile(t *testing.T) {
	t.Parallel()
	values := []string{`"string"`, `"texto"`, `["string","null"]`, `["string","string"]`, `[]`, `["a"]`, `["a","a"]`, `["a",1]`, `[{}]`, `{}`, `{"a":{}}`, `{"a":1}`,
		`{"type":"x"}`, `{"type":"string"}`, `true`, `1`, `0`, `-1`, `1.5`, `1e2`, `1e400`, `"("`, `"^a$"`, `"(?=a)"`, `null`, `"#/$defs/a"`, `99999999999999999999`}
	keywords := []string{"type", "properties", "items", "additionalProperties", "not", "anyOf", "oneOf", "allOf", "required", "description", "title", "format", "$comment",
		"pattern", "enum", "examples", "default", "const", "deprecated", "readOnly", "uniqueItems", "writeOnly", "minimum", "exclusiveMaximum", "minLength", "maxItems",
		"x-otro", "$ref", "$id", "$defs", "multipleOf", "if", "dependentRequired", "contains", "otro"}
	obvious := 0
	for _, keyword := range keywords {
		for _, value := range values {
			text := []byte(`{"` + keyword + `":` + value + `}`)
			v, err := decode(text)
			if err != nil {
				t.Fatal(err)
			}
			if !isObvious(v) {
				continue
			}
			obvious++
			if _, err := schema.Compile(text); err != nil {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
	if obvious < 100 {
		t.Errorf("only %d schemas are obvious", obvious)
	}
}
