package contract_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/middleware/contract"
)

// TestCatalogs lints catalogues that are shaped like those of well-known public
// servers. The reports are golden files.
func TestCatalogs(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/catalogs/*.json")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 10 {
		t.Fatalf("%d catalogues, want ten at least", len(files))
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			c, err := contract.ParseList(raw)
			if err != nil {
				t.Fatal(err)
			}
			for _, report := range []struct {
				profile contract.Profile
				lang    contract.Language
			}{{contract.Core, contract.English}, {contract.Asixto, contract.Spanish}, {contract.Whaapy, contract.English}} {
				r := lint(t, c, report.profile)
				golden(t, "testdata/catalogs/"+name+"."+report.profile.String()+".txt", []byte(r.Text(report.lang)))
				if again := lint(t, c, report.profile); again.Text(report.lang) != r.Text(report.lang) {
					t.Error("two reports of one catalogue differ")
				}
			}
			if _, err := contract.NewLock(c); err != nil {
				t.Error(err)
			}
		})
	}
}
