package voice

import "strings"

// besideDay reports whether a time or a range of the given width stands beside the
// day that it is of: "el viernes a las 00:00", "3 de septiembre, 00:30", "a las
// 00:00 del viernes", "de mañana".
func (c *cursor) besideDay(width int) bool {
	return c.afterDay() || c.beforeDay(width)
}

// timeLeads are the words between a day and its time. "Hasta" is none: "viernes hasta
// las 00:00" is until the end of Friday.
const timeLeads = " a la las de desde sobre entre hacia "

// afterDay reports whether a day comes right before i.
func (c *cursor) afterDay() bool {
	const reach = 64
	text := strings.TrimRight(c.s[max(0, c.i-reach):c.i], " ,")
	word := lastWord(text)
	for isListed(timeLeads, lowerASCII(word)) {
		text = strings.TrimRight(text[:len(text)-len(word)], " ,")
		word = lastWord(text)
	}
	if word != "" {
		return isDayName(word) || isRelativeDay(word) && !strings.HasSuffix(text, "la "+word)
	}
	number := text[len(strings.TrimRight(text, "0123456789/-.")):]
	if _, size := c.scanDate(number, nil); size > 0 && size == len(number) || strings.IndexByte(number, '/') > 0 {
		return true
	}
	before := strings.TrimRight(text[:len(text)-len(number)], " ")
	switch word = lastWord(before); lowerASCII(word) {
	case "día":
		return true
	case "de", "del": // septiembre de 2026
		return isMonth(lastWord(strings.TrimRight(before[:len(before)-len(word)], " ")))
	}
	return number != "" && isDayName(word)
}

// beforeDay reports whether "de" or "del" and a day follow the given width.
func (c *cursor) beforeDay(width int) bool {
	word, at := c.following(width)
	if word != "de" && word != "del" {
		return false
	}
	rest := skipBlanks(c.s[at+len(word):])
	if rest != "" && isDigit(rest[0]) {
		return true
	}
	next := rest[:wordWidth(rest)]
	return isRelativeDay(next) || isWeekday(next) || next == "día" || next == "pasado"
}

// isRelativeDay reports whether a word names a day by where it lies from today.
func isRelativeDay(word string) bool {
	return isListed(" hoy mañana ayer anteayer antier ", lowerASCII(word))
}
