package voice

import "strings"

// between says the first of two numbers with a hyphen and what joins them:
// "10-12 días" is "de diez a doce días", "2020-2024" "dos mil veinte a dos mil
// veinticuatro". Chains of numbers, and those with a zero in front, are said
// digit by digit.
func (c *cursor) between(k *context) bool {
	low, ok := scanNumeral(c.rest(), c.speaker.rules())
	if !ok {
		return false
	}
	if chain := chainWidth(c.rest()); chain > 0 {
		said, _ := c.speaker.Digits(c.rest()[:chain])
		c.say(said)
		c.pass(chain)
		return true
	}
	after, ok := cutRangeDash(c.rest()[low.width:])
	if !ok || !startsWithDigit(after) {
		return false
	}
	high, ok := scanNumeral(after, c.speaker.rules())
	if !ok {
		return false
	}
	at := len(c.rest()) - len(after)
	f, counts := c.nounAfter(at+high.width, false)
	_, unit := c.unitAfter(at + high.width)
	a, width, ok := c.speaker.scanAmount(after)
	counts = counts || unit > 0 || ok && a.named && width > high.width
	c.begin()
	if counts && k.cue == noCue && low.value.compare(&high.value) < 0 && !isListed(" de entre desde del a en por con para sobre el la los las ", strings.ToLower(k.word)) {
		c.out = append(c.out, "de "...)
	}
	c.out = c.speaker.appendDecimal(c.out, &low.value, f&Feminine)
	if strings.EqualFold(k.word, "entre") {
		c.sayApart("y")
	} else {
		c.sayApart("a")
	}
	c.i += at
	return true
}

// cutRangeDash removes a hyphen or dash that has blanks on both sides or on
// none.
func cutRangeDash(s string) (rest string, ok bool) {
	before := skipBlanks(s)
	for _, dash := range [...]string{"-", "–", "—", "−"} {
		if after, found := strings.CutPrefix(before, dash); found {
			rest = skipBlanks(after)
			return rest, (len(before) < len(s)) == (len(rest) < len(after))
		}
	}
	return s, false
}

// chainWidth returns the width of three or more groups of digits with hyphens
// between them, or two of which one begins with zero; zero when there are none.
func chainWidth(s string) int {
	width, groups, zero := 0, 0, false
	for {
		digits := digitsWidth(s[width:])
		if digits == 0 {
			return 0
		}
		zero = zero || digits > 1 && s[width] == '0'
		width += digits
		groups++
		if width+1 >= len(s) || s[width] != '-' || !isDigit(s[width+1]) {
			break
		}
		width++
	}
	if groups < 2 || groups == 2 && !zero || !endsWord(s[width:]) {
		return 0
	}
	return width
}

// product says the sign between two numbers that are multiplied: "2x1", "3 × 4
// cm".
func (c *cursor) product() bool {
	n, ok := scanNumeral(c.rest(), c.speaker.rules())
	if !ok {
		return false
	}
	rest := c.rest()[n.width:]
	sign := skipBlanks(rest)
	after, found := strings.CutPrefix(sign, "×")
	if !found && sign != "" && sign[0]|0x20 == 'x' {
		after, found = sign[1:], (len(sign) < len(rest)) == (len(skipBlanks(sign[1:])) < len(sign)-1)
	}
	after = skipBlanks(after)
	if !found || !startsWithDigit(after) || c.rest()[0] == '0' {
		return false
	}
	c.begin()
	c.out = c.speaker.appendDecimal(c.out, &n.value, Masculine)
	c.sayApart("por")
	c.i = len(c.s) - len(after)
	return true
}
