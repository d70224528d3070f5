package voice

import (
	"slices"
	"strings"
)

// isoDateTime says "2026-09-03T15:00:00-05:00", in the zone of the options.
func (c *cursor) isoDateTime() bool {
	d, width, err := scanISODateTime(c.rest())
	if err != nil || !endsWord(c.rest()[width:]) {
		return false
	}
	if there, err := d.in(c.speaker.zone); err == nil {
		d = there
	}
	c.begin()
	c.sayDate(d.civilDate)
	c.out = c.speaker.appendTimeOfDay(c.out, d.clockTime)
	c.pass(width)
	c.counted = true
	return true
}

// writtenDate says a date of figures, "03/09/2026", "2026-09-03", "3-sep-2026",
// with the time and the end of a range that may follow it.
func (c *cursor) writtenDate(k *context) bool {
	d, width := c.scanDate(c.rest(), k)
	if width == 0 {
		return false
	}
	to, more := c.scanDateRange(width)
	c.begin()
	switch {
	case more == 0:
		c.sayDate(d)
	case isListed(" del de desde el entre ", strings.ToLower(k.word)):
		c.sayDate(d)
		c.out = append(c.out, " al "...)
		c.sayDate(to)
	default:
		c.out = c.speaker.appendDateRange(c.out, d, to)
		if d.year == to.year && !c.speaker.year {
			c.out = appendOfYear(c.out, to.year)
		}
	}
	c.pass(width + more)
	c.counted = true
	if more == 0 {
		c.timeOfDate()
	}
	return true
}

// scanDateRange reads a hyphen and another date, later than the one of the given
// width.
func (c *cursor) scanDateRange(width int) (to civilDate, more int) {
	from, _ := c.scanDate(c.rest(), nil)
	rest := c.from(width)
	after := cutDash(rest)
	if len(after) == len(rest) {
		return to, 0
	}
	to, last := c.scanDate(after, nil)
	if last == 0 || !from.before(to) {
		return to, 0
	}
	return to, len(c.s) - c.i - width - len(after) + last
}

// cutDash removes a hyphen or dash at the beginning of s and the blanks around
// it.
func cutDash(s string) string {
	rest := skipBlanks(s)
	for _, dash := range [...]string{"-", "–", "—", "−"} {
		if after, ok := strings.CutPrefix(rest, dash); ok {
			return skipBlanks(after)
		}
	}
	return s
}

// timeOfDate puts "a" between a date and the time of day that follows it.
func (c *cursor) timeOfDate() {
	rest := strings.TrimLeft(c.rest(), " ,-–\u00a0")
	if len(rest) == len(c.rest()) {
		return
	}
	at := len(c.s) - len(rest)
	if m, ok := scanMoment(c.s[at:]); !ok || !m.certain() {
		return
	}
	c.i = at
	c.sayApart("a")
}

// scanDate reads a date of figures at the beginning of s: day, month and year, or
// year first. A date that only exists with the month first has it first. A day
// and a month without a year need a cue before them.
func (c *cursor) scanDate(s string, k *context) (d civilDate, width int) {
	var part, size [3]int
	sep := byte(0)
	n := 0
	for ; ; n++ {
		size[n] = digitsWidth(s[width:])
		if size[n] < 1 || size[n] > 4 || size[n] == 3 {
			return d, 0
		}
		part[n] = fixedNumber(s[width : width+size[n]])
		width += size[n]
		if n == 0 {
			if month, more := scanMonthPart(s[width:]); month > 0 {
				return scanYearPart(s, civilDate{month: month, day: part[0]}, width, width+more)
			}
		}
		if n == 2 || width == len(s) || strings.IndexByte("/-.", s[width]) < 0 || n == 1 && s[width] != sep {
			break
		}
		sep = s[width]
		width++
	}
	if goesOn(s[width:]) {
		return d, 0
	}
	if n == 1 && sep == '/' && k != nil && size[0] <= 2 && size[1] <= 2 && k.isDate(s, width) {
		d = civilDate{month: part[1], day: part[0]}
		return d, existing(d.inLeapYear(), width)
	}
	switch {
	case n < 2 || size[1] == 4:
		return d, 0
	case size[0] == 4 && size[2] <= 2:
		d = civilDate{part[0], part[1], part[2]}
	case size[0] <= 2 && size[2] == 4:
		d = civilDate{part[2], part[1], part[0]}
	case size[0] <= 2 && size[2] == 2 && sep == '/':
		d = civilDate{2000 + part[2], part[1], part[0]}
	default:
		return d, 0
	}
	if size[0] <= 2 && !d.exists() {
		d.month, d.day = d.day, d.month
	}
	return d, existing(d, width)
}

// isDate reports whether two numbers with a slash, the first width bytes of s, are
// a day and a month: after a cue, with zeros in front, as no fraction has them, or
// before a time of day.
func (k *context) isDate(s string, width int) bool {
	if k.day || k.cue != cuePart && width == len("03/09") && (s[0] == '0' || s[3] == '0') {
		return true
	}
	m, ok := scanMoment(skipBlanks(s[width:]))
	return ok && m.certain()
}

// inLeapYear is a date whose year is not known, in a year that has any day.
func (d civilDate) inLeapYear() civilDate { return civilDate{2000, d.month, d.day} }

// goesOn reports whether a word or number goes on with s after digits and
// separators.
func goesOn(s string) bool {
	if s == "" {
		return false
	}
	return isWordByte(s[0]) || len(s) > 1 && strings.IndexByte("/-.", s[0]) >= 0 && isDigit(s[1])
}

// existing returns the width of a date that the calendar has, else zero.
func existing(d civilDate, width int) int {
	if !d.exists() {
		return 0
	}
	return width
}

// scanMonthPart reads a separator and the name of a month, or its first three or
// four letters, and returns the month and the width of both.
func scanMonthPart(s string) (month, width int) {
	if s == "" || strings.IndexByte("/-. ", s[0]) < 0 {
		return 0, 0
	}
	name := s[1 : 1+wordWidth(s[1:])]
	if len(name) < 3 {
		return 0, 0
	}
	lower := lowerASCII(name)
	for m := 1; m < len(months); m++ {
		if strings.HasPrefix(months[m], lower) && (len(lower) <= 4 || lower == months[m]) {
			return m, 1 + len(name)
		}
	}
	if lower == "set" || lower == "setiembre" {
		return 9, 1 + len(name)
	}
	return 0, 0
}

// scanYearPart completes a date whose month is a name, from month to width in s:
// "3-sep-2026", "3/sep/26". One without a year needs a month that is no other word
// and is shortened: "3 sep", not "3 mar".
func scanYearPart(s string, d civilDate, month, width int) (civilDate, int) {
	rest := strings.TrimPrefix(s[width:], ".")
	if rest != "" && strings.IndexByte("/- .", rest[0]) >= 0 {
		size := digitsWidth(rest[1:])
		if (size == 4 || size == 2 && rest[0] != ' ' && rest[0] == s[month]) && !goesOn(rest[1+size:]) {
			if d.year = fixedNumber(rest[1 : 1+size]); size == 2 {
				d.year += 2000
			}
			return d, existing(d, len(s)-len(rest)+1+size)
		}
	}
	name := lowerASCII(s[month+1 : width])
	if !isListed(" ene feb abr jun jul ago sep sept oct nov dic ", name) || !endsWord(s[width:]) {
		return d, 0
	}
	if strings.HasPrefix(rest, " ") && len(rest) < len(s)-width && !startsUpper(rest[1:]) {
		width++ // the period of the abbreviation
	}
	return d, existing(d.inLeapYear(), width)
}

// monthOfYear says a month and a year, "09/2026", "nov/2026", where the words
// before it or its zero show that it is no fraction and no law.
func (c *cursor) monthOfYear(k *context) bool {
	const width = len("09/2026")
	rest := c.rest()
	if c.before() == '/' || len(rest) < width || rest[2] != '/' || digitsWidth(rest) != 2 || digitsWidth(rest[3:]) != 4 || goesOn(rest[width:]) || !isYear(rest[3:width]) {
		return false
	}
	month := fixedNumber(rest[:2])
	if month < 1 || month > 12 || rest[0] != '0' && !isListed(monthCues, strings.ToLower(k.word)) {
		return false
	}
	c.begin()
	c.out = c.speaker.appendMonthName(c.out, month)
	c.out = appendOfYear(c.out, fixedNumber(rest[3:width]))
	c.pass(width)
	return true
}

// monthCues are words before a month in figures.
const monthCues = " vence vencimiento hasta desde mes periodo período corte vigencia caduca fecha a de en "

// sayDate says a date; a year of zero was not written.
func (c *cursor) sayDate(d civilDate) {
	s := c.speaker
	if s.weekday == on && d.year != 0 {
		c.out = appendWeekday(c.out, d)
	}
	c.out = s.appendMonth(s.appendDay(c.out, d), d)
	if d.year != 0 {
		c.out = appendOfYear(c.out, d.year)
	}
}

// dayOfMonth says the day of a date in words, of which only the first is not
// said as any number: "1 de enero", "1 al 5 de mayo", "lunes 1", "enero 1".
func (c *cursor) dayOfMonth(k *context) bool {
	digits := digitsWidth(c.rest())
	if digits > 2 || !endsWord(c.rest()[digits:]) {
		return false
	}
	day := fixedNumber(c.rest()[:digits])
	if day < 1 || day > 31 || !c.ofMonth(digits) && !isDayName(k.word) {
		return false
	}
	if rest := c.rest()[digits:]; len(rest) > 1 && strings.IndexByte("/:.,-", rest[0]) >= 0 && isDigit(rest[1]) {
		return false
	}
	c.begin()
	c.out = c.speaker.appendDay(c.out, civilDate{day: day})
	c.pass(digits)
	return true
}

// ofMonth reports whether "de" and a month come after the number of the given
// width, or the other end of a range that has them: "1 al 5 de mayo".
func (c *cursor) ofMonth(width int) bool {
	word, at := c.following(width)
	if isListed(" al y a ", word) {
		rest := skipBlanks(strings.TrimPrefix(skipBlanks(c.s[at+len(word):]), "el "))
		digits := digitsWidth(rest)
		if digits < 1 || digits > 2 {
			return false
		}
		word, at = c.following(len(c.s) - c.i - len(rest) + digits)
	}
	if word != "de" {
		return false
	}
	month := skipBlanks(c.s[at+len("de"):])
	return isMonth(month[:wordWidth(month)])
}

func isMonth(word string) bool {
	lower := lowerASCII(word)
	if slices.Contains(months[1:], lower) {
		return true
	}
	if a, short := findAbbreviation(lower); short {
		return a.long != lower && isMonth(a.long)
	}
	return lower == "setiembre"
}

// isDayName reports whether a word comes right before the number of a day: a
// weekday, or a month in the order of "septiembre 3".
func isDayName(word string) bool {
	lower := strings.ToLower(word)
	return isWeekday(lower) || isMonth(lower)
}
