package redact

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzRedactText checks what holds for every text: a second pass finds nothing,
// nothing found means nothing changed, and valid UTF-8 stays valid.
func FuzzRedactText(f *testing.F) {
	for _, tt := range cleanTexts {
		f.Add(tt)
	}
	for _, tt := range dirtyTexts {
		f.Add(tt.text)
	}
	for _, tt := range traceTexts {
		f.Add(tt.text)
	}
	f.Fuzz(func(t *testing.T, s string) {
		clean, found := Text(s)
		if found == 0 && clean != s {
			t.Errorf("Text(%q) = %q, found nothing but changed it", s, clean)
		}
		if found > 0 && strings.Count(clean, Placeholder) < found {
			t.Errorf("Text(%q) = %q, found %d", s, clean, found)
		}
		if utf8.ValidString(s) && !utf8.ValidString(clean) {
			t.Errorf("Text(%q) = %q, which is not UTF-8", s, clean)
		}
		if again, n := Text(clean); n != 0 || again != clean {
			t.Errorf("Text(%q)\n= %q, and once more\n= %q (%d)", s, clean, again, n)
		}
		if LooksInternal(s) != LooksInternal(strings.Clone(s)) {
			t.Errorf("LooksInternal(%q) is not deterministic", s)
		}
	})
}
