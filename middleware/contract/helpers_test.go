package contract_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/middleware/contract"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares got with a file below testdata, or writes it.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.FromSlash(name)
	if *update {
		if err := os.WriteFile(file, got, 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; run the test with -update", err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; run with -update and look at the change\ngot:\n%s\nwant:\n%s", name, got, want)
	}
}

// good is a catalogue without any finding in any profile but Whaapy's.
func good(t testing.TB) []any {
	t.Helper()
	raw, err := os.ReadFile("testdata/good.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []any
	if err := json.Unmarshal(raw, &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// put sets the value at a JSON Pointer of a decoded document.
func put(t testing.TB, doc any, pointer string, value any) {
	t.Helper()
	tokens := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, token := range tokens {
		token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		last := i == len(tokens)-1
		switch at := doc.(type) {
		case map[string]any:
			if last {
				if value == absent {
					delete(at, token)
				} else {
					at[token] = value
				}
				return
			}
			doc = at[token]
		case []any:
			n, err := strconv.Atoi(token)
			if err != nil || n >= len(at) {
				t.Fatalf("%s: no element %q", pointer, token)
			}
			if last {
				at[n] = value
				return
			}
			doc = at[n]
		default:
			t.Fatalf("%s: nothing at %q", pointer, token)
		}
	}
}

// absent takes away what put finds.
var absent = new(struct{})

// catalog encodes and reads a list of decoded definitions.
func catalog(t testing.TB, list []any) contract.Catalog {
	t.Helper()
	raw, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	c, err := contract.ParseList(raw)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func lint(t testing.TB, c contract.Catalog, p contract.Profile, options ...contract.Option) contract.Report {
	t.Helper()
	r, err := contract.Lint(c, p, options...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// decoded reads a JSON value of a test.
func decoded(t testing.TB, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}
