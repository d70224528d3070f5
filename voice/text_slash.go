package voice

import "strings"

// slash says two numbers with a slash: a fraction, a part of a whole ("cuota
// 3/12"), a pressure ("120/80"); and the first of longer chains.
func (c *cursor) slash(k *context) bool {
	n, ok := scanNumeral(c.rest(), c.speaker.rules())
	if !ok {
		return false
	}
	rest := c.rest()[n.width:]
	if len(rest) < 2 || rest[0] != '/' || !isDigit(rest[1]) {
		return c.mixedFraction(n.width)
	}
	under := digitsWidth(rest[1:])
	link := "sobre"
	switch after := rest[1+under:]; {
	case strings.HasPrefix(after, "/") && startsWithDigit(after[1:]):
		link = "barra"
	case strings.HasPrefix(c.rest(), "24/7") && endsWord(after):
		link = ""
	case isYear(c.rest()[:n.width]) && isYear(rest[1:1+under]):
		link = "a"
	case k.cue == cuePart:
		link = "de"
	case k.cue != cuePressure && n.width == 1 && under <= 2 && !goesOn(after) &&
		c.fraction(fixedNumber(c.rest()[:1]), fixedNumber(rest[1:1+under]), n.width+1+under):
		return true
	}
	c.begin()
	c.out = c.speaker.appendDecimal(c.out, &n.value, Masculine)
	if link != "" {
		c.sayApart(link)
	}
	c.gap = true
	c.i += n.width + 1
	return true
}

// partNames are those of the parts of a whole, by their number (DPD "fraccionarios").
var partNames = [...]string{2: "medio", 3: "tercio", 4: "cuarto", 5: "quinto", 6: "sexto", 7: "séptimo", 8: "octavo", 9: "noveno", 10: "décimo"}

// fraction says a common fraction that is written in width bytes, and the unit
// behind it: "tres cuartos", "media tableta", "un cuarto de libra". A half is an
// adjective and agrees with its noun; the other parts are nouns (NGLE 21.6).
func (c *cursor) fraction(over, under, width int) bool {
	if over < 1 || under < 2 || under >= len(partNames) || over >= under {
		return false
	}
	unit, total := c.unitAfter(width)
	if unit.Singular == "" { // also a percentage
		total = width
	}
	c.begin()
	f, ok := c.nounAfter(width, true)
	if total > width {
		f, ok = unit.form(), true
	}
	if half := over == 1 && under == 2; half && ok {
		c.out = append(c.out, halfOf(f)...)
		if total > width {
			c.out = append(append(c.out, ' '), unit.Singular...)
		}
	} else {
		c.parts(over, under)
		if total > width {
			c.out = append(append(c.out, " de "...), unit.Singular...)
		}
	}
	c.pass(total)
	if total > width {
		c.dotOfUnit()
		c.perUnit()
	}
	return true
}

// halfOf is the adjective before a noun that takes this form.
func halfOf(f Form) string {
	if f&Feminine != 0 {
		return "media"
	}
	return "medio"
}

// parts appends a fraction without what it is a part of.
func (c *cursor) parts(over, under int) {
	c.out = appendCardinal(c.out, uint64(over), BeforeNoun)
	c.out = append(append(c.out, ' '), partNames[under]...)
	if over > 1 {
		c.out = append(c.out, 's')
	}
}

// mixedFraction says a number of the given width with a fraction behind it: "1
// 1/2", "2½".
func (c *cursor) mixedFraction(width int) bool {
	if digitsWidth(c.rest()) != width || width > 2 {
		return false
	}
	rest := c.from(width)
	fraction, size := scanVulgar(rest)
	if size == 0 && len(rest) < len(c.rest())-width && len(rest) >= 3 && isDigit(rest[0]) && rest[1] == '/' && isDigit(rest[2]) && !goesOn(rest[3:]) {
		fraction, size = [2]int{fixedNumber(rest[:1]), fixedNumber(rest[2:3])}, len("1/2")
	}
	if size == 0 || fraction[0] < 1 || fraction[1] < 2 || fraction[0] >= fraction[1] {
		return false
	}
	at := len(c.rest()) - len(rest)
	f, _ := c.nounAfter(at+size, false)
	unit, total := c.unitAfter(at + size)
	whole := fixedNumber(c.rest()[:width])
	c.begin()
	if unit.Singular != "" { // dos kilogramos y medio
		c.out = c.speaker.AppendCount(c.out, int64(whole), unit)
		f = unit.form()
	} else {
		total = at + size
		c.out = appendCardinal(c.out, uint64(whole), f&Feminine)
	}
	c.out = append(c.out, " y "...)
	if fraction == [2]int{1, 2} {
		c.out = append(c.out, halfOf(f)...)
	} else {
		c.parts(fraction[0], fraction[1])
	}
	c.pass(total)
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
