package voice

import "strings"

// acronym says a word in capitals: spelled, or read as a word, as usage has it
// (OLE 2010, V 3.2: siglas). Those that are not in the table stay, to be read,
// unless they have no vowel.
func (c *cursor) acronym(word string) bool {
	if len(word) < 2 || !isUpper(word[0]) {
		return false
	}
	bare := strings.TrimSuffix(word, "s") // PDFs, ONGs
	if len(bare) < 2 || strings.ContainsFunc(bare, isNotCapital) {
		return false
	}
	read, known := acronyms[bare]
	if !known && (len(bare) > 5 || hasVowel(bare) || strings.IndexByte(bare, 'Y') >= 0 && len(bare) > 3) {
		return false
	}
	c.begin()
	switch read {
	case "":
		c.out = c.speaker.appendInitials(c.out, bare)
	case asWord:
		c.out = append(c.out, lowerASCII(word)...)
	default:
		c.out = append(c.out, read...)
	}
	c.pass(len(word))
	return true
}

// appendInitials spells capitals. In an acronym nobody tells b from v by their
// size: "te ve", not "te ve corta".
func (s *Speaker) appendInitials(dst []byte, letters string) []byte {
	for i := range len(letters) {
		if i > 0 {
			dst = append(dst, ' ')
		}
		name := s.letterName(letters[i] | 0x20)
		if letters[i] == 'B' || letters[i] == 'V' {
			name, _, _ = strings.Cut(name, " ")
		}
		dst = append(dst, name...)
	}
	return dst
}

func isNotCapital(r rune) bool { return r < 'A' || r > 'Z' }

// masked says the end of a number whose beginning is hidden by X or bullets:
// "terminada en cuatro ocho dos uno".
func (c *cursor) masked() bool {
	width := scanMask(c.rest())
	if width == 0 || isWordByte(c.before()) {
		return false
	}
	digits := c.rest()[width:]
	digits = digits[:digitsWidth(digits)]
	if !c.tail("en") {
		c.say("terminada en")
	}
	c.gap = true
	c.begin()
	c.out, _ = c.speaker.AppendCode(c.out, digits)
	c.pass(width + len(digits))
	return true
}

// mixed says a code of capitals and digits: "ABC123", "AB-1234". Few letters and
// digits are a name, B12, and not a code; known acronyms are words before their
// number, COVID-19.
func (c *cursor) mixed(word string) bool {
	width, letters, digits := scanMixed(c.rest())
	_, known := acronyms[word]
	switch {
	case digits == 0 || letters == 0 || known || !endsWord(c.rest()[width:]):
		return false
	case letters == len(word) && (digits <= 2 && (letters <= 2 || width > letters+digits) || letters == 1 && digits == 3):
		return false
	}
	return c.sayCode(c.rest()[:width])
}

// scanMixed returns the width of the capitals and digits at the beginning of s,
// with hyphens between them, and how many there are of each.
func scanMixed(s string) (width, letters, digits int) {
	const longest = 40
	for width < len(s) && width < longest {
		switch b := s[width]; {
		case isUpper(b):
			letters++
		case isDigit(b):
			digits++
		case b != '-' || width == 0 || width+1 == len(s) || !isUpper(s[width+1]) && !isDigit(s[width+1]):
			return width, letters, digits
		}
		width++
	}
	return width, letters, digits
}

// sayCode says what is at i one by one, if every character has a name.
func (c *cursor) sayCode(code string) bool {
	said, err := c.speaker.AppendCode(nil, code)
	if err != nil {
		return false
	}
	c.say(string(said))
	c.pass(len(code))
	return true
}

// letterByNumber spells one or two capitals beside a number: 15B, 4G, B12, CO2.
func (c *cursor) letterByNumber(word string) bool {
	next := c.i + len(word)
	if len(word) > 2 || strings.ContainsFunc(word, isNotCapital) || !isDigit(c.before()) && (next == len(c.s) || !isDigit(c.s[next])) {
		return false
	}
	c.begin()
	c.out = c.speaker.AppendSpell(c.out, word)
	c.pass(len(word))
	return true
}

// unpronounceable spells short words without a vowel before a number: mp3.
func (c *cursor) unpronounceable(word string) bool {
	if len(word) < 2 || len(word) > 4 || !onlyLetters(word) || strings.ContainsAny(word, "aeiouyAEIOUY") {
		return false
	}
	if end := c.i + len(word); end == len(c.s) || !isDigit(c.s[end]) {
		return false
	}
	c.begin()
	c.out = c.speaker.AppendSpell(c.out, word)
	c.pass(len(word))
	return true
}
