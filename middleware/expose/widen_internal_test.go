package expose

import (
	"math/rand/v2"
	"testing"

	"github.com/portavoz/portavoz/middleware/internal/schema"
)

// What any variant admits, the wide schema admits, and what one demands beyond it is
// said. The schemas are of one type or of several, with demands of every sort.
func TestWidenAdmitsWhatVariantsAdmit(t *testing.T) {
	t.Parallel()
	parts := []string{
		`"type":"string"`, `"type":["string","null"]`, `"type":"integer"`, `"type":"number"`, `"type":["integer","string"]`, `"minLength":2`, `"maxLength":3`,
		`"pattern":"^a"`, `"enum":["a","ab",1,null]`, `"enum":[2,3,"abcd"]`, `"const":"a"`, `"const":null`, `"minimum":1`, `"minimum":2.5`, `"exclusiveMinimum":1`,
		`"exclusiveMinimum":2`, `"maximum":3`, `"exclusiveMaximum":3`, `"exclusiveMaximum":9007199254740993`, `"maximum":9007199254740992`, `"multipleOf":2`,
		`"items":{"type":"string"}`, `"maxItems":1`, `"minItems":1`, `"uniqueItems":true`, `"minProperties":1`, `"maxProperties":1`, `"anyOf":[{"type":"string"},{"minimum":2}]`,
		`"properties":{"x":{"type":"string"}}`, `"required":["x"]`, `"not":{"const":"a"}`,
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
	admitted := 0
	for range 600 {
		var variants []variant
		for i := range 2 + m.IntN(2) {
			text := "{"
			for range m.IntN(4) {
				if text != "{" {
					text += ","
				}
				text += parts[m.IntN(len(parts))]
			}
			v, err := decode([]byte(text + "}"))
			if err != nil {
				t.Fatal(err)
			}
			s, _ := v.(object)
			variants = append(variants, variant{schema: s, keys: []string{string(rune('a' + i))}})
		}
		wide, _ := widen(variants)
		whole := compiled(wide)
		nulls := compiled(nullable(object{"anyOf": []any{wide}, "description": "x"}))
		for _, v := range variants {
			one := compiled(v.schema)
			for _, text := range values {
				value, err := schema.Decode([]byte(text))
				if err != nil {
					t.Fatal(err)
				}
				if !one.Valid(value) {
					continue
				}
				admitted++
				if !whole.Valid(value) || !nulls.Valid(value) {
					t.Fatalf("%s admits %s, and %s does not", encode(v.schema), text, encode(wide))
				}
			}
		}
		if !nulls.Valid(nil) {
			t.Fatalf("%s made nullable does not admit null", encode(wide))
		}
	}
	if admitted < 3000 {
		t.Errorf("only %d values were compared", admitted)
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
