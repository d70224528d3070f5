package voice

import "strings"

// clockTime is a time of day as it is written; second may be 60 when a leap
// second was written.
type clockTime struct{ hour, minute, second int }

// scanClock reads "9:30", "09:30" or "09:30:15" at the beginning of s and
// returns how many bytes it takes. Hours go to 24 and seconds to 60: 24:00 is
// the end of a day (ISO 8601-1:2019/Amd 1), and whether a second 60 exists is
// for the caller to say. ErrSyntax means that there is no clock, or that its
// digits or colons go on; ErrRange that there is no such time.
func scanClock(s string) (c clockTime, width int, err error) {
	hours := 0
	for hours < len(s) && isDigit(s[hours]) {
		hours++
	}
	if hours < 1 || hours > 2 || !isSexagesimal(s[hours:]) {
		return c, 0, ErrSyntax
	}
	c.hour, c.minute = fixedNumber(s[:hours]), fixedNumber(s[hours+1:hours+3])
	width = hours + 3
	if isSexagesimal(s[width:]) {
		c.second = fixedNumber(s[width+1 : width+3])
		width += 3
	}
	if rest := s[width:]; startsWithDigit(rest) || len(rest) > 1 && rest[0] == ':' && isDigit(rest[1]) {
		return c, 0, ErrSyntax
	}
	if c.hour > 24 || c.minute > 59 || c.second > 60 || c.hour == 24 && c.minute+c.second > 0 {
		return c, 0, ErrRange
	}
	return c, width, nil
}

// isSexagesimal reports whether s begins with a colon and two digits.
func isSexagesimal(s string) bool {
	return len(s) >= 3 && s[0] == ':' && isDigit(s[1]) && isDigit(s[2])
}

// meridiem is the half of the day that a 12-hour clock is written with.
type meridiem uint8

const (
	noMeridiem meridiem = iota
	anteMeridiem
	postMeridiem
	atMeridiem // "12 m.": noon (RAE, "La expresión de la hora"), usual in Colombia
)

// scanMeridiem reads "a. m.", "p.m.", "PM", "m." and the like at the beginning
// of s, after optional spaces, and returns how many bytes that takes; zero when
// there is none.
func scanMeridiem(s string) (m meridiem, width int) {
	i := skipSpaces(s, 0)
	if i == len(s) {
		return noMeridiem, 0
	}
	switch s[i] | 0x20 {
	case 'a':
		m = anteMeridiem
	case 'p':
		m = postMeridiem
	case 'm':
		m = atMeridiem
	default:
		return noMeridiem, 0
	}
	i++
	if m != atMeridiem {
		i = skipSpaces(s, skipPeriod(s, i))
		if i == len(s) || s[i]|0x20 != 'm' {
			return noMeridiem, 0
		}
		i++
	}
	if startsWithLetter(s[i:]) || startsWithDigit(s[i:]) {
		return noMeridiem, 0
	}
	return m, skipPeriod(s, i)
}

func skipPeriod(s string, i int) int {
	if i < len(s) && s[i] == '.' {
		i++
	}
	return i
}

// skipSpaces passes spaces, no-break spaces (U+00A0) and narrow ones (U+202F),
// which are set between "a." and "m.".
func skipSpaces(s string, i int) int {
	const noBreak, narrow = "\u00a0", "\u202f"
	for i < len(s) {
		switch rest := s[i:]; {
		case rest[0] == ' ':
			i++
		case strings.HasPrefix(rest, noBreak):
			i += len(noBreak)
		case strings.HasPrefix(rest, narrow):
			i += len(narrow)
		default:
			return i
		}
	}
	return i
}

// on24 turns an hour written with m into one of the 24-hour clock. Twelve is
// the hour before one: 12 a. m. is midnight, 12 p. m. noon. A 24-hour time is
// tolerated beside a fitting "p. m.".
func (c clockTime) on24(m meridiem) (clockTime, error) {
	switch {
	case m == noMeridiem:
		return c, nil
	case m == atMeridiem:
		if c != (clockTime{hour: 12}) {
			return c, ErrRange
		}
	case m == anteMeridiem && c.hour > 12, c.hour > 23:
		return c, ErrRange
	case m == anteMeridiem && c.hour == 12:
		c.hour = 0
	case m == postMeridiem && c.hour == 0:
		return c, ErrRange
	case m == postMeridiem && c.hour < 12:
		c.hour += 12
	}
	return c, nil
}
