package middleware

import (
	"strings"

	"github.com/portavoz/portavoz/middleware/internal/document"
	"github.com/portavoz/portavoz/voice"
)

// mouth is how one call speaks: the speaker in the call's zone, and what a date
// needs to be clear.
type mouth struct {
	*voice.Speaker
	withYear *voice.Speaker
	year     string // the present one, there
}

// sayAs says a value in a given way; false where it is not written so.
func (m *mouth) sayAs(as ReadAs, value *document.Node, currency string) (string, bool) {
	text := value.Text()
	if value.Kind() == document.Number {
		text = value.Literal()
	}
	switch as {
	case ReadMoney:
		if value.Kind() == document.String && !isPlainAmount(text) {
			return heard(m.SayMoney(withCurrency(m.Speaker, text, currency)))
		}
		return m.money(text, currency)
	case ReadDate:
		return m.when(text, true)
	case ReadPhone:
		return heard(m.Phone(text))
	case ReadDigits:
		return m.digits(text)
	default:
		return "", false
	}
}

// sayByItself says a value by what its name and its form suggest.
func (m *mouth) sayByItself(name fieldName, value *document.Node, format, currency string) (string, bool) {
	switch value.Kind() {
	case document.Number:
		if name.amount && currency != "" {
			return m.money(value.Literal(), currency)
		}
	case document.String:
		text := value.Text()
		if len(text) > maxWritten || text == "" {
			return "", false
		}
		timely := name.clock || name.span || format == "time" || format == "duration"
		if said, ok := m.when(text, timely); ok {
			return said, true
		}
		if name.phone && !name.id || isE164(text) {
			return heard(m.Phone(text))
		}
		if name.amount && currency != "" && isPlainAmount(text) {
			return m.money(text, currency)
		}
	default:
	}
	return "", false
}

// maxWritten is longer than any date, phone or amount.
const maxWritten = 64

// when says a date or a date-time, and a time of day or a duration where one is
// expected: "15:30" may be a score.
func (m *mouth) when(text string, timely bool) (string, bool) {
	switch {
	case len(text) == len("2026-09-03") && isDatePrefix(text):
		return heard(m.of(text).SayDate(text))
	case len(text) > len("2026-09-03T") && isDatePrefix(text):
		return heard(m.of(text).SayDateTime(text))
	case strings.HasPrefix(text, "PT") || timely && strings.HasPrefix(text, "P"):
		return heard(m.SayDuration(text))
	case timely && isClock(text):
		return heard(m.SayTime(text))
	}
	return "", false
}

// of is the speaker for a date: one of another year is said with its year.
func (m *mouth) of(date string) *voice.Speaker {
	if strings.HasPrefix(date, m.year) {
		return m.Speaker
	}
	return m.withYear
}

// money says decimal text.
func (m *mouth) money(amount, currency string) (string, bool) {
	if !isCurrency(currency) {
		return "", false
	}
	return heard(m.Money(amount, currency))
}

// digits says a code as its kind wants: digits with the pauses of the text, or
// else letters and digits by name.
func (m *mouth) digits(text string) (string, bool) {
	if len(text) > maxWritten {
		return "", false
	}
	if said, ok := heard(m.Digits(text)); ok {
		return said, true
	}
	return heard(m.Code(text))
}

func heard(said string, err error) (string, bool) { return said, err == nil && said != "" }

// withCurrency completes an amount as people write it, unless it names its own.
func withCurrency(s *voice.Speaker, text, currency string) string {
	if a, err := s.ParseMoney(text); err == nil && a.Currency != "" || currency == "" {
		return text
	}
	return text + " " + currency
}

func isDatePrefix(s string) bool {
	return len(s) >= 10 && digitsOnly(s[:4]) && s[4] == '-' && digitsOnly(s[5:7]) && s[7] == '-' && digitsOnly(s[8:10])
}

// isClock reports whether a text is written HH:MM or HH:MM:SS.
func isClock(s string) bool {
	switch len(s) {
	case len("15:30"):
		return digitsOnly(s[:2]) && s[2] == ':' && digitsOnly(s[3:])
	case len("15:30:00"):
		return isClock(s[:5]) && s[5] == ':' && digitsOnly(s[6:])
	}
	return false
}

// isE164 reports whether a text is an international phone number without
// separators (ITU-T E.164).
func isE164(s string) bool {
	return len(s) >= 9 && len(s) <= 16 && s[0] == '+' && digitsOnly(s[1:])
}

// isPlainAmount reports whether a text is decimal text that has one reading: not
// "89.900", which is thousands in most countries.
func isPlainAmount(s string) bool {
	s = strings.TrimPrefix(s, "-")
	whole, decimals, point := strings.Cut(s, ".")
	return digitsOnly(whole) && (!point || digitsOnly(decimals) && len(decimals) != 3)
}

func digitsOnly(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
