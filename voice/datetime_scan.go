package voice

import (
	"strings"
	"time"
)

// isoDateTime is a date-time as it is written.
type isoDateTime struct {
	civilDate
	clockTime
	offset    time.Duration // east of UTC
	hasOffset bool
}

func parseISODateTime(iso string) (isoDateTime, error) {
	d, width, err := scanISODateTime(iso)
	if err == nil && width != len(iso) {
		err = ErrSyntax
	}
	return d, err
}

// scanISODateTime reads a date-time at the beginning of s and returns how many
// bytes it takes, without allocating. ErrSyntax means that there is none,
// ErrRange that it does not exist.
func scanISODateTime(s string) (d isoDateTime, width int, err error) {
	if d.civilDate, width, err = scanISODate(s); err != nil {
		return d, 0, err
	}
	if width == len(s) || !strings.ContainsRune("Tt ", rune(s[width])) {
		return d, 0, ErrSyntax
	}
	width++
	if len(s) < width+2 || !isDigit(s[width+1]) {
		return d, 0, ErrSyntax // hours have two digits here
	}
	var n int
	if d.clockTime, n, err = scanClock(s[width:]); err != nil {
		return d, 0, err
	}
	if d.hour == 24 {
		return d, 0, ErrRange // RFC 3339 5.6: to 23; "the 3rd at 24" names two days
	}
	hasSeconds := n > len("15:04")
	width += n
	if hasSeconds {
		width += fractionWidth(s[width:])
	}
	d.offset, n, err = scanOffset(s[width:])
	if err != nil {
		return d, 0, err
	}
	d.hasOffset = n > 0
	return d, width + n, nil
}

// fractionWidth returns the length of a decimal fraction at the beginning of s.
func fractionWidth(s string) int {
	if len(s) < 2 || s[0] != '.' && s[0] != ',' || !isDigit(s[1]) {
		return 0
	}
	n := 2
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

// scanOffset reads "Z", "-05:00" or "-0500" at the beginning of s; the width is
// zero when there is none.
func scanOffset(s string) (offset time.Duration, width int, err error) {
	if s == "" {
		return 0, 0, nil
	}
	if s[0]|0x20 == 'z' {
		return 0, 1, nil
	}
	if s[0] != '+' && s[0] != '-' || len(s) < 2 || !isDigit(s[1]) {
		return 0, 0, nil
	}
	width = len("-0500")
	colon := 0
	if len(s) > 3 && s[3] == ':' {
		colon = 1
	}
	if width += colon; len(s) < width || startsWithDigit(s[width:]) {
		return 0, 0, ErrSyntax
	}
	hours, minutes := fixedNumber(s[1:3]), fixedNumber(s[3+colon:width])
	if hours < 0 || minutes < 0 {
		return 0, 0, ErrSyntax
	}
	if hours > 23 || minutes > 59 {
		return 0, 0, ErrRange
	}
	offset = time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute
	if s[0] == '-' {
		offset = -offset
	}
	return offset, width, nil
}

// in moves d into the zone; without a zone it stays as it is written. Seconds
// go: those of a timestamp are noise to a listener.
func (d isoDateTime) in(zone *time.Location) (isoDateTime, error) {
	reading := time.UTC
	if !d.hasOffset && zone != nil {
		reading = zone
	}
	second := min(d.second, 59)
	t := time.Date(d.year, time.Month(d.month), d.day, d.hour, d.minute, second, 0, reading)
	if clockOf(t) != (clockTime{hour: d.hour, minute: d.minute}) {
		return d, ErrRange // the clocks go forward over it
	}
	t = t.Add(-d.offset)
	if d.second == 60 && !endsMonth(t.UTC()) {
		return d, ErrRange
	}
	if d.hasOffset && zone != nil {
		t = t.In(zone)
		d.civilDate, d.clockTime = civilOf(t), clockOf(t)
	}
	d.second = 0
	return d, nil
}

// endsMonth reports whether t is the last second of a month, which a leap second
// may follow (RFC 3339 5.7).
func endsMonth(t time.Time) bool {
	return clockOf(t) == clockTime{hour: 23, minute: 59} && t.Day() == daysIn(t.Year(), int(t.Month()))
}
