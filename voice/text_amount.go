package voice

import "strings"

// amount says money whose currency is named: "$89.900", "50 mil pesos",
// "89900.00 COP". Ranges with a hyphen are read as two amounts.
func (c *cursor) amount() bool {
	a, width, ok := c.speaker.scanAmount(c.rest())
	if !ok || !a.named || !endsWord(c.rest()[width:]) || !c.isCurrency(c.rest()[:width], &a) {
		return false
	}
	if a.currency == "" {
		return c.unknownAmount(&a, width)
	}
	state := c.voiceState
	c.begin()
	out, err := c.speaker.appendMoney(c.out, &a.value, a.currency)
	if err != nil {
		c.voiceState = state
		return false
	}
	c.out = out
	c.pass(width)
	c.perUnit()
	c.counted = true
	return true
}

// isCurrency rejects nouns that only look like a currency: in "5 sol" and "2
// real" they would be plural.
func (c *cursor) isCurrency(text string, a *amount) bool {
	for _, noun := range [...]string{" sol", " real", " rand", " won", " yen"} {
		if len(text) > len(noun) && strings.EqualFold(text[len(text)-len(noun):], noun) {
			return a.value.isOne()
		}
	}
	return true
}

// unknownAmount says an amount of a currency that the country leaves open: the
// noun as it is written, and nothing for a "$", since a guess may be wrong.
func (c *cursor) unknownAmount(a *amount, width int) bool {
	text := c.rest()[:width]
	if isLetter(text[len(text)-1]) || text[len(text)-1] >= 0x80 {
		return false // pesos: a number and a noun
	}
	f, of := c.agreement(&context{}, &a.value, width)
	c.begin()
	c.out = c.speaker.appendDecimal(c.out, &a.value, f)
	if of {
		c.out = append(c.out, ofMillions...)
	}
	c.pass(width)
	c.perUnit()
	c.counted = true
	return true
}

// currencyWord says an amount that begins with the letters of its currency: "USD
// 1,234.5", "S/ 12.50".
func (c *cursor) currencyWord(word string) bool {
	if !startsUpper(word) && word != "m" || len(word) > 5 {
		return false
	}
	near := c.rest()[len(word):min(len(c.rest()), len(word)+8)]
	near = strings.TrimLeft(near, "./$S -\u00a0\u202f")
	return startsWithDigit(near) && c.amount()
}

// perUnit says the slash after an amount: "$50/mes", "500 mg/8 h".
func (c *cursor) perUnit() {
	rest := c.rest()
	if len(rest) < 2 || rest[0] != '/' {
		return
	}
	switch {
	case isDigit(rest[1]):
		c.sayApart("cada")
	case isLetter(rest[1]):
		c.sayApart("por")
		if unit, width := scanUnit(rest[1:]); width > 0 {
			c.say(unit.Singular)
			c.pass(width)
		}
	default:
		return
	}
	c.i++
}

// measure says a percentage or a quantity: "5 %", "300 Mbps", "20 °C".
func (c *cursor) measure(k *context) bool {
	n, ok := c.scanThousands(k)
	if !ok {
		n, ok = scanNumeral(c.rest(), c.speaker.rules())
	}
	if !ok {
		return false
	}
	unit, width := c.unitAfter(n.width)
	if width == 0 || c.decade(k, n.width, width) {
		return false
	}
	_ = c.speaker.round("quantity", &n.value, maxDigits) // too large a number keeps its decimals
	c.begin()
	c.out = c.speaker.appendMeasure(c.out, &n.value, unit)
	c.pass(width)
	c.dotOfUnit()
	c.perUnit()
	c.counted = true
	return true
}

// decade reports whether a number of the given width and an s, up to end, are
// those of "los 80s", which are no seconds.
func (c *cursor) decade(k *context, width, end int) bool {
	text := c.rest()[:end]
	return end == width+1 && text[width] == 's' && (width == 2 || width == 4) && text[width-1] == '0' && isListed(" los años ", strings.ToLower(k.word))
}

// appendMeasure appends a quantity; without a noun it is a percentage.
func (s *Speaker) appendMeasure(dst []byte, d *decimal, unit Noun) []byte {
	if unit.Singular == "" {
		return s.appendPercent(dst, d)
	}
	return s.appendQuantity(dst, d, &unit)
}

// unitAfter reads the unit after a number of the given width, and returns the
// width of both; zero when there is none. A percent sign is a unit without a
// noun.
func (c *cursor) unitAfter(width int) (unit Noun, total int) {
	rest := c.from(width)
	blank := len(rest) < len(c.s)-c.i-width
	total = len(c.s) - c.i - len(rest)
	if strings.HasPrefix(rest, percentSign) {
		return Noun{}, total + 1
	}
	unit, symbol := scanUnit(rest)
	if symbol == 0 {
		return unit, 0
	}
	text, after := rest[:symbol], rest[symbol:]
	switch {
	case isListed(labelUnits, text),
		text == "ha" && startsLower(skipBlanks(after)), // the verb
		blank && text == "°":
		return Noun{}, 0
	}
	return unit, total + symbol
}

// labelUnits are symbols that letters and words of texts are taken for: apto 5
// A, 3 B, 10 K, 4 in, 5 mi, 2 bar, 7 ton.
const labelUnits = " A B J K t in mi bar ML KM "

func startsLower(s string) bool { return s != "" && 'a' <= s[0] && s[0] <= 'z' }

// dotOfUnit drops the period of a shortened unit in the middle of a sentence:
// "5 min. de espera".
func (c *cursor) dotOfUnit() {
	rest := c.rest()
	if strings.HasPrefix(rest, ".") && len(rest) > 2 && rest[1] == ' ' && startsLower(rest[2:]) && isLetter(c.before()) {
		c.i++
	}
}
