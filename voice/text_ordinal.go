package voice

import "strings"

// ordinal says "1.er", "2.ª", "3º", "5to", "1° de mayo".
func (c *cursor) ordinal() bool {
	const longest = 6
	digits := digitsWidth(c.rest())
	if digits == 0 || digits > longest {
		return false
	}
	n := fixedNumber(c.rest()[:digits])
	f, width := scanOrdinalMark(c.rest()[digits:], n)
	if width == 0 || n < 1 || n > maxOrdinal {
		return false
	}
	width += digits
	if strings.HasPrefix(c.rest()[digits:], "°") && !c.orders(width) {
		return false
	}
	if f == Masculine {
		if noun, ok := c.nounAfter(width, true); ok && noun == BeforeNoun {
			f = BeforeNoun // primer piso (DPD "primero")
		}
	}
	c.begin()
	c.out = appendOrdinal(c.out, uint32(n), f)
	c.pass(width)
	if rest := c.rest(); isLetter(c.before()) && len(rest) > 2 && rest[:2] == ". " && startsLower(rest[2:]) {
		c.i++ // 5to. piso
	}
	return true
}

// orders reports whether a degree sign stands for the sign of an ordinal: before
// a noun, or before "de" and a month.
func (c *cursor) orders(width int) bool {
	word, at := c.following(width)
	if at == c.i+width {
		return false
	}
	if word == "de" {
		month := skipBlanks(c.s[at+len(word):])
		return isMonth(month[:wordWidth(month)])
	}
	_, ok := nounForm(word, true)
	return ok
}

// scanOrdinalMark reads what makes an ordinal of the number before it. Letters
// must be those that the ordinal of n ends in.
func scanOrdinalMark(s string, n int) (f Form, width int) {
	dot := len(s) - len(strings.TrimPrefix(s, "."))
	rest := s[dot:]
	for _, mark := range [...]struct {
		text string
		f    Form
	}{{"er", BeforeNoun}, {"º", Masculine}, {"ª", Feminine}} {
		if after, ok := strings.CutPrefix(rest, mark.text); ok && endsWord(after) {
			return mark.f, dot + len(mark.text)
		}
	}
	if strings.HasPrefix(rest, "°") && dot == 0 {
		return Masculine, len("°")
	}
	word := rest[:wordWidth(rest)]
	if after := rest[len(word):]; (word == "a" || word == "o") && len(after) > 2 && after[:2] == ". " && startsLower(after[2:]) {
		if word == "a" {
			f = Feminine // 3a. edad
		}
		return f, dot + 1
	}
	endings := [...]string{
		"mo ma", "ro ra ero era", "do da", "ro ra ero era", "to ta", "to ta", "to ta", "mo ma", "vo va", "no na",
	}[n%10]
	if dot > 0 || word == "" || !isListed(" "+endings+" vo va avo ava ", word) {
		return Masculine, 0
	}
	if strings.HasSuffix(word, "a") {
		return Feminine, len(word)
	}
	return Masculine, len(word)
}
