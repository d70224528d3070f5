package idempotency

import (
	"bytes"
	"fmt"
)

const maxDepth = 1000 // of nested arrays and objects

// canon reads a JSON text (RFC 8259), checks its grammar and rewrites it so that
// equal values have equal texts.
//
// The rewritten text is to be hashed, not read: every element and member ends
// with a comma, strings have only " and \ escaped, and "#" and a digest stand
// for an object that is longer than maxPlain. That bounds what sorting moves,
// however deep objects are nested.
type canon struct {
	in  []byte
	pos int
}

func (c *canon) fail(problem string) error {
	return fmt.Errorf("portavoz/idempotency: not JSON: %s at byte %d", problem, c.pos)
}

func (c *canon) space() {
	for c.pos < len(c.in) {
		switch c.in[c.pos] {
		case ' ', '\t', '\n', '\r':
			c.pos++
		default:
			return
		}
	}
}

// peek returns the next byte, or 0 at the end: a zero byte has no place in JSON
// and need not be told from it.
func (c *canon) peek() byte {
	if c.pos < len(c.in) {
		return c.in[c.pos]
	}
	return 0
}

// next passes b, and white space before it, if that is what follows.
func (c *canon) next(b byte) bool {
	c.space()
	if c.peek() != b {
		return false
	}
	c.pos++
	return true
}

// rewrite appends one value. It does not recurse: depth costs no stack.
func (c *canon) rewrite(d draft) (_ draft, err error) {
	for more := true; more; {
		if d, more, err = c.begin(d); err != nil {
			return d, err
		}
		for !more && len(d.open) > 0 {
			if d, more, err = c.proceed(d); err != nil {
				return d, err
			}
		}
	}
	return d, nil
}

// begin appends a scalar, an empty array or object, or the beginning of one, and
// reports whether a value follows.
func (c *canon) begin(d draft) (_ draft, more bool, err error) {
	c.space()
	switch b := c.peek(); {
	case b == '"':
		d.text, err = c.str(d.text)
		return d, false, err
	case b == '-' || '0' <= b && b <= '9':
		d.text, err = c.number(d.text)
		return d, false, err
	case b == '{' || b == '[':
		if len(d.open) == maxDepth {
			return d, false, c.fail("nested too deep")
		}
		c.pos++
		d.open = append(d.open, frame{end: b + 2, start: len(d.text), first: len(d.members)})
		d.text = append(d.text, b)
		if c.next(b + 2) { // "{" and "}", "[" and "]" are two apart
			return d.close(), false, nil
		}
		return c.element(d)
	}
	for _, word := range [...]string{"true", "false", "null"} {
		if rest := c.in[c.pos:]; len(rest) >= len(word) && string(rest[:len(word)]) == word {
			c.pos += len(word)
			d.text = append(d.text, word...)
			return d, false, nil
		}
	}
	return d, false, c.fail("no value")
}

// element appends what comes before an element's value: the name, in an object.
func (c *canon) element(d draft) (_ draft, more bool, err error) {
	if d.open[len(d.open)-1].end == ']' {
		return d, true, nil
	}
	if c.space(); c.peek() != '"' {
		return d, false, c.fail("a member has no name")
	}
	m := member{start: len(d.text)}
	if d.text, err = c.str(d.text); err != nil {
		return d, false, err
	}
	m.colon = len(d.text)
	if !c.next(':') {
		return d, false, c.fail("a name has no colon")
	}
	d.text = append(d.text, ':')
	d.members = append(d.members, m)
	return d, true, nil
}

// proceed goes on after an element, and reports whether a value follows.
func (c *canon) proceed(d draft) (_ draft, more bool, err error) {
	top := &d.open[len(d.open)-1]
	d.text = append(d.text, ',')
	if top.end == '}' {
		last := len(d.members) - 1
		d.members[last].end = len(d.text)
		if last > top.first && bytes.Compare(d.name(d.members[last-1]), d.name(d.members[last])) >= 0 {
			top.unsorted = true
		}
	}
	switch {
	case c.next(top.end):
		return d.close(), false, nil
	case c.next(','):
		return c.element(d)
	}
	return d, false, c.fail("neither a comma nor an end")
}
