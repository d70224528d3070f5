package voice

import "time"

// TimeRange says the hours from a to b, without articles, the part of the day
// once when both share it: "de dos a cuatro de la tarde", "de once de la mañana
// a una de la tarde". Only the times of day count, so that b may be on the next
// day: "de diez de la noche a seis de la mañana".
func (s *Speaker) TimeRange(a, b time.Time) string {
	var buf [stackText]byte
	return string(s.AppendTimeRange(buf[:0], a, b))
}

// AppendTimeRange appends what [Speaker.TimeRange] says.
func (s *Speaker) AppendTimeRange(dst []byte, a, b time.Time) []byte {
	a, b = s.local(a), s.local(b)
	return s.appendTimeRange(dst, clockOf(a), clockOf(b), false)
}

// SayTimeRange is [Speaker.TimeRange] for two written times, with the forms and
// errors of [Speaker.SayTime].
func (s *Speaker) SayTimeRange(from, to string) (string, error) {
	var buf [stackText]byte
	return spoken(s.AppendSayTimeRange(buf[:0], from, to))
}

// AppendSayTimeRange appends what [Speaker.SayTimeRange] says. On error dst is
// returned as it was.
func (s *Speaker) AppendSayTimeRange(dst []byte, from, to string) ([]byte, error) {
	a, err := parseClock(from)
	if err != nil {
		return dst, err
	}
	b, err := parseClock(to)
	if err != nil {
		return dst, err
	}
	return s.appendTimeRange(dst, a, b, false), nil
}

// clockOf returns the time of day of t to the minute.
func clockOf(t time.Time) clockTime {
	return clockTime{hour: t.Hour(), minute: t.Minute()}
}

// appendTimeRange says a range, beside the day on which it begins or alone. Only at
// its beginning is the first hour one of that day.
func (s *Speaker) appendTimeRange(dst []byte, from, to clockTime, besideDay bool) []byte {
	first, last, shared := s.dayPart(from), s.dayPart(to), from.sameStretch(to)
	if besideDay && from.hour == 0 {
		first, shared = madrugada, !to.before(from)
		last = s.dayPartOf(to, shared)
	}
	dst = s.appendClock(append(dst, "de "...), from, "", "")
	if first != last || !shared {
		dst = append(dst, dayParts[first]...)
	}
	dst = s.appendClock(append(dst, " a "...), to, "", "")
	return append(dst, dayParts[last]...)
}

// sameStretch reports whether c and d, in the same part of the day,
// have nothing else between them. The first hour belongs to the night before.
func (c clockTime) sameStretch(d clockTime) bool {
	if c.hour%24 == 0 || d.hour%24 == 0 {
		return d.hour%24 == 0 && (c.hour%24 != 0 || c.minute <= d.minute)
	}
	return !d.before(c)
}

// before reports whether c is earlier in the day than d, to the minute.
func (c clockTime) before(d clockTime) bool {
	return c.hour < d.hour || c.hour == d.hour && c.minute < d.minute
}
