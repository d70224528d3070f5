package voice

import (
	"strings"
	"unicode/utf8"
)

// sign says what is no letter, digit or blank.
func (c *cursor) sign() {
	if c.saying() || c.signOfNumber() {
		return
	}
	switch b := c.s[c.i]; b {
	case '.':
		c.period()
	case ',', ';', ':', '!', '?':
		c.punctuation(b)
	case '(':
		c.open()
	case ')':
		c.close()
	case '/':
		c.stroke()
	case '-':
		c.dash(len(c.rest()) - len(strings.TrimLeft(c.rest(), "-")))
	case '+', '=':
		c.operator(b)
	case '&':
		c.sayApart("y")
		c.i++
	case '<':
		c.tag()
	case '#', '*', '_', '~', '`', '|', '[', ']', '{', '}', '\\', '^', '>':
		c.gap = c.gap || b != '#'
		c.i++
	default:
		if b < utf8.RuneSelf {
			c.copy(1)
		} else {
			c.symbol()
		}
	}
}

// copy says a sign as it is.
func (c *cursor) copy(width int) {
	c.say(c.rest()[:width])
	c.i += width
}

// comma makes a pause in place of width bytes.
func (c *cursor) comma(width int) {
	c.stop(",")
	c.gap = true
	c.i += width
}

// period says periods: several are an ellipsis. A period that has no blank
// before the next sentence gets one: "Gracias.Es un placer".
func (c *cursor) period() {
	rest := c.rest()
	run := len(rest) - len(strings.TrimLeft(rest, "."))
	next := rest[run:]
	switch {
	case run > 1:
		c.stop("…")
	case startsWithDigit(next) && c.startsToken():
		c.bareDecimals(next)
		return
	default:
		c.stop(".")
	}
	c.counted = false
	c.i += run
	c.gap = startsWithDigit(next) || startsUpper(next) && !isUpper(lastByte(c.s[:c.i-run]))
}

func lastByte(s string) byte {
	if s == "" {
		return 0
	}
	return s[len(s)-1]
}

// bareDecimals says ".5".
func (c *cursor) bareDecimals(digits string) {
	width := digitsWidth(digits)
	var d decimal
	c.i++
	if !d.addFrac(digits[:width]) {
		return // the number rules say what is left
	}
	c.begin()
	c.out = c.speaker.appendDecimal(c.out, &d, Masculine)
	c.pass(width)
}

// punctuation says a sign once, however often it is repeated; a question and an
// exclamation may stand together.
func (c *cursor) punctuation(b byte) {
	c.counted = false
	c.stop(c.rest()[:1])
	c.i++
	for c.i < len(c.s) && c.s[c.i] == b {
		c.i++
	}
	c.gap = c.i < len(c.s) && (isLetter(c.s[c.i]) || c.atLetter() || isDigit(c.s[c.i]))
}

// open says an opening parenthesis, unless nothing is in it.
func (c *cursor) open() {
	rest := skipBlanks(c.rest()[1:])
	if strings.HasPrefix(rest, ")") {
		c.i = len(c.s) - len(rest) + 1
		return
	}
	c.say("(")
	c.i = len(c.s) - len(rest)
}

func (c *cursor) close() {
	c.i++
	last := c.last()
	switch mine := len(c.out) > c.start; {
	case last == 0:
		return
	case last == '(' && mine:
		c.takeBack("(")
		return
	case strings.ContainsRune(",;:", last) && mine:
		c.out = c.out[:len(c.out)-1]
	}
	c.out = append(c.out, ')')
	c.gap = c.i < len(c.s) && (isLetter(c.s[c.i]) || isDigit(c.s[c.i]))
}

// stroke says a slash: with blanks around it is a pause, beside a number it
// parts.
func (c *cursor) stroke() {
	before, after := c.before(), lastByte(c.rest()[:min(2, len(c.rest()))])
	switch {
	case isDigit(before) || isDigit(after):
		c.gap = true
		c.i++
	case (before == ' ' || before == 0) && after == ' ':
		c.comma(1)
	default:
		c.copy(1)
	}
}

// dash says hyphens and dashes: "menos" before a number, "a" between amounts, a
// pause between blanks. Inside a word they stay.
func (c *cursor) dash(width int) {
	rest := c.rest()[width:]
	left := c.before()
	right := byte(0)
	if rest != "" {
		right = rest[0]
	}
	number := startsWithDigit(rest) || c.speaker.scanMark(rest, before).width > 0
	switch {
	case c.counted && c.beginsNumber(skipBlanks(rest)):
		c.sayApart("a")
	case number && c.startsToken():
		c.say("menos")
		c.gap = true
	case isDigit(left) && isWordByte(right) || isWordByte(left) && isDigit(right):
		c.gap = true
	case isWordByte(left) && isWordByte(right) && c.rest()[0] == '-' && width == 1:
		c.copy(1)
		return
	default:
		c.comma(width)
		return
	}
	c.i += width
}

// beginsNumber reports whether s begins with a number or the sign of a currency.
func (c *cursor) beginsNumber(s string) bool {
	mark := c.speaker.scanMark(s, before)
	return startsWithDigit(skipBlanks(s[mark.width:]))
}

// operator says "+" and "=" between numbers and words; after a letter a plus is
// part of a name.
func (c *cursor) operator(b byte) {
	name := "más"
	if b == '=' {
		name = "igual a"
	}
	before, after := c.before(), lastByte(c.rest()[:min(2, len(c.rest()))])
	if (before == ' ' || before == 0 || isDigit(before)) && (after == ' ' || isDigit(after) || after == '$') {
		c.sayApart(name)
		c.i++
		return
	}
	c.copy(1)
}

// tag says a tag that is kept as it is, and what it has inside when that is for
// the synthesizer to read.
func (c *cursor) tag() {
	name, closes, width := scanTag(c.rest())
	if width == 0 || !c.speaker.keeps(name) {
		c.gap = true
		c.i++
		return
	}
	if !closes && c.rest()[width-2] != '/' && isListed(" spell say-as phoneme sub ", lowerASCII(name)) {
		if end := strings.Index(c.rest(), "</"+name+">"); end > 0 {
			width = end + len("</"+name+">")
		}
	}
	c.copy(width)
}
