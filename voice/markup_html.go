package voice

import (
	"html"
	"strings"
	"unicode/utf8"
)

// maxTag bounds the length of a tag.
const maxTag = 2048

// scanTag reads what has the shape of a tag "<name ...>", "</name>" or of a
// comment at the beginning of s. The width is zero when there is none, as in "<3"
// or "a < b".
func scanTag(s string) (name string, closes bool, width int) {
	if strings.HasPrefix(s, "<!--") {
		if end := strings.Index(s, "-->"); end > 0 {
			return "!--", false, end + len("-->")
		}
	}
	i := 1
	if i < len(s) && (s[i] == '/' || s[i] == '!') {
		closes = s[i] == '/'
		i++
	}
	from := i
	for i < len(s) && (isLetter(s[i]) || i > from && (isDigit(s[i]) || s[i] == '-')) {
		i++
	}
	if i == from || i == len(s) || strings.IndexByte(" \t\r/>", s[i]) < 0 {
		return "", false, 0
	}
	end := strings.IndexAny(s[i:min(len(s), maxTag)], "<>")
	if end < 0 || s[i+end] == '<' {
		return "", false, 0
	}
	return s[from:i], closes, i + end + 1
}

// isMarkup reports whether what has the shape of a tag is one: by its name, or by
// the attributes, the slash or the mark that only tags have. Anything else is
// words: "<Plan Fibra>", "<nombre>".
func isMarkup(name, tag string) bool {
	return isTagIn(lineTags, name) || isTagIn(inlineTags, name) || isTagIn(otherTags, name) ||
		strings.HasPrefix(tag, "</") || strings.HasPrefix(tag, "<!") || strings.HasSuffix(tag, "/>") ||
		strings.Contains(tag, `="`) || strings.Contains(tag, "='")
}

// The tags that begin or end a line, those whose end is the end of a sentence,
// those that stand inside a word, and the rest of HTML and SSML 1.1.
const (
	lineTags     = " address article aside blockquote br dd div dl dt figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tbody tfoot thead tr ul "
	sentenceTags = " dd dt h1 h2 h3 h4 h5 h6 li tr "
	inlineTags   = " a abbr b big cite code del em font i ins kbd mark s small span strike strong sub sup u var wbr "
	otherTags    = " audio bdi bdo body button canvas caption center col colgroup datalist details dfn dialog fieldset figcaption frame head hgroup html " +
		"iframe img input label legend link map menu meta meter nobr noscript object optgroup option output param picture progress q samp script select " +
		"slot source style summary svg td template textarea th time title track tt video " +
		"break emphasis lang lexicon lookup metadata paragraph phoneme prosody say-as sentence speak spell token voice w "
)

func isTagIn(list, name string) bool {
	const longest = 10
	if len(name) > longest {
		return false
	}
	var buf [longest + 2]byte
	key := append(append(append(buf[:0], ' '), name...), ' ')
	for i := range key {
		if isUpper(key[i]) {
			key[i] |= 0x20
		}
	}
	return strings.Contains(list, string(key))
}

func lowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			r |= 0x20
		}
		return r
	}, s)
}

// tagBreak reports whether a tag ends the line.
func (g *segmenter) tagBreak(tag string) cut {
	name, closes, width := scanTag(tag)
	switch {
	case width != len(tag) || !isTagIn(lineTags, name) || g.kept != nil && g.kept(name):
		return cutNowhere
	case closes && isTagIn(sentenceTags, name):
		return cutItem
	}
	return cutLine
}

// angle handles "<": a tag goes, unless its name is kept; before a number it is
// a comparison.
func (m *unmarker) angle() {
	name, _, width := scanTag(m.s[m.i:])
	tag := m.s[m.i : m.i+width]
	switch {
	case width > 0 && m.speaker.keeps(name):
		m.copy(width)
	case width > 0 && isMarkup(name, tag):
		m.linkAttribute(tag)
		switch {
		case isTagIn(inlineTags, name):
			m.skip(width)
		case isTagIn(" td th ", name):
			m.put(", ", width)
		default:
			m.put(" ", width)
		}
	case strings.HasPrefix(m.s[m.i+1+digitsWidth(m.s[m.i+1:min(len(m.s), m.i+8)]):], ">"): // a key: <1>
		m.put(" ", 1)
	case startsWithNumber(m.s[m.i+1:]):
		m.put(" menor que ", 1)
	case startsWithNumber(strings.TrimPrefix(m.s[m.i+1:], "=")):
		m.put(" menor o igual que ", len("<="))
	default:
		m.put(" ", 1)
	}
}

// greater handles ">": between blanks it parts the steps of a path through
// menus, before a number it is a comparison.
func (m *unmarker) greater() {
	before, after := m.before(), m.after(1)
	switch {
	case startsWithNumber(m.s[m.i+1:]) && before != '-' && before != '=':
		m.put(" mayor que ", 1)
	case startsWithNumber(strings.TrimPrefix(m.s[m.i+1:], "=")) && after == '=':
		m.put(" mayor o igual que ", len(">="))
	case before == '-' || before == '=': // an arrow
		m.plain[len(m.plain)-1] = ' '
		m.put(", ", 1)
	case before == ' ' && after == ' ':
		m.put(", ", 1)
	default:
		m.put(" ", 1)
	}
}

// startsWithNumber reports whether s begins with a number, blanks before it.
func startsWithNumber(s string) bool {
	return startsWithDigit(strings.TrimLeft(s[:min(len(s), 4)], " $-"))
}

// entity handles "&": an entity is the character that it stands for, and goes
// through the same rules. What is escaped twice is read twice.
func (m *unmarker) entity() {
	i := m.i + 1
	for {
		width := 0
		for _, again := range [...]string{"amp;", "#38;", "#x26;"} {
			if strings.HasPrefix(m.s[i:], again) {
				width = len(again)
			}
		}
		if width == 0 {
			break
		}
		i += width
	}
	const longest = 32
	end := i
	for end < len(m.s) && end-i < longest && (isLetter(m.s[end]) || isDigit(m.s[end]) || m.s[end] == '#') {
		end++
	}
	if end == i || end == len(m.s) || m.s[end] != ';' {
		m.put("&", i-m.i)
		return
	}
	end++
	decoded := html.UnescapeString("&" + m.s[i:end])
	if decoded == "<" && m.escapedTag(end) {
		return
	}
	if strings.HasPrefix(decoded, "&") {
		m.put("&", i-m.i)
		return
	}
	m.putEntity(decoded, end-m.i)
}

// escapedTag takes out a tag whose "<" is an entity that ends at from.
func (m *unmarker) escapedTag(from int) bool {
	const longest = 256
	rest := m.s[from:min(len(m.s), from+longest)]
	inner, after, found := strings.Cut(rest, "&gt;")
	if !found {
		return false
	}
	tag := "<" + inner + ">"
	name, _, width := scanTag(tag)
	if width != len(tag) || !isMarkup(name, tag) {
		return false
	}
	replacement := " "
	if isTagIn(inlineTags, name) {
		replacement = ""
	}
	m.put(replacement, from+len(rest)-len(after)-m.i)
	return true
}

// putEntity puts decoded characters in place of width bytes. None of them is
// markup.
func (m *unmarker) putEntity(decoded string, width int) {
	switch decoded {
	case "<":
		decoded = " "
		if startsWithNumber(m.s[m.i+width:]) {
			decoded = " menor que "
		}
	case ">":
		decoded = " "
		if startsWithNumber(m.s[m.i+width:]) {
			decoded = " mayor que "
		}
	}
	var clean [utf8.UTFMax * 4]byte
	out := clean[:0]
	for _, r := range decoded {
		switch heard(r) {
		case heardAsIs:
			if r < utf8.RuneSelf && strings.ContainsRune("\\*_~`|[]{}^", r) {
				r = ' '
			}
			out = utf8.AppendRune(out, r)
		case heardAsBlank:
			out = append(out, ' ')
		case notHeard:
		}
	}
	m.put(string(out), width)
}

// linkAttribute notes the address that a tag links to.
func (m *unmarker) linkAttribute(tag string) {
	for _, name := range [...]string{"href=", "src="} {
		at := strings.Index(tag, name)
		if at < 0 {
			continue
		}
		at += len(name)
		value := tag[at:]
		if value != "" && (value[0] == '"' || value[0] == '\'') {
			at++
			value, _, _ = strings.Cut(value[1:], value[:1])
		} else if end := strings.IndexAny(value, " >"); end >= 0 {
			value = value[:end]
		}
		m.linkTarget(value, m.i+at)
	}
}
