package outline_test

import (
	"strings"
	"testing"

	"github.com/portavoz/portavoz/middleware/internal/document"
	"github.com/portavoz/portavoz/middleware/internal/outline"
)

const (
	no      = outline.No
	ifValid = outline.IfValid
	yes     = outline.Yes
)

func root(schema string) outline.Place {
	return outline.Compile([]byte(schema)).Root().As(document.Object)
}

func TestText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, schema, text string
		want               outline.Verdict
	}{
		{"free", `{"type":"string"}`, "otro", yes},
		{"boolean schema", `true`, "otro", yes},
		{"never", `false`, "otro", no},
		{"another type", `{"type":"integer"}`, "otro", no},
		{"type list", `{"type":["string","null"]}`, "otro", yes},
		{"code points", `{"type":"string","maxLength":4}`, "ñañá", yes},
		{"too long", `{"type":"string","maxLength":3}`, "ñañá", no},
		{"too short", `{"type":"string","minLength":5}`, "ñañá", no},
		{"huge limits", `{"minLength":0,"maxLength":1e300}`, "otro", yes},
		{"enum", `{"enum":["uno","otro"]}`, "otro", yes},
		{"not in the enum", `{"enum":["uno",null]}`, "otro", no},
		{"const", `{"const":"uno"}`, "otro", no},
		{"pattern", `{"pattern":"^o"}`, "otro", ifValid},
		{"format", `{"format":"uri"}`, "otro", ifValid},
		{"any of, null", `{"anyOf":[{"type":"string"},{"type":"null"}]}`, "otro", yes},
		{"one of, null", `{"oneOf":[{"type":"string"},{"type":"null"}]}`, "otro", yes},
		{"one of two", `{"oneOf":[{"type":"string"},{"maxLength":9}]}`, "otro", no},
		{"all of", `{"allOf":[{"type":"string"},{"maxLength":3}]}`, "otro", no},
		{"not", `{"not":{"const":"otro"}}`, "otro", no},
		{"not another", `{"not":{"const":"uno"}}`, "otro", yes},
		{"not a pattern", `{"not":{"pattern":"x"}}`, "otro", ifValid},
		{"if then", `{"if":{"maxLength":4},"then":{"minLength":5}}`, "otro", no},
		{"if else", `{"if":{"minLength":5},"else":{"maxLength":4}}`, "otro", yes},
		{"definition", `{"$ref":"#/$defs/t"}`, "otro", no},
		{"anchor", `{"$ref":"#corto"}`, "otro", no},
		{"escaped pointer", `{"$ref":"#/$defs/a~1b%25"}`, "otro", no},
		{"remote", `{"$ref":"https://example.com/t"}`, "otro", ifValid},
		{"dangling", `{"$ref":"#/$defs/nada"}`, "otro", ifValid},
		{"dynamic", `{"$dynamicRef":"#t"}`, "otro", ifValid},
		{"circle that says nothing", `{"$ref":"#/$defs/c"}`, "otro", yes},
		{"fan-out", `{"$ref":"#/$defs/f"}`, "otro", ifValid},
		{"not a schema", `7`, "otro", ifValid},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := root(`{"properties":{"x":` + tt.schema + `},"$defs":{"t":{"maxLength":3},"corto":{"$anchor":"corto","maxLength":2},
				"a/b%":{"maxLength":1},"c":{"$ref":"#/$defs/c"},"f":{"anyOf":[{"$ref":"#/$defs/f"},{"$ref":"#/$defs/f"},{"$ref":"#/$defs/f"}]}}}`)
			if got := p.Property("x").Text(tt.text); got != tt.want {
				t.Errorf("Text(%q) = %d, want %d", tt.text, got, tt.want)
			}
		})
	}
}

func TestInteger(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		schema string
		want   outline.Verdict
	}{
		{`{"type":"integer","minimum":1,"maximum":25}`, yes},
		{`{"type":"number","minimum":4}`, no},
		{`{"exclusiveMaximum":3}`, no},
		{`{"exclusiveMinimum":2,"multipleOf":3}`, yes},
		{`{"multipleOf":2}`, no},
		{`{"minimum":2.5}`, ifValid},
		{`{"maximum":1e400}`, ifValid},
		{`{"const":3}`, yes},
		{`{"const":3.0}`, ifValid},
		{`{"enum":[10,25]}`, no},
		{`{"type":"string"}`, no},
		{`{"not":{"enum":[3.0]}}`, ifValid},
		{`{"oneOf":[{"type":"integer"},{"type":"null"}]}`, yes},
	} {
		if got := root(`{"properties":{"limit":` + tt.schema + `}}`).Property("limit").Integer(3); got != tt.want {
			t.Errorf("%s: Integer(3) = %d, want %d", tt.schema, got, tt.want)
		}
	}
}

func TestItems(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		schema string
		want   outline.Verdict
	}{
		{`{"type":"array"}`, yes},
		{`{"minItems":3}`, yes},
		{`{"minItems":4}`, no},
		{`{"anyOf":[{"type":"array"},{"type":"null"}]}`, yes},
		{`{"oneOf":[{"type":"array"},{"type":"null"}]}`, yes},
		{`{"oneOf":[{"maxItems":3},{"minItems":5}]}`, no},
		{`{"oneOf":[{"maxItems":3},{"uniqueItems":true}]}`, ifValid},
		{`{"contains":{"type":"string"}}`, ifValid},
		{`{"const":[1,2,3,4]}`, ifValid},
		{`{"allOf":[{"minItems":5}]}`, no},
		{`{"not":{"maxItems":3}}`, ifValid},
	} {
		p := root(`{"properties":{"lista":` + tt.schema + `}}`).Property("lista").As(document.Array)
		if got := p.Items(3); got != tt.want {
			t.Errorf("%s: Items(3) = %d, want %d", tt.schema, got, tt.want)
		}
	}
}

func TestWith(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, schema string
		want         outline.Verdict
	}{
		{"no schema", ``, yes},
		{"open", `{"type":"object"}`, yes},
		{"declared", `{"properties":{"fecha_texto":{"type":"string"}},"additionalProperties":false}`, yes},
		{"closed", `{"additionalProperties":false}`, no},
		{"other members are numbers", `{"additionalProperties":{"type":"number"}}`, no},
		{"other members are texts", `{"additionalProperties":{"type":"string"}}`, yes},
		{"declared as a number", `{"properties":{"fecha_texto":{"type":"number"}}}`, no},
		{"bounded", `{"maxProperties":9}`, no},
		{"names", `{"propertyNames":{"maxLength":5}}`, no},
		{"names that fit", `{"propertyNames":{"maxLength":15}}`, yes},
		{"patterns", `{"patternProperties":{"_texto$":{"type":"string"}},"additionalProperties":false}`, no},
		{"trigger", `{"dependentRequired":{"fecha_texto":["otra"]}}`, no},
		{"old trigger", `{"dependencies":{"fecha_texto":["otra"]}}`, no},
		{"one of the parts is closed", `{"allOf":[{"additionalProperties":false}]}`, no},
		{"one of the branches is closed", `{"anyOf":[{"additionalProperties":false},{}]}`, no},
		{"the branch of another kind is closed", `{"anyOf":[{"type":"null","additionalProperties":false},{"type":"object"}]}`, yes},
		{"exclusive branches", `{"oneOf":[{"required":["a"]},{"required":["b"]}]}`, ifValid},
		{"unevaluated", `{"unevaluatedProperties":false}`, no},
		{"unevaluated and declared", `{"allOf":[{"properties":{"fecha_texto":{}}}],"unevaluatedProperties":false}`, ifValid},
		{"unknown", `{"$ref":"otro.json"}`, ifValid},
		{"whole values", `{"enum":[{"a":1}]}`, no},
		{"never", `false`, no},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := root(tt.schema).With("fecha_texto", "jueves"); got != tt.want {
				t.Errorf("With = %d, want %d", got, tt.want)
			}
		})
	}
}

func TestWithout(t *testing.T) {
	t.Parallel()
	for schema, want := range map[string]outline.Verdict{
		`{}`:                                            yes,
		`{"required":["x"]}`:                            no,
		`{"required":["y"]}`:                            yes,
		`{"allOf":[{"required":["x"]}]}`:                no,
		`{"minProperties":1}`:                           no,
		`{"dependentRequired":{"y":["x"]}}`:             no,
		`{"not":{"required":["x","y"]}}`:                ifValid,
		`{"oneOf":[{"type":"object"},{"type":"null"}]}`: yes,
	} {
		if got := root(schema).Without("x"); got != want {
			t.Errorf("%s: Without = %d, want %d", schema, got, want)
		}
	}
}

// A union is walked through by its tag, which has to stay what it is.
func TestWhere(t *testing.T) {
	t.Parallel()
	p := root(`{"oneOf":[{"$ref":"#/$defs/visita"},{"$ref":"#/$defs/llamada"}],"$defs":{
		"visita":{"type":"object","properties":{"tipo":{"const":"visita"},"fecha_texto":{"type":"string"}},"additionalProperties":false},
		"llamada":{"type":"object","properties":{"tipo":{"const":"llamada"}},"additionalProperties":false}}}`)
	if got := p.With("fecha_texto", "jueves"); got != no {
		t.Errorf("before the tag is known With = %d, want %d", got, no)
	}
	if tags := p.Tags(); len(tags) != 1 || tags[0] != "tipo" {
		t.Fatalf("Tags = %q, want tipo", tags)
	}
	visit, phoned := p.Where("tipo", "visita"), p.Where("tipo", "llamada")
	if got := visit.With("fecha_texto", "jueves"); got != yes {
		t.Errorf("a visit: With = %d, want %d", got, yes)
	}
	if got := phoned.With("fecha_texto", "jueves"); got != no {
		t.Errorf("a call: With = %d, want %d", got, no)
	}
	if tag := visit.Property("tipo"); !tag.Pinned() || tag.Text("visita ") != no {
		t.Error("the tag may change")
	}
	if visit.Without("tipo") != no {
		t.Error("the tag may go")
	}
}

// What lies below a combination that may turn is not sure.
func TestBelow(t *testing.T) {
	t.Parallel()
	item := `{"type":"array","items":{"properties":{"x":{"type":"string"}}}`
	for _, tt := range []struct {
		schema string
		want   outline.Verdict
	}{
		{item + `}`, yes},
		{item + `,"uniqueItems":true}`, ifValid},
		{item + `,"contains":{"required":["x"]}}`, ifValid},
		{item + `,"unevaluatedItems":false}`, ifValid},
		{item + `,"prefixItems":[{"properties":{"x":{"maxLength":1}}}]}`, no},
		{item + `,"anyOf":[{"items":{"properties":{"x":{"maxLength":9}}}}]}`, yes},
		{item + `,"anyOf":[{"items":{"properties":{"x":{"maxLength":1}}}},{}]}`, no},
		{item + `,"oneOf":[{"items":{"required":["x"]}},{"maxItems":0}]}`, ifValid},
		{item + `,"if":{"minItems":2}}`, ifValid},
		{`{"items":[{"properties":{"x":{"maxLength":1}}}],"additionalItems":false}`, no},
	} {
		p := root(`{"properties":{"l":` + tt.schema + `}}`)
		got := p.Property("l").As(document.Array).Item(0).As(document.Object).Property("x").Text("otro")
		if got != tt.want {
			t.Errorf("%s: Text = %d, want %d", tt.schema, got, tt.want)
		}
	}
}

func TestNotes(t *testing.T) {
	t.Parallel()
	p := root(`{"properties":{"precio":{"$ref":"#/$defs/dinero"}},"$defs":{"dinero":
		{"type":"string","x-portavoz":"money","title":"Precio","format":"decimal","maxLength":20}}}`).Property("precio")
	if p.Note() != "money" || p.Title() != "Precio" || p.Format() != "decimal" || p.MaxLength() != 20 || !p.Pinned() {
		t.Errorf("got note %q, title %q, format %q, max %d, pinned %t", p.Note(), p.Title(), p.Format(), p.MaxLength(), p.Pinned())
	}
	if p := root(`{"$ref":"#/$defs/x","$defs":{"x":{"properties":{"a":{}}}}}`); !p.Declares("a") || p.Declares("b") {
		t.Error("Declares does not follow the reference")
	}
}

// Schemas that refer to themselves have finitely many places.
func TestRecursion(t *testing.T) {
	t.Parallel()
	p := root(`{"properties":{"hijos":{"type":"array","items":{"$ref":"#"}},"nombre":{"type":"string"}},"additionalProperties":false}`)
	for range 1000 {
		p = p.Property("hijos").As(document.Array).Item(7).As(document.Object)
	}
	if got := p.Property("nombre").Text("otro"); got != yes {
		t.Errorf("deep inside Text = %d, want %d", got, yes)
	}
	deep := strings.Repeat(`{"items":`, 5000) + `{"maxLength":1}` + strings.Repeat(`}`, 5000)
	p = outline.Compile([]byte(deep)).Root()
	for range 5000 {
		p = p.As(document.Array).Item(0)
	}
	if got := p.Text("otro"); got == yes {
		t.Error("what is too deep to be read is promised")
	}
}

// A place without a schema allows everything.
func TestZeroPlace(t *testing.T) {
	t.Parallel()
	var p outline.Place
	p = p.As(document.Object).Where("a", "b").Property("x").Item(3)
	for i, got := range []outline.Verdict{p.Text(""), p.Integer(3), p.Null(), p.Items(0), p.With("a", ""), p.Without("a")} {
		if got != yes {
			t.Errorf("answer %d is %d, want %d", i, got, yes)
		}
	}
	if p.Pinned() || p.Declares("x") || p.MaxLength() != -1 || p.Note()+p.Title()+p.Format() != "" || p.Tags() != nil {
		t.Error("the zero place knows something")
	}
}

func FuzzCompile(f *testing.F) {
	for _, seed := range []string{
		`{}`, `true`, `{"$ref":"#"}`, `{"allOf":[{"$ref":"#"}],"oneOf":[{"$ref":"#"},{"$ref":"#"}]}`,
		`{"properties":{"a":{"$ref":"#/properties/a/items"}}}`, `{"patternProperties":{"(":{"$id":"x","$ref":"#"}}}`,
		`{"enum":[{"a":[1]}],"dependentSchemas":{"a":{"not":{"$ref":"#"}}}}`, `{"$ref":"#/~2/%zz"}`, `[`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, schema string) {
		p := outline.Compile([]byte(schema)).Root()
		for range 8 {
			p.Text("otro")
			p.Null()
			p.Items(3)
			p.With("a", "otro")
			p.Without("a")
			object := p.As(document.Object)
			for _, tag := range object.Tags() {
				object = object.Where(tag, "otro")
			}
			p = object.Property("a").As(document.Array).Item(1)
		}
	})
}

func BenchmarkWalk(b *testing.B) {
	o := outline.Compile([]byte(`{"properties":{"resultados":{"type":"array","items":{"$ref":"#/$defs/r"}}},
		"$defs":{"r":{"type":"object","properties":{"fecha":{"type":"string"},"fecha_texto":{"type":["string","null"]}},"additionalProperties":false}}}`))
	b.ReportAllocs()
	for b.Loop() {
		item := o.Root().As(document.Object).Property("resultados").As(document.Array).Item(2).As(document.Object)
		if item.Property("fecha_texto").Text("jueves") != yes {
			b.Fatal("refused")
		}
	}
}

func TestWithInteger(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		schema string
		want   outline.Verdict
	}{
		{`{"type":"object","properties":{"siguiente":{"type":"integer","minimum":0}},"additionalProperties":false}`, yes},
		{`{"type":"object","properties":{"siguiente":{"type":["integer","null"],"maximum":2}}}`, no},
		{`{"type":"object","properties":{"siguiente":{"type":"string"}}}`, no},
		{`{"type":"object","additionalProperties":false}`, no},
		{`{"type":"object"}`, yes},
	} {
		if got := root(tt.schema).WithInteger("siguiente", 3); got != tt.want {
			t.Errorf("%s: WithInteger(3) = %d, want %d", tt.schema, got, tt.want)
		}
	}
}
