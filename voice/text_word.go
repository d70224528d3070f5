package voice

import "strings"

// word says what begins with a letter at i.
func (c *cursor) word() {
	word := c.rest()[:wordWidth(c.rest())]
	if c.saying() || c.currencyWord(word) || c.coded(nil) || c.abbreviated(word) || c.century(word) ||
		c.mixed(word) || c.letterByNumber(word) || c.acronym(word) || c.unpronounceable(word) ||
		word[0]|0x20 == 'x' && c.masked() {
		c.counted = false
		return
	}
	c.counted = false
	c.say(word)
	c.pass(len(word))
}

// saying says a word that an option pronounces.
func (c *cursor) saying() bool {
	for _, s := range c.speaker.sayings[c.s[c.i]] {
		rest, ok := strings.CutPrefix(c.rest(), s.word)
		if !ok || isWordEnd(s.word) && !endsWord(rest) {
			continue
		}
		if s.as != "" {
			c.say(s.as)
		}
		c.pass(len(s.word))
		return true
	}
	return false
}

// isWordEnd reports whether a text ends in a letter or a digit, after which a
// word may go on.
func isWordEnd(s string) bool {
	return lastWord(s) != "" || s != "" && isDigit(s[len(s)-1])
}

// following returns the word after width bytes from i and any blanks, and where
// it begins; empty when something else comes.
func (c *cursor) following(width int) (word string, at int) {
	rest := c.from(width)
	at = len(c.s) - len(rest)
	return rest[:wordWidth(rest)], at
}
