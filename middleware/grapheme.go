package middleware

import (
	"unicode"
	"unicode/utf8"
)

// graphemeEnd returns the end of the character, as people see it, that starts at i:
// a letter with its marks, a flag, a family of emoji. It is a coarse form of the
// extended grapheme clusters of Unicode's UAX #29: it never ends inside of one, and
// may take two for one where the rules are long. i must be less than len(s).
func graphemeEnd(s string, i int) int {
	before, w := utf8.DecodeRuneInString(s[i:])
	end := i + w
	flags := 0
	if isFlagHalf(before) {
		flags = 1
	}
	for end < len(s) {
		if before < utf8.RuneSelf && s[end] < utf8.RuneSelf && !(before == '\r' && s[end] == '\n') {
			return end
		}
		after, w := utf8.DecodeRuneInString(s[end:])
		switch {
		case isFlagHalf(before) && isFlagHalf(after):
			if flags++; flags > 2 {
				return end
			}
		case !joins(before, after):
			return end
		}
		before, end = after, end+w
	}
	return end
}

// joins reports whether two runes, one behind the other, belong to one character.
// The numbers are those of the rules.
func joins(before, after rune) bool {
	const (
		nonJoiner = '\u200c'
		joiner    = '\u200d'
	)
	switch {
	case before == '\r':
		return after == '\n' // GB3
	case unicode.IsControl(before), unicode.IsControl(after):
		return false // GB4, GB5
	case after == joiner, after == nonJoiner, unicode.Is(unicode.M, after):
		return true // GB9, GB9a
	case after >= 0x1F3FB && after <= 0x1F3FF, after >= 0xE0020 && after <= 0xE007F: // skin, tags of flags
		return true // GB9
	case after == 0x0E33, after == 0x0EB3, after == 0xFF9E, after == 0xFF9F: // letters that are marks: am, narrow voicing
		return true // GB9, GB9a
	case before == joiner:
		return true // GB11
	case unicode.Is(unicode.Prepended_Concatenation_Mark, before):
		return true // GB9b
	case isLinker(before):
		return unicode.IsLetter(after) // GB9c
	}
	return isHangul(before) && isHangul(after) // GB6 to GB8
}

// isFlagHalf reports whether r is a regional indicator, two of which make a flag
// (GB12, GB13).
func isFlagHalf(r rune) bool { return r >= 0x1F1E6 && r <= 0x1F1FF }

// isHangul reports whether r is a syllable of Korean, or a part of one.
func isHangul(r rune) bool {
	return r >= 0x1100 && r <= 0x11FF || r >= 0xA960 && r <= 0xA97F || r >= 0xAC00 && r <= 0xD7FF
}

// isLinker reports whether r ties the consonants of a script of India together
// (Indic_Conjunct_Break=Linker).
func isLinker(r rune) bool {
	switch r {
	case 0x094D, 0x09CD, 0x0ACD, 0x0B4D, 0x0C4D, 0x0D4D:
		return true
	}
	return false
}
