package voice

import "strings"

// coded says the number of a document, or a code, that the words before it
// announce: "NIT 900.123.456-7", "código A7K9". At a letter k is nil.
func (c *cursor) coded(k *context) bool {
	if k != nil && !k.cue.codes() {
		return false
	}
	token := codeWidth(c.rest())
	if k == nil {
		if strings.IndexFunc(c.rest()[:token], func(r rune) bool { return '0' <= r && r <= '9' }) < 0 {
			return false
		}
		at := c.lookBack()
		k = &at
	}
	if !k.cue.codes() {
		return false
	}
	code := c.rest()[:token]
	if isDigit(code[0]) {
		code = c.rest()[:spacedWidth(c.rest(), token)]
	}
	digits := digitsWidth(code)
	if word, _ := c.following(len(code)); digits == len(code) && digits <= 3 && strings.HasSuffix(word, "s") && startsLower(word) {
		return false // a code of six digits, in 30 days
	}
	return c.sayDocument(k, code)
}

// codes reports whether a cue announces what is said digit by digit.
func (c cue) codes() bool { return c == cueCode || c == cueDocument || c == cueExtension }

func (c *cursor) sayDocument(k *context, code string) bool {
	if k.cue == cueDocument {
		if said, err := c.speaker.Document(k.kind, code); err == nil {
			c.say(said)
			c.pass(len(code))
			return true
		}
	}
	if isGroupedDigits(code) && !onlyDigits(code) {
		said, _ := c.speaker.Digits(code)
		c.say(said)
		c.pass(len(code))
		return true
	}
	return c.sayCode(code)
}

// codeWidth returns the width of letters and digits with single signs between
// them, which are not those of a time or an amount.
func codeWidth(s string) int {
	i := 0
	for i < len(s) {
		switch b := s[i]; {
		case isLetter(b) || isDigit(b):
		case i > 0 && strings.IndexByte("-./", b) >= 0 && i+1 < len(s) && (isUpper(s[i+1]) || isDigit(s[i+1])):
		default:
			return i
		}
		i++
	}
	return i
}

// spacedWidth goes on over groups of two to four digits behind single spaces, to
// which a number of width bytes of digits belongs.
func spacedWidth(s string, width int) int {
	if !isGroupedDigits(s[:width]) {
		return width
	}
	for width+1 < len(s) && s[width] == ' ' {
		group := digitsWidth(s[width+1:])
		end := width + 1 + group
		if group < 2 || group > 4 || !endsWord(s[end:]) || strings.HasPrefix(s[end:], ":") || strings.HasPrefix(skipBlanks(s[end:]), percentSign) {
			break
		}
		width = end
	}
	return width
}

// reference says a long number digit by digit after a word such as "pedido"; a
// short one, an amount and a year are said as numbers.
func (c *cursor) reference(k *context) bool {
	const short = 4
	if k.cue != cueReference {
		return false
	}
	width := codeWidth(c.rest())
	code := c.rest()[:width]
	digits := digitsWidth(code)
	if n, ok := scanNumeral(c.rest(), c.speaker.rules()); ok && n.width > digits {
		return false
	}
	if digits == width {
		if _, counts := c.nounAfter(width, false); digits < short || counts {
			return false
		}
		if !k.direct && isListed(" de del en ", strings.ToLower(k.word)) && isYear(code) {
			return false
		}
	}
	return c.sayDocument(k, code)
}

// isYear reports whether four digits are likely those of a year.
func isYear(digits string) bool {
	return len(digits) == 4 && (strings.HasPrefix(digits, "19") || strings.HasPrefix(digits, "20"))
}
