package voice

// Percent says a percentage given as decimal text: "21" is "veintiuno por
// ciento", never "veintiún por ciento", since uno is shortened only before the
// noun it counts (RAE, "veintiuno por ciento"). Text and errors are those of
// [Speaker.Decimal].
func (s *Speaker) Percent(text string) (string, error) {
	var buf [stackText]byte
	return spoken(s.AppendPercent(buf[:0], text))
}

// AppendPercent appends what [Speaker.Percent] says. On error dst is returned
// as it was.
func (s *Speaker) AppendPercent(dst []byte, text string) ([]byte, error) {
	d, err := parseDecimal("percentage", text)
	if err != nil {
		return dst, err
	}
	return s.appendPercent(dst, &d), nil
}

func (s *Speaker) appendPercent(dst []byte, d *decimal) []byte {
	return append(s.appendDecimal(dst, d, Masculine), " por ciento"...)
}
