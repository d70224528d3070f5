package idempotency

import (
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// str rewrites a string.
func (c *canon) str(dst []byte) ([]byte, error) {
	c.pos++
	dst = append(dst, '"')
	for {
		start := c.pos
		for c.pos < len(c.in) && isPlain(c.in[c.pos]) {
			c.pos++
		}
		dst = append(dst, c.in[start:c.pos]...)
		switch b := c.peek(); {
		case b == '"':
			c.pos++
			dst = append(dst, '"')
			return dst, nil
		case b == '\\':
			var err error
			if dst, err = c.escape(dst); err != nil {
				return dst, err
			}
		case b < ' ':
			return dst, c.fail("a string does not end")
		default:
			r, size := utf8.DecodeRune(c.in[c.pos:])
			c.pos += size
			dst = utf8.AppendRune(dst, r)
		}
	}
}

// isPlain reports whether a byte of a string stands for itself, here and in the
// rewritten text.
func isPlain(b byte) bool {
	return ' ' <= b && b < utf8.RuneSelf && b != '"' && b != '\\'
}

// escape rewrites what begins with a backslash.
func (c *canon) escape(dst []byte) ([]byte, error) {
	c.pos++
	switch b := c.peek(); b {
	case '"', '\\':
		dst = append(dst, '\\', b)
	case '/':
		dst = append(dst, '/')
	case 'b':
		dst = append(dst, '\b')
	case 'f':
		dst = append(dst, '\f')
	case 'n':
		dst = append(dst, '\n')
	case 'r':
		dst = append(dst, '\r')
	case 't':
		dst = append(dst, '\t')
	case 'u':
		return c.unicode(dst)
	default:
		return dst, c.fail("no such escape")
	}
	c.pos++
	return dst, nil
}

// unicode rewrites the escape \uXXXX, or two of them that are a surrogate pair,
// from the u on.
func (c *canon) unicode(dst []byte) ([]byte, error) {
	r, ok := hex4(c.in[c.pos+1:])
	if !ok {
		return dst, c.fail("no such escape")
	}
	c.pos += 5
	if utf16.IsSurrogate(r) {
		r = c.pair(r)
	}
	if r == '"' || r == '\\' {
		dst = append(dst, '\\')
	}
	dst = utf8.AppendRune(dst, r)
	return dst, nil
}

// pair returns the character that a surrogate and the escape after it make, and
// passes that one; if they make none, the surrogate stands alone.
func (c *canon) pair(high rune) rune {
	rest := c.in[c.pos:]
	if len(rest) < 2 || rest[0] != '\\' || rest[1] != 'u' {
		return unicode.ReplacementChar
	}
	low, ok := hex4(rest[2:])
	if !ok {
		return unicode.ReplacementChar
	}
	r := utf16.DecodeRune(high, low)
	if r != unicode.ReplacementChar {
		c.pos += 6
	}
	return r
}

// hex4 reads the four digits that text begins with.
func hex4(text []byte) (rune, bool) {
	if len(text) < 4 {
		return 0, false
	}
	var r rune
	for _, b := range text[:4] {
		switch {
		case '0' <= b && b <= '9':
			b -= '0'
		case 'a' <= b|0x20 && b|0x20 <= 'f':
			b = b | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(b)
	}
	return r, true
}

// number copies a number as it is written.
func (c *canon) number(dst []byte) ([]byte, error) {
	start := c.pos
	if c.peek() == '-' {
		c.pos++
	}
	if c.peek() == '0' {
		c.pos++
	} else if !c.digits() {
		return dst, c.fail("a number has no digits")
	}
	if c.peek() == '.' {
		c.pos++
		if !c.digits() {
			return dst, c.fail("a fraction has no digits")
		}
	}
	if c.peek()|0x20 == 'e' {
		c.pos++
		if sign := c.peek(); sign == '+' || sign == '-' {
			c.pos++
		}
		if !c.digits() {
			return dst, c.fail("an exponent has no digits")
		}
	}
	dst = append(dst, c.in[start:c.pos]...)
	return dst, nil
}

// digits passes digits, and reports whether there were any.
func (c *canon) digits() bool {
	start := c.pos
	for '0' <= c.peek() && c.peek() <= '9' {
		c.pos++
	}
	return c.pos > start
}
