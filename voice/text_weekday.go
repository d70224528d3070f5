package voice

import "strings"

// shortDays are the abbreviations of the weekdays (OLE 2010, appendix 1, and the
// dates of CLDR 48, es). Some are words too: mar, dom, vie.
var shortDays = [...]struct {
	text string
	day  int
}{
	{"lun", 1}, {"mar", 2}, {"mié", 3}, {"mie", 3}, {"jue", 4}, {"vie", 5}, {"sáb", 6}, {"sab", 6}, {"dom", 0},
}

// shortDay returns the name of the weekday that a word abbreviates, empty when it
// abbreviates none.
func shortDay(word string) string {
	if len(word) < 3 || len(word) > 4 {
		return ""
	}
	for _, d := range shortDays {
		if strings.EqualFold(d.text, word) {
			return weekdays[d.day]
		}
	}
	return ""
}

// isWeekday reports whether a word is the name of a weekday or abbreviates it.
func isWeekday(word string) bool {
	if shortDay(word) != "" {
		return true
	}
	for _, name := range weekdays {
		if strings.EqualFold(name, word) {
			return true
		}
	}
	return false
}

// weekday says the abbreviation of a weekday where it can be nothing else: before
// a number, or beside another weekday: "lun. 3/09", "lun-vie 8:00", "sáb y dom".
func (c *cursor) weekday(word string) bool {
	name := shortDay(word)
	if name == "" {
		return word == "L" && c.weekInitials()
	}
	width := len(word)
	if strings.HasPrefix(c.rest()[width:], ".") {
		width++
	}
	rest := c.rest()[width:]
	after := cutDash(rest)
	dash := len(after) < len(rest) && startsWithWeekday(after)
	if !dash && !startsWithDigit(skipBlanks(rest)) && !startsWithWeekday(cutJoint(rest)) && !c.afterWeekday() {
		return false
	}
	c.say(name)
	if dash {
		c.sayApart("a")
		width += len(rest) - len(after)
	}
	c.pass(width)
	return true
}

func startsWithWeekday(s string) bool { return isWeekday(s[:wordWidth(s)]) }

// cutJoint removes the comma or the word that joins two weekdays.
func cutJoint(s string) string {
	rest := strings.TrimLeft(s, ", ")
	if word := rest[:wordWidth(rest)]; isListed(" a al y e ", word) {
		rest = skipBlanks(rest[len(word):])
	}
	return rest
}

// afterWeekday reports whether the word before i is another weekday, with or
// without what joins them.
func (c *cursor) afterWeekday() bool {
	const reach = 24
	before := strings.TrimRight(c.s[max(0, c.i-reach):c.i], " ,.-–—")
	word := lastWord(before)
	if isListed(" a al y e ", word) {
		word = lastWord(strings.TrimRight(before[:len(before)-len(word)], " ,."))
	}
	return isWeekday(word)
}

// weekInitials says the initials of two weekdays before hours: "L-V 8:00", "L a S
// de 9:00".
func (c *cursor) weekInitials() bool {
	rest := c.rest()[1:]
	after := cutDash(rest)
	if len(after) == len(rest) {
		after = strings.TrimPrefix(rest, " a ")
	}
	if len(after) == len(rest) || after == "" || !endsWord(after[1:]) {
		return false
	}
	last := strings.IndexByte("DLMXJVS", after[0])
	hours := strings.TrimLeft(after[1:], " ,:.")
	if last < 0 || last == 1 || !startsWithDigit(strings.TrimPrefix(hours, "de ")) {
		return false
	}
	c.say(weekdays[1])
	c.sayApart("a")
	c.say(weekdays[last])
	c.pass(len(c.rest()) - len(after) + 1)
	return true
}
