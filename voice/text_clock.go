package voice

import "strings"

// moment is a time of day as it is written in a text.
type moment struct {
	clockTime
	half    meridiem
	minutes bool // they were written
	padded  bool // the hour has two digits or is over twelve: the clock has 24
	width   int
}

// scanMoment reads "15:00", "3:30 p. m.", "8 a. m.", or an hour alone.
func scanMoment(s string) (m moment, ok bool) {
	digits := digitsWidth(s)
	if digits < 1 || digits > 2 {
		return m, false
	}
	c, width, err := scanClock(s)
	switch {
	case err == nil:
		m.clockTime, m.minutes = c, true
	case len(s) > digits && s[digits] == ':' && startsWithDigit(s[digits+1:]):
		return m, false
	default:
		m.hour, width = fixedNumber(s[:digits]), digits
		if m.hour > 24 {
			return m, false
		}
	}
	m.padded = s[0] == '0' && digits == 2 || m.hour > 12 || m.hour == 0 && m.minutes
	half, more := scanMeridiem(s[width:])
	if half == atMeridiem && m.hour != 12 {
		half, more = noMeridiem, 0
	}
	if half != noMeridiem && m.second < 60 {
		if on24, err := m.on24(half); err == nil {
			m.clockTime, m.half, width = on24, half, width+more
		}
	}
	if m.second == 60 {
		return m, false
	}
	m.width = width
	return m, m.half != noMeridiem || endsWord(s[width:]) || m.minutes && s[width] == 'h'
}

// certain reports whether the text alone shows that this is a time.
func (m *moment) certain() bool { return m.minutes || m.half != noMeridiem }

// clock says a time of day or a range of them.
func (c *cursor) clock(k *context) bool {
	from, ok := scanMoment(c.rest())
	if !ok || strings.HasPrefix(c.rest()[from.width:], ",") && startsWithDigit(c.rest()[from.width+1:]) {
		return false
	}
	article := isListed(" la las ", strings.ToLower(k.word))
	if from.half == atMeridiem && !from.minutes && !article && !strings.HasSuffix(c.rest()[:from.width], ".") {
		return false // 12 m of cable
	}
	if to, width := c.rangeEnd(&from); width > 0 && !article {
		c.sayTimeRange(k, from, to, width)
		return true
	}
	if !from.certain() && !(article && c.hourAlone(k, &from)) {
		return false
	}
	width := from.width + c.hoursWidth(from.width, &from)
	c.sayTime(&from, k)
	c.pass(width)
	c.dotOfHalf(&from)
	c.counted = true
	return true
}

// hourAlone reports whether an hour without minutes after an article is a time:
// "a las 15", "hasta las 8". Before a noun or a number it counts or is a day.
func (c *cursor) hourAlone(k *context, m *moment) bool {
	word, _ := c.following(m.width)
	if !isListed(" a desde hasta sobre para de entre hacia ", strings.ToLower(k.word2)) {
		return false
	}
	rest := c.rest()[m.width:]
	if len(rest) > 1 && strings.IndexByte("/:.,-%°", rest[0]) >= 0 && (isDigit(rest[1]) || rest[0] == '%') {
		return false
	}
	_, unit := c.unitAfter(m.width)
	return unit == 0 && (word == "" || isListed(otherWords, word)) && !isListed(" mil millones millón ", word)
}

// hoursWidth returns the width of the word for hours after a time.
func (c *cursor) hoursWidth(width int, m *moment) int {
	if !m.minutes {
		return 0
	}
	word, at := c.following(width)
	if !isListed(" h hs hrs hr horas ", word) {
		return 0
	}
	end := at + len(word)
	if strings.HasPrefix(c.s[end:], ".") && len(word) <= 3 && len(c.s) > end+2 && startsLower(skipBlanks(c.s[end+1:])) {
		end++
	}
	return end - c.i - width
}

// sayTime says a time with its article, and with the part of the day when it is
// known and does not follow in words.
func (c *cursor) sayTime(m *moment, k *context) {
	for _, article := range [...]string{"las", "la"} {
		if strings.EqualFold(k.word, article) && c.tail(article) {
			c.takeBack(article)
			break
		}
	}
	c.begin()
	c.out = c.speaker.appendClock(c.out, m.clockTime, "la ", "las ")
	if c.knowsPart(m) {
		c.out = append(c.out, dayParts[c.speaker.dayPartOf(m.clockTime, c.besideDay(m.width+c.hoursWidth(m.width, m)))]...)
	}
}

// knowsPart reports whether the part of the day is to be said.
func (c *cursor) knowsPart(m *moment) bool {
	word, at := c.following(m.width)
	if word == "de" || word == "del" {
		rest := skipBlanks(c.s[at+len(word):])
		next := strings.TrimPrefix(rest, "la ")
		name := next[:wordWidth(next)]
		if isListed(" tarde noche madrugada día mediodía ", name) || name == "mañana" && len(next) < len(rest) {
			return false
		}
	}
	return m.half != noMeridiem || m.padded
}

// rangeEnd reads the second time of a range after the first one, and the width
// of both. What the second one shows holds for the first as well.
func (c *cursor) rangeEnd(from *moment) (to moment, width int) {
	rest := c.rest()[from.width:]
	after := cutDash(rest)
	if len(after) == len(rest) {
		word, at := c.following(from.width)
		if word != "a" || at == c.i+from.width {
			return to, 0
		}
		after = skipBlanks(c.s[at+1:])
	}
	to, ok := scanMoment(after)
	if !ok || !to.certain() && !(from.certain() && to.padded && to.minutes) || from.minutes && !to.certain() {
		return to, 0
	}
	if from.half == noMeridiem && to.half != noMeridiem {
		from.assume(to)
	}
	if to.padded || from.padded {
		from.padded, to.padded = true, true
	}
	return to, len(c.rest()) - len(after) + to.width
}

// assume puts a time without a half of the day into that of the end of its
// range, or before noon when it would come after it.
func (m *moment) assume(to moment) {
	if m.padded {
		return
	}
	m.half = postMeridiem
	if to.half == anteMeridiem || to.half == atMeridiem || to.hour == 12 && m.hour != 12 {
		m.half = anteMeridiem
	}
	on24, err := m.on24(m.half)
	if err == nil && m.half == postMeridiem && !on24.sameStretch(to.clockTime) {
		m.half = anteMeridiem
		on24, err = m.on24(m.half)
	}
	if err == nil {
		m.clockTime = on24
	}
}

// sayTimeRange says "de nueve de la mañana a cinco de la tarde".
func (c *cursor) sayTimeRange(k *context, from, to moment, width int) {
	for _, lead := range [...]string{"de", "desde"} {
		if strings.EqualFold(k.word, lead) && c.tail(lead) {
			c.takeBack(lead)
			break
		}
	}
	c.begin()
	if from.half != noMeridiem || from.padded {
		c.out = c.speaker.appendTimeRange(c.out, from.clockTime, to.clockTime, c.besideDay(width+c.hoursWidth(width, &to)))
	} else {
		c.out = c.speaker.appendClock(append(c.out, "de "...), from.clockTime, "", "")
		c.out = c.speaker.appendClock(append(c.out, " a "...), to.clockTime, "", "")
	}
	c.pass(width + c.hoursWidth(width, &to))
	c.dotOfHalf(&to)
	c.counted = true
}

// dotOfHalf says the end of the sentence when the period of "p. m." was that.
func (c *cursor) dotOfHalf(m *moment) {
	if m.half != noMeridiem && c.before() == '.' {
		c.keepStop()
	}
}
