package voice

// Money is [Speaker.Money] with the country's rules.
func (c Country) Money(amount, currency string) (string, error) {
	s := c.speaker()
	return s.Money(amount, currency)
}

// AppendMoney is [Speaker.AppendMoney] with the country's rules.
func (c Country) AppendMoney(dst []byte, amount, currency string) ([]byte, error) {
	s := c.speaker()
	return s.AppendMoney(dst, amount, currency)
}

// MoneyMinor is [Speaker.MoneyMinor] with the country's rules.
func (c Country) MoneyMinor(units int64, currency string) (string, error) {
	s := c.speaker()
	return s.MoneyMinor(units, currency)
}

// AppendMoneyMinor is [Speaker.AppendMoneyMinor] with the country's rules.
func (c Country) AppendMoneyMinor(dst []byte, units int64, currency string) ([]byte, error) {
	s := c.speaker()
	return s.AppendMoneyMinor(dst, units, currency)
}

// MoneyRange is [Speaker.MoneyRange] with the country's rules.
func (c Country) MoneyRange(lo, hi, currency string) (string, error) {
	s := c.speaker()
	return s.MoneyRange(lo, hi, currency)
}

// AppendMoneyRange is [Speaker.AppendMoneyRange] with the country's rules.
func (c Country) AppendMoneyRange(dst []byte, lo, hi, currency string) ([]byte, error) {
	s := c.speaker()
	return s.AppendMoneyRange(dst, lo, hi, currency)
}

// ParseMoney is [Speaker.ParseMoney] with the country's rules.
func (c Country) ParseMoney(written string) (Amount, error) {
	s := c.speaker()
	return s.ParseMoney(written)
}

// SayMoney is [Speaker.SayMoney] with the country's rules.
func (c Country) SayMoney(written string) (string, error) {
	s := c.speaker()
	return s.SayMoney(written)
}

// AppendSayMoney is [Speaker.AppendSayMoney] with the country's rules.
func (c Country) AppendSayMoney(dst []byte, written string) ([]byte, error) {
	s := c.speaker()
	return s.AppendSayMoney(dst, written)
}
