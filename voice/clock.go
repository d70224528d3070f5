package voice

import "time"

// dayPart is the part of the day that a 12-hour time is said with.
type dayPart uint8

const (
	madrugada dayPart = iota
	morning
	noon
	afternoon
	night
)

var dayParts = [...]string{
	madrugada: " de la madrugada",
	morning:   " de la mañana",
	noon:      " del mediodía",
	afternoon: " de la tarde",
	night:     " de la noche",
}

// hours12 are the names of the hours, by hour modulo twelve. They are feminine:
// la una, las dos.
var hours12 = [...]string{
	"doce", "una", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho",
	"nueve", "diez", "once",
}

// Time says the time of day of t on the 12-hour clock, with the part of the day
// as the country counts it and with the article: "las nueve de la mañana", "la
// una y cuarto de la tarde", "las doce del mediodía". A sentence puts "a" before
// it ("a las nueve"), as [Speaker.DateTime] does. Seconds are left out, not
// rounded. [In], [QuarterTo] and [Exact] change what is said.
func (s *Speaker) Time(t time.Time) string {
	var buf [stackText]byte
	return string(s.AppendTime(buf[:0], t))
}

// AppendTime appends what [Speaker.Time] says.
func (s *Speaker) AppendTime(dst []byte, t time.Time) []byte {
	return s.appendTime(dst, clockOf(s.local(t)))
}

// SayTime says a written time of day like [Speaker.Time]: "15:30", "9:05:20",
// "3:30 p. m.", "12 m." (noon). Seconds other than zero are said: "las nueve,
// cinco minutos y veinte segundos de la mañana". The closing hour 24:00 is
// midnight. ErrRange is for a time that does not exist, a leap second among
// them, since it depends on the day.
func (s *Speaker) SayTime(text string) (string, error) {
	var buf [stackText]byte
	return spoken(s.AppendSayTime(buf[:0], text))
}

// AppendSayTime appends what [Speaker.SayTime] says. On error dst is returned
// as it was.
func (s *Speaker) AppendSayTime(dst []byte, text string) ([]byte, error) {
	c, err := parseClock(text)
	if err != nil {
		return dst, err
	}
	return s.appendTime(dst, c), nil
}

func parseClock(text string) (clockTime, error) {
	c, width, err := scanClockOrHour(text)
	if err == nil {
		m, more := scanMeridiem(text[width:])
		switch {
		case width+more != len(text):
			err = ErrSyntax
		case c.second == 60:
			err = ErrRange
		default:
			c, err = c.on24(m)
		}
	}
	if err != nil {
		return c, parseError("time", text, err)
	}
	return c, nil
}

// scanClockOrHour also reads a lone hour, provided that a meridiem follows.
func scanClockOrHour(s string) (c clockTime, width int, err error) {
	for width < len(s) && isDigit(s[width]) {
		width++
	}
	if m, _ := scanMeridiem(s[width:]); m == noMeridiem || width < 1 || width > 2 {
		return scanClock(s)
	}
	if c.hour = fixedNumber(s[:width]); c.hour < 1 || c.hour > 12 {
		return c, 0, ErrRange
	}
	return c, width, nil
}

// appendTime appends the time with its article and part of the day.
func (s *Speaker) appendTime(dst []byte, c clockTime) []byte {
	dst = s.appendClock(dst, c, "la ", "las ")
	return append(dst, dayParts[s.dayPart(c)]...)
}

// appendTimeOfDay appends " a las nueve de la mañana" to a day that was named.
func (s *Speaker) appendTimeOfDay(dst []byte, c clockTime) []byte {
	dst = s.appendClock(append(dst, " a "...), c, "la ", "las ")
	return append(dst, dayParts[s.dayPartOf(c, true)]...)
}

// dayPartOf is dayPart, and for a time beside the day that it is of, with one
// difference: the first hour is "de la madrugada" there, since "el viernes a las
// doce de la noche" would be taken for the end of Friday, which is 24:00. RAE, "La
// expresión de la hora": madrugada is from midnight to dawn. Alone it is "las doce
// de la noche", as everybody says.
func (s *Speaker) dayPartOf(c clockTime, besideDay bool) dayPart {
	if besideDay && c.hour == 0 {
		return madrugada
	}
	return s.dayPart(c)
}

// dayPart follows RAE, "La expresión de la hora", and DPD "hora" 2a, with the
// country's limits. Twelve sharp is never "de la tarde" (ibid.), the minutes
// after it are.
func (s *Speaker) dayPart(c clockTime) dayPart {
	p := s.rules()
	switch h := c.hour; {
	case h == 0 || h >= p.night:
		return night
	case h < 6 && p.madrugada:
		return madrugada
	case h < 12:
		return morning
	case c == clockTime{hour: 12}:
		return noon
	default:
		return afternoon
	}
}

// appendClock appends the time without part of the day, the hour after one of
// the articles: "las nueve y media", "un cuarto para las diez".
func (s *Speaker) appendClock(dst []byte, c clockTime, one, more string) []byte {
	p := s.rules()
	if c.minute == 45 && c.second == 0 && s.quarterTo.or(p.quarterTo) {
		if p.quarterFor {
			return appendHour(append(dst, "un cuarto para "...), c.hour+1, "la ", "las ")
		}
		return append(appendHour(dst, c.hour+1, one, more), " menos cuarto"...)
	}
	dst = appendHour(dst, c.hour, one, more)
	switch {
	case c.second != 0:
		return s.appendMinutesSeconds(dst, c)
	case c.minute == 0 && s.exact:
		return append(dst, " en punto"...)
	case c.minute == 0:
		return dst
	case c.minute == 15:
		return append(dst, " y cuarto"...)
	case c.minute == 30:
		return append(dst, " y media"...)
	default:
		return appendCardinal(append(dst, " y "...), uint64(c.minute), Masculine)
	}
}

func appendHour(dst []byte, hour int, one, more string) []byte {
	hour %= 12
	if hour == 1 {
		return append(append(dst, one...), hours12[hour]...)
	}
	return append(append(dst, more...), hours12[hour]...)
}

// appendMinutesSeconds appends ", cinco minutos y veinte segundos".
func (s *Speaker) appendMinutesSeconds(dst []byte, c clockTime) []byte {
	if c.minute != 0 {
		dst = s.AppendCount(append(dst, ", "...), int64(c.minute), timeNouns[minutes])
	}
	return s.AppendCount(append(dst, " y "...), int64(c.second), timeNouns[seconds])
}
