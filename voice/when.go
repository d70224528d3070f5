package voice

import "time"

// When says when t is, seen from now: "hoy a las tres de la tarde", "mañana a
// las diez y media de la mañana", and beyond two days the date: "el jueves diez
// de septiembre a las nueve de la mañana". Both are taken in the zone of [In],
// or else in the location of now, and days are counted on the calendar there,
// not in blocks of 24 hours.
//
// What it says is true while now's day lasts. Use [Speaker.DateTime] for
// anything that is stored, sent, or heard later.
func (s *Speaker) When(t, now time.Time) string {
	var buf [stackText]byte
	return string(s.AppendWhen(buf[:0], t, now))
}

// AppendWhen appends what [Speaker.When] says.
func (s *Speaker) AppendWhen(dst []byte, t, now time.Time) []byte {
	now = s.local(now)
	t = t.In(now.Location())
	dst = s.appendRelativeDay(dst, civilOf(t), civilOf(now))
	return s.appendTimeOfDay(dst, clockOf(t))
}

// RelativeDay says the day alone, like [Speaker.When]: "hoy", "pasado mañana",
// "anteayer" or "antier", "el jueves diez de septiembre". A year that is not
// now's is said from a month's distance on, or always with [WithYear].
func (s *Speaker) RelativeDay(t, now time.Time) string {
	var buf [stackText]byte
	return string(s.AppendRelativeDay(buf[:0], t, now))
}

// AppendRelativeDay appends what [Speaker.RelativeDay] says.
func (s *Speaker) AppendRelativeDay(dst []byte, t, now time.Time) []byte {
	now = s.local(now)
	return s.appendRelativeDay(dst, civilOf(t.In(now.Location())), civilOf(now))
}

// SayWhen says an ISO 8601 date like [Speaker.RelativeDay] and a date-time like
// [Speaker.When], with the errors of [Speaker.SayDate] and
// [Speaker.SayDateTime]. A text without an offset is wall time in the zone.
func (s *Speaker) SayWhen(iso string, now time.Time) (string, error) {
	var buf [stackText]byte
	return spoken(s.AppendSayWhen(buf[:0], iso, now))
}

// AppendSayWhen appends what [Speaker.SayWhen] says. On error dst is returned
// as it was.
func (s *Speaker) AppendSayWhen(dst []byte, iso string, now time.Time) ([]byte, error) {
	now = s.local(now)
	if len(iso) <= len("2006-01-02") {
		d, err := parseISODate(iso)
		if err != nil {
			return dst, err
		}
		return s.appendRelativeDay(dst, d, civilOf(now)), nil
	}
	d, err := parseISODateTime(iso)
	if err == nil {
		d, err = d.in(now.Location())
	}
	if err != nil {
		return dst, parseError("date-time", iso, err)
	}
	return s.appendTimeOfDay(s.appendRelativeDay(dst, d.civilDate, civilOf(now)), d.clockTime), nil
}

func (s *Speaker) appendRelativeDay(dst []byte, d, today civilDate) []byte {
	const day, month = 24 * 60 * 60, 31
	away := (d.midnight().Unix() - today.midnight().Unix()) / day
	switch away {
	case 0:
		return append(dst, "hoy"...)
	case 1:
		return append(dst, "mañana"...)
	case 2:
		return append(dst, "pasado mañana"...)
	case -1:
		return append(dst, "ayer"...)
	case -2:
		if s.rules().antier {
			return append(dst, "antier"...)
		}
		return append(dst, "anteayer"...) // RAE prefers it of the three forms
	}
	withYear := s.year || d.year != today.year && (away > month || away < -month)
	return s.appendDate(append(dst, "el "...), d, withYear)
}
