package voice

// Money is [Speaker.Money] in neutral Latin American Spanish.
func Money(amount, currency string) (string, error) {
	var s Speaker
	return s.Money(amount, currency)
}

// AppendMoney is [Speaker.AppendMoney] in neutral Latin American Spanish.
func AppendMoney(dst []byte, amount, currency string) ([]byte, error) {
	var s Speaker
	return s.AppendMoney(dst, amount, currency)
}

// MoneyMinor is [Speaker.MoneyMinor] in neutral Latin American Spanish.
func MoneyMinor(units int64, currency string) (string, error) {
	var s Speaker
	return s.MoneyMinor(units, currency)
}

// AppendMoneyMinor is [Speaker.AppendMoneyMinor] in neutral Latin American Spanish.
func AppendMoneyMinor(dst []byte, units int64, currency string) ([]byte, error) {
	var s Speaker
	return s.AppendMoneyMinor(dst, units, currency)
}

// MoneyRange is [Speaker.MoneyRange] in neutral Latin American Spanish.
func MoneyRange(lo, hi, currency string) (string, error) {
	var s Speaker
	return s.MoneyRange(lo, hi, currency)
}

// AppendMoneyRange is [Speaker.AppendMoneyRange] in neutral Latin American Spanish.
func AppendMoneyRange(dst []byte, lo, hi, currency string) ([]byte, error) {
	var s Speaker
	return s.AppendMoneyRange(dst, lo, hi, currency)
}

// ParseMoney is [Speaker.ParseMoney] in neutral Latin American Spanish.
func ParseMoney(written string) (Amount, error) {
	var s Speaker
	return s.ParseMoney(written)
}

// SayMoney is [Speaker.SayMoney] in neutral Latin American Spanish.
func SayMoney(written string) (string, error) {
	var s Speaker
	return s.SayMoney(written)
}

// AppendSayMoney is [Speaker.AppendSayMoney] in neutral Latin American Spanish.
func AppendSayMoney(dst []byte, written string) ([]byte, error) {
	var s Speaker
	return s.AppendSayMoney(dst, written)
}
