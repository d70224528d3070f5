package voice

// percentSign is a unit that is no noun: it leaves uno whole.
const percentSign = "%"

// Quantity says an amount of a unit: "21" km is "veintiún kilómetros", "1" t
// "una tonelada", "2.5" L "dos coma cinco litros", "21" % "veintiuno por
// ciento". The amount is decimal text as in [Speaker.Decimal]; the unit is a
// symbol, and capitals count. The number agrees with the unit in gender, also
// with decimals ("una coma cinco horas"), and only 1 and -1 take the singular.
// [WholeUnits] rounds. Fails as [Speaker.Decimal] does, and with [ErrUnknown]
// for a symbol that is not known here.
func (s *Speaker) Quantity(amount, unit string) (string, error) {
	var buf [stackText]byte
	return spoken(s.AppendQuantity(buf[:0], amount, unit))
}

// AppendQuantity appends what [Speaker.Quantity] says. On error dst is returned
// as it was.
func (s *Speaker) AppendQuantity(dst []byte, amount, unit string) ([]byte, error) {
	d, err := s.parseQuantity("quantity", amount)
	if err != nil {
		return dst, err
	}
	if unit == percentSign {
		return s.appendPercent(dst, &d), nil
	}
	noun, ok := units[unit]
	if !ok {
		return dst, parseError("unit", unit, ErrUnknown)
	}
	return s.appendQuantity(dst, &d, &noun), nil
}

// parseQuantity reads an amount and rounds it as the options say.
func (s *Speaker) parseQuantity(kind, amount string) (decimal, error) {
	d, err := parseDecimal(kind, amount)
	if err != nil {
		return d, err
	}
	err = s.round(kind, &d, maxDigits)
	return d, err
}
