package voice

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// abbreviation is a shortened word, its period left out.
type abbreviation struct {
	long string
	when abbreviationUse
	// ends says that the period may also be that of a sentence.
	ends bool
}

// abbreviationUse says what must follow the abbreviation, so that it is no word
// or name. Before a number and before a name some go without their period.
type abbreviationUse uint8

const (
	dotted          abbreviationUse = iota // a period
	dottedBeforeAny                        // a period, and a number or a capital
	beforeNumber                           // a number, with or without a period
	beforeName                             // a capital, with or without a period; or only a period
	beforeAny                              // a number or a capital, with or without a period
	numberOnly                             // a period and a number
	capitalNumber                          // a period and a number, and the word itself has a capital
	smallNumber                            // a period and a number, and the word itself has none
)

func findAbbreviation(word string) (abbreviation, bool) {
	var buf [wordBuffer]byte
	a, ok := abbreviations[string(lowerWord(&buf, word))]
	return a, ok
}

// abbreviated says an abbreviation in full.
func (c *cursor) abbreviated(word string) bool {
	if c.phrase() {
		return true
	}
	a, ok := findAbbreviation(word)
	if !ok {
		return false
	}
	width := len(word)
	dot := strings.HasPrefix(c.s[c.i+width:], ".")
	if dot {
		width++
	}
	number, name := c.followedBy(width)
	fits := false
	switch a.when {
	case dotted:
		fits = dot
	case dottedBeforeAny:
		fits = dot && (number || name)
	case beforeNumber:
		fits = number
	case beforeName:
		fits = dot || name && startsUpper(word)
	case beforeAny:
		fits = number || dot && name || name && startsUpper(word)
	case numberOnly:
		fits = dot && number
	case capitalNumber:
		fits = (dot || c.street) && number && startsUpper(word) // Cra 7 No 12-58
	case smallNumber:
		fits = dot && number && !startsUpper(word)
	}
	if !fits {
		return false
	}
	c.say(a.long)
	c.pass(width)
	if dot && a.ends {
		c.keepStop()
	}
	return true
}

// followedBy reports whether a number, or a name, comes after width bytes and
// blanks: a word with a capital, or such as begin names. The sign of a number counts as one.
func (c *cursor) followedBy(width int) (number, name bool) {
	rest := strings.TrimLeft(c.from(width), ": -–—−\u00a0")
	if after, ok := strings.CutPrefix(rest, "#"); ok {
		rest = skipBlanks(after)
	}
	word := rest[:wordWidth(rest)]
	return startsWithDigit(rest), startsUpper(rest) || isListed(" de del la las los el ", word)
}

func startsUpper(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}

// keepStop says the end of the sentence when the period of the abbreviation
// before i was also that.
func (c *cursor) keepStop() {
	rest := strings.TrimLeft(c.rest(), " )\"'”»\u00a0")
	if rest == "" || beginsSentence(rest) && (isBlank(c.s[c.i]) || startsUpper(c.rest())) {
		c.stop(".")
		c.gap = rest != ""
	}
}

// phrase says abbreviations of several parts, and those with other signs than
// a period.
func (c *cursor) phrase() bool {
	rest := c.rest()
	for i := range phrases {
		p := &phrases[i]
		if p.short[0] != rest[0] || !c.startsToken() {
			continue
		}
		width := matchLoosely(rest, p.short)
		if width == 0 || p.number && !c.numberAfter(width) {
			continue
		}
		c.say(c.speaker.inFull(p.long))
		c.pass(width)
		if p.ends && rest[width-1] == '.' {
			c.keepStop()
		}
		return true
	}
	return c.initials()
}

func (c *cursor) numberAfter(width int) bool {
	number, _ := c.followedBy(width)
	return number
}

// inFull gives the reading of an abbreviation, whose words in capitals are
// spelled.
func (s *Speaker) inFull(long string) string {
	if !strings.ContainsFunc(long, unicode.IsUpper) {
		return long
	}
	var said []byte
	for word := range strings.FieldsSeq(long) {
		said = appendSpace(said, 0)
		if !strings.ContainsFunc(word, isNotCapital) {
			said = s.appendInitials(said, word)
		} else {
			said = append(said, word...)
		}
	}
	return string(said)
}

// matchLoosely returns the width of what matches a pattern at the beginning of
// s, where spaces of the pattern are optional and a word must end at the end; or
// zero.
func matchLoosely(s, pattern string) int {
	i := 0
	for j := range len(pattern) {
		if pattern[j] == ' ' {
			i = skipSpaces(s, i)
			continue
		}
		if i == len(s) || s[i] != pattern[j] {
			return 0
		}
		i++
	}
	if isLetter(pattern[len(pattern)-1]) && startsWithLetter(s[i:]) { // digits are said apart
		return 0
	}
	return i
}

// initials spells capitals with periods: "S.A.S.", "U.S.A". The initials of a
// name, one capital with a period, stay.
func (c *cursor) initials() bool {
	rest := c.rest()
	width, letters := 0, make([]byte, 0, 8)
	for width < len(rest) && isUpper(rest[width]) {
		letters = append(letters, rest[width])
		width++
		if width == len(rest) || rest[width] != '.' {
			break
		}
		width++
	}
	if width > 2 && rest[width-1] != '.' && !endsWord(rest[width:]) {
		width-- // the last letter begins a word
		letters = letters[:len(letters)-1]
	}
	dot := width > 0 && rest[width-1] == '.'
	if len(letters) < 2 || width < 2*len(letters)-1 || !dot && !endsWord(rest[width:]) {
		return false
	}
	c.begin()
	c.out = c.speaker.appendInitials(c.out, string(letters))
	c.pass(width)
	if dot {
		c.keepStop()
	}
	return true
}
