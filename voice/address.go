package voice

import (
	"strings"
	"unicode/utf8"
)

// door says the number of a street and those of a door, "45A # 12-30", as people
// do: two numbers, a zero in front said.
func (c *cursor) door(k *context) bool {
	if k.cue == cueStreet && (k.direct || k.word == "") {
		c.street = true
	}
	if k.cue >= cueCode && k.cue <= cueExtension || !c.street && !c.afterHash() {
		return false
	}
	first, letters := scanDoorPart(c.rest())
	if first == 0 {
		return false
	}
	rest := c.rest()[first+letters:]
	after := cutDash(rest)
	second, more := 0, 0
	if len(after) < len(rest) {
		second, more = scanDoorPart(after)
	}
	if second == 0 && k.cue != cueStreet || second > 0 && (first > longestDoor || second > longestDoor) {
		return false
	}
	c.doorPart(first, letters)
	if second > 0 {
		c.i = len(c.s) - len(after)
		c.gap = true
		c.doorPart(second, more)
	}
	return true
}

// afterHash reports whether "#" or an abbreviation of number comes right before
// i.
func (c *cursor) afterHash() bool {
	before := strings.TrimRight(c.s[:c.i], " \u00a0")
	r, _ := utf8.DecodeLastRuneInString(before)
	return r == '#' || r == 'º' || r == '°' || strings.HasSuffix(before, "No.") || strings.HasSuffix(before, "Nro.")
}

// longestDoor is how many digits both numbers of a door have at most.
const longestDoor = 3

// scanDoorPart reads up to five digits and a capital behind them.
func scanDoorPart(s string) (digits, letter int) {
	const longest = 5
	digits = digitsWidth(s)
	if digits == 0 || digits > longest {
		return 0, 0
	}
	rest := s[digits:]
	if rest != "" && isUpper(rest[0]) && endsWord(rest[1:]) {
		letter, rest = 1, rest[1:]
	}
	if !endsWord(rest) || len(rest) > 1 && strings.IndexByte(".,/:", rest[0]) >= 0 && isDigit(rest[1]) {
		return 0, 0
	}
	return digits, letter
}

func (c *cursor) doorPart(digits, letter int) {
	text := c.rest()[:digits]
	c.begin()
	for len(text) > 1 && text[0] == '0' {
		c.out = append(append(c.out, digitName('0')...), ' ')
		text = text[1:]
	}
	c.out = appendCardinal(c.out, uint64(fixedNumber(text)), Masculine)
	c.i += digits
	if letter > 0 {
		c.out = c.speaker.AppendSpell(append(c.out, ' '), c.rest()[:letter])
	}
	c.pass(letter)
}
