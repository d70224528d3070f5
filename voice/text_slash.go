package voice

import "strings"

// slash says two numbers with a slash: a fraction, a part of a whole ("cuota
// 3/12"), a pressure ("120/80"); and longer chains.
func (c *cursor) slash(k *context) bool {
	over := digitsWidth(c.rest())
	rest := c.rest()[over:]
	if len(rest) < 2 || rest[0] != '/' || !isDigit(rest[1]) || over > maxDigits {
		return c.mixedFraction(over)
	}
	under := digitsWidth(rest[1:])
	width := over + 1 + under
	if under > maxDigits {
		return false
	}
	var upper, lower decimal
	upper.addWhole(c.rest()[:over])
	lower.addWhole(rest[1 : 1+under])
	link := " sobre "
	switch {
	case strings.HasPrefix(rest[1+under:], "/") && startsWithDigit(rest[2+under:]):
		width, link = over+1, " barra"
		c.begin()
		c.out = append(c.speaker.appendDecimal(c.out, &upper, Masculine), link...)
		c.gap = true
		c.i += width
		return true
	case c.rest()[:width] == "24/7":
		link = " "
	case k.cue == cuePart:
		link = " de "
	case k.cue != cuePressure && endsWord(rest[1+under:]):
		if text := c.rest()[:over]; c.fraction(fixedNumber(text[:min(over, 2)]), fixedNumber(rest[1:1+min(under, 2)]), over, under) {
			c.pass(width)
			return true
		}
	}
	c.begin()
	c.out = append(c.speaker.appendDecimal(c.out, &upper, Masculine), link...)
	c.out = c.speaker.appendDecimal(c.out, &lower, Masculine)
	c.pass(width)
	c.counted = true
	return true
}

// parts names the parts of a whole by their number (DPD "fraccionarios").
var parts = [...]string{2: "medio", 3: "tercio", 4: "cuarto", 5: "quinto", 6: "sexto", 7: "séptimo", 8: "octavo", 9: "noveno", 10: "décimo"}

// fraction says a common fraction: "tres cuartos".
func (c *cursor) fraction(over, under, overWidth, underWidth int) bool {
	if overWidth > 1 || underWidth > 2 || over < 1 || under < 2 || under > 10 || over >= under {
		return false
	}
	c.begin()
	c.out = appendCardinal(c.out, uint64(over), BeforeNoun)
	c.out = append(append(c.out, ' '), parts[under]...)
	if over > 1 {
		c.out = append(c.out, 's')
	}
	return true
}

// mixedFraction says a number with a fraction behind it: "1 1/2", "2½".
func (c *cursor) mixedFraction(width int) bool {
	if width > 2 {
		return false
	}
	rest := c.from(width)
	fraction, size := scanVulgar(rest)
	if size == 0 {
		if len(rest) < 3 || rest[1] != '/' || !isDigit(rest[0]) || !isDigit(rest[2]) || !endsWord(rest[3:]) || goesOn(rest[3:]) || len(rest) == len(c.rest())-width {
			return false
		}
		over, under := fixedNumber(rest[:1]), fixedNumber(rest[2:3])
		if over < 1 || under < 2 || over >= under {
			return false
		}
		fraction, size = [2]int{over, under}, 3
	}
	c.begin()
	c.out = append(appendCardinal(c.out, uint64(fixedNumber(c.rest()[:width])), Masculine), " y "...)
	if fraction == [2]int{1, 2} {
		c.out = append(c.out, "medio"...)
	} else {
		c.gap = false
		c.fraction(fraction[0], fraction[1], 1, 1)
	}
	c.i = len(c.s) - len(rest)
	c.pass(size)
	return true
}

// scanVulgar reads a fraction that is one character.
func scanVulgar(s string) (fraction [2]int, width int) {
	for _, v := range [...]struct {
		sign        string
		over, under int
	}{{"½", 1, 2}, {"⅓", 1, 3}, {"⅔", 2, 3}, {"¼", 1, 4}, {"¾", 3, 4}, {"⅕", 1, 5}, {"⅛", 1, 8}} {
		if strings.HasPrefix(s, v.sign) {
			return [2]int{v.over, v.under}, len(v.sign)
		}
	}
	return fraction, 0
}
