package voice

import "strings"

// linkSign handles the brackets of Markdown: "[text](address)" leaves the text,
// "![text](address)", an image, too. Other brackets are parentheses.
func (m *unmarker) linkSign(c byte) {
	switch {
	case c == '!' && (m.after(1) != '[' || !m.opensLink()):
		m.copy(1)
	case c == '!', c == '[' && m.opensLink():
		m.skip(1)
	case c == '[':
		m.put("(", 1)
	case m.opensLink() && m.target == m.i:
		m.skipTarget()
	default:
		m.put(")", 1)
	}
}

// opensLink reports whether the next closing bracket is that of a link. What it
// found it remembers, so that many brackets cost one search.
func (m *unmarker) opensLink() bool {
	m.bracket = m.nextOf("]", m.bracket, m.i)
	m.target = m.nextOf("](", m.target, m.i)
	m.closing = m.nextOf(")", m.closing, m.target)
	return m.target >= 0 && m.target == m.bracket && m.closing >= 0
}

// nextOf returns where what stands at or after from, given where it was the last
// time; noMore when it does not, or from is noMore.
func (m *unmarker) nextOf(what string, known, from int) int {
	if known == noMore || from == noMore {
		return noMore
	}
	if known >= from {
		return known
	}
	return indexFrom(m.s, what, from)
}

const noMore = -2

// indexFrom returns the index of what in s at or after from, or noMore.
func indexFrom(s, what string, from int) int {
	if i := strings.Index(s[from:], what); i >= 0 {
		return from + i
	}
	return noMore
}

// skipTarget takes "](address)" out, and notes the address.
func (m *unmarker) skipTarget() {
	from := m.i + len("](")
	end := m.closing
	if open := strings.IndexByte(m.s[from:end], '('); open >= 0 { // one pair may stand in an address
		if next := indexFrom(m.s, ")", end+1); next > 0 && strings.IndexByte(m.s[end:next], ' ') < 0 {
			end = next
		}
	}
	address := m.s[from:end]
	if title := strings.IndexAny(address, " \t"); title >= 0 {
		address = address[:title]
	}
	if inner, ok := strings.CutPrefix(address, "<"); ok {
		from++
		address = strings.TrimSuffix(inner, ">")
	}
	m.linkTarget(address, from)
	m.skip(end + 1 - m.i)
}

// linkTarget notes an address that is at the given place of the span and never
// said.
func (m *unmarker) linkTarget(address string, at int) {
	kind := PieceURL
	if rest, ok := strings.CutPrefix(address, "mailto:"); ok {
		kind, at, address = PieceEmail, at+len("mailto:"), rest
	}
	if address != "" && !strings.HasPrefix(address, "#") {
		m.remove(kind, address, m.base+at)
	}
}
