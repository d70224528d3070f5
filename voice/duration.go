package voice

import "time"

// timeUnit is a unit of a duration, largest first.
type timeUnit uint8

const (
	years timeUnit = iota
	monthsUnit
	weeks
	days
	hours
	minutes
	seconds
	milliseconds
)

var timeNouns = [...]Noun{
	years:        {Singular: "año", Plural: "años"},
	monthsUnit:   {Singular: "mes", Plural: "meses"},
	weeks:        {Singular: "semana", Plural: "semanas", Feminine: true},
	days:         {Singular: "día", Plural: "días"},
	hours:        {Singular: "hora", Plural: "horas", Feminine: true},
	minutes:      {Singular: "minuto", Plural: "minutos"},
	seconds:      {Singular: "segundo", Plural: "segundos"},
	milliseconds: {Singular: "milisegundo", Plural: "milisegundos"},
}

// Duration says how long: "dos horas y quince minutos", "un minuto y un
// segundo", "cero segundos". Up to two days it counts hours ("cuarenta y ocho
// horas"), beyond them days of 24. Fractions of a second are left out, but
// below one second milliseconds are said. Negative durations begin with
// "menos".
func (s *Speaker) Duration(d time.Duration) string {
	var buf [stackText]byte
	return string(s.AppendDuration(buf[:0], d))
}

// AppendDuration appends what [Speaker.Duration] says.
func (s *Speaker) AppendDuration(dst []byte, d time.Duration) []byte {
	if d != 0 && -time.Millisecond < d && d < time.Millisecond {
		return append(dst, "menos de un milisegundo"...)
	}
	size := uint64(d)
	if d < 0 {
		dst = append(dst, "menos "...)
		size = -size // right for the smallest duration too
	}
	if size > 0 && size < uint64(time.Second) {
		return s.AppendCount(dst, int64(size/uint64(time.Millisecond)), timeNouns[milliseconds])
	}
	total := int64(size / uint64(time.Second))
	counts := [...]int64{days: 0, hours: total / 3600, minutes: total / 60 % 60, seconds: total % 60}
	if counts[hours] > 48 {
		counts[days], counts[hours] = counts[hours]/24, counts[hours]%24
	}
	left := 0
	for _, n := range counts {
		if n != 0 {
			left++
		}
	}
	if left == 0 {
		return s.AppendCount(dst, 0, timeNouns[seconds])
	}
	for unit, n := range counts {
		if n != 0 {
			dst = s.AppendCount(dst, n, timeNouns[unit])
			left--
			dst = appendListMark(dst, left)
		}
	}
	return dst
}

// appendListMark appends what stands before the rest of a list: a comma, "y"
// before the last, nothing at the end. No number begins with the sound i, which
// would ask for "e" (DPD "y" 2).
func appendListMark(dst []byte, left int) []byte {
	switch left {
	case 0:
		return dst
	case 1:
		return append(dst, " y "...)
	default:
		return append(dst, ", "...)
	}
}
