package voice

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// hearing says what becomes of a character.
type hearing uint8

const (
	heardAsIs hearing = iota
	heardAsBlank
	notHeard
)

// heard decides by the general category (Unicode 15): symbols, which emoji are,
// part words and are not said; formatting characters, such as the soft hyphen
// and the joiners between emoji, leave nothing behind.
func heard(r rune) hearing {
	switch {
	case r < utf8.RuneSelf:
		if r < ' ' || r == 0x7F {
			return heardAsBlank
		}
		return heardAsIs
	case r == utf8.RuneError:
		return notHeard
	case r == '°':
		return heardAsIs
	case r == '\u00a0' || r == '\u2009' || r == '\u202f':
		return heardAsIs // may group the thousands of a number
	case r == '\u20e3' || 0xFE00 <= r && r <= 0xFE0F || 0xE0000 <= r && r <= 0xE0FFF:
		return notHeard // keycaps, variation selectors, tags of flags
	case 0x1F000 <= r && r <= 0x1FAFF || 0x2190 <= r && r <= 0x21FF && r != '→':
		return heardAsBlank
	case unicode.IsSpace(r) || unicode.Is(unicode.So, r) || unicode.Is(unicode.Sk, r):
		return heardAsBlank
	case unicode.IsGraphic(r):
		return heardAsIs
	}
	return notHeard // format, control, private use, not assigned
}

// rune handles a character that is not ASCII, or bytes that are none.
func (m *unmarker) rune() {
	r, width := utf8.DecodeRuneInString(m.s[m.i:])
	switch {
	case r == utf8.RuneError:
		m.skip(width)
	case unicode.Is(unicode.Mn, r):
		m.mark(r, width)
	case r == '℃':
		m.put("°C", width)
	case r == '℉':
		m.put("°F", width)
	case r == '№':
		m.put("N.º ", width)
	default:
		switch heard(r) {
		case heardAsIs:
			m.copy(width)
		case heardAsBlank:
			m.put(" ", width)
		case notHeard:
			m.skip(width)
		}
	}
}

// mark handles a mark that belongs to the letter before it. The letters of
// Spanish become one character with theirs, as in NFC, so that words are found
// in any form of Unicode.
func (m *unmarker) mark(r rune, width int) {
	if heard(r) == notHeard {
		m.skip(width)
		return
	}
	if composed := compose(m.before(), r); composed != 0 {
		last := len(m.plain) - 1
		origin := m.origin(last)
		m.plain = m.plain[:last]
		m.dropRuns(last)
		m.runs = append(m.runs, textRun{last, origin, m.i + width - origin})
		m.plain = utf8.AppendRune(m.plain, composed)
		m.i += width
		return
	}
	if m.before() < utf8.RuneSelf && m.i > 0 && m.s[m.i-1] >= utf8.RuneSelf {
		m.skip(width) // something between it and its letter was taken out
		return
	}
	m.copy(width)
}

// dropRuns forgets where the plain text from a place on came from.
func (m *unmarker) dropRuns(from int) {
	for len(m.runs) > 0 && m.runs[len(m.runs)-1].plain >= from {
		m.runs = m.runs[:len(m.runs)-1]
	}
}

// compose returns the letter of Spanish that a letter and a mark make, or zero.
func compose(letter byte, mark rune) rune {
	const acute, tilde, diaeresis = '\u0301', '\u0303', '\u0308'
	var plain, composed string
	switch mark {
	case acute:
		plain, composed = "aeiouAEIOU", "áéíóúÁÉÍÓÚ"
	case tilde:
		plain, composed = "nN", "ñÑ"
	case diaeresis:
		plain, composed = "uU", "üÜ"
	}
	i := strings.IndexByte(plain, letter)
	if letter == 0 || i < 0 {
		return 0
	}
	return []rune(composed)[i]
}

// scanKeycap returns the width of what makes a keycap of the digit before it.
func scanKeycap(s string) int {
	const selector, keycap = "\ufe0f", "\u20e3"
	rest := strings.TrimPrefix(s, selector)
	if after, ok := strings.CutPrefix(rest, keycap); ok {
		return len(s) - len(after)
	}
	return 0
}
