package voice

import (
	"slices"
	"strings"
	"testing"
)

// The scanners read the start of a longer text: what they leave is what these
// tests are about.

func TestScanNumeral(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text    string
		country Country
		value   string // empty: no number
		rest    string
		lone    bool
	}{
		{"1234 pesos", CO, "1234", " pesos", false},
		{"89.900.", CO, "89900", ".", true},
		{"89.900, y", MX, "89.900", ", y", true},
		{"1.234.567,89.", MX, "1234567.89", ".", false},
		{"1,234.5.", CO, "1234.5", ".", false},
		{"0.125%", CO, "0.125", "%", false},
		{"12,5km", MX, "12.5", "km", false},
		{"1'234.567,", CO, "1234567", ",", true},
		{"1\u202f234 567", CO, "1234", " 567", false},
		{"25 000", CO, "25", " 000", false},
		{"10-12", CO, "10", "-12", false},
		{"007", CO, "7", "", false},
		{"1.23.4 ", CO, "", " ", false},
		{"2026,09,03", CO, "", "", false},
		{strings.Repeat("9", 37) + "x", CO, "", "x", false},
		{"x", CO, "", "x", false},
		{"", CO, "", "", false},
	}
	for _, test := range tests {
		n, ok := scanNumeral(test.text, profileOf(test.country))
		value := ""
		if ok {
			value = string(n.value.appendText(nil))
		}
		if value != test.value || test.text[n.width:] != test.rest || n.lone != test.lone {
			t.Errorf("scanNumeral(%q, %s) = %q, rest %q, lone %v; want %q, rest %q, lone %v",
				test.text, test.country, value, test.text[n.width:], n.lone, test.value, test.rest, test.lone)
		}
	}
}

func TestScanAmount(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text     string
		country  Country
		value    string // empty: no amount
		currency string
		rest     string
		named    bool
		doubtful bool
	}{
		{"$ 89.900, gracias", CO, "89900", "COP", ", gracias", true, false},
		{"$89.900.", MX, "89.900", "MXN", ".", true, true},
		{"$ 500 de más", "", "500", "", " de más", true, false},
		{"500 de pesos", CO, "500", "COP", "", true, false},
		{"500 de más", CO, "500", "COP", " de más", false, false},
		{"21 días", CO, "21", "COP", " días", false, false},
		{"5 mil pesos y", CO, "5000", "COP", " y", true, false},
		{"5 milanos", CO, "5", "COP", " milanos", false, false},
		{"10 M.N. o más", MX, "10", "MXN", " o más", true, false},
		{"10 M2", MX, "10", "MXN", " M2", false, false},
		{"-US$ 5,50)", CO, "-5.50", "USD", ")", true, false},
		{"$5 EUR", CO, "5", "", "", true, false},
		{"$5 pesos", EC, "5", "", "", true, false},
		{"$5 pesos", "", "5", "", "", true, false},
		{"$5 pesos colombianos", "", "5", "COP", "", true, false},
		{"MXN 5 $", "", "5", "MXN", "", true, false},
		{"5 $", "", "5", "", "", true, false},
		{"1 sol.", PE, "1", "PEN", ".", true, false},
		{"1 soldado", PE, "1", "PEN", " soldado", false, false},
		{"COP", CO, "", "", "", false, false},
		{"$ -", CO, "", "", "", false, false},
	}
	for _, test := range tests {
		s := test.country.With()
		a, width, ok := s.scanAmount(test.text)
		value, rest := "", ""
		if ok {
			value, rest = string(a.value.appendText(nil)), test.text[width:]
		}
		if value != test.value || a.currency != test.currency || rest != test.rest || a.named != test.named || a.doubtful != test.doubtful {
			t.Errorf("scanAmount(%q, %s) = %q %+v, rest %q; want %+v", test.text, test.country, value, a, rest, test)
		}
	}
}

func TestScanUnit(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, singular, rest string }{
		{"km/h.", "kilómetro por hora", "."},
		{"km de", "kilómetro", " de"},
		{"m², ", "metro cuadrado", ", "},
		{"mm", "milímetro", ""},
		{"mañana", "", "mañana"},
		{"h30", "", "h30"},
		{"", "", ""},
	} {
		noun, width := scanUnit(test.text)
		if noun.Singular != test.singular || test.text[width:] != test.rest {
			t.Errorf("scanUnit(%q) = %q, rest %q; want %q, rest %q", test.text, noun.Singular, test.text[width:], test.singular, test.rest)
		}
	}
	for symbol := range units {
		if len(symbol) > maxSymbol {
			t.Errorf("%q is longer than maxSymbol", symbol)
		}
	}
}

func TestTablesInOrder(t *testing.T) {
	t.Parallel()
	if !slices.IsSortedFunc(currencies[:], func(a, b currency) int { return strings.Compare(a.code, b.code) }) {
		t.Error("currencies are not sorted by code, as findCurrency needs")
	}
	for i, long := range symbols {
		for _, short := range symbols[:i] {
			if strings.HasPrefix(long.text, short.text) && (short.only == "" || short.only == long.only) {
				t.Errorf("symbol %q hides %q, which comes after it", short.text, long.text)
			}
		}
	}
}
