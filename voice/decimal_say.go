package voice

// Decimal says a number in decimal text: "21.5" is "veintiuno coma cinco", or
// "punto" where the country writes a point (OLE 2010, VIII 2.2.1.2). The text is
// what a program writes, with a point and without grouping, in every country.
// Two decimals are said as a number ("coma veinticinco"), those that start
// with zero and longer ones digit by digit ("coma cero cinco"). Every digit
// given is said. Fails with [ErrSyntax], or [ErrRange] from 10^36 on and beyond
// 36 decimals.
func (s *Speaker) Decimal(text string) (string, error) {
	var buf [stackText]byte
	return spoken(s.AppendDecimal(buf[:0], text))
}

// AppendDecimal appends what [Speaker.Decimal] says. On error dst is returned
// as it was.
func (s *Speaker) AppendDecimal(dst []byte, text string) ([]byte, error) {
	d, err := parseDecimal("decimal", text)
	if err != nil {
		return dst, err
	}
	return s.appendDecimal(dst, &d, Masculine), nil
}

// appendDecimal appends the sign, the whole part in form f, and the decimals.
// The whole part agrees in gender with what is counted ("una coma cinco horas")
// and is never shortened before the mark ("uno coma cinco litros").
func (s *Speaker) appendDecimal(dst []byte, d *decimal, f Form) []byte {
	if d.negative {
		dst = append(dst, "menos "...)
	}
	if d.frac > 0 {
		f &= Feminine
	}
	var buf [maxDigits / 6]uint32
	dst = appendGroups(dst, d.groups(&buf), f)
	if d.frac == 0 {
		return dst
	}
	if s.rules().decimal == '.' {
		dst = append(dst, " punto"...)
	} else {
		dst = append(dst, " coma"...)
	}
	decimals := d.decimals()
	if len(decimals) == 2 && decimals[0] != 0 {
		dst = append(dst, ' ')
		return appendHundreds(dst, uint32(decimals[0])*10+uint32(decimals[1]), Masculine)
	}
	for _, digit := range decimals {
		dst = append(dst, ' ')
		dst = appendHundreds(dst, uint32(digit), Masculine)
	}
	return dst
}
