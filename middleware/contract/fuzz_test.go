package contract_test

import (
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"github.com/portavoz/portavoz/middleware/contract"
)

const every = contract.Core | contract.Asixto | contract.Whaapy

// FuzzLint: any JSON can be linted, locked and compared with itself.
func FuzzLint(f *testing.F) {
	files, err := filepath.Glob("testdata/catalogs/*.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range append(files, "testdata/good.json") {
		raw, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	for _, text := range []string{
		`[null,7,"x",[],{},{"name":null,"description":[],"inputSchema":7,"outputSchema":[],"annotations":"x","_meta":[]}]`,
		`[{"name":"a","inputSchema":{"type":"object","properties":{"p":{"$ref":"#/properties/p"},"q":{"anyOf":[{"$ref":"#"},{"$ref":"#"}]}}}}]`,
		`[{"name":"a","inputSchema":{"type":"object","properties":{"p":{"enum":7,"type":[1],"maximum":"x","items":[true,7]}}}}]`,
		`[{"name":"a","inputSchema":{"type":["object",null],"required":"x","properties":[],"$defs":{"":{"$anchor":"a"}},"allOf":[{"$ref":"#a"}]}}]`,
		`[{"name":"a","outputSchema":{"properties":{"fecha":{},"":true,"total":{"type":"integer"}},"additionalProperties":false}}]`,
		`{"result":{"tools":[{"name":"é","description":"\ud800 \u0000","inputSchema":{"$id":"x","$ref":"x#/y"}}]}}`,
		`[{"name":"a","inputSchema":{"maximum":1e999,"minLength":1e400,"type":"object"}}]`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := contract.ParseList(raw)
		if err != nil {
			return
		}
		r, err := contract.Lint(c, every, contract.Again(c, c))
		if err != nil {
			t.Fatal(err)
		}
		if r.Tools != c.Len() || r.Count(contract.Must)+r.Count(contract.Should)+r.Count(contract.Hint) != len(r.Findings) {
			t.Errorf("the report does not add up: %+v", r)
		}
		for _, lang := range []contract.Language{contract.Spanish, contract.English} {
			if text := r.Text(lang); !utf8.ValidString(text) {
				t.Errorf("the report is not UTF-8: %q", text)
			}
		}
		l, err := contract.NewLock(c)
		if err != nil {
			return
		}
		if changes := contract.Diff(l, l); len(changes) > 0 {
			t.Errorf("a catalogue differs from itself: %s", changes.Text(contract.English))
		}
		read, err := contract.ParseLock(l.Bytes())
		if err != nil {
			t.Fatalf("a lock cannot be read again: %v\n%s", err, l.Bytes())
		}
		if changes := contract.Diff(l, read); len(changes) > 0 {
			t.Errorf("a lock that was read differs: %s", changes.Text(contract.English))
		}
	})
}

// FuzzDiff: any two catalogues can be compared, and what Diff finds one way it
// finds the other way, too.
func FuzzDiff(f *testing.F) {
	f.Add([]byte(`{"type":"object","properties":{"a":{"type":"string"}}}`), []byte(`{"type":"object","properties":{"a":{"type":"integer"}}}`))
	f.Add([]byte(`{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`), []byte(`{"anyOf":[{"$ref":"#"}]}`))
	f.Add([]byte(`{"properties":{"a":true,"b":false},"items":[{}]}`), []byte(`{"properties":{"a":7},"required":["b","c"],"items":{}}`))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		with := func(schema []byte) (contract.Lock, bool) {
			c, err := contract.ParseList([]byte(`[{"name":"x","inputSchema":` + string(schema) + `}]`))
			if err != nil {
				return contract.Lock{}, false
			}
			l, err := contract.NewLock(c)
			return l, err == nil
		}
		before, ok := with(a)
		after, okToo := with(b)
		if !ok || !okToo {
			return
		}
		there, back := contract.Diff(before, after), contract.Diff(after, before)
		if (len(there) == 0) != (len(back) == 0) {
			t.Errorf("there: %s\nback: %s", there.Text(contract.English), back.Text(contract.English))
		}
	})
}
