package schema_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestCheck lists what is said of each kind of problem.
func TestCheck(t *testing.T) {
	t.Parallel()
	const (
		person = `{"type":"object","additionalProperties":false,"required":["nombre","edad"],
			"properties":{"nombre":{"type":"string"},"edad":{"type":"integer","minimum":0,"maximum":150},"ciudad":{"type":["string","null"]}}}`
		action = `{"oneOf":[
			{"properties":{"accion":{"const":"ver"},"id":{"type":"string"}},"required":["accion","id"]},
			{"properties":{"accion":{"const":"crear"},"nombre":{"type":"string"}},"required":["accion","nombre","edad"]}]}`
		optional = `{"anyOf":[{"properties":{"k":{"const":1}},"required":["k","a"]},{"type":"null"}]}`
		nullable = `{"properties":{"n":{"anyOf":[{"type":"integer","minimum":1},{"type":"null"}]}}}`
	)
	for name, tc := range map[string]struct{ schema, value, want string }{
		"valid":                  {person, `{"nombre":"Ana","edad":3}`, ``},
		"missing":                {person, `{}`, `"/edad" breaks required|"/nombre" breaks required`},
		"unknown":                {person, `{"nombre":"Ana","edad":3,"x":1,"b":2}`, `"/b" breaks additionalProperties|"/x" breaks additionalProperties`},
		"several":                {person, `{"nombre":1,"edad":200,"ciudad":[]}`, `"/ciudad" breaks type ["null","string"]|"/edad" breaks maximum 150|"/nombre" breaks type ["string"]`},
		"not an object":          {person, `[]`, `"/" breaks type ["object"]`},
		"by a reference":         {`{"$ref":"#/$defs/x","$defs":{"x":{"minLength":2}}}`, `"a"`, `"/" breaks minLength 2`},
		"elements in order":      {`{"items":{"maxLength":1}}`, `["a","bb","c","d","e","f","g","h","i","j","kk"]`, `"/1" breaks maxLength 1|"/10" breaks maxLength 1`},
		"said twice":             {`{"allOf":[{"required":["a"]},{"required":["a"]}]}`, `{}`, `"/a" breaks required`},
		"value":                  {`{"enum":["a",1,null]}`, `"b"`, `"/" breaks enum ["a",1,null]`},
		"one value":              {`{"const":"a"}`, `"b"`, `"/" breaks const ["a"]`},
		"limits":                 {`{"exclusiveMinimum":0.5,"multipleOf":2}`, `0.5`, `"/" breaks exclusiveMinimum 0.5|"/" breaks multipleOf 2`},
		"other limits":           {`{"exclusiveMaximum":9007199254740993,"minimum":9007199254740995}`, `9007199254740994`, `"/" breaks exclusiveMaximum 9007199254740993|"/" breaks minimum 9007199254740995`},
		"pattern":                {`{"pattern":"^a+$"}`, `"b"`, `"/" breaks pattern "^a+$"`},
		"sizes":                  {`{"items":{"minProperties":1,"maxProperties":1},"minItems":3}`, `[{},{"a":1,"b":1}]`, `"/" breaks minItems 3|"/0" breaks minProperties 1|"/1" breaks maxProperties 1`},
		"repeated":               {`{"uniqueItems":true,"maxItems":1}`, `[1,1]`, `"/" breaks maxItems 1|"/" breaks uniqueItems`},
		"dependency":             {`{"dependentRequired":{"a":["b"]}}`, `{"a":1}`, `"/b" breaks required`},
		"dependency, draft-07":   {`{"$schema":"http://json-schema.org/draft-07/schema","dependencies":{"a":["b"]}}`, `{"a":1}`, `"/b" breaks required`},
		"format, draft-07":       {`{"$schema":"http://json-schema.org/draft-07/schema","format":"date"}`, `"ayer"`, `"/" breaks format "date"`},
		"name":                   {`{"propertyNames":{"maxLength":1}}`, `{"aa":1}`, `"/aa" breaks propertyNames`},
		"nothing contained":      {`{"contains":{"type":"string"}}`, `[1]`, `"/" breaks contains`},
		"forbidden":              {`{"not":{"type":"string"},"properties":{"a":false}}`, `"a"`, `"/" breaks not`},
		"nothing allowed":        {`{"properties":{"a":false}}`, `{"a":1}`, `"/a" breaks false`},
		"unevaluated":            {`{"properties":{"a":{}},"unevaluatedProperties":false}`, `{"b":1}`, `"/b" breaks additionalProperties`},
		"two alternatives match": {`{"oneOf":[{"type":"string"},{"maxLength":3}]}`, `"a"`, `"/" breaks oneOf`},

		"alternatives of type":              {nullable, `{"n":"diez"}`, `"/n" breaks type ["integer","null"]`},
		"the alternative of the same type":  {nullable, `{"n":0}`, `"/n" breaks minimum 1`},
		"discriminator, known":              {action, `{"accion":"crear","id":"1"}`, `"/edad" breaks required|"/nombre" breaks required`},
		"discriminator, not known":          {action, `{"accion":"borrar","id":"1"}`, `"/accion" breaks enum ["ver","crear"]`},
		"the only one, or null":             {optional, `{"k":2}`, `"/a" breaks required|"/k" breaks const [1]`},
		"discriminator missing":             {action, `{"id":"1"}`, `"/accion" breaks required`},
		"alternatives of one value or null": {`{"anyOf":[{"const":"a"},{"const":"b"},{"type":"null"}]}`, `"c"`, `"/" breaks enum ["a","b"]`},
		"conditional":                       {`{"if":{"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]}}`, `{"a":1}`, `"/b" breaks required`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, p := range check(t, compile(t, tc.schema), decode(t, tc.value)) {
				got = append(got, p.String())
			}
			if got := strings.Join(got, "|"); got != tc.want {
				t.Errorf("Check(%s)\n got %s\nwant %s", tc.value, got, tc.want)
			}
		})
	}
}

func TestKnownNames(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ schema, value, want string }{
		"properties":    {`{"properties":{"b":{},"a":{}},"additionalProperties":false}`, `{"c":1}`, "[a b]"},
		"nested":        {`{"properties":{"x/y":{"properties":{"a":{}},"additionalProperties":false}}}`, `{"x/y":{"c":1}}`, "[a]"},
		"by reference":  {`{"$ref":"#/$defs/d","$defs":{"d":{"properties":{"a":{}},"additionalProperties":false}}}`, `{"c":1}`, "[a]"},
		"unevaluated":   {`{"allOf":[{"$ref":"#/$defs/d"}],"then":{"properties":{"b":{}}},"unevaluatedProperties":false,"$defs":{"d":{"properties":{"a":{}}}}}`, `{"c":1}`, "[a b]"},
		"none":          {`{"additionalProperties":false}`, `{"c":1}`, "[]"},
		"in a circle":   {`{"$defs":{"d":{"properties":{"a":{}},"not":{"$ref":"#/$defs/d"}}},"properties":{"x":{}},"unevaluatedProperties":false}`, `{"c":1}`, "[x]"},
		"of the action": {`{"oneOf":[{"properties":{"k":{"const":1},"a":{}},"additionalProperties":false},{"properties":{"k":{"const":2},"b":{}},"additionalProperties":false}]}`, `{"k":2,"c":1}`, "[b k]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			problems := check(t, compile(t, tc.schema), decode(t, tc.value))
			if len(problems) != 1 || !slices.Equal(problems[0].Path[len(problems[0].Path)-1:], []string{"c"}) {
				t.Fatalf("problems = %v, want one, with c", problems)
			}
			if got := fmt.Sprint(problems[0].Known); got != tc.want {
				t.Errorf("known = %s, want %s", got, tc.want)
			}
		})
	}
}
