package voice

import "strings"

// phone says a phone number at i, which is a digit, a "+" or a "(": an
// international one, one that has the length of the country's, or any after a
// cue such as "llame al".
func (c *cursor) phone(k *context) bool {
	rest := c.rest()
	width := c.phoneWidth(rest, k)
	if width == 0 {
		return false
	}
	p, read, err := scanPhone(rest[:width])
	if err != nil || read != width {
		return false
	}
	extension, more := scanExtension(rest[width:])
	p.extension = extension
	c.begin()
	c.out = c.speaker.appendPhone(c.out, &p)
	c.pass(width + more)
	return true
}

// phoneWidth returns the width of the phone number at the beginning of s, zero
// when there is none.
func (c *cursor) phoneWidth(s string, k *context) int {
	g := groupDigits(s)
	if s[0] == '+' {
		return g.international()
	}
	calling := c.speaker.rules().calling
	for n := g.size; n > 0; n-- {
		end, total := g.end[n-1], g.count(n)
		digits := string(g.digits[:total])
		switch {
		case !endsWord(s[end:]) || strings.HasPrefix(s[end:], ":"):
			continue
		case k.cue == cuePhone && c.cuedPhone(total, n, end):
		case !isNational(calling, digits) || !g.looksNational(n):
			continue
		}
		return end
	}
	return 0
}

// cuedPhone reports whether digits after a cue are a phone number: any number of
// seven digits and more, and service codes such as 123, unless they count
// something ("llame 24 horas", "marque 100 veces").
func (c *cursor) cuedPhone(total, groups, width int) bool {
	const shortest, service, longestService = 7, 3, 6
	if total >= shortest && total <= maxPhoneDigits {
		return true
	}
	if groups > 1 || total < service || total > longestService {
		return false
	}
	_, counts := c.nounAfter(width, false)
	n, ok := scanNumeral(c.s[c.i:], c.speaker.rules())
	return !counts && ok && n.width == width
}

// digitGroups are groups of digits with single separators between them.
type digitGroups struct {
	size   int
	end    [maxGroups]int // of each group in the text
	total  [maxGroups]int // digits to the end of each group
	digits [maxPhoneDigits]byte
	spaces bool
	dots   bool
}

const maxGroups = 7

// groupDigits reads groups as phone numbers have them, "+57 (601) 234-5678".
func groupDigits(s string) (g digitGroups) {
	i := len(s) - len(strings.TrimPrefix(s, "+"))
	touches := true // the next group needs no separator
	for g.size < maxGroups {
		apart := groupSeparatorWidth(s[i:])
		if apart == 0 && !touches {
			break
		}
		from := i + apart
		inside := strings.HasPrefix(s[from:], "(") && isAreaCode(s[from:])
		if inside {
			from++
		}
		width := digitsWidth(s[from:min(len(s), from+maxPhoneDigits+1)])
		total := g.count(g.size)
		if width == 0 || total+width > maxPhoneDigits {
			break
		}
		g.spaces = g.spaces || strings.Contains(s[i:from], " ")
		g.dots = g.dots || strings.Contains(s[i:from], ".")
		copy(g.digits[total:], s[from:from+width])
		i = from + width
		if inside {
			i++
		}
		g.end[g.size], g.total[g.size] = i, total+width
		g.size++
		touches = inside
	}
	return g
}

// count returns the digits of the first n groups.
func (g *digitGroups) count(n int) int {
	if n == 0 {
		return 0
	}
	return g.total[n-1]
}

// groupSeparatorWidth returns the length of what stands between groups without
// parentheses. A slash does not: it parts two numbers.
func groupSeparatorWidth(s string) int {
	if s == "" || strings.IndexByte("/()", s[0]) >= 0 {
		return 0
	}
	return phoneSeparatorWidth(s)
}

// international returns the width of the number whose groups come after a plus:
// as far as its country's plan goes, or all.
func (g *digitGroups) international() int {
	for n := g.size; n > 0; n-- {
		if g.count(n) < minPhoneDigits {
			break
		}
		number := string(g.digits[:g.count(n)])
		calling := callingCode(number)
		if isNational(calling, number[len(calling):]) {
			return g.end[n-1]
		}
	}
	for n := g.size; n > 0; n-- {
		if g.count(n) >= minPhoneDigits {
			return g.end[n-1]
		}
	}
	return 0
}

// isNational reports whether a number has the length of one of the country, with
// its trunk prefix or without.
func isNational(calling, digits string) bool {
	if calling == "" {
		return false
	}
	if calling == "57" && (strings.HasPrefix(digits, "018000") && len(digits) >= 10 || strings.HasPrefix(digits, "0")) {
		return strings.HasPrefix(digits, "018000")
	}
	if calling == "54" {
		return len(digits) >= 10 && isArgentine(digits) || len(digits) == 11 && digits[0] == '0' || strings.HasPrefix(digits, "0800") && len(digits) == 11
	}
	if phonePlanOf(calling, digits) != nil {
		return true
	}
	rest, zero := strings.CutPrefix(digits, "0")
	plan := phonePlanOf(calling, rest)
	return zero && plan != nil && plan.trunk == "0"
}

// looksNational reports whether the first n groups look like a phone number
// without any cue: long, in groups that are not those of thousands. What could
// be two numbers is left.
func (g *digitGroups) looksNational(n int) bool {
	const long = 9
	total, first := g.count(n), g.count(1)
	last := total - g.count(n-1)
	switch {
	case total < long && (n == 1 || g.spaces):
		return false
	case n > 1 && (last < 2 || last > 4 && n > 2 || first > 4 && g.digits[0] != '0'):
		return false
	case n > 1 && g.dots && last == 3:
		return false
	case total == 8 && n == 2:
		years := isYear(string(g.digits[:4])) && isYear(string(g.digits[4:8]))
		round := g.digits[3] == '0' && g.digits[7] == '0'
		return first == 4 && !years && !round
	}
	return total >= long
}
