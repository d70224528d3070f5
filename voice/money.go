package voice

// Money says an amount: "89900" COP is "ochenta y nueve mil novecientos pesos",
// "1000000.50" EUR "un millón de euros con cincuenta céntimos", "0.05" USD
// "cinco centavos". The amount is decimal text as in [Speaker.Decimal], in
// units of the currency, with a point in every country; a float64 has no place
// here, since 2.675 is not representable. The currency is an ISO 4217 code in
// any case.
//
// Nothing is dropped unless [Round] or [WholeUnits] asks for it: an amount with
// more decimals than its currency, or a currency whose fraction has no Spanish
// name, is read as a decimal number ("dos coma seis siete cinco dólares"). The
// peso, the dollar and other currencies of the Americas go by their short name
// unless [LongNames] is set; a noun that would be taken for a better known
// currency is always completed ("dólares canadienses"). A code that is not
// known here is spelled: "diez equis be te".
//
// Fails as [Speaker.Decimal] does, and with [ErrUnknown] for a currency that is
// no three-letter code.
func (s *Speaker) Money(amount, currency string) (string, error) {
	var buf [stackText]byte
	return spoken(s.AppendMoney(buf[:0], amount, currency))
}

// AppendMoney appends what [Speaker.Money] says. On error dst is returned as it
// was.
func (s *Speaker) AppendMoney(dst []byte, amount, currency string) ([]byte, error) {
	d, err := parseDecimal("amount", amount)
	if err != nil {
		return dst, err
	}
	return s.appendMoney(dst, &d, currency)
}

// MoneyMinor says an amount given in the smallest unit of ISO 4217, as payment
// services send it: 1550 USD is "quince dólares con cincuenta centavos", 1550
// CLP "mil quinientos cincuenta pesos". Fails with [ErrUnknown] for a currency
// whose decimals are not known here.
func (s *Speaker) MoneyMinor(units int64, currency string) (string, error) {
	var buf [stackText]byte
	return spoken(s.AppendMoneyMinor(buf[:0], units, currency))
}

// AppendMoneyMinor appends what [Speaker.MoneyMinor] says. On error dst is
// returned as it was.
func (s *Speaker) AppendMoneyMinor(dst []byte, units int64, currency string) ([]byte, error) {
	c := findCurrency(currency)
	if c == nil {
		return dst, parseError("currency", currency, ErrUnknown)
	}
	d := minorDecimal(units, c.places)
	return s.appendMoney(dst, &d, currency)
}

// appendMoney rounds d as the options say, and appends it.
func (s *Speaker) appendMoney(dst []byte, d *decimal, code string) ([]byte, error) {
	c := findCurrency(code)
	if c == nil {
		return s.appendUnknownMoney(dst, d, code)
	}
	if err := s.round("amount", d, c.places); err != nil {
		return dst, err
	}
	d.trim()
	if d.frac > c.places || c.minor == noMinor {
		return s.appendCurrency(dst, d, c), nil
	}
	return s.appendUnits(dst, d, c), nil
}

// appendUnits appends whole units and what is left in the minor unit, joined
// by "con". Less than one unit is said in the minor unit alone.
func (s *Speaker) appendUnits(dst []byte, d *decimal, c *currency) []byte {
	cents := int64(0)
	for i := range c.places {
		cents = cents*10 + int64(d.digit(d.whole+i))
	}
	if cents == 0 || d.whole > 0 {
		whole := *d
		whole.frac = 0
		dst = s.appendCurrency(dst, &whole, c)
		if cents == 0 {
			return dst
		}
		dst = append(dst, " con "...)
	} else if d.negative {
		dst = append(dst, "menos "...)
	}
	return s.AppendCount(dst, cents, minorUnits[c.minor])
}

// appendCurrency appends d and the name of the currency.
func (s *Speaker) appendCurrency(dst []byte, d *decimal, c *currency) []byte {
	dst = s.appendQuantity(dst, d, &Noun{Singular: c.one, Plural: c.many, Feminine: c.feminine})
	complement := c.ofMany
	if d.isOne() {
		complement = c.ofOne
	}
	if complement == "" || !c.shared && !s.longNames {
		return dst
	}
	return append(append(dst, ' '), complement...)
}

// appendUnknownMoney appends d and the letters of a code without a name here.
// Its decimals are not known, so that only [WholeUnits] rounds.
func (s *Speaker) appendUnknownMoney(dst []byte, d *decimal, code string) ([]byte, error) {
	if len(code) != 3 || !isLetter(code[0]) || !isLetter(code[1]) || !isLetter(code[2]) {
		return dst, parseError("currency", code, ErrUnknown)
	}
	if err := s.round("amount", d, maxDigits); err != nil {
		return dst, err
	}
	dst = s.appendDecimal(dst, d, BeforeNoun)
	if d.endsInMillions() {
		dst = append(dst, ofMillions...)
	}
	return s.AppendSpell(append(dst, ' '), code), nil
}

func isLetter(c byte) bool {
	c = upperASCII(c)
	return 'A' <= c && c <= 'Z'
}

// minorDecimal is units divided by 10^places.
func minorDecimal(units int64, places int) decimal {
	size := uint64(units)
	if units < 0 {
		size = -size
	}
	var digits [24]byte // 20 at most in 64 bits, and zeros to spare for the places
	for i := range digits {
		digits[len(digits)-1-i] = '0' + byte(size%10)
		size /= 10
	}
	d := decimal{negative: units < 0}
	mark := len(digits) - places
	d.addWhole(string(digits[:mark]))
	d.addFrac(string(digits[mark:]))
	return d
}
