package voice

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// cursor reads plain text and says it. Each rule looks at what stands at i, says
// it and moves on, or does nothing and returns false.
type cursor struct {
	*narrator
	s string
	i int

	street    bool // a street was named: numbers with a hyphen are doors
	counted   bool // an amount, a time or the like was the last thing said
	spoken    int  // where in out the last words end that are not as they were written
	roman     int  // where in out the last Roman numeral ends
	inCentury bool // it is that of a century
}

func (c *cursor) read() {
	for c.i < len(c.s) {
		before := c.i
		switch b := c.s[c.i]; {
		case isBlank(b) || b == '\n':
			c.gap = true
			c.i++
		case c.saying():
		case isDigit(b):
			c.number()
		case isLetter(b) || c.atLetter():
			c.word()
		default:
			c.sign()
		}
		if c.i == before { // a rule that stands still must not hold a call up for ever
			_, width := utf8.DecodeRuneInString(c.rest())
			c.copy(width)
		}
	}
}

// atLetter reports whether a letter that is not ASCII is at i. The signs of
// ordinals, which are letters to Unicode, are none here.
func (c *cursor) atLetter() bool {
	if c.s[c.i] < utf8.RuneSelf {
		return false
	}
	r, _ := utf8.DecodeRuneInString(c.s[c.i:])
	return isWordRune(r)
}

func isWordRune(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsMark(r)) && r != 'º' && r != 'ª'
}

// isWordByte reports whether a word or number would go on with b.
func isWordByte(b byte) bool { return isDigit(b) || isLetter(b) || b >= utf8.RuneSelf }

// wordWidth returns the width of the letters that s begins with.
func wordWidth(s string) int {
	for i := 0; i < len(s); {
		if isLetter(s[i]) {
			i++
			continue
		}
		r, width := utf8.DecodeRuneInString(s[i:])
		if s[i] < utf8.RuneSelf || !isWordRune(r) {
			return i
		}
		i += width
	}
	return len(s)
}

// begin begins what is said in other words than it is written: it stands apart
// from what it touches.
func (c *cursor) begin() {
	r := c.last()
	if r == '-' && !c.gap && len(c.out) > c.start { // no compound any more
		c.out = c.out[:len(c.out)-1]
	}
	c.gap = c.gap || isWordRune(r) || strings.ContainsRune(".-/@),;:!?…»”", r)
	c.voiceState.begin()
}

// say says a word that way.
func (c *cursor) say(word string) {
	c.begin()
	c.out = append(c.out, word...)
	c.spoken = len(c.out)
}

// sayApart says a word in place of a sign, apart from what is around it.
func (c *cursor) sayApart(word string) {
	c.gap = true
	c.say(word)
	c.gap = true
}

// copy says width bytes as they are written.
func (c *cursor) copy(width int) {
	c.voiceState.say(c.rest()[:width])
	c.i += width
}

// pass moves over width bytes that were said in other words.
func (c *cursor) pass(width int) {
	c.i += width
	c.spoken = len(c.out)
	c.gap = c.gap || c.atWord()
}

// rest is the text from i on.
func (c *cursor) rest() string { return c.s[c.i:] }

// from is the text from i on, without its first width bytes and the blanks after
// them.
func (c *cursor) from(width int) string { return skipBlanks(c.s[c.i+width:]) }

// before returns the byte before i, or zero.
func (c *cursor) before() byte {
	if c.i == 0 {
		return 0
	}
	return c.s[c.i-1]
}

// startsToken reports whether a sign at i stands before its word and not inside
// or after one.
func (c *cursor) startsToken() bool {
	b := c.before()
	return c.gap || b == 0 || strings.IndexByte("(¿¡\"'«“:=", b) >= 0
}

// tail reports whether the last word that was said is this, in any case, and a
// space comes next.
func (c *cursor) tail(word string) bool {
	said := c.out[c.start:]
	at := len(said) - len(word)
	return c.gap && at >= 0 && strings.EqualFold(string(said[at:]), word) &&
		(at == 0 || said[at-1] == ' ' || said[at-1] == '\n')
}

// takeBack removes the last word or sign that was said, and the blank before it.
func (c *cursor) takeBack(word string) {
	c.out = c.out[:len(c.out)-len(word)]
	if len(c.out) == c.start {
		c.begun = c.resumed
		return
	}
	switch c.out[len(c.out)-1] {
	case '\n':
		c.newline, c.begun = true, false
	case ' ':
	default:
		return
	}
	c.out = c.out[:len(c.out)-1]
}

// atWord reports whether a word or number is at i.
func (c *cursor) atWord() bool {
	return c.i < len(c.s) && (isLetter(c.s[c.i]) || isDigit(c.s[c.i]) || c.atLetter())
}

// number says what begins with a digit at i.
func (c *cursor) number() {
	k := c.lookBack()
	switch {
	case c.isoDateTime(), c.writtenDate(&k), c.monthOfYear(&k), c.clock(&k), c.dayOfMonth(&k), c.coded(&k), c.amount(), c.ordinal(), c.measure(&k), c.spacedNumber(&k), c.phone(&k),
		c.door(&k), c.reference(&k), c.slash(&k), c.between(&k), c.product():
	default:
		c.plainNumber(&k)
	}
}
