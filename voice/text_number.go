package voice

import (
	"strings"
	"unicode/utf8"
)

// plainNumber says a number that is nothing else: with the gender of what it
// counts, digit by digit when it is long or begins with zero.
func (c *cursor) plainNumber(k *context) {
	p := c.speaker.rules()
	digits := digitsWidth(c.rest())
	n, ok := scanNumeral(c.rest(), p)
	switch {
	case !ok:
		c.oddNumber(max(n.width, digits))
		return
	case n.width == digits && isIdentifier(c.rest()[:digits]):
		c.spellDigits(digits)
		return
	}
	if c.decade(k, n.width, min(n.width+1, len(c.rest()))) { // los 80 (DPD "década")
		c.sayNumeral(k, &n)
		c.i++
		return
	}
	c.sayNumeral(k, &n)
	c.superscript()
}

// sayNumeral says a number as what follows it wants.
func (c *cursor) sayNumeral(k *context, n *numeral) {
	f, of := c.agreement(k, &n.value, n.width)
	c.begin()
	c.out = c.speaker.appendDecimal(c.out, &n.value, f)
	if of {
		c.out = append(c.out, ofMillions...)
	}
	c.pass(n.width)
}

// spacedNumber says a number whose thousands are parted by spaces: "25 000
// personas". Numbers beside each other look the same: taken for one are round
// thousands, millions below the length of phones, and five digits and more, since
// four are not parted (OLE 2010, VIII 2.2.1.1), before what they count.
func (c *cursor) spacedNumber(k *context) bool {
	n, ok := c.scanThousands(k)
	if !ok {
		return false
	}
	c.sayNumeral(k, &n)
	return true
}

func (c *cursor) scanThousands(k *context) (n numeral, ok bool) {
	const phone = 9
	if k.cue != noCue || isDigit(lastByte(strings.TrimRight(c.s[:c.i], " "))) {
		return n, false
	}
	n, ok = scanSpaced(c.rest(), c.speaker.rules())
	text := c.rest()[:n.width]
	if !ok || text[0] == '0' || goesOn(c.rest()[n.width:]) || startsWithDigit(c.from(n.width)) {
		return n, false
	}
	round := strings.HasSuffix(text, " 000")
	if n.value.whole >= phone {
		return n, round && n.value.zeros() >= n.value.whole-3
	}
	return n, round || strings.Count(text, " ") > 1 ||
		n.value.whole > 4 && c.counts(n.width) && !isListed(" el la las del al ", strings.ToLower(k.word))
}

// counts reports whether a unit or a noun follows width bytes.
func (c *cursor) counts(width int) bool {
	_, unit := c.unitAfter(width)
	_, noun := c.nounAfter(width, false)
	return unit > 0 || noun
}

func lastByte(s string) byte {
	if s == "" {
		return 0
	}
	return s[len(s)-1]
}

// isIdentifier reports whether digits without marks are a code and no amount:
// with a zero in front, or eight and more that are not round.
func isIdentifier(digits string) bool {
	const long, round = 8, "00000"
	return len(digits) > 1 && digits[0] == '0' || len(digits) >= long && (len(digits) > maxDigits || !strings.HasSuffix(digits, round))
}

// spellDigits says digits one by one, in groups.
func (c *cursor) spellDigits(width int) {
	c.begin()
	c.out, _ = c.speaker.AppendCode(c.out, c.rest()[:width])
	c.pass(width)
}

// oddNumber says digits and marks that make no number: the parts of a version
// and of an IP address with "punto", those of a list with a pause.
func (c *cursor) oddNumber(width int) {
	for end := c.i + width; c.i < end; {
		if !isDigit(c.s[c.i]) {
			r, size := utf8.DecodeRuneInString(c.rest())
			switch r {
			case '.':
				c.sayApart("punto")
			case ',':
				c.stop(",")
			}
			c.i += size
			c.gap = true
			continue
		}
		digits := digitsWidth(c.rest())
		if isIdentifier(c.rest()[:digits]) {
			c.spellDigits(digits)
			continue
		}
		var d decimal
		d.addWhole(c.rest()[:digits])
		c.begin()
		c.out = c.speaker.appendDecimal(c.out, &d, Masculine)
		c.pass(digits)
	}
}

// agreement returns the form of a number of the given width, and whether "de"
// comes between it and what it counts.
func (c *cursor) agreement(k *context, d *decimal, width int) (f Form, of bool) {
	word, at := c.following(width)
	switch strings.ToLower(word) {
	case "mil":
		next := skipBlanks(c.s[at+len(word):])
		f, _ = nounForm(next[:wordWidth(next)], false)
		return f | BeforeNoun | beforeTonic, false
	case "millón", "millones", "billón", "billones", "trillón", "trillones":
		return BeforeNoun, false
	}
	one := d.isOne()
	if one && (k.cue != noCue && k.cue != cueLink || isListed(" la las ", strings.ToLower(k.word))) {
		if strings.EqualFold(k.word, "la") {
			return Feminine, false
		}
		return Masculine, false
	}
	if k.cue == cueStreet {
		return Masculine, false
	}
	of = d.frac == 0 && d.whole > 6 && d.zeros() >= 6
	if !of && !inflects(d) {
		return Masculine, false
	}
	f, ok := c.nounAfter(width, one)
	return f, ok && of
}

// inflects reports whether the words for d have a gender or a shorter form: those
// in uno, and hundreds from two hundred on.
func inflects(d *decimal) bool {
	for i, digit := range d.digits[:d.whole] {
		place := (d.whole - 1 - i) % 3
		if place == 0 && digit == 1 || place == 2 && digit > 1 {
			return true
		}
	}
	return false
}

// superscript says the power after a number or a letter.
func (c *cursor) superscript() {
	for _, power := range [...]struct{ sign, word string }{{"²", "al cuadrado"}, {"³", "al cubo"}} {
		if strings.HasPrefix(c.rest(), power.sign) {
			c.sayApart(power.word)
			c.i += len(power.sign)
			return
		}
	}
}
