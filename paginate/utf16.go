package paginate

import (
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

// UTF16Len returns the length of a text in UTF-16 code units, which is how the
// JavaScript runtimes of gateways count characters: two for what lies beyond
// U+FFFF, one for the rest. A byte that is not UTF-8 counts as one, for the U+FFFD
// that a reader makes of it.
func UTF16Len[T ~string | ~[]byte](s T) int {
	const high = 0x8080808080808080
	saved, i := 0, 0
	for i < len(s) {
		if len(s)-i >= 8 { // eight at a time, as far as they are ASCII
			w := s[i : i+8]
			word := uint64(w[0]) | uint64(w[1])<<8 | uint64(w[2])<<16 | uint64(w[3])<<24 |
				uint64(w[4])<<32 | uint64(w[5])<<40 | uint64(w[6])<<48 | uint64(w[7])<<56
			if word&high == 0 {
				i += 8
				continue
			}
			i += bits.TrailingZeros64(word&high) / 8
		}
		switch c := s[i]; {
		case c < utf8.RuneSelf:
			i++
		case c >= 0xC2 && c < 0xE0 && i+1 < len(s) && s[i+1]&0xC0 == 0x80: // nearly always in Spanish
			i, saved = i+2, saved+1
		default:
			r, w := utf8.DecodeRuneInString(string(s[i:min(len(s), i+utf8.UTFMax)]))
			i, saved = i+w, saved+w-utf16.RuneLen(r)
		}
	}
	return len(s) - saved
}
