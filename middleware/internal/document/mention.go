package document

import (
	"bytes"
	"strings"
)

// MentionsOK reports whether `"ok"` is in a JSON text, as in an envelope of package
// whaapy. Of results without it, which are nearly all, it looks at the letters k alone,
// which are rare in Spanish.
func MentionsOK(raw []byte) bool { return mentionsOK(raw, bytes.IndexByte) }

// MentionsOKText is [MentionsOK] for a string.
func MentionsOKText(text string) bool { return mentionsOK(text, strings.IndexByte) }

func mentionsOK[T ~string | ~[]byte](s T, index func(T, byte) int) bool {
	for from := 0; ; {
		k := index(s[from:], 'k')
		if k < 0 {
			return false
		}
		k += from
		if k >= 2 && k+1 < len(s) && s[k-2] == '"' && s[k-1] == 'o' && s[k+1] == '"' {
			return true
		}
		from = k + 1
	}
}
