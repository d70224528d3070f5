package transport

import (
	"encoding/base64"
	"strings"
	"unicode"
	"unicode/utf8"
)

// printable returns s fit for one field of a log line or a message: at most
// maxField bytes, and without any character that could forge a line or hide
// (controls, separators, direction marks). Each of those reads as U+FFFD.
func printable(s string) string {
	s, cut := truncate(s, maxField)
	if cut {
		s += "…"
	}
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return utf8.RuneError
		}
		return r
	}, s)
}

// truncate cuts s to limit bytes, between two characters.
func truncate(s string, limit int) (string, bool) {
	if len(s) <= limit {
		return s, false
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit], true
}

const (
	base64Prefix = "=?base64?"
	base64Suffix = "?="
)

// headerSafe reports whether s can stand in a header as it is: visible ASCII
// and inner spaces, and nothing that reads as the Base64 form (SEP-2243).
func headerSafe(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return strings.TrimSpace(s) == s && (!strings.HasPrefix(s, base64Prefix) || !strings.HasSuffix(s, base64Suffix))
}

// encodeHeader returns s as it stands in an MCP header: as it is, or in Base64
// where it is not safe (SEP-2243).
func encodeHeader(s string) string {
	if headerSafe(s) {
		return s
	}
	return base64Prefix + base64.StdEncoding.EncodeToString([]byte(s)) + base64Suffix
}
