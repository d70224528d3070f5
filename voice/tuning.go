package voice

import "strings"

// tuning holds what options change; its zero value is the documented default.
type tuning struct {
	numberTuning
	timeTuning
	digitTuning
	textTuning
}

// numberTuning is set by the options of numbers and money.
type numberTuning struct {
	rounding   Rounding
	wholeUnits bool
	longNames  bool
	fromTo     bool
	tender     string // replaces that of the profile, and its "$"
}

// LongNames completes the names of currencies: "pesos colombianos", "dólares
// estadounidenses". Default: "pesos", "dólares".
func LongNames() Option { return func(s *Speaker) { s.longNames = true } }

// Tender sets the currency, an ISO 4217 code, of written amounts that name none
// and of a bare "$". Default: those of the country.
func Tender(currency string) Option {
	currency = strings.ToUpper(currency)
	return func(s *Speaker) { s.tender = currency }
}

// FromTo says ranges as "de diez a doce" instead of "entre diez y doce".
func FromTo() Option { return func(s *Speaker) { s.fromTo = true } }
