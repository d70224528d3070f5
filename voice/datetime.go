package voice

import "time"

// DateTime says day and time: "jueves tres de septiembre a las nueve de la
// mañana". The first hour of a day is "de la madrugada" here, because "el
// viernes a las doce de la noche" is taken for the end of Friday. The options of
// [Speaker.Date] and [Speaker.Time] hold.
func (s *Speaker) DateTime(t time.Time) string {
	var buf [stackText]byte
	return string(s.AppendDateTime(buf[:0], t))
}

// AppendDateTime appends what [Speaker.DateTime] says.
func (s *Speaker) AppendDateTime(dst []byte, t time.Time) []byte {
	t = s.local(t)
	return s.appendTimeOfDay(s.appendDate(dst, civilOf(t), s.year), clockOf(t))
}

// SayDateTime says an ISO 8601 date-time like [Speaker.DateTime], as RFC 3339
// writes it ("2026-09-03T09:00:00-05:00", a space for the T is fine), without
// seconds, or without offset.
//
// With [In] the time is moved to that zone; a text without an offset is wall
// time there. Without In it is said as it is written, in its own offset.
//
// The error is ErrRange for a day or time that does not exist, wall time that
// the zone skips among them; a leap second exists at 23:59:60 UTC at the end of
// a month. Everything else is ErrSyntax.
func (s *Speaker) SayDateTime(iso string) (string, error) {
	var buf [stackText]byte
	return spoken(s.AppendSayDateTime(buf[:0], iso))
}

// AppendSayDateTime appends what [Speaker.SayDateTime] says. On error dst is
// returned as it was.
func (s *Speaker) AppendSayDateTime(dst []byte, iso string) ([]byte, error) {
	d, err := parseISODateTime(iso)
	if err == nil {
		d, err = d.in(s.zone)
	}
	if err != nil {
		return dst, parseError("date-time", iso, err)
	}
	return s.appendTimeOfDay(s.appendDate(dst, d.civilDate, s.year), d.clockTime), nil
}

// DateTimeRange says from when to when: "jueves tres de septiembre de dos a
// cuatro de la tarde" within a day, and "desde el jueves tres de septiembre a
// las dos de la tarde hasta el viernes cuatro de septiembre a las once de la
// mañana" across days. The earlier moment comes first whatever the order.
func (s *Speaker) DateTimeRange(a, b time.Time) string {
	var buf [2 * stackText]byte
	return string(s.AppendDateTimeRange(buf[:0], a, b))
}

// AppendDateTimeRange appends what [Speaker.DateTimeRange] says.
func (s *Speaker) AppendDateTimeRange(dst []byte, a, b time.Time) []byte {
	if b.Before(a) {
		a, b = b, a
	}
	a, b = s.local(a), s.local(b)
	if civilOf(a) == civilOf(b) {
		dst = append(s.appendDate(dst, civilOf(a), s.year), ' ')
		return s.appendTimeRange(dst, clockOf(a), clockOf(b), true)
	}
	dst = s.AppendDateTime(append(dst, "desde el "...), a)
	return s.AppendDateTime(append(dst, " hasta el "...), b)
}
