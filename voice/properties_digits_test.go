package voice_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/voice"
)

var digitWords = []string{"cero", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve"}

// heard writes down the digits of a spelled text, as a listener would.
func heard(text string) string {
	var digits []byte
	for word := range strings.FieldsSeq(strings.ReplaceAll(text, ",", "")) {
		if word == "mil" { // of "ocho mil"
			digits = append(digits, "000"...)
		} else if i := slices.Index(digitWords, word); i >= 0 {
			digits = append(digits, byte('0'+i))
		}
	}
	return string(digits)
}

// digitsOf returns the digits of a text.
func digitsOf(text string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
}

// The listener writes down the number that was given, whatever the pauses.
func TestPhonesAreHeardWhole(t *testing.T) {
	t.Parallel()
	for _, c := range countries {
		for _, number := range phones[c] {
			if strings.HasPrefix(number, "+5215") || strings.Contains(number, "(0)") {
				continue // digits that are not dialled any more, or not from abroad
			}
			got, err := c.With(voice.International()).Phone(number)
			if err != nil {
				t.Errorf("%s: %v", number, err)
				continue
			}
			if heard(got) != digitsOf(number) {
				t.Errorf("%s says %q for %s: heard %s", c, got, number, heard(got))
			}
		}
	}
}

// Grouping never leaves a digit alone at the end, nor more than four together.
func TestPhoneGroups(t *testing.T) {
	t.Parallel()
	const digits = "200000000000000"
	for _, calling := range []string{"1", "7", "34", "44", "51", "52", "54", "55", "56", "57", "58", "502", "507", "591", "593", "595", "598", "999"} {
		for size := 7 - len(calling); size <= 15-len(calling); size++ {
			got, err := voice.Phone("+" + calling + digits[:size])
			if err != nil {
				t.Fatal(err)
			}
			groups := strings.Split(got, ", ")[1:]
			for i, group := range groups {
				words := len(strings.Fields(group))
				if last := i == len(groups)-1; words > 5 || last && words < 2 {
					t.Errorf("+%s and %d digits: %q", calling, size, got)
				}
			}
		}
	}
}

func TestEveryCountryKnowsItsPhones(t *testing.T) {
	t.Parallel()
	for _, c := range countries[1:] {
		foreign := 0
		for _, number := range phones[c] {
			got, err := c.Phone(number)
			if err != nil {
				t.Errorf("%s %s: %v", c, number, err)
			}
			if strings.HasPrefix(got, "más") {
				foreign++
			}
		}
		if foreign > 0 {
			t.Errorf("%s takes %d of its own numbers for foreign ones", c, foreign)
		}
	}
}

func TestAppendDigitsEqualsString(t *testing.T) {
	t.Parallel()
	country, speaker := voice.MX, voice.MX.With()
	type say = func() (string, error)
	text := func(b []byte, err error) (string, error) { return string(b), err }
	for name, says := range map[string][]say{
		"Digits": {
			func() (string, error) { return country.Digits("482193", 3) },
			func() (string, error) { return text(country.AppendDigits(nil, "482193", 3)) },
			func() (string, error) { return speaker.Digits("482193", 3) },
			func() (string, error) { return voice.Digits("482193", 3) },
			func() (string, error) { return text(voice.AppendDigits(nil, "482193", 3)) },
		},
		"Pairs": {
			func() (string, error) { return country.Pairs("4821") },
			func() (string, error) { return text(country.AppendPairs(nil, "4821")) },
			func() (string, error) { return voice.Pairs("4821") },
			func() (string, error) { return text(voice.AppendPairs(nil, "4821")) },
		},
		"Phone": {
			func() (string, error) { return country.Phone("+525512345678") },
			func() (string, error) { return text(country.AppendPhone(nil, "+525512345678")) },
			func() (string, error) { return speaker.Phone("+525512345678") },
		},
		"Code": {
			func() (string, error) { return country.Code("B7") },
			func() (string, error) { return text(country.AppendCode(nil, "B7")) },
			func() (string, error) { return speaker.Spell("b7"), nil },
			func() (string, error) { return string(country.AppendSpell(nil, "b7")), nil },
		},
		"Document": {
			func() (string, error) { return country.Document(voice.DocPlate, "ABC-12") },
			func() (string, error) { return text(country.AppendDocument(nil, voice.DocPlate, "ABC-12")) },
			func() (string, error) { return speaker.Spell("abc 12"), nil },
		},
		"Masked": {
			func() (string, error) { return country.Masked("**** 4821", 4) },
			func() (string, error) { return text(country.AppendMasked(nil, "**** 4821", 4)) },
			func() (string, error) { return voice.Masked("**** 4821", 4, voice.Feminine) },
		},
	} {
		first, err := says[0]()
		if err != nil || problemOf(first) != "" {
			t.Errorf("%s: %q, %v", name, first, err)
		}
		for i, again := range says[1:] {
			if got, err := again(); got != first || err != nil {
				t.Errorf("%s, way %d: %q, %v, want %q", name, i+2, got, err, first)
			}
		}
	}
	for name, try := range map[string]func(dst []byte) ([]byte, error){
		"Digits":   func(dst []byte) ([]byte, error) { return country.AppendDigits(dst, "12x") },
		"sizes":    func(dst []byte) ([]byte, error) { return country.AppendDigits(dst, "12", 1, 0) },
		"Pairs":    func(dst []byte) ([]byte, error) { return country.AppendPairs(dst, "12x") },
		"Phone":    func(dst []byte) ([]byte, error) { return country.AppendPhone(dst, "12x") },
		"Code":     func(dst []byte) ([]byte, error) { return country.AppendCode(dst, "12☃") },
		"Document": func(dst []byte) ([]byte, error) { return country.AppendDocument(dst, voice.DocRFC, "12☃") },
		"Masked":   func(dst []byte) ([]byte, error) { return country.AppendMasked(dst, "1234€", 2) },
	} {
		if got, err := try([]byte("antes")); string(got) != "antes" || err == nil {
			t.Errorf("%s = %q, %v, want the buffer as it was and an error", name, got, err)
		}
	}
}

func TestSecretsStayOutOfErrors(t *testing.T) {
	t.Parallel()
	_, code := voice.Code("secreto☃")
	_, masked := voice.Masked("4821", 4)
	for _, err := range []error{code, masked} {
		if err == nil || strings.Contains(err.Error(), "secreto") || strings.Contains(err.Error(), "4821") {
			t.Errorf("%v, want an error without the text", err)
		}
	}
}
