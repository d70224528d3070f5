package main

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden reports")

// volatile is what differs from run to run, and what stands for it in a golden report.
var volatile = []struct {
	form *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`127\.0\.0\.1:\d+`), "127.0.0.1:8080"},
	{regexp.MustCompile(`(?m)^\d+ (solicitudes|requests); (\D*)\d+`), "N $1; ${2}N"},
	{regexp.MustCompile(`("(?:requests|waited|p50|p95)": )\d+`), "${1}0"},
	{regexp.MustCompile(`\d+\.\d\d s\b`), "0.00 s"},
	{regexp.MustCompile(`P-\d{3}`), "P-101"},
}

// golden compares a report with the one that is kept.
func golden(t *testing.T, name, got string) {
	t.Helper()
	for _, v := range volatile {
		got = v.form.ReplaceAllString(got, v.with)
	}
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("report differs from %s (go test -update):\n%s", path, got)
	}
}
