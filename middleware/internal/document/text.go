package document

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// escapeLen returns the length of the escape that s starts with, 0 if it is none of
// JSON's.
func escapeLen(s string) int {
	if len(s) < 2 {
		return 0
	}
	switch s[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if _, ok := hexRune(s); ok {
			return 6
		}
	}
	return 0
}

// hexRune reads the \uXXXX that s starts with.
func hexRune(s string) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	for _, c := range []byte(s[2:6]) {
		if (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f') {
			return 0, false
		}
	}
	code, _ := strconv.ParseUint(s[2:6], 16, 16)
	return rune(code), true
}

func hasEscape(raw string) bool { return strings.IndexByte(raw, '\\') >= 0 }

// unquote decodes a valid JSON string. It allocates only if there are escapes.
func unquote(raw string) string {
	s := raw[1 : len(raw)-1]
	at := strings.IndexByte(s, '\\')
	if at < 0 {
		return s
	}
	out := make([]byte, 0, len(s))
	for ; at >= 0; at = strings.IndexByte(s, '\\') {
		out = append(out, s[:at]...)
		var w int
		out, w = appendUnescaped(out, s[at:])
		s = s[at+w:]
	}
	return string(append(out, s...))
}

// appendUnescaped appends what the escape at the start of s stands for and returns
// the length of the escape.
func appendUnescaped(out []byte, s string) ([]byte, int) {
	switch c := s[1]; c {
	case 'b':
		return append(out, '\b'), 2
	case 'f':
		return append(out, '\f'), 2
	case 'n':
		return append(out, '\n'), 2
	case 'r':
		return append(out, '\r'), 2
	case 't':
		return append(out, '\t'), 2
	case 'u':
		r, _ := hexRune(s)
		if utf16.IsSurrogate(r) {
			if low, ok := hexRune(s[6:]); ok {
				if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
					return utf8.AppendRune(out, pair), 12
				}
			}
		}
		return utf8.AppendRune(out, r), 6 // half a pair becomes U+FFFD
	default:
		return append(out, c), 2
	}
}
