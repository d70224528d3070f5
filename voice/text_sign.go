package voice

import "unicode/utf8"

// sign says what is no letter, digit or blank.
func (c *cursor) sign() {
	if c.signOfNumber() {
		return
	}
	switch b := c.s[c.i]; b {
	case '.', ',', ';', ':', '!', '?', ')':
		c.hug(1)
	case '(':
		c.gap = c.gap || c.spoken == len(c.out) // "1(a)" is no ending of a word
		c.copy(1)
	case '/':
		c.stroke()
	case '-':
		c.dash(1)
	case '+', '=':
		c.operator(b)
	case '&':
		c.sayApart("y")
		c.i++
	case '<':
		c.copy(c.speaker.keptWidth(c.rest()))
	case '#', '*', '~':
		if isKey(c.s[:c.i], c.gap, c.rest()) {
			c.sayApart(c.speaker.signName(rune(b)))
		}
		c.gap = true
		c.i++
	default:
		if b < utf8.RuneSelf {
			c.copy(1)
		} else {
			c.symbol()
		}
	}
}

// hug says a sign that hugs the word before it.
func (c *cursor) hug(width int) {
	spoken := c.spoken == len(c.out)
	c.counted, c.gap = false, false
	if c.begun {
		c.out = append(c.out, c.rest()[:width]...)
	}
	c.i += width
	c.gap = spoken && c.atWord()
}

// bareDecimals says ".5".
func (c *cursor) bareDecimals() bool {
	width := digitsWidth(c.rest()[1:])
	var d decimal
	if width == 0 || !c.startsToken() || !d.addFrac(c.rest()[1:1+width]) {
		return false
	}
	c.begin()
	c.out = c.speaker.appendDecimal(c.out, &d, Masculine)
	c.pass(1 + width)
	return true
}

// stroke says a slash: "por" before a unit of time, "veces/día"; beside a number it
// only parts.
func (c *cursor) stroke() {
	if word, at := c.following(1); at == c.i+1 && isWordByte(c.before()) && isListed(" día dia semana mes año hora minuto segundo noche persona ", word) {
		c.sayApart("por")
		c.i++
		return
	}
	if c.spoken == len(c.out) || startsWithDigit(c.rest()[1:]) {
		c.gap = true
		c.i++
		return
	}
	c.copy(1)
}

// dash says hyphens and dashes: "menos" before a number, "a" between amounts.
// Inside a word they stay.
func (c *cursor) dash(width int) {
	rest := c.rest()[width:]
	switch {
	case c.counted && c.beginsNumber(skipBlanks(rest)):
		c.sayApart("a")
	case c.startsToken() && (startsWithDigit(rest) || c.speaker.scanMark(rest, before).width > 0):
		c.say("menos")
		c.gap = true
	case startsWithLetter(rest) && isWordRune(c.last()) && c.spoken < len(c.out) && c.rest()[0] == '-':
		c.copy(1)
		return
	case isWordStart(rest):
		c.gap = true
	default:
		c.stop(",")
		c.gap = true
	}
	c.i += width
}

// operator says "+" and "=" between numbers and words; after a letter a plus is
// part of a name.
func (c *cursor) operator(b byte) {
	name := "más"
	if b == '=' {
		name = "igual a"
	}
	if startsWithLetter(c.rest()[1:]) || !c.gap && isWordRune(c.last()) && c.spoken < len(c.out) {
		c.copy(1)
		return
	}
	c.sayApart(name)
	c.i++
}
