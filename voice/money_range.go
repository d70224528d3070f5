package voice

// MoneyRange says a range of amounts, as in [Speaker.Range] and
// [Speaker.Money]: "entre diez y doce mil pesos". When a bound has cents both
// are said in full: "entre diez pesos con cincuenta centavos y doce pesos".
func (s *Speaker) MoneyRange(lo, hi, currency string) (string, error) {
	var buf [stackText]byte
	return spoken(s.AppendMoneyRange(buf[:0], lo, hi, currency))
}

// AppendMoneyRange appends what [Speaker.MoneyRange] says. On error dst is
// returned as it was.
func (s *Speaker) AppendMoneyRange(dst []byte, lo, hi, currency string) ([]byte, error) {
	low, err := parseDecimal("amount", lo)
	if err != nil {
		return dst, err
	}
	high, err := parseDecimal("amount", hi)
	if err != nil {
		return dst, err
	}
	return s.appendMoneyRange(dst, &low, &high, currency)
}

func (s *Speaker) appendMoneyRange(dst []byte, low, high *decimal, code string) ([]byte, error) {
	start := len(dst)
	c := findCurrency(code)
	places := maxDigits
	if c != nil {
		places = c.places
	}
	for _, d := range [...]*decimal{low, high} {
		if err := s.round("amount", d, places); err != nil {
			return dst, err
		}
		d.trim()
	}
	switch order := low.compare(high); {
	case order > 0:
		return dst, parseError("range", string(low.appendText(nil))+" to "+string(high.appendText(nil)), ErrRange)
	case order == 0:
		return s.appendMoney(dst, high, code)
	case c != nil && low.frac == 0 && high.frac == 0:
		f := BeforeNoun
		if c.feminine {
			f |= Feminine
		}
		dst = s.appendLow(dst, low, high, f)
	default:
		var err error
		if dst, err = s.appendMoney(append(dst, s.rangeLead()...), low, code); err != nil {
			return dst[:start], err
		}
		dst = append(dst, s.rangeLink()...)
	}
	dst, err := s.appendMoney(dst, high, code)
	if err != nil {
		return dst[:start], err
	}
	return dst, nil
}
