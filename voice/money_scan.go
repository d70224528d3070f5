package voice

import "strings"

// amount is money found in writing.
type amount struct {
	value decimal
	// currency is empty when the text leaves it open, as a "$" does in neutral
	// Spanish, or contradicts itself. Without any mark it is the country's.
	currency string
	// named says that the text has a symbol, a code or a word for the currency.
	named bool
	// doubtful says that the number has two readings; value follows the habit of
	// the country.
	doubtful bool
}

// scanAmount reads an amount at the start of text, and how many bytes it takes:
// an optional minus, a mark of currency before or after the number or both, and
// a scale: "$ 89.900", "-USD 1,234.5", "$89,900.00 MXN", "2,5 millones de pesos",
// "$25 000". It allocates nothing.
func (s *Speaker) scanAmount(text string) (a amount, width int, ok bool) {
	rest, negative := trimMinus(text)
	prefix := s.scanMark(rest, before)
	if prefix.width > 0 {
		rest = skipBlanks(rest[prefix.width:])
		if !negative {
			rest, negative = trimMinus(rest)
		}
	}
	n, ok := scanNumeral(rest, s.rules())
	if spaced, found := scanSpaced(rest, s.rules()); found && (prefix.width > 0 || s.isMoney(rest[spaced.width:])) {
		n, ok = spaced, true
	}
	if !ok {
		return a, 0, false
	}
	rest = rest[n.width:]
	suffix := s.scanSuffix(rest)
	scaled := 0
	if suffix.width == 0 {
		var zeros int
		if zeros, scaled = scanScale(rest); !n.value.shift(zeros) {
			return a, 0, false
		}
		rest = rest[scaled:]
		suffix = s.scanSuffix(rest)
	}
	rest = rest[suffix.width:]

	a.value = n.value
	a.value.negative = negative && !n.value.isZero()
	a.named = prefix.width > 0 || suffix.width > 0
	a.currency = s.agreed(prefix, suffix)
	// Three decimals are no price, and a scale makes them plausible again.
	a.doubtful = n.lone && (s.rules().mixed || scaled == 0 && n.value.frac > 0)
	return a, len(text) - len(rest), true
}

// isMoney reports whether a number before this text is an amount, or all of it.
func (s *Speaker) isMoney(text string) bool {
	return text == "" || s.scanSuffix(text).width > 0
}

// agreed is the currency that both marks of a number allow.
func (s *Speaker) agreed(prefix, suffix mark) string {
	switch {
	case prefix.width == 0 && suffix.width == 0:
		return s.tenderCode()
	case suffix.width == 0 || prefix.code == suffix.code:
		return prefix.code
	case prefix.width == 0:
		return suffix.code
	case prefix.weak && findCurrency(suffix.code).usesDollarSign():
		return suffix.code
	case suffix.weak && findCurrency(prefix.code).usesDollarSign():
		return prefix.code
	}
	return ""
}

// scanSuffix reads the mark after a number, with the blanks and the "de" that
// join them.
func (s *Speaker) scanSuffix(text string) mark {
	rest := skipBlanks(text)
	blanks := len(text) - len(rest)
	if m := s.scanMark(rest, after); m.width > 0 {
		m.width += blanks
		return m
	}
	if blanks == 0 {
		return mark{}
	}
	if after, ok := strings.CutPrefix(rest, "de "); ok {
		rest = after
	}
	m := s.scanCurrencyName(rest)
	if m.width > 0 {
		m.width += len(text) - len(rest)
	}
	return m
}

// scanCurrencyName reads the name of a currency: "pesos", "dólares canadienses".
// The noun alone is that of the speaker's own currency, or of the only one that
// goes by it.
func (s *Speaker) scanCurrencyName(text string) mark {
	var bare mark
	owners := 0
	if text == "" {
		return bare
	}
	for i := range currencies {
		c := &currencies[i]
		if upperASCII(c.one[0]) != upperASCII(text[0]) {
			continue
		}
		noun, full := c.scanName(text)
		switch {
		case full > 0:
			return mark{code: c.code, width: full}
		case noun > 0 && !c.shared:
			bare = mark{code: c.code, width: noun}
			owners++
		}
	}
	for _, code := range [...]string{s.tender, s.rules().tender} {
		if c := findCurrency(code); c != nil {
			if noun, _ := c.scanName(text); noun > 0 {
				return mark{code: c.code, width: noun}
			}
		}
	}
	if owners > 1 {
		bare.code = ""
	}
	return bare
}

// scanName returns the width of the noun of c at the start of text, and that of
// the whole name.
func (c *currency) scanName(text string) (noun, full int) {
	complement := c.ofMany
	rest, ok := cutWord(text, c.many)
	if !ok {
		complement = c.ofOne
		if rest, ok = cutWord(text, c.one); !ok {
			return 0, 0
		}
	}
	noun = len(text) - len(rest)
	if complement == "" {
		return noun, 0
	}
	if rest, ok = cutWord(skipBlanks(rest), complement); ok {
		full = len(text) - len(rest)
	}
	return noun, full
}

// cutWord removes a word in any case, which must end there, from the start of
// text.
func cutWord(text, word string) (rest string, ok bool) {
	if len(text) < len(word) || word != "" && upperASCII(text[0]) != upperASCII(word[0]) || !strings.EqualFold(text[:len(word)], word) || !endsWord(text[len(word):]) {
		return text, false
	}
	return text[len(word):], true
}

func skipBlanks(s string) string { return strings.TrimLeft(s, " \u00a0\u2009\u202f") }
