package voice

import "math/big"

// Int is [Speaker.Int] with the country's rules.
func (c Country) Int(n int64, form ...Form) string {
	s := c.speaker()
	return s.Int(n, form...)
}

// AppendInt is [Speaker.AppendInt] with the country's rules.
func (c Country) AppendInt(dst []byte, n int64, form ...Form) []byte {
	s := c.speaker()
	return s.AppendInt(dst, n, form...)
}

// Uint is [Speaker.Uint] with the country's rules.
func (c Country) Uint(n uint64, form ...Form) string {
	s := c.speaker()
	return s.Uint(n, form...)
}

// AppendUint is [Speaker.AppendUint] with the country's rules.
func (c Country) AppendUint(dst []byte, n uint64, form ...Form) []byte {
	s := c.speaker()
	return s.AppendUint(dst, n, form...)
}

// Big is [Speaker.Big] with the country's rules.
func (c Country) Big(n *big.Int, form ...Form) (string, error) {
	s := c.speaker()
	return s.Big(n, form...)
}

// AppendBig is [Speaker.AppendBig] with the country's rules.
func (c Country) AppendBig(dst []byte, n *big.Int, form ...Form) ([]byte, error) {
	s := c.speaker()
	return s.AppendBig(dst, n, form...)
}

// Number is [Speaker.Number] with the country's rules.
func (c Country) Number(text string, form ...Form) (string, error) {
	s := c.speaker()
	return s.Number(text, form...)
}

// AppendNumber is [Speaker.AppendNumber] with the country's rules.
func (c Country) AppendNumber(dst []byte, text string, form ...Form) ([]byte, error) {
	s := c.speaker()
	return s.AppendNumber(dst, text, form...)
}

// Count is [Speaker.Count] with the country's rules.
func (c Country) Count(n int64, noun Noun) string {
	s := c.speaker()
	return s.Count(n, noun)
}

// AppendCount is [Speaker.AppendCount] with the country's rules.
func (c Country) AppendCount(dst []byte, n int64, noun Noun) []byte {
	s := c.speaker()
	return s.AppendCount(dst, n, noun)
}

// Ordinal is [Speaker.Ordinal] with the country's rules.
func (c Country) Ordinal(n int64, form ...Form) string {
	s := c.speaker()
	return s.Ordinal(n, form...)
}

// AppendOrdinal is [Speaker.AppendOrdinal] with the country's rules.
func (c Country) AppendOrdinal(dst []byte, n int64, form ...Form) []byte {
	s := c.speaker()
	return s.AppendOrdinal(dst, n, form...)
}

// Year is [Speaker.Year] with the country's rules.
func (c Country) Year(year int) string {
	s := c.speaker()
	return s.Year(year)
}

// AppendYear is [Speaker.AppendYear] with the country's rules.
func (c Country) AppendYear(dst []byte, year int) []byte {
	s := c.speaker()
	return s.AppendYear(dst, year)
}

// Decimal is [Speaker.Decimal] with the country's rules.
func (c Country) Decimal(text string) (string, error) {
	s := c.speaker()
	return s.Decimal(text)
}

// AppendDecimal is [Speaker.AppendDecimal] with the country's rules.
func (c Country) AppendDecimal(dst []byte, text string) ([]byte, error) {
	s := c.speaker()
	return s.AppendDecimal(dst, text)
}

// Percent is [Speaker.Percent] with the country's rules.
func (c Country) Percent(text string) (string, error) {
	s := c.speaker()
	return s.Percent(text)
}

// AppendPercent is [Speaker.AppendPercent] with the country's rules.
func (c Country) AppendPercent(dst []byte, text string) ([]byte, error) {
	s := c.speaker()
	return s.AppendPercent(dst, text)
}

// Quantity is [Speaker.Quantity] with the country's rules.
func (c Country) Quantity(amount, unit string) (string, error) {
	s := c.speaker()
	return s.Quantity(amount, unit)
}

// AppendQuantity is [Speaker.AppendQuantity] with the country's rules.
func (c Country) AppendQuantity(dst []byte, amount, unit string) ([]byte, error) {
	s := c.speaker()
	return s.AppendQuantity(dst, amount, unit)
}

// Range is [Speaker.Range] with the country's rules.
func (c Country) Range(lo, hi string, form ...Form) (string, error) {
	s := c.speaker()
	return s.Range(lo, hi, form...)
}

// AppendRange is [Speaker.AppendRange] with the country's rules.
func (c Country) AppendRange(dst []byte, lo, hi string, form ...Form) ([]byte, error) {
	s := c.speaker()
	return s.AppendRange(dst, lo, hi, form...)
}

// QuantityRange is [Speaker.QuantityRange] with the country's rules.
func (c Country) QuantityRange(lo, hi, unit string) (string, error) {
	s := c.speaker()
	return s.QuantityRange(lo, hi, unit)
}

// AppendQuantityRange is [Speaker.AppendQuantityRange] with the country's rules.
func (c Country) AppendQuantityRange(dst []byte, lo, hi, unit string) ([]byte, error) {
	s := c.speaker()
	return s.AppendQuantityRange(dst, lo, hi, unit)
}
