package voice

// Digits is [Speaker.Digits] in neutral Latin American Spanish.
func Digits(text string, group ...int) (string, error) {
	var s Speaker
	return s.Digits(text, group...)
}

// AppendDigits is [Speaker.AppendDigits] in neutral Latin American Spanish.
func AppendDigits(dst []byte, text string, group ...int) ([]byte, error) {
	var s Speaker
	return s.AppendDigits(dst, text, group...)
}

// Pairs is [Speaker.Pairs] in neutral Latin American Spanish.
func Pairs(text string) (string, error) {
	var s Speaker
	return s.Pairs(text)
}

// AppendPairs is [Speaker.AppendPairs] in neutral Latin American Spanish.
func AppendPairs(dst []byte, text string) ([]byte, error) {
	var s Speaker
	return s.AppendPairs(dst, text)
}

// Phone is [Speaker.Phone] in neutral Latin American Spanish.
func Phone(text string) (string, error) {
	var s Speaker
	return s.Phone(text)
}

// AppendPhone is [Speaker.AppendPhone] in neutral Latin American Spanish.
func AppendPhone(dst []byte, text string) ([]byte, error) {
	var s Speaker
	return s.AppendPhone(dst, text)
}

// Code is [Speaker.Code] in neutral Latin American Spanish.
func Code(text string) (string, error) {
	var s Speaker
	return s.Code(text)
}

// AppendCode is [Speaker.AppendCode] in neutral Latin American Spanish.
func AppendCode(dst []byte, text string) ([]byte, error) {
	var s Speaker
	return s.AppendCode(dst, text)
}

// Spell is [Speaker.Spell] in neutral Latin American Spanish.
func Spell(text string) string {
	var s Speaker
	return s.Spell(text)
}

// AppendSpell is [Speaker.AppendSpell] in neutral Latin American Spanish.
func AppendSpell(dst []byte, text string) []byte {
	var s Speaker
	return s.AppendSpell(dst, text)
}

// Document is [Speaker.Document] in neutral Latin American Spanish.
func Document(kind DocumentKind, text string) (string, error) {
	var s Speaker
	return s.Document(kind, text)
}

// AppendDocument is [Speaker.AppendDocument] in neutral Latin American Spanish.
func AppendDocument(dst []byte, kind DocumentKind, text string) ([]byte, error) {
	var s Speaker
	return s.AppendDocument(dst, kind, text)
}

// Masked is [Speaker.Masked] in neutral Latin American Spanish.
func Masked(text string, show int, form ...Form) (string, error) {
	var s Speaker
	return s.Masked(text, show, form...)
}

// AppendMasked is [Speaker.AppendMasked] in neutral Latin American Spanish.
func AppendMasked(dst []byte, text string, show int, form ...Form) ([]byte, error) {
	var s Speaker
	return s.AppendMasked(dst, text, show, form...)
}
