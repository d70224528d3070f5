package voice

import "slices"

// currency is how a currency of ISO 4217 is spoken. Names, genders and plurals
// are those of CLDR 48 (es, es_419).
type currency struct {
	code      string
	one, many string
	// ofOne and ofMany complete the long name: peso colombiano, pesos
	// colombianos. Empty when the noun names no other currency.
	ofOne, ofMany string
	feminine      bool
	// shared says that the noun alone would be taken for a better known
	// currency, so that it is always completed: dólares canadienses.
	shared bool
	// places is the number of decimals in ISO 4217.
	places int
	minor  minorUnit
}

// minorUnit indexes minorUnits.
type minorUnit uint8

const (
	noMinor minorUnit = iota // none in use: decimals are read as decimals
	centavo
	centimo
	centesimo
	penique
)

// minorUnits are all masculine.
var minorUnits = [...]Noun{
	noMinor:   {},
	centavo:   {Singular: "centavo", Plural: "centavos"},
	centimo:   {Singular: "céntimo", Plural: "céntimos"},
	centesimo: {Singular: "centésimo", Plural: "centésimos"},
	penique:   {Singular: "penique", Plural: "peniques"},
}

// findCurrency looks a code up, in any case. Codes that have no entry here, and
// everything that is no code, give nil.
func findCurrency(code string) *currency {
	if len(code) != 3 {
		return nil
	}
	i, found := slices.BinarySearchFunc(currencies[:], code, func(c currency, code string) int {
		return compareFold(c.code, code)
	})
	if !found {
		return nil
	}
	return &currencies[i]
}

// compareFold compares an upper-case code with one in any case.
func compareFold(upper, s string) int {
	for i := range len(upper) {
		if diff := int(upper[i]) - int(upperASCII(s[i])); diff != 0 {
			return diff
		}
	}
	return 0
}

func upperASCII(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}
