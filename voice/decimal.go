package voice

import "strings"

// maxDigits bounds both sides of the decimal mark: numbers below 10^36, the
// last that the names up to quintillón can say.
const maxDigits = 36

// decimal is an exact number of at most maxDigits digits on each side. The
// whole part has no leading zeros, so that it is empty below one; decimals stay
// as they were written. Zero is never negative.
type decimal struct {
	negative    bool
	whole, frac int                   // how many digits
	digits      [2*maxDigits + 1]byte // whole, then frac, as values 0 to 9; one to spare for a carry
}

// parseDecimal reads the form in which programs write: an optional minus (- or
// U+2212), digits, and optionally a point and digits. Leading zeros are fine;
// a plus, exponents, spaces and grouping are not.
func parseDecimal(kind, s string) (decimal, error) {
	var d decimal
	rest, negative := trimMinus(s)
	whole, frac, marked := strings.Cut(rest, ".")
	if whole == "" || marked && frac == "" || !onlyDigits(whole) || !onlyDigits(frac) {
		return d, parseError(kind, s, ErrSyntax)
	}
	if !d.addWhole(whole) || !d.addFrac(frac) {
		return d, parseError(kind, s, ErrRange)
	}
	d.negative = negative && !d.isZero()
	return d, nil
}

// trimMinus removes a leading minus and reports whether there was one.
func trimMinus(s string) (string, bool) {
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		return rest, true
	}
	return strings.CutPrefix(s, "−")
}

func onlyDigits(s string) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return true
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// addWhole appends digits to the whole part, which comes before any decimals,
// and reports whether they fit.
func (d *decimal) addWhole(digits string) bool {
	for i := range len(digits) {
		if digits[i] == '0' && d.whole == 0 {
			continue
		}
		if d.whole == maxDigits {
			return false
		}
		d.digits[d.whole] = digits[i] - '0'
		d.whole++
	}
	return true
}

// addFrac appends decimals and reports whether they fit.
func (d *decimal) addFrac(digits string) bool {
	if d.frac+len(digits) > maxDigits {
		return false
	}
	for i := range len(digits) {
		d.digits[d.whole+d.frac] = digits[i] - '0'
		d.frac++
	}
	return true
}

// decimals returns the digits after the mark, as values.
func (d *decimal) decimals() []byte { return d.digits[d.whole : d.whole+d.frac] }

func (d *decimal) isZero() bool {
	for _, digit := range d.digits[:d.whole+d.frac] {
		if digit != 0 {
			return false
		}
	}
	return true
}

// isOne reports whether the absolute value is the integer 1, written without
// decimals: what takes a noun in the singular.
func (d *decimal) isOne() bool { return d.frac == 0 && d.whole == 1 && d.digits[0] == 1 }

// zeros counts the zeros at the end of the whole part.
func (d *decimal) zeros() int {
	n := 0
	for n < d.whole && d.digits[d.whole-1-n] == 0 {
		n++
	}
	return n
}

// trim drops the zeros at the end of the decimals.
func (d *decimal) trim() {
	for d.frac > 0 && d.digits[d.whole+d.frac-1] == 0 {
		d.frac--
	}
}

// shift multiplies by 10^zeros and reports whether the result fits.
func (d *decimal) shift(zeros int) bool {
	for range zeros {
		if d.whole == maxDigits {
			return false
		}
		if d.frac > 0 {
			d.frac--
		} else {
			d.digits[d.whole] = 0
		}
		d.whole++
	}
	leading := 0
	for leading < d.whole && d.digits[leading] == 0 {
		leading++
	}
	copy(d.digits[:], d.digits[leading:d.whole+d.frac])
	d.whole -= leading
	return true
}

// groups writes the whole part into groups of six digits, least first.
func (d *decimal) groups(buf *[maxDigits / 6]uint32) []uint32 {
	size := max(1, (d.whole+5)/6)
	for i, digit := range d.digits[:d.whole] {
		group := &buf[(d.whole-1-i)/6]
		*group = *group*10 + uint32(digit)
	}
	return buf[:size]
}

// appendText appends the form that parseDecimal reads.
func (d *decimal) appendText(dst []byte) []byte {
	if d.negative {
		dst = append(dst, '-')
	}
	if d.whole == 0 {
		dst = append(dst, '0')
	}
	for _, digit := range d.digits[:d.whole] {
		dst = append(dst, '0'+digit)
	}
	if d.frac == 0 {
		return dst
	}
	dst = append(dst, '.')
	for _, digit := range d.decimals() {
		dst = append(dst, '0'+digit)
	}
	return dst
}

// compare orders two values as cmp.Compare does.
func (d *decimal) compare(e *decimal) int {
	if d.negative != e.negative {
		if d.negative {
			return -1
		}
		return 1
	}
	if d.negative {
		return e.compareSize(d)
	}
	return d.compareSize(e)
}

func (d *decimal) compareSize(e *decimal) int {
	if d.whole != e.whole {
		return d.whole - e.whole
	}
	for i := range d.whole + max(d.frac, e.frac) {
		if diff := int(d.digit(i)) - int(e.digit(i)); diff != 0 {
			return diff
		}
	}
	return 0
}

// digit returns the digit at i, zero beyond the last decimal.
func (d *decimal) digit(i int) byte {
	if i >= d.whole+d.frac {
		return 0
	}
	return d.digits[i]
}
