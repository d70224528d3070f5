package voice

import (
	"unicode"
	"unicode/utf8"
)

// maxSymbol is the length in bytes of the longest symbol in units.
const maxSymbol = 6

// scanUnit returns the noun of the longest symbol at the start of s that ends
// where a word does, and its width in bytes; 0 when there is none. The sign %
// is not among them.
func scanUnit(s string) (noun Noun, width int) {
	for width = min(maxSymbol, len(s)); width > 0; width-- {
		if noun, ok := units[s[:width]]; ok && endsWord(s[width:]) {
			return noun, width
		}
	}
	return Noun{}, 0
}

// endsWord reports whether no letter or digit comes next.
func endsWord(rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	return !unicode.IsLetter(r) && !unicode.IsDigit(r)
}
