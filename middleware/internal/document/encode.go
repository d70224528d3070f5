package document

import "unicode/utf8"

// append appends the encoding of n's value.
func (n *Node) append(dst []byte) []byte {
	if !n.changed {
		return append(dst, n.raw...)
	}
	left, right := byte('['), byte(']')
	if n.kind == Object {
		left, right = '{', '}'
	}
	dst = append(dst, left)
	for child := n.first; child != nil; child = child.next {
		if child != n.first {
			dst = append(dst, ',')
		}
		if child.name != "" {
			dst = append(append(dst, child.name...), ':')
		}
		dst = child.append(dst)
	}
	return append(dst, right)
}

// bytes is how many bytes append will append.
func (n *Node) bytes() int {
	if !n.changed {
		return len(n.raw)
	}
	size := len(`[]`) + max(n.Len()-1, 0)
	for child := n.first; child != nil; child = child.next {
		size += child.bytes()
		if child.name != "" {
			size += len(child.name) + 1
		}
	}
	return size
}

// isSpaced reports whether there is white space in what append will append.
func (n *Node) isSpaced() bool {
	if !n.changed {
		return n.loose
	}
	for child := n.first; child != nil; child = child.next {
		if child.isSpaced() {
			return true
		}
	}
	return false
}

// tighten makes the containers with white space in them be written anew.
func (n *Node) tighten() {
	if n.loose || n.changed {
		n.changed, n.loose, n.units, n.raw = true, false, -1, ""
		for child := n.first; child != nil; child = child.next {
			child.tighten()
		}
	}
}

// quote returns s as a JSON string.
func quote(s string) string {
	return string(AppendText(make([]byte, 0, len(s)+len(s)/16+2), s))
}

// AppendText appends s as a JSON string. Nothing is escaped but what RFC 8259
// demands, and U+2028 and U+2029, which end a line for JavaScript. Bytes that are not
// UTF-8 become U+FFFD.
func AppendText(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n':
			dst = append(dst, '\\', 'n')
		case r < ' ' || r == '\u2028' || r == '\u2029':
			dst = append(dst, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}
