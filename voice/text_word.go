package voice

import "strings"

// word says what begins with a letter at i.
func (c *cursor) word() {
	word := c.rest()[:wordWidth(c.rest())]
	if c.isPlain(word) {
		c.counted = false
		c.copy(len(word))
		return
	}
	if word[0]|0x20 == 'x' && c.masked() || c.currencyWord(word) || c.coded(nil) || c.mixed(word) || c.abbreviated(word) ||
		c.century(word) || c.weekday(word) || c.letterByNumber(word) || c.acronym(word) || c.unpronounceable(word) ||
		c.times(word) {
		c.counted = false
		return
	}
	c.counted = false
	c.copy(len(word))
	c.gap = startsWithDigit(c.rest())
	c.alternative(word)
}

// isPlain is a cheap test of a word in small letters: true means that no rule says
// it in other words, whatever is around it.
func (c *cursor) isPlain(word string) bool {
	if c.spoken == len(c.out) && !c.gap || len(word) < 2 || !startsLower(word) || strings.Trim(word, "ivx") == "" || shortDay(word) != "" {
		return false
	}
	rest := c.rest()[len(word):]
	return rest == "" || rest[0] == ',' || isBlank(rest[0]) && (len(rest) == 1 || rest[1] != '#' && !isDigit(rest[1]))
}

// times says an x before a number: "cada 8 horas x 7 días", "x2 en puntos".
func (c *cursor) times(word string) bool {
	if word != "x" && word != "X" || !c.gap && c.last() != 0 || !c.beginsNumber(c.from(1)) {
		return false
	}
	c.sayApart("por")
	c.i++
	return true
}

// alternative says the ending in parentheses after a word: "Estimado(a)" is
// "Estimado o Estimada", "factura(s)" "facturas".
func (c *cursor) alternative(word string) {
	rest := c.rest()
	switch {
	case strings.HasPrefix(rest, "(a)") && strings.HasSuffix(word, "o"):
		c.sayApart("o")
		c.say(word[:len(word)-1] + "a")
		c.pass(len("(a)"))
	case strings.HasPrefix(rest, "(s)"):
		if !strings.HasSuffix(word, "s") {
			c.out = append(c.out, 's')
		}
		c.pass(len("(s)"))
	case strings.HasPrefix(rest, "(es)"):
		c.out = append(c.out, "es"...)
		c.pass(len("(es)"))
	}
}

// saying says a word that an option pronounces.
func (c *cursor) saying() bool {
	s, ok := c.speaker.sayingAt(c.rest())
	if !ok {
		return false
	}
	if s.as != "" {
		c.say(s.as)
	}
	c.pass(len(s.word))
	return true
}

// sayingAt returns the word at the beginning of text that an option pronounces.
func (t *textTuning) sayingAt(text string) (found saying, ok bool) {
	if len(t.sayings) == 0 {
		return found, false
	}
	for _, s := range t.sayings[text[0]] {
		rest, ok := strings.CutPrefix(text, s.word)
		if !ok || lastWord(s.word) != "" && startsWithLetter(rest) || isDigit(s.word[len(s.word)-1]) && startsWithDigit(rest) {
			continue
		}
		return s, true
	}
	return found, false
}

// following returns the word after width bytes from i and any blanks, and where
// it begins; empty when something else comes.
func (c *cursor) following(width int) (word string, at int) {
	rest := c.from(width)
	at = len(c.s) - len(rest)
	return rest[:wordWidth(rest)], at
}
