package voice_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/voice"
)

var update = flag.Bool("update", false, "write the golden files again instead of comparing with them")

// countries are all with rules of their own, after the neutral one.
var countries = []voice.Country{
	"", voice.CO, voice.MX, voice.AR, voice.CL, voice.PE, voice.EC, voice.VE, voice.UY, voice.PY, voice.BO,
	voice.CR, voice.PA, voice.GT, voice.HN, voice.SV, voice.NI, voice.DO, voice.PR, voice.US, voice.ES,
}

// golden compares lines with testdata/golden/name.txt, which a person who knows
// Spanish has read.
func golden(t *testing.T, name string, lines []string) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name+".txt")
	got := strings.Join(lines, "\n") + "\n"
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	for i := range max(len(lines), len(want)) {
		switch {
		case i >= len(lines):
			t.Errorf("%s:%d: nothing said, want %q", path, i+1, want[i])
		case i >= len(want):
			t.Errorf("%s:%d: got %q, want nothing", path, i+1, lines[i])
		case lines[i] != want[i]:
			t.Errorf("%s:%d:\n got %q\nwant %q", path, i+1, lines[i], want[i])
		}
	}
}

// line is one line of a golden file: what was asked and what was said.
func line(country voice.Country, asked, got string, err error) string {
	if country == "" {
		country = "--"
	}
	if err != nil {
		got = "error: " + err.Error()
	}
	return string(country) + " | " + asked + " | " + got
}
