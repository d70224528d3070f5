package voice_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/voice"
)

// The golden files of texts hold what they ask, too: a line with "<" is a text, of
// which ⏎ is a line break, the line with ">" below it is what is said, and those
// with "-" are the pieces taken out. To add a text add its line and run the test with -update.

// messages returns the texts of the golden files by country.
func messages(tb testing.TB) map[voice.Country][]string {
	tb.Helper()
	paths, err := filepath.Glob("testdata/golden/text_*.txt")
	if err != nil || len(paths) == 0 {
		tb.Fatalf("no golden files of texts: %v", err)
	}
	found := map[voice.Country][]string{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			tb.Fatal(err)
		}
		_, name, _ := strings.Cut(strings.TrimSuffix(path, ".txt"), "text_")
		if name == "neutral" {
			name = ""
		}
		for line := range strings.Lines(string(data)) {
			if text, ok := strings.CutPrefix(line, "< "); ok {
				text = strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "⏎", "\n")
				found[voice.Country(name)] = append(found[voice.Country(name)], text)
			}
		}
	}
	return found
}

func TestGoldenTexts(t *testing.T) {
	t.Parallel()
	total := 0
	for country, texts := range messages(t) {
		var lines []string
		for _, text := range texts {
			got := country.Clean(text)
			lines = append(lines, "< "+oneLine(text), strings.TrimSpace("> "+oneLine(got.Text)))
			for _, p := range got.Removed {
				lines = append(lines, "- "+string(p.Kind)+" "+oneLine(p.Text))
			}
			checkText(t, country.With(), text)
			checkWriter(t, country.With(), text, func(int) int { return 3 })
		}
		total += len(texts)
		name := "text_" + string(country)
		if country == "" {
			name += "neutral"
		}
		golden(t, name, lines)
	}
	if total < 150 {
		t.Errorf("%d texts in the golden files", total)
	}
}

func oneLine(text string) string { return strings.ReplaceAll(text, "\n", "⏎") }
