package voice

import "math/big"

// Int is [Speaker.Int] in neutral Latin American Spanish.
func Int(n int64, form ...Form) string {
	var s Speaker
	return s.Int(n, form...)
}

// AppendInt is [Speaker.AppendInt] in neutral Latin American Spanish.
func AppendInt(dst []byte, n int64, form ...Form) []byte {
	var s Speaker
	return s.AppendInt(dst, n, form...)
}

// Uint is [Speaker.Uint] in neutral Latin American Spanish.
func Uint(n uint64, form ...Form) string {
	var s Speaker
	return s.Uint(n, form...)
}

// AppendUint is [Speaker.AppendUint] in neutral Latin American Spanish.
func AppendUint(dst []byte, n uint64, form ...Form) []byte {
	var s Speaker
	return s.AppendUint(dst, n, form...)
}

// Big is [Speaker.Big] in neutral Latin American Spanish.
func Big(n *big.Int, form ...Form) (string, error) {
	var s Speaker
	return s.Big(n, form...)
}

// AppendBig is [Speaker.AppendBig] in neutral Latin American Spanish.
func AppendBig(dst []byte, n *big.Int, form ...Form) ([]byte, error) {
	var s Speaker
	return s.AppendBig(dst, n, form...)
}

// Number is [Speaker.Number] in neutral Latin American Spanish.
func Number(text string, form ...Form) (string, error) {
	var s Speaker
	return s.Number(text, form...)
}

// AppendNumber is [Speaker.AppendNumber] in neutral Latin American Spanish.
func AppendNumber(dst []byte, text string, form ...Form) ([]byte, error) {
	var s Speaker
	return s.AppendNumber(dst, text, form...)
}

// Count is [Speaker.Count] in neutral Latin American Spanish.
func Count(n int64, noun Noun) string {
	var s Speaker
	return s.Count(n, noun)
}

// AppendCount is [Speaker.AppendCount] in neutral Latin American Spanish.
func AppendCount(dst []byte, n int64, noun Noun) []byte {
	var s Speaker
	return s.AppendCount(dst, n, noun)
}

// Ordinal is [Speaker.Ordinal] in neutral Latin American Spanish.
func Ordinal(n int64, form ...Form) string {
	var s Speaker
	return s.Ordinal(n, form...)
}

// AppendOrdinal is [Speaker.AppendOrdinal] in neutral Latin American Spanish.
func AppendOrdinal(dst []byte, n int64, form ...Form) []byte {
	var s Speaker
	return s.AppendOrdinal(dst, n, form...)
}

// Year is [Speaker.Year] in neutral Latin American Spanish.
func Year(year int) string {
	var s Speaker
	return s.Year(year)
}

// AppendYear is [Speaker.AppendYear] in neutral Latin American Spanish.
func AppendYear(dst []byte, year int) []byte {
	var s Speaker
	return s.AppendYear(dst, year)
}

// Decimal is [Speaker.Decimal] in neutral Latin American Spanish.
func Decimal(text string) (string, error) {
	var s Speaker
	return s.Decimal(text)
}

// AppendDecimal is [Speaker.AppendDecimal] in neutral Latin American Spanish.
func AppendDecimal(dst []byte, text string) ([]byte, error) {
	var s Speaker
	return s.AppendDecimal(dst, text)
}

// Percent is [Speaker.Percent] in neutral Latin American Spanish.
func Percent(text string) (string, error) {
	var s Speaker
	return s.Percent(text)
}

// AppendPercent is [Speaker.AppendPercent] in neutral Latin American Spanish.
func AppendPercent(dst []byte, text string) ([]byte, error) {
	var s Speaker
	return s.AppendPercent(dst, text)
}

// Quantity is [Speaker.Quantity] in neutral Latin American Spanish.
func Quantity(amount, unit string) (string, error) {
	var s Speaker
	return s.Quantity(amount, unit)
}

// AppendQuantity is [Speaker.AppendQuantity] in neutral Latin American Spanish.
func AppendQuantity(dst []byte, amount, unit string) ([]byte, error) {
	var s Speaker
	return s.AppendQuantity(dst, amount, unit)
}

// Range is [Speaker.Range] in neutral Latin American Spanish.
func Range(lo, hi string, form ...Form) (string, error) {
	var s Speaker
	return s.Range(lo, hi, form...)
}

// AppendRange is [Speaker.AppendRange] in neutral Latin American Spanish.
func AppendRange(dst []byte, lo, hi string, form ...Form) ([]byte, error) {
	var s Speaker
	return s.AppendRange(dst, lo, hi, form...)
}

// QuantityRange is [Speaker.QuantityRange] in neutral Latin American Spanish.
func QuantityRange(lo, hi, unit string) (string, error) {
	var s Speaker
	return s.QuantityRange(lo, hi, unit)
}

// AppendQuantityRange is [Speaker.AppendQuantityRange] in neutral Latin American Spanish.
func AppendQuantityRange(dst []byte, lo, hi, unit string) ([]byte, error) {
	var s Speaker
	return s.AppendQuantityRange(dst, lo, hi, unit)
}
