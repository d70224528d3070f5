package voice

// Digits is [Speaker.Digits] with the country's rules.
func (c Country) Digits(text string, group ...int) (string, error) {
	s := c.speaker()
	return s.Digits(text, group...)
}

// AppendDigits is [Speaker.AppendDigits] with the country's rules.
func (c Country) AppendDigits(dst []byte, text string, group ...int) ([]byte, error) {
	s := c.speaker()
	return s.AppendDigits(dst, text, group...)
}

// Pairs is [Speaker.Pairs] with the country's rules.
func (c Country) Pairs(text string) (string, error) {
	s := c.speaker()
	return s.Pairs(text)
}

// AppendPairs is [Speaker.AppendPairs] with the country's rules.
func (c Country) AppendPairs(dst []byte, text string) ([]byte, error) {
	s := c.speaker()
	return s.AppendPairs(dst, text)
}

// Phone is [Speaker.Phone] with the country's rules.
func (c Country) Phone(text string) (string, error) {
	s := c.speaker()
	return s.Phone(text)
}

// AppendPhone is [Speaker.AppendPhone] with the country's rules.
func (c Country) AppendPhone(dst []byte, text string) ([]byte, error) {
	s := c.speaker()
	return s.AppendPhone(dst, text)
}

// Code is [Speaker.Code] with the country's rules.
func (c Country) Code(text string) (string, error) {
	s := c.speaker()
	return s.Code(text)
}

// AppendCode is [Speaker.AppendCode] with the country's rules.
func (c Country) AppendCode(dst []byte, text string) ([]byte, error) {
	s := c.speaker()
	return s.AppendCode(dst, text)
}

// Spell is [Speaker.Spell] with the country's rules.
func (c Country) Spell(text string) string {
	s := c.speaker()
	return s.Spell(text)
}

// AppendSpell is [Speaker.AppendSpell] with the country's rules.
func (c Country) AppendSpell(dst []byte, text string) []byte {
	s := c.speaker()
	return s.AppendSpell(dst, text)
}

// Document is [Speaker.Document] with the country's rules.
func (c Country) Document(kind DocumentKind, text string) (string, error) {
	s := c.speaker()
	return s.Document(kind, text)
}

// AppendDocument is [Speaker.AppendDocument] with the country's rules.
func (c Country) AppendDocument(dst []byte, kind DocumentKind, text string) ([]byte, error) {
	s := c.speaker()
	return s.AppendDocument(dst, kind, text)
}

// Masked is [Speaker.Masked] with the country's rules.
func (c Country) Masked(text string, show int, form ...Form) (string, error) {
	s := c.speaker()
	return s.Masked(text, show, form...)
}

// AppendMasked is [Speaker.AppendMasked] with the country's rules.
func (c Country) AppendMasked(dst []byte, text string, show int, form ...Form) ([]byte, error) {
	s := c.speaker()
	return s.AppendMasked(dst, text, show, form...)
}
