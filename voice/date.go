package voice

import "time"

var weekdays = [...]string{
	"domingo", "lunes", "martes", "miércoles", "jueves", "viernes", "sábado",
}

var months = [...]string{
	"", "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio",
	"agosto", "septiembre", "octubre", "noviembre", "diciembre",
}

// Date says the day of t, all in words: "jueves tres de septiembre" (order: OLE
// 2010, VIII 5.2). The weekday is computed. [WithYear], [WithoutWeekday] and [In]
// change what is said.
func (s *Speaker) Date(t time.Time) string {
	var buf [stackText]byte
	return string(s.AppendDate(buf[:0], t))
}

// AppendDate appends what [Speaker.Date] says.
func (s *Speaker) AppendDate(dst []byte, t time.Time) []byte {
	return s.appendDate(dst, civilOf(s.local(t)), s.year)
}

// SayDate says an ISO 8601 calendar date, "2026-09-03", like [Speaker.Date].
// Anything else is an error: ErrRange for a day that the calendar does not
// have, ErrSyntax for the rest, date-times among it, since their day depends on
// a zone ([Speaker.SayDateTime]).
func (s *Speaker) SayDate(iso string) (string, error) {
	var buf [stackText]byte
	return spoken(s.AppendSayDate(buf[:0], iso))
}

// AppendSayDate appends what [Speaker.SayDate] says. On error dst is returned
// as it was.
func (s *Speaker) AppendSayDate(dst []byte, iso string) ([]byte, error) {
	d, err := parseISODate(iso)
	if err != nil {
		return dst, err
	}
	return s.appendDate(dst, d, s.year), nil
}

func parseISODate(iso string) (civilDate, error) {
	d, width, err := scanISODate(iso)
	if err == nil && width != len(iso) {
		err = ErrSyntax
	}
	if err != nil {
		return d, parseError("date", iso, err)
	}
	return d, nil
}

// local moves t into the speaker's zone.
func (s *Speaker) local(t time.Time) time.Time {
	if s.zone == nil {
		return t
	}
	return t.In(s.zone)
}

func civilOf(t time.Time) civilDate {
	year, month, day := t.Date()
	return civilDate{year, int(month), day}
}

// midnight is the beginning of the day in UTC, for counting days.
func (d civilDate) midnight() time.Time {
	return time.Date(d.year, time.Month(d.month), d.day, 0, 0, 0, 0, time.UTC)
}

func (s *Speaker) appendDate(dst []byte, d civilDate, withYear bool) []byte {
	if s.weekday.or(true) {
		dst = appendWeekday(dst, d)
	}
	dst = s.appendDay(dst, d)
	dst = s.appendMonth(dst, d)
	if withYear {
		dst = appendOfYear(dst, d.year)
	}
	return dst
}

// appendWeekday appends "jueves ".
func appendWeekday(dst []byte, d civilDate) []byte {
	return append(append(dst, weekdays[d.midnight().Weekday()]...), ' ')
}

// appendDay appends "tres"; the first is "primero" or "uno" (DPD "fecha" 2a).
func (s *Speaker) appendDay(dst []byte, d civilDate) []byte {
	if d.day == 1 && !s.rules().firstOne {
		return append(dst, "primero"...)
	}
	return appendCardinal(dst, uint64(d.day), Masculine)
}

// appendMonth appends " de septiembre".
func (s *Speaker) appendMonth(dst []byte, d civilDate) []byte {
	return s.appendMonthName(append(dst, " de "...), d.month)
}

func (s *Speaker) appendMonthName(dst []byte, month int) []byte {
	if month == 9 && s.rules().setiembre {
		return append(dst, "setiembre"...)
	}
	return append(dst, months[month]...)
}

// appendOfYear appends " de dos mil veintiséis": before 2000 and later years both
// "de" and "del" are right, and dates prefer "de" (RAE, "de 2007 o del 2007").
// The article is usual to 1100 (ibid.); there, before Christ and from 10000 on
// the word "año" says what the number is.
func appendOfYear(dst []byte, year int) []byte {
	const bareFrom, bareTo = 1101, 9999
	if year >= bareFrom && year <= bareTo {
		return appendCardinal(append(dst, " de "...), uint64(year), Masculine)
	}
	dst = append(dst, " del año "...)
	if year > 0 {
		return appendCardinal(dst, uint64(year), Masculine)
	}
	dst = appendCardinal(dst, uint64(1-year), Masculine)
	return append(dst, " antes de Cristo"...)
}
