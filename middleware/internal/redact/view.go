package redact

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// invisibleEnd returns the length of the invisible character at i, 0 if
// there is none: soft hyphen, combining grapheme joiner, the zero-width and
// directional characters of U+200B to U+206F, variation selectors, the byte
// order mark and the Mongolian vowel separator, as they are or as JSON escapes
// them.
func invisibleEnd(s string, i int) int {
	if s[i] != '\\' {
		if r, w := utf8.DecodeRuneInString(s[i:]); hidden(r) {
			return w
		}
		return 0
	}
	if !strings.HasPrefix(s[i:], `\u`) || runEnd(s[:min(len(s), i+6)], i+2, digit|hex) != i+6 {
		return 0
	}
	if r, err := strconv.ParseUint(s[i+2:i+6], 16, 16); err == nil && hidden(rune(r)) {
		return 6
	}
	return 0
}

func hidden(r rune) bool {
	switch {
	case r == 0x00AD, r == 0x034F, r == 0x180E, r == 0xFEFF:
		return true
	case 0x200B <= r && r <= 0x200F, 0x202A <= r && r <= 0x202E, 0x2060 <= r && r <= 0x206F:
		return true
	}
	return 0xFE00 <= r && r <= 0xFE0F
}

// visible returns s without its invisible characters.
func visible(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		if w := skipInvisible(s, i); w > 0 {
			i += w
			continue
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String()
}

// mapBack turns places in visible(s) into places in s.
func mapBack(s string, spans []cutSpan) {
	at, seen := 0, 0 // s[:at] has seen visible bytes
	walk := func(to int) {
		for seen < to {
			if w := skipInvisible(s, at); w > 0 {
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

// skipInvisible returns how many bytes at i are invisible.
func skipInvisible(s string, i int) int {
	if byteClass[s[i]]&lead == 0 {
		return 0
	}
	return invisibleEnd(s, i)
}
