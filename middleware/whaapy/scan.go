package whaapy

import "bytes"

// scan calls member for every member of an object that is valid JSON, in order, with
// the name as it was written, without quotes, and the value. It reports whether some
// string anywhere in it may hold JSON: one that begins with a bracket, white space or
// an escape. It decodes nothing; of anything but an object it has no members.
func scan(raw []byte, member func(name, value []byte)) (suspicious bool) {
	depth, from := 0, 0
	var name []byte
	end := func(at int) {
		if depth == 1 && name != nil {
			member(name, bytes.TrimSpace(raw[from:at]))
			name = nil
		}
	}
	object := len(raw) > 0 && raw[0] == '{'
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case '{', '[':
			depth++
		case '}', ']':
			end(i)
			depth--
		case ',':
			end(i)
		case ':':
			if depth == 1 && object {
				from = i + 1
			}
		case '"':
			to := endOfString(raw, i)
			text := raw[i+1 : to]
			if len(text) > 1 && (text[0] == '{' || text[0] == '[' || text[0] == ' ' || text[0] == '\\') {
				suspicious = true
			}
			if depth == 1 && object && name == nil {
				name = text
			}
			i = to
		}
	}
	return suspicious
}

// endOfString returns the index of the quote that ends the string that begins at i.
func endOfString(raw []byte, i int) int {
	for i++; i < len(raw); i++ {
		at := bytes.IndexByte(raw[i:], '"')
		if at < 0 {
			break // not valid
		}
		i += at
		back := i
		for raw[back-1] == '\\' {
			back--
		}
		if (i-back)%2 == 0 {
			return i
		}
	}
	return len(raw) - 1
}

// isEmpty reports whether a value says nothing: null, "", [] or {}.
func isEmpty(value []byte) bool {
	switch {
	case len(value) == 0, string(value) == "null", string(value) == `""`:
		return true
	case value[0] == '[' || value[0] == '{':
		return len(bytes.TrimSpace(value[1:len(value)-1])) == 0
	case value[0] == '"':
		return len(bytes.TrimSpace(value[1:len(value)-1])) == 0
	}
	return false
}
