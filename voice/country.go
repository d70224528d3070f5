package voice

import (
	"fmt"
	"strings"
)

// Country is an ISO 3166-1 alpha-2 code. The zero value is neutral Latin
// American Spanish, and so is every code that is not one of the constants: use
// [ParseCountry] to find out. A country decides how decimals are read and
// spoken, what "$" means, the parts of the day, "primero" or "uno",
// "setiembre", "antier", "cuarto para", the names of letters and the grouping of
// phone numbers.
type Country string

// The countries with rules of their own.
const (
	CO Country = "CO" // Colombia
	MX Country = "MX" // México
	AR Country = "AR" // Argentina
	CL Country = "CL" // Chile
	PE Country = "PE" // Perú
	EC Country = "EC" // Ecuador
	VE Country = "VE" // Venezuela
	UY Country = "UY" // Uruguay
	PY Country = "PY" // Paraguay
	BO Country = "BO" // Bolivia
	CR Country = "CR" // Costa Rica
	PA Country = "PA" // Panamá
	GT Country = "GT" // Guatemala
	HN Country = "HN" // Honduras
	SV Country = "SV" // El Salvador
	NI Country = "NI" // Nicaragua
	DO Country = "DO" // República Dominicana
	PR Country = "PR" // Puerto Rico
	US Country = "US" // Spanish of the United States
	ES Country = "ES" // España
)

// ParseCountry reads a code in any case, with surrounding space. The empty text
// is the neutral country; a code without rules here is an error.
func ParseCountry(s string) (Country, error) {
	c := Country(strings.ToUpper(strings.TrimSpace(s)))
	if profileOf(c).country != c {
		return "", fmt.Errorf("voice: no rules for country %q", s)
	}
	return c, nil
}

// With returns a speaker for the country, tuned by options.
func (c Country) With(opts ...Option) *Speaker {
	s := c.speaker()
	for _, opt := range opts {
		opt(&s)
	}
	return &s
}

func (c Country) speaker() Speaker { return Speaker{profile: profileOf(c)} }
