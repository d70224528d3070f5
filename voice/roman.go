package voice

import "strings"

// century says a Roman numeral after "siglo" and the like: "siglo veintiuno".
// To ten, centuries are ordinal (OLE 2010, VIII 3.2.4: both readings are right
// there, and only the cardinal above).
func (c *cursor) century(word string) bool {
	if rest := c.from(len(word)); word == "s" && strings.HasPrefix(rest, ".") {
		rest = skipBlanks(rest[1:])
		if numeral := rest[:wordWidth(rest)]; startsUpper(numeral) && romanValue(numeral) > 0 {
			c.say("siglo")
			c.pass(len("s."))
			return true // the numeral comes next
		}
	}
	n := romanValue(word)
	if n == 0 {
		return false
	}
	named, ordinal := c.romanCue(isUpper(word[0]))
	if !named {
		return false
	}
	c.begin()
	if ordinal && n <= 10 {
		c.out = appendOrdinal(c.out, uint32(n), Masculine)
	} else {
		c.out = appendCardinal(c.out, uint64(n), Masculine)
	}
	c.roman, c.inCentury = len(c.out), ordinal
	c.pass(len(word))
	return true
}

// romanCue reports whether what was said last announces a Roman numeral, or was
// one, with a word between them: "siglos XIX y XX". Small ones need the cue right
// before them.
func (c *cursor) romanCue(capital bool) (named, ordinal bool) {
	const between = " y al a o e "
	said := strings.TrimRight(string(c.out[c.start:]), " ,-–")
	word := lastWord(said)
	if capital && c.roman > 0 {
		end := c.start + len(said)
		if isListed(between, word) {
			end -= len(word) + len(" ")
		}
		if c.roman >= end {
			return true, c.inCentury
		}
	}
	if len(said) < len(c.out)-c.start {
		word = ""
	}
	switch found := cueOf(word); {
	case found.cue == cueRoman:
		return true, lowerASCII(word[:1]) == "s"
	case capital && found.roman:
		return true, false
	}
	return false, false
}

// romanValue returns the value of a numeral to 3999, in capitals or all small;
// zero for anything else. Small ones have two letters at least and none above x,
// so that i, mi and di are words.
func romanValue(word string) int {
	const longest = len("MMMDCCCLXXXVIII")
	if word == "" || len(word) > longest {
		return 0
	}
	if !isUpper(word[0]) {
		if len(word) < 2 || strings.Trim(word, "ivx") != "" {
			return 0
		}
		word = strings.ToUpper(word)
	}
	n := 0
	rest := word
	var again []byte // as it would be written
	for i := range romanSigns {
		sign := &romanSigns[i]
		for strings.HasPrefix(rest, sign.text) {
			rest = rest[len(sign.text):]
			n += sign.value
		}
	}
	if rest != "" || n > 3999 {
		return 0
	}
	left := n
	for i := range romanSigns {
		for left >= romanSigns[i].value {
			again = append(again, romanSigns[i].text...)
			left -= romanSigns[i].value
		}
	}
	if string(again) != word {
		return 0 // IIII, VX, IXI
	}
	return n
}

var romanSigns = [...]struct {
	text  string
	value int
}{
	{"M", 1000}, {"CM", 900}, {"D", 500}, {"CD", 400}, {"C", 100}, {"XC", 90},
	{"L", 50}, {"XL", 40}, {"X", 10}, {"IX", 9}, {"V", 5}, {"IV", 4}, {"I", 1},
}
