package voice

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Text turns what was written for a screen into what is heard on a phone, as
// plain words in plain sentences:
//
//   - Markup goes: Markdown, HTML and its entities, emoji, repeated signs.
//     Headings and items become sentences, numbered items begin with "primero",
//     rows of a table are read with the labels of its columns.
//   - URLs, addresses, file names and the like go; see [Speaker.Clean] to get
//     them and [Replace] and [SpellOut] to say something instead.
//   - Numbers become words by what is around them: amounts, percentages, dates,
//     times, phones, quantities, ordinals, fractions, ranges, codes, street
//     addresses, counted nouns. No digit of 0 to 9 is left outside of kept tags.
//   - Abbreviations are said in full, acronyms read or spelled.
//
// Dates are day first, and have their weekday only with [WithWeekday]. An hour
// that may be of either half of the day ("3:30") is said without the part of the
// day.
//
// Words never vanish: what is not understood stays as it is. The result of Text
// is not changed by Text. It is valid UTF-8, lines have no white space at their
// ends, and there are no empty lines. A text of which nothing can be heard, an
// emoji or a link alone, is empty.
//
// The time is linear in the length of the text, and each sentence is decided
// alone, looking ahead at most 4 KiB; longer lines without the end of a sentence
// are cut at a space.
func (s *Speaker) Text(text string) string {
	return string(s.AppendText(nil, text))
}

// AppendText appends what [Speaker.Text] says.
func (s *Speaker) AppendText(dst []byte, text string) []byte {
	n := narrator{speaker: s, pending: text}
	n.out = dst
	n.run(true)
	return n.out
}

// narrator reads a text segment by segment and says each. Between segments it
// remembers little: that a block of code is open, the header of a table, how the
// line it is writing ends. So a text can come in fragments.
type narrator struct {
	speaker *Speaker
	pending string // what is not said yet
	offset  int    // of pending in the whole text
	cuts    segmenter
	block   blockState

	collect bool
	removed []Piece

	voiceState
	spanText string    // what is being said, as it was written
	base     int       // of the span in the whole text
	runs     []textRun // where the plain text of the span comes from
	plain    []byte    // scratch, and tidied
	tidied   []byte
	cell     []byte // scratch of the cells of a table
}

// run says every segment that pending holds whole; the last one too when no more
// text comes.
func (n *narrator) run(final bool) {
	n.cuts.kept = n.speaker.keeps
	for {
		end, how := n.cuts.next(n.pending, final)
		if how == cutNowhere {
			break
		}
		n.segment(n.pending[:end], how)
		n.pending = n.pending[end:]
		n.offset += end
		n.cuts = segmenter{
			kept:    n.speaker.keeps,
			midLine: how == cutSentence || how == cutLength,
			lines:   n.block.fence != "" || n.block.table != nil,
		}
	}
	if final {
		n.finishLine()
		n.finishTable()
		n.finishCode()
		n.block = blockState{}
		n.cuts = segmenter{}
	}
}

// span says a part of a line, whose first byte is at base in the whole text.
func (n *narrator) span(text string, base int) {
	n.spanText, n.base = text, base
	first := len(n.removed)
	plain := n.unlink(n.unmark(text))
	slices.SortStableFunc(n.removed[first:], func(a, b Piece) int { return a.Start - b.Start })
	n.read(plain)
}

// read says plain text: without markup, links and other things to be left out.
func (n *narrator) read(plain string) {
	c := cursor{narrator: n, s: n.tidy(plain), spoken: -1}
	c.read()
}

// voiceState is what was said, and what the next word needs before it.
type voiceState struct {
	out     []byte
	start   int  // where in out the segment begins: nothing before it is taken back
	resumed bool // the line had begun before that
	newline bool // a line break is due
	gap     bool // a space is due
	begun   bool // something was said on this line
	carried rune // the last rune that was said, when out does not hold it any more
	depth   int  // parentheses that are open on this line
}

// mark begins a segment.
func (v *voiceState) mark() { v.start, v.resumed = len(v.out), v.begun }

// begin writes the line break or the space that is due before a word.
func (v *voiceState) begin() {
	switch {
	case v.begun && v.gap && v.last() != '(':
		v.out = append(v.out, ' ')
	case !v.begun && v.newline:
		v.out = append(v.out, '\n')
		v.newline = false
	}
	v.gap, v.begun = false, true
}

// say says a word.
func (v *voiceState) say(word string) {
	v.begin()
	v.out = append(v.out, word...)
}

// last returns the last rune of the line, zero when nothing is on it.
func (v *voiceState) last() rune {
	switch {
	case !v.begun:
		return 0
	case len(v.out) == 0:
		return v.carried
	}
	r, _ := utf8.DecodeLastRune(v.out)
	return r
}

// stop adds a stop to what was said: none at the beginning of a line or after
// another one, but a period takes the place of a comma.
func (v *voiceState) stop(sign string) {
	const weak, strong = ",;:", ".…!?"
	v.gap = false
	for strings.ContainsRune(weak, v.last()) && strings.Contains(strong, sign) && len(v.out) > v.start {
		v.out = v.out[:len(v.out)-1]
	}
	if last := v.last(); last != 0 && !strings.ContainsRune("(¿¡"+weak+strong, last) {
		v.out = append(v.out, sign...)
	}
}

// endLine ends the line that was being said.
func (v *voiceState) endLine() {
	v.newline = v.newline || v.begun
	v.gap, v.begun, v.depth = false, false, 0
}
