package contract_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/middleware/contract"
)

// A revision is one change of the good catalogue and what Diff says of it, as
// "impact kind pointer" each. The reverse is what the way back says.
type revision struct {
	name     string
	at, json string
	want     []string
	reverse  []string
}

const (
	bound  = "/inputSchema/properties/dias/maximum"
	choice = "/inputSchema/properties/detalle/enum"
	field  = "/outputSchema/properties/estado"
)

var revisions = []revision{
	{
		"name", "/0/name", `"consultar_turno"`,
		[]string{"breaking tool-renamed /name"}, []string{"breaking tool-renamed /name"},
	},
	{
		"new required field", "/2/inputSchema", `{"type":"object","additionalProperties":false,"required":["recordatorio","motivo"],"properties":{"recordatorio":{"type":"string","maxLength":12,"description":"Código del recordatorio"},"motivo":{"type":"string","maxLength":9}}}`,
		[]string{"breaking required-added /inputSchema/properties/motivo"}, []string{"breaking property-removed /inputSchema/properties/motivo"},
	},
	{
		"new optional field", "/0/inputSchema/properties/sede", nullableText,
		[]string{"compatible property-added /inputSchema/properties/sede"}, []string{"breaking property-removed /inputSchema/properties/sede"},
	},
	{
		"becomes required", "/0/inputSchema/required", `["codigo","dias"]`,
		[]string{"breaking narrowed /inputSchema/properties/dias"}, []string{"compatible widened /inputSchema/properties/dias"},
	},
	{
		"null taken away", "/0/inputSchema/properties/dias/type", `"integer"`,
		[]string{"breaking narrowed /inputSchema/properties/dias/type"}, []string{"compatible widened /inputSchema/properties/dias/type"},
	},
	{
		"integer becomes number", "/0/inputSchema/properties/dias/type", `["number","null"]`,
		[]string{"compatible widened /inputSchema/properties/dias/type"}, []string{"breaking narrowed /inputSchema/properties/dias/type"},
	},
	{
		"another type", "/0/inputSchema/properties/codigo/type", `"integer"`,
		[]string{"breaking narrowed /inputSchema/properties/codigo/type", "compatible widened /inputSchema/properties/codigo/type"},
		[]string{"breaking narrowed /inputSchema/properties/codigo/type", "compatible widened /inputSchema/properties/codigo/type"},
	},
	{
		"value taken away", "/0" + choice, `["corto",null]`,
		[]string{"breaking narrowed " + choice}, []string{"compatible widened " + choice},
	},
	{
		"no more values", "/0" + choice, ``,
		[]string{"compatible widened " + choice}, []string{"breaking narrowed " + choice},
	},
	{
		"order of values", "/0" + choice, `[null,"largo","corto"]`,
		[]string{"cosmetic form-changed "}, []string{"cosmetic form-changed "},
	},
	{
		"lower maximum", "/0" + bound, `7`,
		[]string{"breaking narrowed " + bound}, []string{"compatible widened " + bound},
	},
	{
		"number written otherwise", "/0" + bound, `3.0e1`, nil, nil,
	},
	{
		"no maximum", "/0" + bound, ``,
		[]string{"compatible widened " + bound}, []string{"breaking narrowed " + bound},
	},
	{
		"pattern", "/0/inputSchema/properties/codigo/pattern", `"^C"`,
		[]string{"breaking narrowed /inputSchema/properties/codigo/pattern"}, []string{"compatible widened /inputSchema/properties/codigo/pattern"},
	},
	{
		"opened", "/0/inputSchema/additionalProperties", `true`,
		[]string{"compatible widened /inputSchema/additionalProperties"}, []string{"breaking narrowed /inputSchema/additionalProperties"},
	},
	{
		"elements", "/0/inputSchema/properties/sedes/items/maxLength", `20`,
		[]string{"breaking narrowed /inputSchema/properties/sedes/items/maxLength"}, []string{"compatible widened /inputSchema/properties/sedes/items/maxLength"},
	},
	{
		"alternatives", "/0/inputSchema/properties/codigo/anyOf", `[{"pattern":"^A"}]`,
		[]string{"breaking narrowed /inputSchema/properties/codigo/anyOf"}, []string{"compatible widened /inputSchema/properties/codigo/anyOf"},
	},
	{
		"moved into $defs", "/0/inputSchema/properties/dias", `{"anyOf":[{"type":"string"}]}`,
		[]string{"breaking narrowed /inputSchema/properties/dias/anyOf", "cosmetic words-changed /inputSchema/properties/dias/description",
			"compatible widened /inputSchema/properties/dias/maximum", "compatible widened /inputSchema/properties/dias/minimum",
			"compatible widened /inputSchema/properties/dias/type"}, nil,
	},
	{
		"result loses a field", "/0" + field, ``,
		[]string{"breaking property-removed " + field}, []string{"compatible property-added " + field},
	},
	{
		"result may be null", "/0" + field + "/type", `["string","null"]`,
		[]string{"breaking widened " + field + "/type"}, []string{"compatible narrowed " + field + "/type"},
	},
	{
		"result is no longer sure", "/0/outputSchema/required", `["fecha","precio"]`,
		[]string{"breaking widened /outputSchema/properties/moneda"}, []string{"compatible narrowed /outputSchema/properties/moneda"},
	},
	{
		"no result schema", "/0/outputSchema", ``,
		[]string{"breaking output-removed /outputSchema"}, []string{"compatible output-added /outputSchema"},
	},
	{
		"annotation", "/2/annotations/idempotentHint", `false`,
		[]string{"breaking annotations-changed /annotations/idempotentHint"}, []string{"breaking annotations-changed /annotations/idempotentHint"},
	},
	{
		"annotation with its default", "/2/annotations/openWorldHint", `true`,
		[]string{"cosmetic form-changed "}, []string{"cosmetic form-changed "},
	},
	{
		"scenario", "/0/_meta/com.asixto~1capabilities", `["agenda","consulta_estado","general"]`,
		[]string{"compatible scenario-added /_meta/com.asixto~1capabilities"}, []string{"breaking scenario-removed /_meta/com.asixto~1capabilities"},
	},
	{
		"verb", "/0/_meta/com.asixto~1verb", `"ver una cita"`,
		[]string{"cosmetic verb-changed /_meta/com.asixto~1verb"}, []string{"cosmetic verb-changed /_meta/com.asixto~1verb"},
	},
	{
		"description", "/0/description", `"Consulta una cita. No sirve para cancelarla."`,
		[]string{"cosmetic description-changed /description"}, []string{"cosmetic description-changed /description"},
	},
	{
		"words of a property", "/0/inputSchema/properties/codigo/description", `"El código"`,
		[]string{"cosmetic words-changed /inputSchema/properties/codigo/description"}, nil,
	},
	{
		"task", "/0/execution", `{"taskSupport":"required"}`,
		[]string{"breaking execution-changed /execution"}, []string{"breaking execution-changed /execution"},
	},
	{"nothing", "/0/name", `"consultar_cita"`, nil, nil},
}

func lock(t testing.TB, list []any) contract.Lock {
	t.Helper()
	l, err := contract.NewLock(catalog(t, list))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func said(changes contract.Changes) []string {
	var out []string
	for _, c := range changes {
		out = append(out, fmt.Sprintf("%s %s %s", c.Impact, c.Kind, c.Pointer))
	}
	slices.Sort(out)
	return out
}

func TestDiff(t *testing.T) {
	t.Parallel()
	for _, r := range revisions {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			before, after := good(t), good(t)
			value := any(absent)
			if r.json != "" {
				value = decoded(t, r.json)
			}
			put(t, any(after), r.at, value)
			want := slices.Sorted(slices.Values(r.want))
			got := contract.Diff(lock(t, before), lock(t, after))
			if !slices.Equal(said(got), want) {
				t.Errorf("changes = %q, want %q", said(got), want)
			}
			breaks := slices.ContainsFunc(want, func(s string) bool { return strings.HasPrefix(s, "breaking") })
			if got.Breaking() != breaks {
				t.Errorf("Breaking() = %t, want %t", got.Breaking(), breaks)
			}
			if r.reverse == nil && r.want != nil {
				return
			}
			want = slices.Sorted(slices.Values(r.reverse))
			if got := said(contract.Diff(lock(t, after), lock(t, before))); !slices.Equal(got, want) {
				t.Errorf("on the way back = %q, want %q", got, want)
			}
		})
	}
}

// TestDiffTools: tools that come, go and are renamed.
func TestDiffTools(t *testing.T) {
	t.Parallel()
	all := good(t)
	for _, tt := range []struct {
		name          string
		before, after []any
		want          []string
	}{
		{"removed", all, all[:2], []string{"breaking tool-removed "}},
		{"added", all[:2], all, []string{"compatible tool-added "}},
		{"another one", all[:1], all[2:], []string{"breaking tool-removed ", "compatible tool-added "}},
		{"order", all, []any{all[2], all[0], all[1]}, nil},
		{"all", all, []any{}, []string{"breaking tool-removed ", "breaking tool-removed ", "breaking tool-removed "}},
	} {
		if got := said(contract.Diff(lock(t, tt.before), lock(t, tt.after))); !slices.Equal(got, tt.want) {
			t.Errorf("%s: changes = %q, want %q", tt.name, got, tt.want)
		}
	}
	renamed := good(t)
	put(t, any(renamed), "/0/name", "ver_cita")
	put(t, any(renamed), "/0/inputSchema/properties/dias/maximum", 7)
	changes := contract.Diff(lock(t, all), lock(t, renamed))
	want := []string{"breaking narrowed /inputSchema/properties/dias/maximum", "breaking tool-renamed /name"}
	if got := said(changes); !slices.Equal(got, want) || changes[0].Tool != "ver_cita" {
		t.Errorf("renamed and narrowed = %q, want %q", got, want)
	}
}

// TestDiffRenames: each tool that went is paired with the one that is most like it, and
// what else has changed is said, too.
func TestDiffRenames(t *testing.T) {
	t.Parallel()
	tool := func(name, kind, description string) any {
		return map[string]any{"name": name, "description": description, "inputSchema": decoded(t, `{"type":"object","properties":{"codigo":{"type":"`+kind+`"}}}`)}
	}
	const text = "Consulta una cita por su código."
	for _, tt := range []struct {
		name          string
		before, after []any
		want          []string
	}{
		{"equal but for the name first",
			[]any{tool("a1", "string", text), tool("a2", "integer", text)}, []any{tool("b1", "integer", text), tool("b2", "string", text)},
			[]string{"b1: breaking tool-renamed /name", "b2: breaking tool-renamed /name"}},
		{"renamed and changed",
			[]any{tool("a1", "string", text)}, []any{tool("b1", "boolean", text+" No la cancela.")},
			[]string{"b1: breaking tool-renamed /name", "b1: breaking narrowed /inputSchema/properties/codigo/type",
				"b1: compatible widened /inputSchema/properties/codigo/type", "b1: cosmetic description-changed /description"}},
		{"names change places",
			[]any{tool("a1", "string", text), tool("a2", "integer", text)}, []any{tool("a2", "string", text), tool("a1", "integer", text)},
			[]string{"a1: breaking narrowed /inputSchema/properties/codigo/type", "a1: compatible widened /inputSchema/properties/codigo/type",
				"a2: breaking narrowed /inputSchema/properties/codigo/type", "a2: compatible widened /inputSchema/properties/codigo/type"}},
		{"nothing to tell by", []any{map[string]any{"name": "a1"}}, []any{map[string]any{"name": "b1"}},
			[]string{"a1: breaking tool-removed ", "b1: compatible tool-added "}},
	} {
		var got []string
		for _, c := range contract.Diff(lock(t, tt.before), lock(t, tt.after)) {
			got = append(got, fmt.Sprintf("%s: %s %s %s", c.Tool, c.Impact, c.Kind, c.Pointer))
		}
		slices.Sort(got)
		if slices.Sort(tt.want); !slices.Equal(got, tt.want) {
			t.Errorf("%s: changes = %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestDiffSays: a message has the figures, and what it means is about calls or about results.
func TestDiffSays(t *testing.T) {
	t.Parallel()
	const calls, results = "their calls may fail", "The agent counts on the result"
	for _, tt := range []struct{ at, json, message, gateway string }{
		{"/0" + bound, `7`, "maximum went from 30 to 7.", calls},
		{"/0/inputSchema/properties/codigo/minLength", `3`, "It now demands minLength 3.", calls},
		{"/0" + bound, ``, "It no longer demands maximum 30.", "It enters new conversations"},
		{"/0" + field, ``, `There is no "estado" any more.`, results},
		{"/0" + field + "/type", `["string","null"]`, "It now admits the type null, too.", results},
		{"/0/_meta/com.asixto~1capabilities", `["agenda"]`, `It is no longer offered in the scenario "consulta_estado".`, "New conversations in that scenario no longer have it"},
	} {
		after, value := good(t), any(absent)
		if tt.json != "" {
			value = decoded(t, tt.json)
		}
		put(t, any(after), tt.at, value)
		changes := contract.Diff(lock(t, good(t)), lock(t, after))
		if len(changes) != 1 || changes[0].Message.EN != tt.message || !strings.Contains(changes[0].Gateway.EN, tt.gateway) {
			t.Errorf("%s = %s: %s, want %q and %q", tt.at, tt.json, changes.Text(contract.English), tt.message, tt.gateway)
		}
	}
}

// BenchmarkDiff compares catalogues in which every tool has another name.
func BenchmarkDiff(b *testing.B) {
	before, after := many(100, 300), many(100, 300)
	for i := range after {
		after[i].Name = "ver_" + after[i].Name
	}
	from, err := contract.NewLock(contract.Tools(before...))
	if err != nil {
		b.Fatal(err)
	}
	to, err := contract.NewLock(contract.Tools(after...))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if n := len(contract.Diff(from, to)); n != len(before) {
			b.Fatalf("%d changes, want one for each tool", n)
		}
	}
}

// TestDiffRefs: what moves into $defs is the same, what changes there is not, and
// what refers to itself ends.
func TestDiffRefs(t *testing.T) {
	t.Parallel()
	with := func(schema string) contract.Lock {
		return lock(t, []any{map[string]any{"name": "x", "inputSchema": decoded(t, schema)}})
	}
	const (
		plain = `{"type":"object","properties":{"a":{"type":"string","maxLength":9}}}`
		moved = `{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"type":"string","maxLength":9}}}`
		less  = `{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"type":"string","maxLength":5}}}`
		tree  = `{"type":"object","properties":{"a":{"$ref":"#"},"b":{"type":"string","maxLength":9}}}`
		small = `{"type":"object","properties":{"a":{"$ref":"#"},"b":{"type":"string","maxLength":5}}}`
		union = `{"type":"object","properties":{"a":{"anyOf":[{"$ref":"#/$defs/a"}]}},"$defs":{"a":{"type":"string","maxLength":9}}}`
		other = `{"type":"object","properties":{"a":{"anyOf":[{"$ref":"#/$defs/a"}]}},"$defs":{"a":{"type":"string","maxLength":5}}}`
		lost  = `{"type":"object","properties":{"a":{"$ref":"#/$defs/b"}}}`
	)
	for _, tt := range []struct {
		name, before, after string
		want                []string
	}{
		{"moved", plain, moved, []string{"cosmetic form-changed "}},
		{"changed there", moved, less, []string{"breaking narrowed /inputSchema/properties/a/maxLength"}},
		{"recursive", tree, small, []string{"breaking narrowed /inputSchema/properties/b/maxLength"}},
		{"below anyOf", union, other, []string{"breaking schema-changed /inputSchema/properties/a/anyOf"}},
		{"leads nowhere", moved, lost, []string{"breaking schema-changed /inputSchema/properties/a/$ref"}},
		{"leads nowhere twice", lost, lost, nil},
	} {
		if got := said(contract.Diff(with(tt.before), with(tt.after))); !slices.Equal(got, tt.want) {
			t.Errorf("%s: changes = %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestDiffText(t *testing.T) {
	t.Parallel()
	after := good(t)
	put(t, any(after), "/0/name", "ver_cita")
	put(t, any(after), "/0/description", "Consulta la fecha y el precio de una cita por su código. No sirve para cancelarla.")
	put(t, any(after), "/1/inputSchema/properties/limit/maximum", 10)
	put(t, any(after), "/1/inputSchema/properties/ciudad", decoded(t, nullableText))
	put(t, any(after), "/1/annotations/readOnlyHint", false)
	changes := contract.Diff(lock(t, good(t)), lock(t, after[:2]))
	golden(t, "testdata/diff.es.txt", []byte(changes.Text(contract.Spanish)))
	golden(t, "testdata/diff.en.txt", []byte(changes.Text(contract.English)))
	if got := (contract.Changes{}).Text(contract.Spanish); got != "" {
		t.Errorf("no changes read %q", got)
	}
}
