package voice

import (
	"strings"
	"unicode/utf8"
)

const (
	maxDocument = 24
	enie        = 0xD1 // Ñ in one byte, as in Latin-1
)

// document is a document number without its separators.
type document struct {
	chars  [maxDocument]byte // digits, capital letters, Ñ as enie, &
	size   int
	breaks uint32 // bit i: a separator follows the character i
	check  bool   // a hyphen precedes the last character
}

// readDocument takes letters, digits and & (which stands in an RFC), with
// separators between them; accents and other signs make it fail.
func readDocument(text string) (d document, ok bool) {
	for text = strings.Trim(text, " "); text != ""; {
		r, width := utf8.DecodeRuneInString(text)
		switch {
		case r < utf8.RuneSelf && isSeparator(byte(r)):
			if d.size == 0 || len(text) == width {
				return d, false
			}
			d.breaks |= 1 << (d.size - 1)
			d.check = r == '-' && len(text) == width+1
			text = text[width:]
			continue
		case 'a' <= r && r <= 'z':
			r -= 'a' - 'A'
		case r == 'ñ' || r == 'Ñ':
			r = enie
		case 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '&':
		default:
			return d, false
		}
		if d.size == maxDocument {
			return d, false
		}
		d.chars[d.size] = byte(r)
		d.size++
		text = text[width:]
	}
	return d, d.size > 0
}

// shapeFor returns the shape that d has, or the empty text.
func (r *documentRule) shapeFor(d *document) string {
	for _, shape := range r.shapes {
		if d.has(shape) {
			return shape
		}
	}
	return ""
}

func (d *document) has(shape string) bool {
	i := 0
	for _, class := range []byte(shape) {
		if class == ' ' {
			continue
		}
		if i == d.size || class == '9' && !isDigit(d.chars[i]) || class == 'A' && isDigit(d.chars[i]) {
			return false
		}
		i++
	}
	return i == d.size
}

// allows reports whether d, of a kind without fixed shapes, has the right
// length, at least one digit, and letters only where they may stand.
func (r *documentRule) allows(d *document) bool {
	digits := 0
	for i, c := range d.chars[:d.size] {
		last := i == d.size-1
		switch {
		case isDigit(c):
			digits++
		case c == '&':
			return false
		case r.letters == letterAnywhere:
		case digits == 0 && i < r.letters.leading(), last && r.letters&letterLast != 0:
		default:
			return false
		}
	}
	return digits > 0 && r.min <= d.size && d.size <= r.max
}

// leading returns how many letters may stand at the beginning.
func (p letterPlaces) leading() int {
	switch {
	case p&lettersFirst != 0:
		return 2
	case p&letterFirst != 0:
		return 1
	default:
		return 0
	}
}

// sayShape says d with the pauses of the shape.
func (s *Speaker) sayShape(k cadence, d *document, shape string) cadence {
	i := 0
	for _, class := range []byte(shape) {
		if class == ' ' {
			k = k.rest()
			continue
		}
		k = k.say(s.characterName(d.chars[i]))
		i++
	}
	return k
}

// sayRuns says d with pauses where it was written with separators and between
// letters and digits. Longer runs of digits are cut in threes from the right, as
// the points of thousands do.
func (s *Speaker) sayRuns(k cadence, d *document, rule *documentRule) cadence {
	const longest = 4
	body := d.size
	if rule.check && d.check || rule.ends && d.size <= 9 {
		body--
	}
	for from := 0; from < body; {
		to := d.runEnd(from, body)
		for i := from; i < to; i++ {
			k = k.say(s.characterName(d.chars[i]))
			if left := to - 1 - i; to-from > longest && left%3 == 0 {
				k = k.rest()
			}
		}
		k = k.rest()
		from = to
	}
	if body < d.size {
		k = k.say(s.signName('-'))
		k = k.say(s.characterName(d.chars[body]))
	}
	return k
}

// runEnd returns where the run of letters or of digits that begins at from ends.
func (d *document) runEnd(from, body int) int {
	to := from + 1
	for to < body && d.breaks>>(to-1)&1 == 0 && isDigit(d.chars[to]) == isDigit(d.chars[from]) {
		to++
	}
	return to
}

func (s *Speaker) characterName(c byte) string {
	switch {
	case isDigit(c):
		return digitName(c)
	case c == enie:
		return s.signName('ñ')
	case c == '&':
		return s.signName('&')
	default:
		return s.letterName(c | 0x20)
	}
}
