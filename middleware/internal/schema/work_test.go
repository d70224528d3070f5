package schema_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/middleware/internal/document"
	"github.com/portavoz/portavoz/middleware/internal/schema"
)

// check is [schema.Schema.Check] for values that take little.
func check(t testing.TB, s *schema.Schema, v any) []schema.Problem {
	t.Helper()
	problems, err := s.Check(v, 50_000)
	if err != nil {
		t.Fatal(err)
	}
	return problems
}

// numbers is the JSON of n different numbers in a list.
func numbers(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("%d.5", i)
	}
	return "[" + strings.Join(list, ",") + "]"
}

// words is the JSON of n different words in a list.
func words(n int) string {
	return strings.NewReplacer("[", `["`, ",", `","`, "]", `"]`).Replace(numbers(n))
}

// either is a list of elements that only the last of n alternatives takes.
func either(n int) string {
	return `{"items":{"anyOf":[` + strings.Repeat(`{"type":"string"},`, n-1) + `{"type":"number"}]}}`
}

const aPattern = `{"$schema":"http://json-schema.org/draft-07/schema#","format":"regex"}`

// TestWork: what would keep the validator busy for long is refused before it
// begins, and what is merely large is not.
func TestWork(t *testing.T) {
	t.Parallel()
	// Either alternative holds lists of the same again, and both are looked at.
	filter := func(keyword string) string {
		branch := `{"type":"object","properties":{"op":{"const":%q},"de":{"type":"array","items":{"$ref":"#/$defs/filtro"}}},"required":["op","de"]}`
		return fmt.Sprintf(`{"$ref":"#/$defs/filtro","$defs":{"filtro":{%q:[`+branch+","+branch+`,{"type":"integer"}]}}}`, keyword, "y", "o")
	}
	nested := func(levels int) string {
		return strings.Repeat(`{"op":"o","de":[`, levels) + "1" + strings.Repeat("]}", levels)
	}
	twice := func(keyword string) string { // draws the same conclusion in two ways
		return `{"$ref":"#/$defs/n","$defs":{"n":{"` + keyword + `":[{"properties":{"a":{"$ref":"#/$defs/n"}}},{"additionalProperties":{"$ref":"#/$defs/n"}}]}}}`
	}
	deep := strings.Repeat(`{"a":`, 30) + "1" + strings.Repeat("}", 30)
	for name, tc := range map[string]struct {
		schema, value string
		valid, long   bool
		circle        bool
	}{
		"alternatives, some levels":        {schema: filter("anyOf"), value: nested(6), valid: true},
		"alternatives, many levels":        {schema: filter("anyOf"), value: nested(31), long: true},
		"exclusive, many levels":           {schema: filter("oneOf"), value: nested(31), long: true},
		"all of, many levels":              {schema: twice("allOf"), value: deep, long: true},
		"one way alone, many levels":       {schema: `{"properties":{"a":{"$ref":"#"}}}`, value: deep, valid: true},
		"conditions, many levels":          {schema: `{"if":{"properties":{"a":{"$ref":"#"}},"required":["b"]},"else":{"properties":{"a":{"$ref":"#"}}}}`, value: deep, long: true},
		"dependent, many levels":           {schema: `{"properties":{"a":{"$ref":"#"}},"dependentSchemas":{"a":{"properties":{"a":{"$ref":"#"}}}}}`, value: deep, long: true},
		"dependent, draft-07":              {schema: `{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"$ref":"#"}},"dependencies":{"a":{"properties":{"a":{"$ref":"#"}}}}}`, value: deep, long: true},
		"patterns, many levels":            {schema: `{"properties":{"a":{"$ref":"#"}},"patternProperties":{"^a":{"$ref":"#"}}}`, value: deep, long: true},
		"contained, many levels":           {schema: `{"items":{"$ref":"#"},"contains":{"$ref":"#"}}`, value: strings.Repeat("[", 30) + "1" + strings.Repeat("]", 30), long: true},
		"a circle that ends":               {schema: `{"anyOf":[{"type":"object"},{"$ref":"#"}]}`, value: `{}`, valid: true},
		"a circle that does not":           {schema: `{"anyOf":[{"type":"object"},{"$ref":"#"}]}`, value: `1`, circle: true},
		"a circle, and nothing else":       {schema: `{"properties":{"a":{"$ref":"#/properties/a"}}}`, value: `{"a":1}`, circle: true},
		"many numbers, many possible":      {schema: `{"items":{"enum":` + numbers(1000) + `}}`, value: numbers(1000), long: true},
		"one of many numbers":              {schema: `{"enum":` + numbers(5000) + `}`, value: `7.5`, valid: true},
		"all different":                    {schema: `{"uniqueItems":true}`, value: numbers(4000), valid: true},
		"all different, and again":         {schema: `{"allOf":[` + strings.Repeat(`{"uniqueItems":true},`, 40) + `{}]}`, value: numbers(4000), long: true},
		"one of many words":                {schema: `{"items":{"enum":` + words(1000) + `}}`, value: words(1000), valid: true},
		"one of many words twice":          {schema: `{"enum":[` + strings.Repeat(`"a",`, 20) + `"b",null]}`, value: `"b"`, valid: true},
		"none of many words":               {schema: `{"items":{"enum":` + words(1000) + `}}`, value: `["otra"]`},
		"the last of some alternatives":    {schema: either(60), value: numbers(1000), valid: true},
		"the last of many alternatives":    {schema: either(100), value: numbers(1000), long: true},
		"a pattern of the caller's":        {schema: aPattern, value: `"` + strings.Repeat("(a)", 1_000) + `"`, valid: true},
		"a long pattern of the caller's":   {schema: aPattern, value: `"` + strings.Repeat("(a)", 20_000) + `"`, long: true},
		"a long text":                      {schema: `{"allOf":[{"pattern":"^a*$"}]}`, value: `"` + strings.Repeat("a", 1<<20) + `"`, valid: true},
		"a long text, many patterns":       {schema: `{"allOf":[` + strings.Repeat(`{"pattern":"^a*$"},`, 10) + `{}]}`, value: `"` + strings.Repeat("a", 1<<20) + `"`, long: true},
		"ten thousand values, nullable":    {schema: `{"items":{"$ref":"#/$defs/n"},"$defs":{"n":{"anyOf":[{"type":"number"},{"type":"null"}]}}}`, value: numbers(10_000), valid: true},
		"not valid, and known at a glance": {schema: `{"items":{"type":"string"}}`, value: numbers(3)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, v := compile(t, tc.schema), decode(t, tc.value)
			problems, err := s.Check(v, 50_000)
			if got := errors.Is(err, schema.ErrCircle); got != tc.circle {
				t.Fatalf("Check: %v, want ErrCircle: %v", err, tc.circle)
			}
			if long := err != nil && !tc.circle; long != tc.long {
				t.Fatalf("Check: %v, want an error: %v", err, tc.long)
			}
			if valid := err == nil && problems == nil; valid != tc.valid {
				t.Errorf("Check = %d problems, want it valid: %v", len(problems), tc.valid)
			}
		})
	}
}

// TestWorkOfData: data of the server's own may take more, and has an end as well.
func TestWorkOfData(t *testing.T) {
	t.Parallel()
	s := compile(t, `{"$ref":"#/$defs/n","$defs":{"n":{"allOf":[{"properties":{"a":{"$ref":"#/$defs/n"}}},{"additionalProperties":{"$ref":"#/$defs/n"}}]}}}`)
	for levels, want := range map[int]bool{8: true, 40: false} {
		raw := strings.Repeat(`{"a":`, levels) + "1" + strings.Repeat("}", levels)
		if got := s.Valid(decode(t, raw)); got != want {
			t.Errorf("Valid with %d levels = %v, want %v", levels, got, want)
		}
		doc, err := document.Parse([]byte(raw))
		if err != nil {
			t.Fatal(err)
		}
		if problems, err := s.CheckDocument(doc); (err == nil) != want || problems != nil {
			t.Errorf("CheckDocument with %d levels = %v, %v", levels, problems, err)
		}
	}
}
