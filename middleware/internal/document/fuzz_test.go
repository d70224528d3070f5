package document_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/portavoz/portavoz/middleware/internal/document"
)

var seeds = []string{
	`{"resultados":[{"nombre":"Ana","valor":1.50},{"nombre":"Ñandú","valor":9007199254740993}],"total":148,"limit":10,"offset":0}`,
	`[null,true,false,"",0,-0.0e-1,{},[],{"":[[]]}]`, `"\ud83d\ude00\ud800"`, `{"a":1,"a":{"a":[]}}`, " 1 ", "[1,]", "\"\xff\"", `{"a" : [ 1 ,2 ] }`,
}

// decode keeps numbers as they are written.
func decode(t *testing.T, raw []byte) any {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("not JSON: %s: %v", raw, err)
	}
	return v
}

func depth(raw []byte) int {
	deepest, now, inText := 0, 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case inText:
		case c == '[' || c == '{':
			now++
			deepest = max(deepest, now)
		case c == ']' || c == '}':
			now--
		}
	}
	return deepest
}

// FuzzParse: the same texts are JSON as for encoding/json, they come out as they
// went in, and reading them gives the same values.
func FuzzParse(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		doc, err := document.Parse(raw)
		if valid := json.Valid(raw); valid != (err == nil) && depth(raw) <= document.MaxDepth {
			t.Fatalf("Parse(%q): %v, json.Valid: %v", raw, err, valid)
		}
		if err != nil {
			return
		}
		if got, want := doc.JSON(), bytes.Trim(raw, " \t\r\n"); !bytes.Equal(got, want) {
			t.Errorf("JSON() = %q, want %q", got, want)
		}
		if got, want := doc.Units(), units(string(doc.JSON())); got != want {
			t.Errorf("Units() = %d, want %d", got, want)
		}
		if got, want := value(doc.Root()), decode(t, raw); !reflect.DeepEqual(got, want) {
			t.Errorf("read %#v, want %#v", got, want)
		}
	})
}

// value is what encoding/json would decode.
func value(n *document.Node) any {
	switch n.Kind() {
	case document.Bool:
		return n.Literal() == "true"
	case document.Number:
		return json.Number(n.Literal())
	case document.String:
		return string([]rune(n.Text())) // what is not UTF-8 is U+FFFD
	case document.Array:
		list := make([]any, 0, n.Len())
		for child := range n.Children() {
			list = append(list, value(child))
		}
		return list
	case document.Object:
		object := make(map[string]any, n.Len())
		for child := range n.Children() {
			object[string([]rune(child.Name()))] = value(child)
		}
		return object
	case document.Null:
	}
	return nil
}

// FuzzChange changes a document at random. It encodes to valid JSON of the size
// that it says, and what it encodes to reads as the tree does.
func FuzzChange(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(seed), []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})
		f.Add([]byte(seed), []byte{5, 5, 3, 3, 4, 4, 2, 2, 6, 6, 1, 1, 200, 90})
	}
	f.Fuzz(func(t *testing.T, raw, script []byte) {
		doc, err := document.Parse(raw)
		if err != nil {
			return
		}
		for i := 0; i+1 < min(len(script), 64); i += 2 {
			change(doc.Root(), script[i], int(script[i+1]))
			switch i % 3 {
			case 0:
				doc.JSON()
			case 1:
				doc.Units() // is known, and has to stay right
			}
			if got, want := doc.Units(), units(string(doc.JSON())); got != want {
				t.Fatalf("Units() = %d, want %d: %s", got, want, doc.JSON())
			}
		}
		if got, want := value(doc.Root()), decode(t, doc.JSON()); !reflect.DeepEqual(got, want) {
			t.Errorf("the tree is %#v and encodes to %#v", got, want)
		}
		sameButApart(t, doc, script)
	})
}

// sameButApart holds a copy to what it was copied from: changes to the one, such as
// white space that goes, do not reach the other.
func sameButApart(t *testing.T, doc *document.Document, script []byte) {
	t.Helper()
	before, compact, own := string(doc.JSON()), string(doc.Compact()), doc.Copy()
	if got := string(own.JSON()); got != before {
		t.Errorf("a copy of %s is %s", before, got)
	}
	own.Tighten()
	if got := string(own.JSON()); got != compact || own.Units() != units(compact) {
		t.Errorf("without white space %s is %s with %d units, want %s", before, got, own.Units(), compact)
	}
	for i := 0; i+1 < min(len(script), 16); i += 2 {
		change(own.Root(), script[i], int(script[i+1]))
	}
	if got := string(doc.JSON()); got != before {
		t.Errorf("a change to its copy made %s of %s", got, before)
	}
	changed := string(own.JSON())
	change(doc.Root(), 1, 0)
	if got := string(own.JSON()); got != changed || own.Units() != units(changed) {
		t.Errorf("a change to the original made %s of the copy %s", got, changed)
	}
}

// change does one thing to one node.
func change(root *document.Node, what byte, where int) {
	n := root
	for where > 0 && n.Len() > 0 {
		n = n.At(where % n.Len())
		where /= 3
	}
	switch what % 7 {
	case 0:
		n.SetText("ñ\"\\\u2028😀\xff")
	case 1:
		n.SetInt(where - 5)
	case 2:
		n.Truncate(n.Len() / 2)
	case 3:
		if n.Parent() != nil {
			n.Remove()
		}
	case 4:
		if n.Kind() == document.Object {
			n.Put("nuevo", n.At(0)).SetText("x")
		}
	case 5:
		_ = n.SetJSON([]byte(`{"a":[1, "ñ",{}]}`))
	case 6:
		n.SetNull()
	}
}

// FuzzIsSpelled: what is a document's spelling is JSON with the same values, and its
// own encoding, spaced or not, always is.
func FuzzIsSpelled(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(seed), []byte(seed))
	}
	f.Add([]byte(`{"a":"\u00f1","b":[1]}`), []byte(` {"a" :"ñ", "b":[ 1 ]}`))
	f.Fuzz(func(t *testing.T, raw, text []byte) {
		doc, err := document.Parse(raw)
		if err != nil {
			return
		}
		var spaced bytes.Buffer
		if err := json.Indent(&spaced, raw, " ", "\t"); err == nil && !doc.IsSpelled(spaced.String()) {
			t.Errorf("%s is not spelled %s", raw, &spaced)
		}
		if !doc.IsSpelled(string(doc.JSON())) {
			t.Errorf("%s is not spelled as it is", raw)
		}
		if !doc.IsSpelled(string(text)) {
			return
		}
		other, err := document.Parse(text)
		if err != nil || !document.Equal(doc.Root(), other.Root()) {
			t.Errorf("%s is spelled %s, which is %v", raw, text, err)
		}
	})
}
