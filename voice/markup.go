package voice

import (
	"strings"
	"unicode/utf8"
)

// textRun says where a stretch of plain text comes from. It is the input byte
// for byte, or else, when length is not zero, something that stands for length
// bytes of the input.
type textRun struct{ plain, origin, length int }

// unmark takes the markup out of a span: Markdown inside a line, HTML, what
// cannot be heard. Links stay whole, for unlink. n.runs says where everything
// comes from; it is empty when nothing changed.
func (n *narrator) unmark(text string) string {
	n.runs = n.runs[:0]
	first := plainWidth(text)
	if first == len(text) {
		return text
	}
	for first > 0 && text[first-1] != ' ' { // a link may begin before its first mark
		first--
	}
	m := unmarker{narrator: n, s: text, plain: n.plain[:0], bracket: -1, target: -1, closing: -1}
	m.copy(first)
	for m.i < len(text) {
		m.next()
	}
	n.plain = m.plain
	return string(m.plain)
}

// plainWidth returns how much of s is certainly plain: signs that mark nothing,
// and the letters of Spanish.
func plainWidth(s string) int {
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= utf8.RuneSelf:
			if c != 0xC2 && c != 0xC3 || i+1 == len(s) || s[i+1]&0xC0 != 0x80 || c == 0xC2 && (s[i+1] < 0xA1 || s[i+1] == 0xAD || s[i+1] == 0xAE || s[i+1] == 0xA9) {
				return i
			}
			i++
		case markupBytes[c]:
			return i
		}
	}
	return len(s)
}

// markupBytes are the bytes of ASCII that unmark does not simply copy.
var markupBytes = [utf8.RuneSelf]bool{
	'\\': true, '&': true, '<': true, '>': true, '*': true, '_': true, '~': true, '`': true, '|': true,
	'[': true, ']': true, '{': true, '}': true, '^': true, 0x7F: true,
	0: true, 1: true, 2: true, 3: true, 4: true, 5: true, 6: true, 7: true, 8: true, 11: true, 12: true, 14: true, 15: true,
	16: true, 17: true, 18: true, 19: true, 20: true, 21: true, 22: true, 23: true, 24: true, 25: true, 26: true, 27: true,
	28: true, 29: true, 30: true, 31: true,
}

// unmarker is on its way through one span.
type unmarker struct {
	*narrator
	s     string
	i     int
	plain []byte

	token   int  // where the word ends that i is in, blanks around it
	mayLink bool // it could hold a link

	// Where the next of each are, -1 when not looked for yet.
	bracket int // "]"
	target  int // "]("
	closing int // ")" after target
}

// next handles what stands at i.
func (m *unmarker) next() {
	c := m.s[m.i]
	if width := m.linkWidth(); width > 0 {
		m.copyLink(m.i + width)
		return
	}
	switch {
	case c >= utf8.RuneSelf:
		m.rune()
	case c == '\\':
		m.backslash()
	case c == '&':
		m.entity()
	case c == '<':
		m.angle()
	case c == '>':
		m.greater()
	case c == '*' || c == '_' || c == '~' || c == '^':
		m.emphasis(c)
	case c == '`':
		m.skip(1)
	case c == '|':
		m.put(", ", 1)
	case c == '[' || c == ']' || c == '!':
		m.linkSign(c)
	case c == '{':
		m.put("(", 1)
	case c == '}':
		m.put(")", 1)
	case c < ' ' || c == 0x7F:
		m.control(c)
	default:
		m.copy(1)
	}
}

// copy takes bytes over.
func (m *unmarker) copy(width int) {
	if width == 0 {
		return
	}
	if last := len(m.runs) - 1; last < 0 || m.runs[last].length > 0 ||
		m.runs[last].origin-m.runs[last].plain != m.i-len(m.plain) {
		m.runs = append(m.runs, textRun{len(m.plain), m.i, 0})
	}
	m.plain = append(m.plain, m.s[m.i:m.i+width]...)
	m.i += width
}

// copyLink takes a link over, its letters as everywhere.
func (m *unmarker) copyLink(end int) {
	for m.i < end {
		if m.s[m.i] >= utf8.RuneSelf {
			m.rune()
		} else {
			m.copy(1)
		}
	}
}

// put writes text in place of bytes, skip nothing.
func (m *unmarker) put(text string, width int) {
	m.runs = append(m.runs, textRun{len(m.plain), m.i, width})
	m.plain = append(m.plain, text...)
	m.i += width
}

func (m *unmarker) skip(width int) { m.i += width }

// before returns the last byte that was written, after the one at i that is to
// come; zero at the ends.
func (m *unmarker) before() byte {
	if len(m.plain) == 0 {
		return 0
	}
	return m.plain[len(m.plain)-1]
}

func (m *unmarker) after(width int) byte {
	if m.i+width >= len(m.s) {
		return 0
	}
	return m.s[m.i+width]
}

// linkWidth returns the width of the link at i, which stays as it is written.
func (m *unmarker) linkWidth() int {
	if m.i >= m.token {
		m.token = m.i
		for m.token < len(m.s) && !isBlank(m.s[m.token]) && m.s[m.token] != '\n' {
			m.token++
		}
		m.mayLink = mayHoldLink(m.s[m.i:m.token])
	}
	if !m.mayLink || !linkMayFollow(m.plain, m.s[m.i:m.token]) {
		return 0
	}
	_, width := scanLink(m.s, m.i, m.token)
	return width
}

// backslash drops the backslash of Markdown before a sign, and the sign is as
// any other of its kind: what marks nothing is not heard either.
func (m *unmarker) backslash() {
	if c := m.after(1); c > ' ' && c < 0x7F && !isLetter(c) && !isDigit(c) && c != '\\' {
		m.skip(1)
		return
	}
	m.put(" ", 1)
}

// control drops signs that control a device, and keeps blanks.
func (m *unmarker) control(c byte) {
	if isBlank(c) || c == '\n' || c == '\v' || c == '\f' {
		m.put(" ", 1)
		return
	}
	m.skip(1)
}

// emphasis handles the signs of Markdown and of chats for bold, italic and
// struck text. Between digits * is a multiplication; before digits it begins a
// service code or hides the rest of a number; inside a word _ is a space.
func (m *unmarker) emphasis(c byte) {
	run := 1
	for m.after(run) == c {
		run++
	}
	before, after := m.before(), m.after(run)
	switch {
	case c == '*' && m.hidden():
	case c == '*' && run == 1 && (m.serviceCode() || isKey(m.plain, m.before() == ' ', m.s[m.i:])):
		m.copy(1)
	case c == '*' && run == 1 && m.multiplies():
		m.put("×", 1)
	case c == '^' && isWordByte(before) && isDigit(after):
		m.put(" elevado a ", run)
	case c == '_' && isWordByte(before) && isWordByte(after), c == '^':
		m.put(" ", run)
	case c == '~' && run == 1 && isDigit(after) && !isWordByte(before):
		m.copy(1)
	default:
		m.skip(run)
	}
}

// multiplies reports whether the sign at i stands between numbers.
func (m *unmarker) multiplies() bool {
	before := strings.TrimRight(string(m.plain[max(0, len(m.plain)-4):]), " ")
	after := strings.TrimLeft(m.s[m.i+1:min(len(m.s), m.i+4)], " ")
	return before != "" && isDigit(before[len(before)-1]) && startsWithDigit(after)
}

// serviceCode reports whether the star at i begins a code that is dialled, such
// as *611 or *123#. With a star behind it that closes, it emphasises.
func (m *unmarker) serviceCode() bool {
	digits := digitsWidth(m.s[m.i+1 : min(len(m.s), m.i+8)])
	rest := m.s[m.i+1+digits:]
	rest = strings.TrimPrefix(rest, "#")
	closing := strings.IndexByte(rest, '*')
	return digits >= 2 && digits <= 5 && endsWord(rest) && !goesOn(rest) && !isWordByte(m.before()) &&
		(closing < 0 || closing > 0 && isBlank(rest[closing-1]))
}

// hidden reads the signs that hide the beginning of a number, "**** 4821", and
// says so.
func (m *unmarker) hidden() bool {
	width := scanMask(m.s[m.i:])
	if width == 0 || isWordByte(m.before()) {
		return false
	}
	if strings.HasSuffix(string(m.plain[max(0, len(m.plain)-4):]), " en ") {
		m.skip(width)
	} else {
		m.put("terminada en ", width)
	}
	return true
}

// scanMask returns the width of two or more signs that hide digits, in groups or
// not, and the space before the digits that show: two to six of them.
func scanMask(s string) int {
	signs, i := 0, 0
	for i < len(s) && i < 40 {
		switch {
		case strings.IndexByte("*Xx", s[i]) >= 0:
			signs, i = signs+1, i+1
		case strings.HasPrefix(s[i:], "•"):
			signs, i = signs+1, i+len("•")
		case (s[i] == ' ' || s[i] == '-') && signs > 0:
			i++
		default:
			shown := digitsWidth(s[i:min(len(s), i+8)])
			rest := s[i+shown:]
			if signs < 3 || shown < 2 || shown > 6 || !endsWord(rest) || strings.HasPrefix(rest, "*") {
				return 0
			}
			return i
		}
	}
	return 0
}

// origin returns where the byte at i of the plain text is in the span.
func (n *narrator) origin(i int) int {
	run := n.runAt(i)
	if run.length > 0 {
		return run.origin
	}
	return run.origin + i - run.plain
}

// originEnd returns where the stretch of the plain text ends in the span whose
// last byte is before i.
func (n *narrator) originEnd(i int) int {
	run := n.runAt(i - 1)
	if run.length > 0 {
		return run.origin + run.length
	}
	return run.origin + i - run.plain
}

func (n *narrator) runAt(i int) textRun {
	from, to := 0, len(n.runs)
	for to-from > 1 {
		if mid := (from + to) / 2; n.runs[mid].plain <= i {
			from = mid
		} else {
			to = mid
		}
	}
	if from == to {
		return textRun{}
	}
	return n.runs[from]
}
