package document_test

import (
	"strings"
	"testing"

	"github.com/portavoz/portavoz/middleware/internal/document"
)

func TestMentionsOK(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"", "k", "ok", `"ok`, `ok"`, `"ok"`, `{"ok":true}`, `{"kk":"ok"}`, `kkk"ok"`, `{"libro":"okapi","k":"o"}`, `"o"k"ok`, strings.Repeat(`"book",`, 50) + `"ok"`,
	} {
		want := strings.Contains(s, `"ok"`)
		if got := document.MentionsOK([]byte(s)); got != want {
			t.Errorf("MentionsOK(%q) = %v, want %v", s, got, want)
		}
		if got := document.MentionsOKText(s); got != want {
			t.Errorf("MentionsOKText(%q) = %v, want %v", s, got, want)
		}
	}
}
