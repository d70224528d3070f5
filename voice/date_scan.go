package voice

// civilDate is a day of the proleptic Gregorian calendar, as ISO 8601 counts:
// year zero is the one before year one.
type civilDate struct{ year, month, day int }

// scanISODate reads a date "2026-09-03" at the beginning of s and returns how
// many bytes it takes. ErrSyntax means that there is none, or that its digits
// go on; ErrRange that the calendar has no such day.
func scanISODate(s string) (d civilDate, width int, err error) {
	const width10 = len("2006-01-02")
	if len(s) < width10 || s[4] != '-' || s[7] != '-' || startsWithDigit(s[width10:]) {
		return d, 0, ErrSyntax
	}
	year, month, day := fixedNumber(s[:4]), fixedNumber(s[5:7]), fixedNumber(s[8:10])
	if year < 0 || month < 0 || day < 0 {
		return d, 0, ErrSyntax
	}
	d = civilDate{year, month, day}
	if !d.exists() {
		return d, 0, ErrRange
	}
	return d, width10, nil
}

// fixedNumber reads s, a few digits and nothing else; -1 when it is not that.
func fixedNumber(s string) int {
	n := 0
	for i := range len(s) {
		if !isDigit(s[i]) {
			return -1
		}
		n = n*10 + int(s[i]-'0')
	}
	return n
}

func startsWithDigit(s string) bool { return s != "" && isDigit(s[0]) }

// exists reports whether the calendar has the day.
func (d civilDate) exists() bool {
	return d.month >= 1 && d.month <= 12 && d.day >= 1 && d.day <= daysIn(d.year, d.month)
}

// daysIn returns how many days a month has.
func daysIn(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	default:
		return 31
	}
}
