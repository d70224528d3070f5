package voice

import (
	"errors"
	"testing"
)

// The scanners of dates, times and phones read the start of a longer text: what
// they leave is what these tests are about.

func TestScanStartOfText(t *testing.T) {
	t.Parallel()
	scanners := map[string]func(s string) (width int, err error){
		"date":      func(s string) (int, error) { _, n, err := scanISODate(s); return n, err },
		"date-time": func(s string) (int, error) { _, n, err := scanISODateTime(s); return n, err },
		"clock":     func(s string) (int, error) { _, n, err := scanClock(s); return n, err },
		"clock or hour": func(s string) (int, error) {
			_, n, err := scanClockOrHour(s)
			return n, err
		},
		"meridiem": func(s string) (int, error) { _, n := scanMeridiem(s); return n, nil },
		"duration": func(s string) (int, error) { _, n, err := scanDuration(s); return n, err },
		"phone":    func(s string) (int, error) { _, n, err := scanPhone(s); return n, err },
	}
	for _, test := range []struct {
		scanner, text, rest string
		err                 error
	}{
		{"date", "2026-09-03, a las", ", a las", nil},
		{"date", "2026-09-03.", ".", nil},
		{"date", "2026-09-03T09:00", "T09:00", nil},
		{"date", "2026-09-031", "", ErrSyntax},
		{"date", "2026-02-30 dice", "", ErrRange},
		{"date-time", "2026-09-03T09:00:00-05:00.", ".", nil},
		{"date-time", "2026-09-03 09:00 en", " en", nil},
		{"date-time", "2026-09-03 09:00-11:00 hay", " hay", nil}, // an offset, not a range
		{"clock", "9:30 a. m.", " a. m.", nil},
		{"clock", "10:30-11:30", "-11:30", nil},
		{"clock", "10:30:15, y", ", y", nil},
		{"clock", "10:30: sigue", ": sigue", nil},
		{"clock", "10:30:1", "", ErrSyntax},
		{"clock", "1:2:3", "", ErrSyntax},
		{"clock or hour", "3 p. m. en punto", " p. m. en punto", nil},
		{"clock or hour", "3 personas", "", ErrSyntax},
		{"meridiem", " p. m. Llegue", " Llegue", nil},
		{"meridiem", "pm\u00a0y", "\u00a0y", nil},
		{"meridiem", " a mi casa", " a mi casa", nil},
		{"meridiem", " metros", " metros", nil},
		{"meridiem", " más", " más", nil},
		{"duration", "PT15M.", ".", nil},
		{"duration", "PT1H30 y", "", ErrSyntax},
		{"phone", "300 123 4567, gracias", ", gracias", nil},
		{"phone", "300 123 4567 - gracias", " - gracias", nil},
		{"phone", "300 123 4567) o", ") o", nil},
		{"phone", "+57 300 123 4567 ext. 12.", ".", nil},
		{"phone", "(601) 234 5678 y", " y", nil},
		{"phone", "gracias", "", ErrSyntax},
	} {
		width, err := scanners[test.scanner](test.text)
		if !errors.Is(err, test.err) || err == nil && test.text[width:] != test.rest {
			t.Errorf("%s %q: %d, %v, want %q left, %v", test.scanner, test.text, width, err, test.rest, test.err)
		}
	}
}
