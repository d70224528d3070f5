package middleware

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// redactInvisible returns the length of the invisible character at i, 0 if
// there is none: soft hyphen, combining grapheme joiner, the zero-width and
// directional characters of U+200B to U+206F, variation selectors, the byte
// order mark and the Mongolian vowel separator, as they are or as JSON escapes
// them.
func redactInvisible(s string, i int) int {
	if s[i] != '\\' {
		if r, w := utf8.DecodeRuneInString(s[i:]); redactHidden(r) {
			return w
		}
		return 0
	}
	if !strings.HasPrefix(s[i:], `\u`) || redactRun(s[:min(len(s), i+6)], i+2, redactDigit|redactHex) != i+6 {
		return 0
	}
	if r, err := strconv.ParseUint(s[i+2:i+6], 16, 16); err == nil && redactHidden(rune(r)) {
		return 6
	}
	return 0
}

func redactHidden(r rune) bool {
	switch {
	case r == 0x00AD, r == 0x034F, r == 0x180E, r == 0xFEFF:
		return true
	case 0x200B <= r && r <= 0x200F, 0x202A <= r && r <= 0x202E, 0x2060 <= r && r <= 0x206F:
		return true
	}
	return 0xFE00 <= r && r <= 0xFE0F
}

// redactVisible returns s without its invisible characters.
func redactVisible(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		if w := redactSkip(s, i); w > 0 {
			i += w
			continue
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String()
}

// redactMapBack turns places in redactVisible(s) into places in s.
func redactMapBack(s string, spans []redactSpan) {
	at, seen := 0, 0 // s[:at] has seen visible bytes
	walk := func(to int) {
		for seen < to {
			if w := redactSkip(s, at); w > 0 {
				at += w
				continue
			}
			at++
			seen++
		}
	}
	for i := range spans {
		walk(spans[i].lo)
		lo := at
		walk(spans[i].hi)
		spans[i].lo, spans[i].hi = lo, at
	}
}

// redactSkip returns how many bytes at i are invisible.
func redactSkip(s string, i int) int {
	if redactBytes[s[i]]&redactLead == 0 {
		return 0
	}
	return redactInvisible(s, i)
}
