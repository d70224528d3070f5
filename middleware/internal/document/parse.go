package document

import (
	"errors"
	"fmt"
	"math"
	"unicode/utf16"
	"unicode/utf8"
)

// maxSource is the longest source, in bytes.
const maxSource = math.MaxInt32

// errDepth is for a value with more than MaxDepth levels.
var errDepth = errors.New("JSON is nested too deeply")

// Parse reads a JSON text: what json.Valid holds to be valid, down to MaxDepth
// levels and up to 2 GiB. The document keeps raw, which must not be written into
// as long as the document is in use. An error says where the text goes wrong, and
// nothing of what it says.
func Parse(raw []byte) (*Document, error) {
	if len(raw) > maxSource {
		return nil, errors.New("JSON is longer than 2 GiB")
	}
	p := parser{src: string(raw)}
	p.chunk = min(max(len(raw)/24, 4), maxChunk)
	p.space()
	from := p.at
	root, err := p.value(0)
	if err != nil {
		return nil, err
	}
	to := p.at
	if p.space(); p.at < len(p.src) {
		return nil, p.wrong()
	}
	return &Document{root: root, source: raw[from:to:to]}, nil
}

// Nodes are allocated in chunks: a short document gets about what it needs, a long
// one so many at once that allocating is not what takes the time.
const maxChunk = 512

type parser struct {
	src   string
	at    int
	saved int // bytes before at that are no UTF-16 code unit of their own
	blank int // bytes of white space before at
	slab  []Node
	chunk int
}

func (p *parser) node() *Node {
	if len(p.slab) == 0 {
		p.slab = make([]Node, p.chunk)
	}
	n := &p.slab[0]
	p.slab = p.slab[1:]
	return n
}

func (p *parser) wrong() error {
	if p.at >= len(p.src) {
		return errors.New("JSON ends too early")
	}
	return fmt.Errorf("not JSON at byte %d", p.at)
}

func (p *parser) space() {
	for p.at < len(p.src) {
		switch p.src[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
			p.blank++
		default:
			return
		}
	}
}

// next reports whether c comes next, and steps over it.
func (p *parser) next(c byte) bool {
	if p.at < len(p.src) && p.src[p.at] == c {
		p.at++
		return true
	}
	return false
}

// value reads the value at p.at, inside of depth containers.
func (p *parser) value(depth int) (*Node, error) {
	if p.at >= len(p.src) {
		return nil, p.wrong()
	}
	n, from, saved, blank := p.node(), p.at, p.saved, p.blank
	var err error
	switch c := p.src[p.at]; c {
	case '{':
		n.kind = Object
		err = p.container(n, depth, '}')
	case '[':
		n.kind = Array
		err = p.container(n, depth, ']')
	case '"':
		n.kind = String
		err = p.text()
	case 't':
		n.kind = Bool
		err = p.word("true")
	case 'f':
		n.kind = Bool
		err = p.word("false")
	case 'n':
		n.kind = Null
		err = p.word("null")
	default:
		n.kind = Number
		err = p.number()
	}
	if err != nil {
		return nil, err
	}
	n.raw, n.loose = p.src[from:p.at], p.blank > blank
	n.units = int32(len(n.raw) - (p.saved - saved))
	return n, nil
}

// container reads what lies between the bracket at p.at and the closing one.
func (p *parser) container(n *Node, depth int, closing byte) error {
	if depth >= MaxDepth {
		return errDepth
	}
	p.at++
	p.space()
	if p.next(closing) {
		return nil
	}
	var last *Node
	for {
		name := ""
		if n.kind == Object {
			var err error
			if name, err = p.memberName(); err != nil {
				return err
			}
		}
		child, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		child.name, child.parent = name, n
		if last == nil {
			n.first = child
		} else {
			last.next, child.prev = child, last
		}
		n.count++
		last = child
		p.space()
		if p.next(closing) {
			n.first.prev = last
			return nil
		}
		if !p.next(',') {
			return p.wrong()
		}
		p.space()
	}
}

// memberName reads a name and the colon behind it.
func (p *parser) memberName() (string, error) {
	from := p.at
	if p.at >= len(p.src) || p.src[p.at] != '"' {
		return "", p.wrong()
	}
	if err := p.text(); err != nil {
		return "", err
	}
	name := p.src[from:p.at]
	p.space()
	if !p.next(':') {
		return "", p.wrong()
	}
	p.space()
	return name, nil
}

// text reads the string at p.at.
func (p *parser) text() error {
	s, i := p.src, p.at+1
	for i < len(s) {
		switch c := s[i]; {
		case c == '"':
			p.at = i + 1
			return nil
		case c == '\\':
			w := escapeLen(s[i:])
			if w == 0 {
				p.at = i
				return p.wrong()
			}
			i += w
		case c < ' ':
			p.at = i
			return p.wrong()
		case c < utf8.RuneSelf:
			i++
		default:
			r, w := utf8.DecodeRuneInString(s[i:])
			p.saved += w - utf16.RuneLen(r)
			i += w
		}
	}
	p.at = i
	return p.wrong()
}

func (p *parser) word(w string) error {
	for i := range len(w) {
		if !p.next(w[i]) {
			return p.wrong()
		}
	}
	return nil
}

// number reads the number at p.at: RFC 8259, section 6.
func (p *parser) number() error {
	p.next('-')
	if !p.next('0') && !p.digits() {
		return p.wrong()
	}
	if p.next('.') && !p.digits() {
		return p.wrong()
	}
	if p.next('e') || p.next('E') {
		if !p.next('+') {
			p.next('-')
		}
		if !p.digits() {
			return p.wrong()
		}
	}
	return nil
}

// digits steps over digits and reports whether there were any.
func (p *parser) digits() bool {
	from := p.at
	for p.at < len(p.src) && p.src[p.at] >= '0' && p.src[p.at] <= '9' {
		p.at++
	}
	return p.at > from
}
