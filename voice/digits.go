package voice

// Digits says digits one by one: "4821" is "cuatro ocho dos uno", "0042" "cero
// cero cuatro dos". With group sizes it pauses after each group, the last size
// repeating: "482193" in threes is "cuatro ocho dos, uno nueve tres". Without
// them it pauses where the text has spaces, hyphens, points or slashes.
//
// Anything else in the text, or no digit at all, is ErrSyntax; a group size
// below one is ErrRange.
func (s *Speaker) Digits(text string, group ...int) (string, error) {
	var buf [stackText]byte
	return spoken(s.AppendDigits(buf[:0], text, group...))
}

// AppendDigits appends what [Speaker.Digits] says. On error dst is returned as
// it was.
func (s *Speaker) AppendDigits(dst []byte, text string, group ...int) ([]byte, error) {
	for _, size := range group {
		if size < 1 {
			return dst, parseError("group size", text, ErrRange)
		}
	}
	if !isGroupedDigits(text) {
		return dst, parseError("digits", text, ErrSyntax)
	}
	k := newCadence(dst)
	said := 0
	for i := range len(text) {
		switch {
		case isDigit(text[i]):
			k = k.say(digitName(text[i]))
			said++
			if len(group) > 0 && said == group[0] {
				k = k.rest()
				said = 0
				group = group[min(1, len(group)-1):]
			}
		case len(group) == 0:
			k = k.rest()
		}
	}
	return k.text, nil
}

// Pairs says digits two by two, as people do with short numbers: "511527" is
// "cincuenta y uno, quince, veintisiete". Zeros in front are said ("cero dos"),
// and an odd digit comes first and alone. Spaces and the like separate runs that
// are paired on their own. Errors are those of [Speaker.Digits].
func (s *Speaker) Pairs(text string) (string, error) {
	var buf [stackText]byte
	return spoken(s.AppendPairs(buf[:0], text))
}

// AppendPairs appends what [Speaker.Pairs] says. On error dst is returned as it
// was.
func (s *Speaker) AppendPairs(dst []byte, text string) ([]byte, error) {
	if !isGroupedDigits(text) {
		return dst, parseError("digits", text, ErrSyntax)
	}
	k := newCadence(dst)
	for text != "" {
		run := digitsWidth(text)
		k = k.sayPairs(text[:run])
		text = text[min(run+1, len(text)):]
	}
	return k.text, nil
}

func (k cadence) sayPairs(run string) cadence {
	if len(run)%2 == 1 {
		k = k.say(digitName(run[0]))
		k = k.rest()
		run = run[1:]
	}
	for ; run != ""; run = run[2:] {
		if run[0] == '0' {
			k = k.say(digitName('0'))
			k = k.say(digitName(run[1]))
		} else {
			k = k.say(below1000[fixedNumber(run[:2])])
		}
		k = k.rest()
	}
	return k
}

// isGroupedDigits reports whether text has a digit, and nothing but digits and
// separators.
func isGroupedDigits(text string) bool {
	some := false
	for i := range len(text) {
		switch {
		case isDigit(text[i]):
			some = true
		case !isSeparator(text[i]):
			return false
		}
	}
	return some
}

// isSeparator reports whether c only groups what it stands between.
func isSeparator(c byte) bool {
	return c == ' ' || c == '-' || c == '.' || c == '/'
}

func digitName(c byte) string { return below1000[c-'0'] }
