package voice_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/portavoz/portavoz/voice"
)

func FuzzDigits(f *testing.F) {
	f.Add("482193", 3)
	f.Add("12-34", 0)
	f.Add("1a", -1)
	f.Fuzz(func(t *testing.T, text string, size int) {
		got, err := voice.CO.Digits(text)
		checkSpoken(t, "Digits", text, got, err)
		if err == nil && heard(got) != digitsOf(text) {
			t.Errorf("Digits(%q) = %q", text, got)
		}
		got, err = voice.CO.Digits(text, size)
		checkSpoken(t, "Digits in groups", text, got, err)
		if err == nil && heard(got) != digitsOf(text) {
			t.Errorf("Digits(%q, %d) = %q", text, size, got)
		}
		got, err = voice.CO.Pairs(text)
		checkSpoken(t, "Pairs", text, got, err)
	})
}

func FuzzPhone(f *testing.F) {
	for _, c := range countries {
		for _, number := range phones[c] {
			f.Add(string(c), number)
		}
	}
	f.Add("AR", "+540")
	f.Add("CO", "01800")
	f.Fuzz(func(t *testing.T, country, text string) {
		c := voice.Country(country)
		got, err := c.Phone(text)
		checkSpoken(t, "Phone", text, got, err)
		got, err = c.With(voice.International()).Phone(text)
		checkSpoken(t, "Phone abroad", text, got, err)
		legacy := strings.HasPrefix(digitsOf(text), "521") || strings.Contains(text, "(0)")
		if err == nil && !legacy && heard(got) != digitsOf(text) {
			t.Errorf("%s.Phone(%q) = %q", c, text, got)
		}
	})
}

func FuzzSpell(f *testing.F) {
	for _, seed := range []string{"ABC 123", "Bogotá", "n\u0303", "juan@ejemplo.com", "\xff", "aB-3", " "} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := voice.MX.Spell(text)
		if got != "" {
			checkSpoken(t, "Spell", text, got, nil)
		} else if strings.ContainsFunc(text, unicode.IsLetter) {
			t.Errorf("Spell(%q) is empty", text)
		}
		got, err := voice.MX.Code(text)
		checkSpoken(t, "Code", text, got, err)
	})
}

func FuzzDocument(f *testing.F) {
	f.Add("nit", "900.123.456-7")
	f.Add("rfc", "Ñ&V010203AB9")
	f.Add("curp", "GODE561231HVZRRN09")
	f.Add("cedula", "V-12345678")
	f.Add("rut", "12.345.678-K")
	f.Add("placa", "ABC-12D")
	f.Fuzz(func(t *testing.T, kind, text string) {
		got, err := voice.CO.Document(voice.DocumentKind(kind), text)
		checkSpoken(t, "Document", text, got, err)
		if err == nil && heard(got) != digitsOf(text) {
			t.Errorf("Document(%s, %q) = %q", kind, text, got)
		}
	})
}

func FuzzMasked(f *testing.F) {
	f.Add("4111 1111 1111 4821", 4)
	f.Add("**** 4821", 4)
	f.Add("4821", 4)
	f.Fuzz(func(t *testing.T, text string, show int) {
		got, err := voice.CO.Masked(text, show)
		checkSpoken(t, "Masked", text, got, err)
		if words := len(strings.Fields(got)); err == nil && len(heard(got)) > show {
			t.Errorf("Masked(%q, %d) = %q: %d words", text, show, got, words)
		}
	})
}
