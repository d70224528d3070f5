package middleware

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/portavoz/portavoz/voice"
)

// hear is [voice.Speaker.Clean] until nothing is left to take out: where markup
// stood in the middle of an address, one is only seen when the markup is gone.
func (m *mouth) hear(text string) voice.Result {
	const passes = 3
	r := m.Clean(text)
	for range passes {
		if !mayHoldPiece(r.Text) {
			break
		}
		again := m.Clean(r.Text)
		if again.Text == r.Text {
			break
		}
		r.Text, r.Removed = again.Text, append(r.Removed, again.Removed...)
	}
	return r
}

// clean is a text of the data without what nobody can listen to, and whether that
// made it another. A text that has nothing of the kind is not put into words: the
// model hands codes and names on to the next tool as they are. An id keeps signs
// that look like markup, and names of files.
func (m *mouth) clean(text string, id bool) (cleaned string, pieces []voice.Piece, changed bool) {
	marked := !id && hasMarkup(text)
	if !marked && !mayHoldPiece(text) {
		return text, nil, false
	}
	r := m.hear(text)
	for _, p := range r.Removed {
		switch p.Kind {
		case voice.PieceURL, voice.PieceEmail, voice.PieceHandle:
			marked = true
		case voice.PieceFile, voice.PiecePath:
			marked = marked || !id
		default: // a UUID or a token alone names something for the next call
		}
	}
	if !marked || r.Text == text {
		return text, nil, false
	}
	return r.Text, r.Removed, true
}

// mayHoldPiece reports whether a text has a sign that every link, address, handle,
// path and name of a file has.
func mayHoldPiece(s string) bool {
	for i := range len(s) {
		switch s[i] {
		case '@', '/', '\\':
			return true
		case '.':
			if i+1 < len(s) && s[i+1] > '9' || i+1 < len(s) && s[i+1] == '7' { // .7z
				return true
			}
		}
	}
	return false
}

// hasMarkup reports whether a text has signs of Markdown, HTML, tables or emoji.
func hasMarkup(s string) bool {
	lineStart, lastTag := true, strings.LastIndexByte(s, '>')
	for i := 0; i < len(s); i++ {
		rest := s[i+1:]
		switch c := s[i]; {
		case c >= utf8.RuneSelf:
			r, width := utf8.DecodeRuneInString(s[i:])
			if isOrnament(r) {
				return true
			}
			i += width - 1
		case c == '`', c == '|', c == '~' && strings.HasPrefix(rest, "~"),
			c == '*' && (strings.HasPrefix(rest, "*") || touches(s, i)), c == '_' && (strings.HasPrefix(rest, "_") || touches(s, i)),
			c == ']' && strings.HasPrefix(rest, "("),
			c == '<' && i < lastTag && startsTag(rest), c == '&' && startsEntity(rest),
			lineStart && isItem(s[i:]):
			return true
		}
		lineStart = s[i] == '\n' || lineStart && (s[i] == ' ' || s[i] == '\t')
	}
	return false
}

// touches reports whether the sign at i stands before a word like an opening mark
// of emphasis, and again further on.
func touches(s string, i int) bool {
	before := i == 0 || !isWordByte(s[i-1])
	return before && i+1 < len(s) && isWordByte(s[i+1]) && !isDigitByte(s[i+1]) && strings.IndexByte(s[i+1:], s[i]) > 0
}

func startsTag(rest string) bool {
	return rest != "" && (rest[0] == '/' || rest[0] == '!' || isWordByte(rest[0]))
}

func startsEntity(rest string) bool {
	const longest = 32
	end := strings.IndexByte(rest[:min(len(rest), longest)], ';')
	return end > 0 && (rest[0] == '#' || isWordByte(rest[0]))
}

// isItem reports whether a line begins like a heading, an item or a rule.
func isItem(line string) bool {
	trimmed := strings.TrimLeft(line, "#-+*>=")
	if len(trimmed) < len(line) {
		return trimmed == "" && len(line) > 1 || strings.HasPrefix(trimmed, " ") || strings.HasPrefix(trimmed, "\n")
	}
	digits := 0
	for digits < len(line) && isDigitByte(line[digits]) {
		digits++
	}
	rest := line[digits:]
	return digits > 0 && digits < 3 && (strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, ") "))
}

// isOrnament reports whether a rune is a bullet, an arrow, a box or an emoji.
func isOrnament(r rune) bool {
	switch {
	case r >= 0x2022 && r <= 0x2023, r >= 0x2190 && r <= 0x2BFF, r == 0x00B7, r == 0x3030,
		r >= 0x1F000 && r <= 0x1FAFF, r == 0xFE0F, r >= 0xE0000 && r <= 0xE01EF:
		return true
	case r >= 0xFF01 && r <= 0xFF5E: // full width: signs in disguise
		return true
	}
	return unicode.Is(unicode.Cf, r)
}

func isWordByte(c byte) bool {
	return c == '_' || isDigitByte(c) || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= utf8.RuneSelf
}

func isDigitByte(c byte) bool { return c >= '0' && c <= '9' }
