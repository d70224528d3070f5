package middleware

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzRedactText checks what holds for every text: a second pass finds nothing,
// nothing found means nothing changed, and valid UTF-8 stays valid.
func FuzzRedactText(f *testing.F) {
	for _, tt := range redactCleanTexts {
		f.Add(tt)
	}
	for _, tt := range redactDirtyTexts {
		f.Add(tt.text)
	}
	for _, tt := range redactTraceTexts {
		f.Add(tt.text)
	}
	f.Fuzz(func(t *testing.T, s string) {
		clean, found := redactText(s)
		if found == 0 && clean != s {
			t.Errorf("redactText(%q) = %q, found nothing but changed it", s, clean)
		}
		if found > 0 && strings.Count(clean, redactPlaceholder) < found {
			t.Errorf("redactText(%q) = %q, found %d", s, clean, found)
		}
		if utf8.ValidString(s) && !utf8.ValidString(clean) {
			t.Errorf("redactText(%q) = %q, which is not UTF-8", s, clean)
		}
		if again, n := redactText(clean); n != 0 || again != clean {
			t.Errorf("redactText(%q)\n= %q, and once more\n= %q (%d)", s, clean, again, n)
		}
		if redactLooksInternal(s) != redactLooksInternal(strings.Clone(s)) {
			t.Errorf("redactLooksInternal(%q) is not deterministic", s)
		}
	})
}
