package document_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/portavoz/portavoz/middleware/internal/document"
)

func parse(t testing.TB, raw string) *document.Document {
	t.Helper()
	doc, err := document.Parse([]byte(raw))
	if err != nil {
		t.Fatalf("Parse(%.60q): %v", raw, err)
	}
	return doc
}

// units is the size that the document claims, by way of the standard library.
func units(s string) int { return len(utf16.Encode([]rune(s))) }

// TestSourceSurvives: what is not touched is not rewritten.
func TestSourceSurvives(t *testing.T) {
	t.Parallel()
	for name, raw := range map[string]string{
		"order":             `{"z":1,"a":2,"m":{"y":0,"b":0}}`,
		"white space":       "{ \"z\" : 1 ,\n\t\"a\" : [ 1 , 2 ] }",
		"numbers":           `[9007199254740993,1.50,1e400,-0,0.10e+05,1E2]`,
		"escapes":           `["\u0041\/\"","\ud83d\ude00","\ud800","\u2028"]`,
		"other scripts":     `{"ñandú":"日本","emoji":"👩‍👩‍👧"}`,
		"duplicate members": `{"a":1,"b":2,"a":3}`,
		"empty":             `{"":{},"x":[]}`,
		"not UTF-8":         "[\"\xff\xc3\"]",
		"scalars":           `[null,true,false,"",0]`,
		"root scalar":       `"hola"`,
	} {
		doc := parse(t, raw)
		if got := string(doc.JSON()); got != raw {
			t.Errorf("%s: JSON() = %s, want %s", name, got, raw)
		}
		if got, want := doc.Units(), units(raw); got != want {
			t.Errorf("%s: Units() = %d, want %d", name, got, want)
		}
		if doc.Root().Kind() != document.Array && doc.Root().Kind() != document.Object {
			continue
		}
		first := strings.TrimSpace(string(doc.JSON()))
		doc.Root().At(doc.Root().Len() - 1).SetNull() // the container is written anew, the rest is copied
		var before, after any
		if err := json.Unmarshal([]byte(first), &before); err != nil && name != "numbers" {
			t.Fatal(err)
		}
		if err := json.Unmarshal(doc.JSON(), &after); err != nil && name != "numbers" {
			t.Errorf("%s: after a change JSON() = %s: %v", name, doc.JSON(), err)
		}
		if got, want := doc.Units(), units(string(doc.JSON())); got != want {
			t.Errorf("%s: after a change Units() = %d, want %d", name, got, want)
		}
	}
}

func TestWhiteSpaceAroundIsLeftOut(t *testing.T) {
	t.Parallel()
	doc := parse(t, " \n{\"a\": 1}\t ")
	if got, want := string(doc.JSON()), `{"a": 1}`; got != want {
		t.Errorf("JSON() = %q, want %q", got, want)
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	doc := parse(t, `{"texto":"a\n\u00f1\ud83d\ude00\ud800x","n":1.50,"si":true,"nada":null,"lista":[1,"dos",[3]],"a\u0062c":7,"n":2}`)
	root := doc.Root()
	if got, want := root.Get("texto").Text(), "a\nñ😀\uFFFDx"; got != want {
		t.Errorf("Text() = %q, want %q", got, want)
	}
	if got := root.Get("n").Literal(); got != "2" {
		t.Errorf("Get of a name that is there twice = %s, want the last one, 2", got)
	}
	if got := root.At(1).Literal(); got != "1.50" {
		t.Errorf("At(1) = %s, want 1.50", got)
	}
	if got := root.Get("abc").Literal(); got != "7" {
		t.Errorf("Get of a name with an escape = %q, want 7", got)
	}
	if got := root.Get("abc").Name(); got != "abc" {
		t.Errorf("Name() = %q, want abc", got)
	}
	list := root.Get("lista")
	var kinds []document.Kind
	for child := range list.Children() {
		kinds = append(kinds, child.Kind())
		if child.Parent() != list || child.Name() != "" {
			t.Errorf("an element's parent and name are %v and %q", child.Parent(), child.Name())
		}
	}
	if want := []document.Kind{document.Number, document.String, document.Array}; !reflect.DeepEqual(kinds, want) {
		t.Errorf("kinds = %v, want %v", kinds, want)
	}
	if missing := root.Get("falta"); missing != nil || missing.Kind() != document.Null || missing.Len() != 0 || missing.Get("x") != nil || missing.Text() != "" {
		t.Errorf("what is missing is not a nil node that can be read: %v", missing)
	}
	if list.At(3) != nil || list.At(-1) != nil {
		t.Error("At outside of the list is not nil")
	}
}

func TestChange(t *testing.T) {
	t.Parallel()
	const raw = `{ "z":9007199254740993, "lista":[1.50, {"a":"<&>"} ,3], "fecha":"2026-09-03", "fin":null }`
	for name, test := range map[string]struct {
		change func(root *document.Node)
		want   string
	}{
		"text": {
			func(root *document.Node) { root.Get("fecha").SetText("\"\\\n\t<\u2028\xff") },
			`{"z":9007199254740993,"lista":[1.50, {"a":"<&>"} ,3],"fecha":"\"\\\n\u0009<\u2028` + "\uFFFD" + `","fin":null}`,
		},
		"deep": {
			func(root *document.Node) { root.Get("lista").At(1).Get("a").SetInt(-7) },
			`{"z":9007199254740993,"lista":[1.50,{"a":-7},3],"fecha":"2026-09-03","fin":null}`,
		},
		"truncate": {
			func(root *document.Node) { root.Get("lista").Truncate(1) },
			`{"z":9007199254740993,"lista":[1.50],"fecha":"2026-09-03","fin":null}`,
		},
		"truncate to nothing": {
			func(root *document.Node) { root.Get("lista").Truncate(-1) },
			`{"z":9007199254740993,"lista":[],"fecha":"2026-09-03","fin":null}`,
		},
		"truncate to more than there is": {func(root *document.Node) { root.Get("lista").Truncate(3) }, raw},
		"put behind": {
			func(root *document.Node) { root.Put("fecha_texto", root.Get("fecha")).SetText("jueves") },
			`{"z":9007199254740993,"lista":[1.50, {"a":"<&>"} ,3],"fecha":"2026-09-03","fecha_texto":"jueves","fin":null}`,
		},
		"put at the end": {
			func(root *document.Node) {
				root.Put("x", nil)
				root.Put("y", root.Get("x")).SetInt(2)
			},
			`{"z":9007199254740993,"lista":[1.50, {"a":"<&>"} ,3],"fecha":"2026-09-03","fin":null,"x":null,"y":2}`,
		},
		"put what is there": {func(root *document.Node) { root.Put("z", nil) }, raw},
		"remove the first":  {func(root *document.Node) { root.Get("z").Remove() }, `{"lista":[1.50, {"a":"<&>"} ,3],"fecha":"2026-09-03","fin":null}`},
		"remove the last":   {func(root *document.Node) { root.Get("fin").Remove() }, `{"z":9007199254740993,"lista":[1.50, {"a":"<&>"} ,3],"fecha":"2026-09-03"}`},
		"remove all": {
			func(root *document.Node) {
				for child := range root.Children() {
					child.Remove()
				}
			},
			`{}`,
		},
		"remove all and put": {
			func(root *document.Node) {
				for child := range root.Children() {
					child.Remove()
				}
				root.Put("a", nil)
				root.Put("b", nil).SetText("")
			},
			`{"a":null,"b":""}`,
		},
		"a value of its own": {
			func(root *document.Node) {
				if err := root.Get("fecha").SetJSON([]byte(` [1, {"b":2}, [ ]] `)); err != nil {
					panic(err)
				}
				root.Get("fecha").At(1).Get("b").SetNull()
			},
			`{"z":9007199254740993,"lista":[1.50, {"a":"<&>"} ,3],"fecha":[1,{"b":null},[ ]],"fin":null}`,
		},
		"the root": {func(root *document.Node) { root.SetText("ñ") }, `"ñ"`},
	} {
		doc := parse(t, raw)
		doc.Units()
		doc.JSON()
		test.change(doc.Root())
		if got := string(doc.JSON()); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, test.want)
		}
		if got, want := doc.Units(), units(test.want); got != want {
			t.Errorf("%s: Units() = %d, want %d", name, got, want)
		}
	}
}

// TestEncodingIsNotWrittenInto: whoever was given an encoding keeps it.
func TestEncodingIsNotWrittenInto(t *testing.T) {
	t.Parallel()
	source := []byte(`{"a":1,"b":2}`)
	doc, err := document.Parse(source)
	if err != nil {
		t.Fatal(err)
	}
	root := doc.Root()
	var given [][]byte
	for i, want := range []string{`{"a":1,"b":2}`, `{"a":10,"b":2}`, `{"a":20,"b":2}`} {
		if i > 0 {
			root.Get("a").SetInt(10 * i)
		}
		given = append(given, doc.JSON())
		if got := string(doc.JSON()); got != want {
			t.Errorf("JSON() = %s, want %s", got, want)
		}
	}
	for i, want := range []string{`{"a":1,"b":2}`, `{"a":10,"b":2}`, `{"a":20,"b":2}`} {
		if got := string(given[i]); got != want {
			t.Errorf("an earlier encoding became %s, want %s", got, want)
		}
	}
	if string(source) != `{"a":1,"b":2}` {
		t.Errorf("the source became %s", source)
	}
}

func TestCompact(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		`{"a":[1,"b c"]}`: `{"a":[1,"b c"]}`, ` {"a":1} `: `{"a":1}`, "{ \"a\" :\n[ 1 , \" b \" ] }": `{"a":[1," b "]}`, `[1, 2]`: `[1,2]`,
	} {
		doc := parse(t, raw)
		if got := string(doc.Compact()); got != want {
			t.Errorf("Compact of %s = %s, want %s", raw, got, want)
		}
		if err := doc.Root().At(0).SetJSON([]byte(`[ 1 ]`)); err != nil {
			t.Fatal(err)
		}
		if got := doc.Compact(); strings.Contains(strings.ReplaceAll(strings.ReplaceAll(string(got), `" b "`, ""), `b c`, ""), " ") {
			t.Errorf("Compact of a changed document = %s", got)
		}
	}
}

func TestMarshal(t *testing.T) {
	t.Parallel()
	doc := parse(t, `{"b":1, "a":9007199254740993}`)
	got, err := json.Marshal(map[string]any{"x": doc})
	if want := `{"x":{"b":1,"a":9007199254740993}}`; err != nil || string(got) != want {
		t.Errorf("Marshal = %s, %v, want %s", got, err, want)
	}
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{
		"", " ", "{", "[", `{"a"}`, `{"a":}`, `{"a":1,}`, `[1,]`, `[1 2]`, `{a:1}`, "nul", "truex", "01", "1.", "-", "1e", "+1",
		`"`, `"\x"`, `"\u12"`, "\"\n\"", `"\`, "[]x", "\xef\xbb\xbf{}",
		strings.Repeat("[", document.MaxDepth+1) + strings.Repeat("]", document.MaxDepth+1),
		strings.Repeat(`{"a":`, 1<<20),
	} {
		if _, err := document.Parse([]byte(raw)); err == nil {
			t.Errorf("Parse(%.40q) is no error", raw)
		} else if strings.Contains(err.Error(), "truex") {
			t.Errorf("the error quotes the text: %v", err)
		}
	}
	parse(t, strings.Repeat("[", document.MaxDepth)+strings.Repeat("]", document.MaxDepth))
}

func TestMisuse(t *testing.T) {
	t.Parallel()
	for name, misuse := range map[string]func(root *document.Node){
		"Put into a list":       func(root *document.Node) { root.Get("lista").Put("a", nil) },
		"Put behind a stranger": func(root *document.Node) { root.Put("b", root.Get("lista").At(0)) },
		"Remove of the root":    func(root *document.Node) { root.Remove() },
		"Remove of a removed one": func(root *document.Node) {
			n := root.Get("lista")
			n.Remove()
			n.Remove()
		},
	} {
		func() {
			defer func() {
				if v, ok := recover().(string); !ok || !strings.HasPrefix(v, "portavoz/document: ") {
					t.Errorf("%s: recovered %v, want a panic of the package", name, v)
				}
			}()
			misuse(parse(t, `{"lista":[1]}`).Root())
		}()
	}
}

func TestEqual(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{`{"a":1,"b":[true,null,"ñ"]}`, ` { "b" : [true, null, "\u00f1"], "a":1 } `, true},
		{`{"a":1,"b":2,"c":3}`, `{"c":3,"a":1,"b":2}`, true},
		{`{"a":1,"b":2}`, `{"a":1,"c":2}`, false},
		{`{"a":1}`, `{"a":1,"b":2}`, false},
		{`{"a":1,"a":1}`, `{"a":1,"b":2}`, false},
		{`{"a":1,"b":2}`, `{"a":1,"a":1}`, false},
		{`{"a":1,"b":2,"b":2}`, `{"b":2,"a":1,"c":2}`, false},
		{`{"b":2,"a":1,"b":2}`, `{"b":2,"b":2,"a":1}`, true},
		{`[1,2]`, `[2,1]`, false},
		{`[1]`, `[1.0]`, false},
		{`9007199254740993`, `9007199254740992`, false},
		{`true`, `false`, false},
		{`null`, `{}`, false},
		{`""`, `null`, false},
	} {
		if got := document.Equal(parse(t, test.a).Root(), parse(t, test.b).Root()); got != test.want {
			t.Errorf("Equal(%s, %s) = %t, want %t", test.a, test.b, got, test.want)
		}
	}
}

func TestIsSpelled(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		doc, text string
		want      bool
	}{
		{`{"a":1,"b":[true,null,"ñ"]}`, " {\n\t\"a\" : 1 , \"\\u0062\":[ true,null,\"\\u00f1\" ] }\r\n", true},
		{`{}`, ` { } `, true},
		{`[]`, `[ ]`, true},
		{`-1.50e3`, `-1.50e3`, true},
		{`"\ud83d\ude00"`, `"😀"`, true},
		{`{"a":1,"b":2}`, `{"b":2,"a":1}`, false}, // that is for Equal
		{`{"a":1}`, `{"a":1,"b":2}`, false},
		{`{"a":1,"b":2}`, `{"a":1}`, false},
		{`{"a":1}`, `{"a":1}}`, false},
		{`{"a":1}`, `{"a":1`, false},
		{`[1,2]`, `[1,2,]`, false},
		{`[1,2]`, `[1 2]`, false},
		{`[1]`, `[12]`, false},
		{`[1]`, `[1.0]`, false},
		{`1`, `12`, false},
		{`"a"`, `"ab"`, false},
		{`"a"`, `"a`, false},
		{`"a"`, `a`, false},
		{`"a"`, "\"a\n\"", false},
		{`true`, `truex`, false},
		{`null`, ``, false},
		{`[]`, `{}`, false},
		{`{"a":1}`, `{"a" 1}`, false},
	} {
		if got := parse(t, test.doc).IsSpelled(test.text); got != test.want {
			t.Errorf("%s is spelled %q: %t, want %t", test.doc, test.text, got, test.want)
		}
	}
	changed := parse(t, `{"a":1,"b":"x"}`)
	changed.Root().Get("b").Remove()
	if changed.IsSpelled(`{"a":1,"b":"x"}`) || !changed.IsSpelled(`{"a": 1}`) {
		t.Error("a changed document is spelled as its source")
	}
}
