package voice

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxSegment bounds what is decided together, and so the look-back.
const maxSegment = 4096

// cut says why a segment ends where it ends.
type cut uint8

const (
	cutNowhere  cut = iota // more text is needed
	cutLine                // after a line break, or a tag that is one
	cutItem                // after a tag that ends a heading, an item or a cell
	cutTable               // after the header of a table and the line below it
	cutSentence            // before the first word of a sentence
	cutLength              // somewhere, since the text goes on for too long
)

// segmenter finds the end of the first segment of a text of which more may
// come. It looks at each byte once, also when it is asked again with more text,
// and what comes later never changes an answer.
type segmenter struct {
	seen    int // bytes that were looked at
	midLine bool
	lines   bool // only whole lines count: in a table, in a block of code

	kept   func(tag string) bool // tags that are no line breaks
	inside byte                  // the sign that ends a construct, 0 outside of them
	tag    int                   // where the last < is
	bar    bool                  // the line has a |
	after  afterStop
}

// afterStop follows the signs after which a sentence may begin.
type afterStop uint8

const (
	afterWord afterStop = iota
	afterSign
	afterBlank
)

// afterBracket is, for inside, the place right after "]".
const afterBracket = '('

func (g *segmenter) next(s string, final bool) (end int, how cut) {
	for g.seen < len(s) {
		if g.seen >= maxSegment {
			return cutLong(s), cutLength
		}
		c := s[g.seen]
		if c == '\n' {
			return g.lineBreak(s, final)
		}
		if !g.lines {
			if g.after == afterBlank && !isBlank(c) {
				if !final && !utf8.FullRuneInString(s[g.seen:]) {
					return 0, cutNowhere
				}
				if beginsSentence(s[g.seen:]) {
					return g.seen, cutSentence
				}
			}
			if how := g.step(s, c); how != cutNowhere {
				return g.seen + 1, how
			}
		}
		g.seen++
	}
	if !final || len(s) == 0 {
		return 0, cutNowhere
	}
	return len(s), cutLine
}

// step looks at the byte c, the one at seen, and reports a tag that ends the
// line.
func (g *segmenter) step(s string, c byte) cut {
	switch {
	case c == '<':
		g.inside, g.tag = '>', g.seen
	case g.inside == '>' && c == '>':
		g.inside = 0
		return g.tagBreak(s[g.tag : g.seen+1])
	case g.inside == afterBracket && c == '(':
		g.inside = ')'
	case g.inside == afterBracket:
		g.inside = 0
		return g.step(s, c)
	case g.inside == ']' && c == ']':
		g.inside = afterBracket
	case g.inside != 0 && c == g.inside:
		g.inside = 0
	case g.inside != 0:
	case c == '[':
		g.inside = ']'
	case c == '`':
		g.inside = '`'
	case c == '|':
		g.bar = true
	default:
		g.followStop(s, c)
		return cutNowhere
	}
	g.after = afterWord
	return cutNowhere
}

// followStop keeps track of stops, the signs that close after them, and blanks.
func (g *segmenter) followStop(s string, c byte) {
	const ellipsis = "…"
	switch {
	case g.bar:
	case c == '!' || c == '?' || c == ellipsis[2] && strings.HasSuffix(s[:g.seen+1], ellipsis):
		g.after = afterSign
	case c == '.' && (g.after == afterSign || mayEndSentence(s[:g.seen])):
		g.after = afterSign
	case g.after == afterWord:
	case isBlank(c):
		g.after = afterBlank
	case g.after == afterSign && (c >= utf8.RuneSelf || strings.IndexByte(`"')]}*_~`, c) >= 0):
		// closes what the sentence began with
	default:
		g.after = afterWord
	}
}

// mayEndSentence reports whether a period after this text can be the end of a
// sentence: not after a short number, an initial or an abbreviation.
func mayEndSentence(before string) bool {
	r, _ := utf8.DecodeLastRuneInString(before)
	switch {
	case r < utf8.RuneSelf && isDigit(byte(r)):
		const item = 2 // "1." and "12." may be items
		return len(before) > item && !strings.ContainsAny(before[len(before)-item-1:], blanks)
	case !unicode.IsLetter(r):
		return r == ')' || r == '"' || r == '”' || r == '»'
	}
	word := lastWord(before)
	if utf8.RuneCountInString(word) < 2 || len(word) == 2 && isUpper(word[0]) && word[0] == word[1] { // EE. UU.
		return false
	}
	_, abbreviated := findAbbreviation(word)
	return !abbreviated
}

// beginsSentence reports whether a sentence may begin with the first rune of s.
func beginsSentence(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r) || strings.ContainsRune("¿¡“«\"*_", r)
}

// lineBreak ends the segment after the line break at seen, or after the next one
// when the line is the header of a table, which the line below it shows.
func (g *segmenter) lineBreak(s string, final bool) (end int, how cut) {
	end = g.seen + 1
	if !g.bar || g.midLine || g.lines {
		return end, cutLine
	}
	dashes := false
	for i := end; i < len(s) && i < end+maxSegment/4; i++ {
		switch s[i] {
		case '\n':
			if dashes {
				return i + 1, cutTable
			}
			return end, cutLine
		case '-':
			dashes = true
		case '|', ':', ' ', '\t', '\r':
		default:
			return end, cutLine
		}
	}
	switch {
	case len(s)-end >= maxSegment/4, final && !dashes:
		return end, cutLine
	case final:
		return len(s), cutTable
	}
	return 0, cutNowhere
}

// cutLong returns where a text of more than maxSegment bytes is cut: after a
// blank, if the second half has one.
func cutLong(s string) int {
	if i := strings.LastIndexAny(s[maxSegment/2:maxSegment], " \t"); i >= 0 {
		return maxSegment/2 + i + 1
	}
	for i := maxSegment; i > maxSegment-utf8.UTFMax; i-- {
		if utf8.RuneStart(s[i]) {
			return i
		}
	}
	return maxSegment
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }
