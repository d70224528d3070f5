package voice

import "strings"

// blockState is what a line has to do with the lines before it.
type blockState struct {
	fence string // the signs that opened a block of code, empty outside
	code  code
	table *table
	item  bool // the line being said is a heading or an item: it ends like a sentence
}

// code is what a block of code has held so far.
type code struct {
	text  []byte
	start int
}

// segment says one segment of the text.
func (n *narrator) segment(text string, how cut) {
	n.mark()
	base := n.offset
	switch {
	case n.cuts.midLine && n.block.fence != "":
		n.keepCode(text)
		return
	case !n.cuts.midLine:
		switch {
		case n.fenced(text):
			return
		case how == cutTable:
			n.tableHead(text, base)
			return
		case n.block.table != nil && n.tableRow(text, base):
			return
		}
		rest := n.beginLine(text)
		base += len(text) - len(rest)
		text = rest
	}
	n.span(text, base)
	switch how {
	case cutSentence, cutLength:
		return
	case cutItem:
		n.block.item = true
	case cutNowhere, cutLine, cutTable:
	}
	n.finishLine()
}

// finishLine ends a line, one that is a heading or an item with a period.
func (n *narrator) finishLine() {
	if n.block.item && n.begun {
		if _, short := findAbbreviation(lastWord(string(n.out[n.start:]))); !short {
			n.stop(".")
		}
	}
	n.block.item = false
	n.endLine()
}

// beginLine takes off the marks at the beginning of a line: of quotations,
// headings and items. The number of an item is said.
func (n *narrator) beginLine(text string) string {
	if isRule(text) {
		return ""
	}
	for {
		text = strings.TrimLeft(text, blanks)
		rest, item := cutLineMark(text)
		if len(rest) == len(text) {
			break
		}
		n.block.item = n.block.item || item
		text = rest
	}
	if number, width := scanItemNumber(text); width > 0 {
		n.block.item = true
		n.sayItemNumber(number)
		text = text[width:]
	}
	return text
}

// blanks are the spaces that may stand around the marks of a line.
const blanks = " \t\r\n"

// cutLineMark removes one mark at the beginning of a line: ">", "##", "- ", "•"
// and the box of a task.
func cutLineMark(text string) (rest string, item bool) {
	if text == "" {
		return text, false
	}
	hashes := len(text) - len(strings.TrimLeft(text, "#"))
	switch c := text[0]; {
	case c == '>':
		return text[1:], false
	case hashes > 0 && hashes <= 6 && startsBlank(text[hashes:]):
		return text[hashes:], true
	case strings.IndexByte("-*+", c) >= 0 && startsBlank(text[1:]):
		return text[1:], true
	case len(text) > 3 && c == '[' && strings.IndexByte(" xX", text[1]) >= 0 && text[2] == ']' && startsBlank(text[3:]):
		return text[3:], true
	}
	for _, bullet := range [...]string{"•", "·", "▪", "●", "◦", "‣", "–", "—"} {
		if rest, ok := strings.CutPrefix(text, bullet); ok && startsBlank(rest) {
			return rest, true
		}
	}
	return text, false
}

func startsBlank(s string) bool { return s == "" || strings.IndexByte(blanks, s[0]) >= 0 }

// isRule reports whether a line only divides, such as "---" or "* * *".
func isRule(text string) bool {
	text = strings.Trim(text, blanks)
	signs := 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == ' ' || c == '\t':
		case c != text[0] || strings.IndexByte("-*_=~", c) < 0:
			return false
		default:
			signs++
		}
	}
	return signs >= 3
}

// scanItemNumber reads "1. ", "2) " or a keycap emoji at the beginning of a line.
// Larger numbers than 99 begin a sentence as likely as an item.
func scanItemNumber(text string) (number, width int) {
	digits := digitsWidth(text)
	if digits < 1 || digits > 2 {
		return 0, 0
	}
	number, rest := fixedNumber(text[:digits]), text[digits:]
	if keycap := scanKeycap(rest); keycap > 0 {
		return number, digits + keycap
	}
	if rest == "" || rest[0] != '.' && rest[0] != ')' || !startsBlank(rest[1:]) || strings.Trim(rest[1:], blanks) == "" {
		return 0, 0
	}
	return number, digits + 1
}

// sayItemNumber says "primero:"; beyond ten, where speech leaves the ordinals
// (DPD "ordinales"), "número once:".
func (n *narrator) sayItemNumber(number int) {
	n.begin()
	if number >= 1 && number <= 10 {
		n.out = n.speaker.AppendOrdinal(n.out, int64(number))
	} else {
		n.out = n.speaker.AppendInt(append(n.out, "número "...), int64(number))
	}
	n.out = append(n.out, ':')
	n.gap = true
}

// fenced takes a line that opens, closes or belongs to a block of code.
func (n *narrator) fenced(text string) bool {
	b := &n.block
	trimmed := strings.Trim(text, blanks)
	signs := fenceOf(trimmed)
	read := n.speaker.handling[PieceCode].how == spelledOut
	switch {
	case b.fence == "":
		if signs == "" || strings.Contains(trimmed[len(signs):], "`") {
			return false
		}
		b.fence = signs
	case signs == trimmed && len(signs) >= len(b.fence) && signs[0] == b.fence[0]:
		b.fence = ""
		n.finishCode()
	case read:
		n.span(text, n.offset)
		n.endLine()
		fallthrough
	default:
		n.keepCode(text)
	}
	return true
}

// fenceOf returns the three or more signs that mark a block of code.
func fenceOf(text string) string {
	if text == "" || text[0] != '`' && text[0] != '~' {
		return ""
	}
	if signs := text[:len(text)-len(strings.TrimLeft(text, text[:1]))]; len(signs) >= 3 {
		return signs
	}
	return ""
}

// keepCode adds a line to the block of code, which becomes several pieces
// when it is long.
func (n *narrator) keepCode(text string) {
	c := &n.block.code
	if len(c.text) == 0 {
		c.start = n.offset
	}
	c.text = append(c.text, text...)
	if len(c.text) > 4*maxSegment {
		n.finishCode()
	}
}

func (n *narrator) finishCode() {
	c := &n.block.code
	text := strings.TrimRight(string(c.text), "\r\n")
	c.text = c.text[:0]
	if text == "" {
		return
	}
	n.remove(PieceCode, text, c.start)
	if h := n.speaker.handling[PieceCode]; h.how == replaced {
		n.mark()
		n.read(h.phrase)
		n.endLine()
	}
}

// remove notes a piece of the input.
func (n *narrator) remove(kind PieceKind, text string, start int) {
	if n.collect {
		n.removed = append(n.removed, Piece{Kind: kind, Text: text, Start: start, End: start + len(text)})
	}
}
