package schema_test

import (
	"strings"
	"testing"
)

// TestCheckArguments lists the members that a struct would read and the schema has
// not: none passes, wherever the name is declared.
func TestCheckArguments(t *testing.T) {
	t.Parallel()
	const (
		amount = `{"type":"object","properties":{"monto":{"type":"integer","maximum":100}}}`
		kinds  = `{"properties":{"monto":{}},"anyOf":[{"properties":{"cuenta":{}}},{"type":"object"}],"if":{"properties":{"k":{"const":1}}},"then":{"properties":{"nit":{}}}}`
		tree   = `{"$ref":"#/$defs/n","$defs":{"n":{"properties":{"hijo":{"$ref":"#/$defs/n"},"sku":{}}}}}`
	)
	for name, tc := range map[string]struct{ schema, value, want string }{
		"the name itself":             {amount, `{"monto":7}`, ``},
		"another name":                {amount, `{"cantidad":7}`, ``},
		"in another case":             {amount, `{"Monto":1000}`, `"/Monto" breaks additionalProperties`},
		"beside the name":             {amount, `{"monto":7,"MONTO":1000}`, `"/MONTO" breaks additionalProperties`},
		"with a value that is wrong":  {amount, `{"monto":101,"Monto":1}`, `"/Monto" breaks additionalProperties|"/monto" breaks maximum 100`},
		"with a letter that folds":    {`{"properties":{"costo":{}}}`, `{"co\u017fto":1}`, "\"/co\u017fto\" breaks additionalProperties"},
		"the Kelvin sign":             {`{"properties":{"k":{}}}`, `{"\u212a":1}`, "\"/\u212a\" breaks additionalProperties"},
		"an accent of its own":        {`{"properties":{"año":{}}}`, `{"an\u0303o":1}`, ``},
		"without the accent":          {`{"properties":{"año":{}}}`, `{"ano":1}`, ``},
		"with the accent, upper case": {`{"properties":{"año":{}}}`, `{"AÑO":1}`, `"/AÑO" breaks additionalProperties`},
		"two declared":                {`{"properties":{"a":{},"A":{}}}`, `{"a":1,"A":2}`, ``},
		"two not declared":            {`{"additionalProperties":{"type":"integer"}}`, `{"Casa":1,"casa":2}`, ``},
		"one not declared, beside":    {`{"properties":{"id":{}},"additionalProperties":{"type":"integer"}}`, `{"Casa":1,"casa":2,"ID":3}`, `"/ID" breaks additionalProperties`},
		"closed":                      {`{"properties":{"a":{}},"additionalProperties":false}`, `{"A":2}`, `"/A" breaks additionalProperties`},
		"closed, and open within":     {`{"properties":{"a":{"properties":{"b":{}}}},"additionalProperties":false}`, `{"a":{"B":2}}`, `"/a/B" breaks additionalProperties`},
		"in a list":                   {`{"items":` + amount + `}`, `[{"monto":1},{"Monto":1},[{"Monto":1}]]`, `"/1/Monto" breaks additionalProperties|"/2" breaks type ["object"]`},
		"in a tuple":                  {`{"prefixItems":[{},` + amount + `],"items":{"properties":{"b":{}}}}`, `[{"Monto":1},{"Monto":1},{"B":1,"Monto":1}]`, `"/1/Monto" breaks additionalProperties|"/2/B" breaks additionalProperties`},
		"in a tuple of draft-07":      {`{"$schema":"http://json-schema.org/draft-07/schema#","items":[{},` + amount + `],"additionalItems":{"properties":{"b":{}}}}`, `[{"Monto":1},{"Monto":1},{"B":1}]`, `"/1/Monto" breaks additionalProperties|"/2/B" breaks additionalProperties`},
		"by a reference":              {tree, `{"hijo":{"hijo":{"SKU":1}}}`, `"/hijo/hijo/SKU" breaks additionalProperties`},
		"by an alternative":           {kinds, `{"Cuenta":1,"Monto":2,"NIT":3,"K":4}`, `"/Cuenta" breaks additionalProperties|"/K" breaks additionalProperties|"/Monto" breaks additionalProperties|"/NIT" breaks additionalProperties`},
		"another alternative has it":  {`{"anyOf":[{"properties":{"id":{}},"required":["id"]},{"properties":{"ID":{}}}]}`, `{"ID":1}`, ``},
		"an alternative that is open": {`{"anyOf":[{"properties":{"monto":{}},"additionalProperties":false},{"type":"object"}]}`, `{"Monto":1}`, `"/Monto" breaks additionalProperties`},
		"a list that is open":         {`{"anyOf":[{"type":"array"},{"type":"array","items":{"properties":{"a":{}},"additionalProperties":false}}]}`, `[{"A":1}]`, `"/0/A" breaks additionalProperties`},
		"by a dependency":             {`{"dependentSchemas":{"a":{"properties":{"b":{}}}}}`, `{"a":1,"B":1}`, `"/B" breaks additionalProperties`},
		"by a pattern":                {`{"patternProperties":{"^x":{"properties":{"b":{}}}}}`, `{"x1":{"B":1},"y":{"B":1}}`, `"/x1/B" breaks additionalProperties`},
		"of the others":               {`{"additionalProperties":{"properties":{"b":{}}}}`, `{"x":{"B":1}}`, `"/x/B" breaks additionalProperties`},
		"of what must not be":         {`{"not":{"properties":{"b":{}},"required":["b"]}}`, `{"B":1}`, ``},
		"a schema that is true":       {`true`, `{"B":1,"b":2}`, ``},
		"a schema that is a list":     {`{"type":["array","null"]}`, `[{"B":1,"b":2}]`, ``},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			problems, err := compile(t, tc.schema).CheckArguments(decode(t, tc.value), 50_000)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range problems {
				got = append(got, p.String())
			}
			if got := strings.Join(got, "|"); got != tc.want {
				t.Errorf("CheckArguments(%s)\n got %s\nwant %s", tc.value, got, tc.want)
			}
		})
	}
}

// TestCheckArgumentsEnds: each value is looked at once, however many ways lead there.
func TestCheckArgumentsEnds(t *testing.T) {
	t.Parallel()
	const circle = `{"$ref":"#/$defs/n","$defs":{"n":{"anyOf":[{"type":"object"},{"$ref":"#/$defs/n"}],"properties":{"a":{"$ref":"#/$defs/n"}}}}}`
	value := strings.Repeat(`{"a":`, 60) + `{"A":1}` + strings.Repeat(`}`, 60)
	problems, err := compile(t, circle).CheckArguments(decode(t, value), 50_000)
	if err != nil || len(problems) != 1 || len(problems[0].Path) != 61 || problems[0].Path[60] != "A" {
		t.Errorf("got %v, %v, want one problem, at the end", problems, err)
	}
}
