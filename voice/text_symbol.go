package voice

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// signOfNumber says a number that begins with a sign: an amount, a phone, the
// number of a door, a service code.
func (c *cursor) signOfNumber() bool {
	rest := c.rest()
	switch b := rest[0]; {
	case b == '$' || b >= utf8.RuneSelf:
		return c.beginsNumber(rest) && !isDigit(b) && c.amount()
	case len(rest) < 2:
		return false
	case b == '+' && isDigit(rest[1]) && c.startsToken(), b == '(' && isAreaCode(rest):
		k := c.lookBack()
		return c.phone(&k)
	case b == '*' && isDigit(rest[1]):
		return c.serviceCode()
	case b == '.':
		return c.bareDecimals()
	case b == '#':
		return c.hash()
	case b == '~' && isDigit(rest[1]) && c.startsToken():
		c.sayApart("aproximadamente")
		c.i++
		return true
	}
	return false
}

// isAreaCode reports whether s begins with "(601)".
func isAreaCode(s string) bool {
	digits := digitsWidth(s[1:])
	return digits > 0 && digits <= 4 && strings.HasPrefix(s[1+digits:], ")")
}

// serviceCode says a code that is dialled: "*611", "*123#".
func (c *cursor) serviceCode() bool {
	digits := digitsWidth(c.rest()[1:])
	if digits > 5 {
		return false
	}
	width := 1 + digits
	if strings.HasPrefix(c.rest()[width:], "#") {
		width++
	}
	c.begin()
	c.out = c.speaker.AppendSpell(c.out, c.rest()[:width])
	c.pass(width)
	return true
}

// hash says "#" before a number: "número", or its name after a cue of a phone.
func (c *cursor) hash() bool {
	rest := skipBlanks(c.rest()[1:])
	if !startsWithDigit(rest) {
		return false
	}
	if k := c.lookBack(); k.cue == cuePhone && len(rest) == len(c.rest())-1 && digitsWidth(rest) <= 5 {
		return c.serviceCode()
	}
	if !c.tail("número") {
		c.say("número")
	}
	c.gap = true
	c.i++
	return true
}

// symbol says a sign that is not ASCII.
func (c *cursor) symbol() {
	r, width := utf8.DecodeRuneInString(c.rest())
	switch r {
	case '…':
		c.hug(width)
	case '–', '—', '−', '‐', '‑', '―':
		c.dash(width)
	case '•':
		if !c.masked() {
			c.stop(",")
			c.gap = true
			c.i += width
		}
	case '²', '³':
		c.superscript()
	case '½', '¼', '¾', '⅓', '⅔', '⅕', '⅛':
		c.vulgar()
	default:
		if word := symbolWords[r]; word != "" {
			c.sayApart(word)
			c.i += width
			return
		}
		if unicode.IsSpace(r) {
			c.gap = true
			c.i += width
			return
		}
		c.copy(width)
	}
}

// symbolWords are the names of signs between numbers or words.
var symbolWords = map[rune]string{
	'×': "por", '÷': "entre", '±': "más o menos", '≈': "aproximadamente", '≥': "mayor o igual que",
	'≤': "menor o igual que", '≠': "distinto de", '∞': "infinito", '√': "raíz de", '§': "sección",
}

// vulgar says a fraction that is one character: "½ hora", "¼ de libra".
func (c *cursor) vulgar() {
	fraction, width := scanVulgar(c.rest())
	c.fraction(fraction[0], fraction[1], width)
	c.gap = c.gap || startsWithDigit(c.rest())
}
