package voice

import "math/big"

// stackText is the size of the buffers in which texts are built before they
// become strings; longer ones move to the heap.
const stackText = 160

// spoken turns the result of an Append function into that of its string form.
func spoken(text []byte, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return string(text), nil
}

// Int says n in words, on the long scale: 21 is "veintiuno", 1000 "mil", 10^9
// "mil millones", 10^12 "un billón", -5 "menos cinco". It stands alone in the
// masculine unless forms say otherwise; before a noun use [Speaker.Count],
// which also knows plurals and the "de" of "un millón de personas".
func (s *Speaker) Int(n int64, form ...Form) string {
	var buf [stackText]byte
	return string(s.AppendInt(buf[:0], n, form...))
}

// AppendInt appends what [Speaker.Int] says.
func (s *Speaker) AppendInt(dst []byte, n int64, form ...Form) []byte {
	return appendInt(dst, n, foldForms(form))
}

func appendInt(dst []byte, n int64, f Form) []byte {
	size := uint64(n)
	if n < 0 {
		dst = append(dst, "menos "...)
		size = -size
	}
	return appendCardinal(dst, size, f)
}

// Uint is [Speaker.Int] for unsigned numbers.
func (s *Speaker) Uint(n uint64, form ...Form) string {
	var buf [stackText]byte
	return string(s.AppendUint(buf[:0], n, form...))
}

// AppendUint appends what [Speaker.Uint] says.
func (s *Speaker) AppendUint(dst []byte, n uint64, form ...Form) []byte {
	return appendCardinal(dst, n, foldForms(form))
}

// Big is [Speaker.Int] for big numbers. It fails with [ErrRange] from 10^36 on
// and with [ErrSyntax] for nil.
func (s *Speaker) Big(n *big.Int, form ...Form) (string, error) {
	var buf [stackText]byte
	return spoken(s.AppendBig(buf[:0], n, form...))
}

// AppendBig appends what [Speaker.Big] says. On error dst is returned as it
// was.
func (s *Speaker) AppendBig(dst []byte, n *big.Int, form ...Form) ([]byte, error) {
	const bits = 120 // 2^120 is the first power of two above 10^36
	if n != nil && n.BitLen() > bits {
		return dst, parseError("number", "over 120 bits", ErrRange)
	}
	var buf [maxDigits + 2]byte
	return s.AppendNumber(dst, string(n.Append(buf[:0], 10)), form...)
}

// Number says an integer or a number with decimals given as text, such as a
// json.Number: "-21" is "menos veintiuno". Text and errors are those of
// [Speaker.Decimal]. Decimals keep the gender of the forms and ignore
// BeforeNoun.
func (s *Speaker) Number(text string, form ...Form) (string, error) {
	var buf [stackText]byte
	return spoken(s.AppendNumber(buf[:0], text, form...))
}

// AppendNumber appends what [Speaker.Number] says. On error dst is returned as
// it was.
func (s *Speaker) AppendNumber(dst []byte, text string, form ...Form) ([]byte, error) {
	d, err := parseDecimal("number", text)
	if err != nil {
		return dst, err
	}
	return s.appendDecimal(dst, &d, foldForms(form)), nil
}

// Year says a year: 1991 is "mil novecientos noventa y uno". Negative years
// are said as historians count them: -44 is "cuarenta y cuatro antes de Cristo".
func (s *Speaker) Year(year int) string {
	var buf [stackText]byte
	return string(s.AppendYear(buf[:0], year))
}

// AppendYear appends what [Speaker.Year] says.
func (s *Speaker) AppendYear(dst []byte, year int) []byte {
	if year < 0 {
		dst = appendCardinal(dst, -uint64(int64(year)), Masculine)
		return append(dst, " antes de Cristo"...)
	}
	return appendCardinal(dst, uint64(year), Masculine)
}
