package voice

import "unicode/utf8"

// numeral is a number found in writing, with the marks that people use.
type numeral struct {
	value decimal
	width int // bytes read, marks included
	// lone says that a single mark stands before exactly three digits. It groups
	// thousands or starts decimals; value follows the habit of the country.
	lone bool
}

// scanNumeral reads the number at the start of s, without a sign:
//
//	1234  1.234.567  1,234,567  1'234.567  1 234 567 (fixed or thin spaces)
//	1.234,56  1,234.56  1234.5  0,125
//
// Marks that can be read in one way only are read so in every country. What
// stays open is a lone mark before three digits, "1.234", which follows the
// profile. A mark at the end is punctuation. When the digits and marks make no
// number ("1.23.4", "1.2,3", or too long) ok is false and width covers them.
func scanNumeral(s string, p *profile) (n numeral, ok bool) {
	return scanShape(s, markKind).read(s, p)
}

// scanSpaced is scanNumeral for a number whose thousands are parted by common
// spaces, as the RAE wants thin ones (OLE 2010, VIII 2.2.1.1): "25 000". They also
// part numbers from each other, so that something else must show that this is one.
func scanSpaced(s string, p *profile) (n numeral, ok bool) {
	const longest = 3 * maxDigits // also in a row of numbers without an end
	first := digitsWidth(s[:min(len(s), 4)])
	if first < 1 || first > 3 || first == len(s) || s[first] != ' ' {
		return n, false
	}
	shape := scanShape(s[:min(len(s), longest)], spacedMark)
	if shape.width == longest {
		return n, false
	}
	return shape.read(s, p)
}

// read decides what the marks of a shape are, that of the beginning of s.
func (sh shape) read(s string, p *profile) (n numeral, ok bool) {
	n.width = sh.width
	decimals := false
	switch {
	case sh.width == 0:
		return n, false
	case sh.marks == 0:
	case sh.asGroups() && sh.asDecimals():
		n.lone = true
		decimals = sh.last == rune(p.decimal)
	case sh.asDecimals():
		decimals = true
	case !sh.asGroups():
		return n, false
	}
	cut := sh.width
	if decimals {
		cut = sh.lastRun
	}
	ok = n.fill(s[:sh.width], cut)
	return n, ok
}

// fill puts the digits of s into the value, those from cut on as decimals.
func (n *numeral) fill(s string, cut int) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			continue
		}
		digit := s[i : i+1]
		if i < cut && !n.value.addWhole(digit) || i >= cut && !n.value.addFrac(digit) {
			return false
		}
	}
	return true
}

// shape is how digits and marks alternate.
type shape struct {
	width   int
	marks   int
	first   int  // digits before the first mark
	zero    bool // what is before the first mark is a single 0
	last    rune // the last mark
	lastRun int  // where the digits after it start
	earlier [4]bool
	even    bool // every run between two marks has three digits
}

// scanShape reads digits and the marks that kind knows.
func scanShape(s string, kind func(rune) int) shape {
	sh := shape{even: true}
	for {
		start := sh.width
		for sh.width < len(s) && isDigit(s[sh.width]) {
			sh.width++
		}
		run := sh.width - start
		if sh.marks == 0 {
			sh.first = run
			sh.zero = run == 1 && s[0] == '0'
		}
		mark, size := utf8.DecodeRuneInString(s[sh.width:])
		next := sh.width + size
		if run == 0 || kind(mark) == noMark || next >= len(s) || !isDigit(s[next]) {
			return sh
		}
		if sh.marks > 0 {
			sh.even = sh.even && run == 3
			sh.earlier[kind(sh.last)] = true
		}
		sh.marks++
		sh.last, sh.lastRun = mark, next
		sh.width = next
	}
}

// The kinds of marks. An apostrophe groups millions beside another mark
// (1'234.567).
const (
	noMark = iota - 1
	point
	comma
	space
	apostrophe
)

func markKind(mark rune) int {
	switch mark {
	case '.':
		return point
	case ',':
		return comma
	case '\u00a0', '\u2009', '\u202f': // fixed, thin and narrow spaces: OLE 2010, VIII 2.2.1.1
		return space
	case '\'', '\u2019':
		return apostrophe
	}
	return noMark
}

// spacedMark is markKind with the common space.
func spacedMark(mark rune) int {
	if mark == ' ' {
		return space
	}
	return markKind(mark)
}

// asGroups reports whether all marks may group thousands.
func (sh shape) asGroups() bool {
	kinds := sh.earlier
	kinds[spacedMark(sh.last)] = true
	return sh.groupsWith(kinds) && sh.width-sh.lastRun == 3
}

// asDecimals reports whether the last mark may start decimals.
func (sh shape) asDecimals() bool {
	kind := spacedMark(sh.last)
	if kind != point && kind != comma || sh.earlier[kind] {
		return false
	}
	return sh.marks == 1 || sh.groupsWith(sh.earlier)
}

// groupsWith reports whether the digits before the last mark are grouped, and
// by one mark only beside the apostrophe.
func (sh shape) groupsWith(kinds [4]bool) bool {
	used := 0
	for _, mark := range [...]int{point, comma, space} {
		if kinds[mark] {
			used++
		}
	}
	return used <= 1 && sh.even && sh.first <= 3 && !sh.zero
}
