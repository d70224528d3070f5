package voice

import "time"

// DateRange says the days from a to b, both included: "del tres al cinco de
// septiembre", "del treinta de septiembre al dos de octubre". What both ends
// share is said once; years are said when they differ, or with [WithYear]. The
// earlier day comes first whatever the order, and a single day is said as
// [Speaker.Date] says it. [WithWeekday] names the days of the week.
func (s *Speaker) DateRange(a, b time.Time) string {
	var buf [stackText]byte
	return string(s.AppendDateRange(buf[:0], a, b))
}

// AppendDateRange appends what [Speaker.DateRange] says.
func (s *Speaker) AppendDateRange(dst []byte, a, b time.Time) []byte {
	from, to := civilOf(s.local(a)), civilOf(s.local(b))
	if to.before(from) {
		from, to = to, from
	}
	return s.appendDateRange(dst, from, to)
}

// SayDateRange is [Speaker.DateRange] for two ISO 8601 dates, with the errors of
// [Speaker.SayDate]. A range that ends before it begins is ErrRange.
func (s *Speaker) SayDateRange(from, to string) (string, error) {
	var buf [stackText]byte
	return spoken(s.AppendSayDateRange(buf[:0], from, to))
}

// AppendSayDateRange appends what [Speaker.SayDateRange] says. On error dst is
// returned as it was.
func (s *Speaker) AppendSayDateRange(dst []byte, from, to string) ([]byte, error) {
	a, err := parseISODate(from)
	if err != nil {
		return dst, err
	}
	b, err := parseISODate(to)
	if err != nil {
		return dst, err
	}
	if b.before(a) {
		return dst, parseError("date range", from+"/"+to, ErrRange)
	}
	return s.appendDateRange(dst, a, b), nil
}

func (d civilDate) before(e civilDate) bool {
	if d.year != e.year {
		return d.year < e.year
	}
	if d.month != e.month {
		return d.month < e.month
	}
	return d.day < e.day
}

func (s *Speaker) appendDateRange(dst []byte, from, to civilDate) []byte {
	if from == to {
		return s.appendDate(dst, from, s.year)
	}
	weekday := s.weekday.or(false)
	otherYear := from.year != to.year

	dst = append(dst, "del "...)
	if weekday {
		dst = appendWeekday(dst, from)
	}
	dst = s.appendDay(dst, from)
	if otherYear || from.month != to.month {
		dst = s.appendMonth(dst, from)
	}
	if otherYear {
		dst = appendOfYear(dst, from.year)
	}
	dst = append(dst, " al "...)
	if weekday {
		dst = appendWeekday(dst, to)
	}
	dst = s.appendDay(dst, to)
	dst = s.appendMonth(dst, to)
	if otherYear || s.year {
		dst = appendOfYear(dst, to.year)
	}
	return dst
}
