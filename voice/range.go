package voice

// Range says the numbers from lo to hi, given as decimal text: "entre diez y
// doce", or "de diez a doce" with [FromTo]. It fails as [Speaker.Decimal] does,
// and with [ErrRange] when lo is above hi. Equal bounds are said once.
//
// When both bounds are thousands, or both the same millions, the scale is said
// once, as in speech: "entre diez y doce mil", "entre dos y tres millones".
func (s *Speaker) Range(lo, hi string, form ...Form) (string, error) {
	var buf [stackText]byte
	return spoken(s.AppendRange(buf[:0], lo, hi, form...))
}

// AppendRange appends what [Speaker.Range] says. On error dst is returned as it
// was.
func (s *Speaker) AppendRange(dst []byte, lo, hi string, form ...Form) ([]byte, error) {
	f := foldForms(form)
	low, high, err := s.parseBounds(lo, hi)
	if err != nil {
		return dst, err
	}
	if low.compare(&high) < 0 {
		dst = s.appendLow(dst, &low, &high, f)
	}
	return s.appendDecimal(dst, &high, f), nil
}

// QuantityRange says a range of a unit, as in [Speaker.Range] and
// [Speaker.Quantity]: "entre diez y doce kilómetros", "entre cinco y diez por
// ciento".
func (s *Speaker) QuantityRange(lo, hi, unit string) (string, error) {
	var buf [stackText]byte
	return spoken(s.AppendQuantityRange(buf[:0], lo, hi, unit))
}

// AppendQuantityRange appends what [Speaker.QuantityRange] says. On error dst
// is returned as it was.
func (s *Speaker) AppendQuantityRange(dst []byte, lo, hi, unit string) ([]byte, error) {
	noun, ok := units[unit]
	if !ok && unit != percentSign {
		return dst, parseError("unit", unit, ErrUnknown)
	}
	low, high, err := s.parseBounds(lo, hi)
	if err != nil {
		return dst, err
	}
	if low.compare(&high) < 0 {
		dst = s.appendLow(dst, &low, &high, noun.form())
	}
	if unit == percentSign {
		return s.appendPercent(dst, &high), nil
	}
	return s.appendQuantity(dst, &high, &noun), nil
}

// parseBounds reads both ends of a range, rounded as the options say.
func (s *Speaker) parseBounds(lo, hi string) (low, high decimal, err error) {
	if low, err = s.parseQuantity("range", lo); err != nil {
		return low, high, err
	}
	if high, err = s.parseQuantity("range", hi); err != nil {
		return low, high, err
	}
	if low.compare(&high) > 0 {
		err = parseError("range", lo+" to "+hi, ErrRange)
	}
	return low, high, err
}

// appendLow appends everything before the upper bound. The lower one stands
// apart from the noun, so that it agrees and is not shortened: "entre una y dos
// horas", "entre veintiuno y treinta días".
func (s *Speaker) appendLow(dst []byte, low, high *decimal, f Form) []byte {
	short := *low
	short.whole -= sharedScale(low, high)
	dst = append(dst, s.rangeLead()...)
	dst = s.appendDecimal(dst, &short, f&Feminine)
	return append(dst, s.rangeLink()...)
}

func (s *Speaker) rangeLead() string {
	if s.fromTo {
		return "de "
	}
	return "entre "
}

func (s *Speaker) rangeLink() string {
	if s.fromTo {
		return " a "
	}
	return " y "
}

// sharedScale returns how many zeros of low go without saying, because high
// ends in the same "mil" or "millones". A low bound in uno keeps its own:
// "entre un millón y dos millones".
func sharedScale(low, high *decimal) int {
	if low.frac > 0 || high.frac > 0 || low.negative {
		return 0
	}
	for zeros := 3; zeros < maxDigits; zeros = (zeros + 6) / 6 * 6 {
		kept := low.whole - zeros
		if kept < 1 || kept > 3 || high.whole-zeros > 3 || low.zeros() < zeros || high.zeros() < zeros {
			continue
		}
		if low.digits[kept-1] == 1 && (kept == 1 || low.digits[kept-2] != 1) {
			return 0
		}
		return zeros
	}
	return 0
}
