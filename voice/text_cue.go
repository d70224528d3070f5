package voice

import (
	"strings"
	"unicode/utf8"
)

// cue is what the words before a number say about it.
type cue uint8

const (
	noCue        cue = iota
	cueLink          // leads on to the word before: código *de verificación* 4821
	cueChoice        // one of several: piso 1, opción 2
	cueCode          // digit by digit, whatever its length
	cueDocument      // the same, as the kind of document is written
	cueReference     // digit by digit when it is long
	cuePhone         //
	cueExtension     // of a phone
	cueStreet        //
	cuePart          // cuota 3/12
	cuePressure      // presión 120/80
	cueRoman         // siglo XXI
)

// context is what stands before a number.
type context struct {
	cue  cue
	kind DocumentKind // with cueDocument
	// word and word2 are the last word and the one before it, with nothing but
	// blanks in between; empty when there is none.
	word, word2 string
	direct      bool // word gave the cue
	day         bool // word stands before the day of a date: el 3/9
}

// lookBack reads up to six words before i: as long as they are such as stand
// between a cue and its number ("su código de verificación es el 4821").
func (c *cursor) lookBack() context {
	const words, reach = 6, 96
	var k context
	text := c.s[max(0, c.i-reach):c.i]
	for n := range words {
		rest, plain := trimSigns(text)
		word := lastWord(rest)
		if initials, width := initialsBefore(rest); width > 0 {
			word = initials
			rest = rest[:len(rest)-width]
		} else {
			rest = rest[:len(rest)-len(word)]
		}
		if word == "" {
			break
		}
		if plain && n == 0 {
			k.word = word
		} else if plain && n == 1 && k.word != "" {
			k.word2 = word
		}
		found := cueOf(word)
		k.day = k.day || n == 0 && (found.day || isDayName(word))
		switch found.cue {
		case noCue:
			return k
		case cueLink:
		case cueChoice:
			if k.cue == noCue {
				k.cue = cueChoice
			}
			if !isListed(" número números numero no núm nro n ", strings.ToLower(word)) {
				return k
			}
		default:
			k.cue, k.kind, k.direct = found.cue, found.kind, n == 0
			return k
		}
		text = rest
	}
	return k
}

// trimSigns removes blanks and the signs that stand between a cue and its
// number; plain reports that there were only blanks. A period is one only after
// an abbreviation.
func trimSigns(s string) (rest string, plain bool) {
	plain = true
	for s != "" {
		r, width := utf8.DecodeLastRuneInString(s)
		switch r {
		case ' ', '\u00a0', '\u2009', '\u202f', '\t':
		case ':', '#', '=', '-', '–', '"', '“', '(', 'º', '°', '*', '+':
			plain = false
		case '.':
			word := lastWord(s[:len(s)-width])
			if _, ok := findAbbreviation(word); !ok && len(word) > 1 && shortDay(word) == "" {
				return "", false
			}
			if _, initials := initialsBefore(s); initials > 0 {
				return s, plain
			}
			plain = false
		default:
			return s, plain
		}
		s = s[:len(s)-width]
	}
	return "", plain
}

// initialsBefore reads initials such as "C.C." or "N. I. T." at the end of s, and
// returns their letters.
func initialsBefore(s string) (letters string, width int) {
	const most = 4
	var buf [most]byte
	from := most
	i := len(s)
	for from > 0 && i >= 2 && s[i-1] == '.' && isUpper(s[i-2]) && (i == 2 || !isWordByte(s[i-3])) {
		from--
		buf[from] = s[i-2]
		i -= 2
		if i > 0 && s[i-1] == ' ' && i > 2 && s[i-2] == '.' {
			i--
		}
	}
	if most-from < 2 {
		return "", 0
	}
	return string(buf[from:]), len(s) - i
}

// cueWord is an entry of cues.
type cueWord struct {
	cue   cue
	kind  DocumentKind
	roman bool // before Roman numerals, too
	day   bool // before the day of a date
}

// cueOf looks a word up, or what it abbreviates.
func cueOf(word string) cueWord {
	var buf [wordBuffer]byte
	found, ok := cues[string(lowerWord(&buf, word))]
	if !ok {
		if a, short := findAbbreviation(word); short {
			first, _, _ := strings.Cut(a.long, " ")
			found = cues[first]
		}
	}
	return found
}

// wordBuffer holds the longest word of the tables.
const wordBuffer = 24

// lowerWord writes a word of Spanish in lower case; longer ones than the buffer
// are empty, since no table has them.
func lowerWord(buf *[wordBuffer]byte, word string) []byte {
	if len(word) > len(buf) {
		return nil
	}
	lower := buf[:copy(buf[:], word)]
	for i, b := range lower {
		switch {
		case isUpper(b):
			lower[i] |= 0x20
		case i > 0 && lower[i-1] == 0xC3 && 0x80 <= b && b <= 0x9E && b != 0x97: // À to Þ
			lower[i] += 0x20
		}
	}
	return lower
}
