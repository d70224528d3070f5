package document

import "strings"

// IsSpelled reports whether a JSON text says what the document holds, member by
// member: only white space and the escapes in strings may differ. It takes no memory,
// but for strings that are escaped differently, and stops at the first difference.
// [Equal] is for texts whose members are in another order.
func (d *Document) IsSpelled(text string) bool {
	p := parser{src: text}
	p.space()
	if !p.follows(d.root) {
		return false
	}
	p.space()
	return p.at == len(p.src)
}

// follows steps over the value at p.at if it is that of n. A number that goes on, as
// 12 does behind 1, is found out by what has to come next.
func (p *parser) follows(n *Node) bool {
	switch n.kind {
	case Array:
		return p.followsChildren(n, '[', ']')
	case Object:
		return p.followsChildren(n, '{', '}')
	case String:
		return p.followsText(n.raw)
	default:
		return p.followsBytes(n.raw)
	}
}

func (p *parser) followsChildren(n *Node, left, right byte) bool {
	if !p.next(left) {
		return false
	}
	p.space()
	for child := n.first; child != nil; child = child.next {
		if child != n.first && !p.next(',') {
			return false
		}
		p.space()
		if n.kind == Object {
			if !p.followsText(child.name) {
				return false
			}
			p.space()
			if !p.next(':') {
				return false
			}
			p.space()
		}
		if !p.follows(child) {
			return false
		}
		p.space()
	}
	return p.next(right)
}

func (p *parser) followsText(raw string) bool {
	if p.followsBytes(raw) {
		return true
	}
	from := p.at
	if from >= len(p.src) || p.src[from] != '"' || p.text() != nil {
		return false
	}
	return unquote(p.src[from:p.at]) == unquote(raw)
}

func (p *parser) followsBytes(raw string) bool {
	if !strings.HasPrefix(p.src[p.at:], raw) {
		return false
	}
	p.at += len(raw)
	return true
}
