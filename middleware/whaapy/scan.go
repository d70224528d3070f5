package whaapy

import "bytes"

// scan calls member for every member of an object that is valid JSON, in order, with
// the name as it was written, without quotes, and the value. It reports whether some
// string anywhere in it may hold JSON: one that begins with a bracket, white space or
// an escape. It decodes nothing; of anything but an object it has no members.
func scan(raw []byte, member func(name, value []byte)) (suspicious bool) {
	depth, from := 0, 0
	var name []byte
	object := len(raw) > 0 && raw[0] == '{'
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; c {
		case '"':
			at := i + 1
			for i++; i < len(raw) && raw[i] != '"'; i++ {
				if raw[i] == '\\' {
					i++
				}
			}
			text := raw[at:min(i, len(raw))]
			if len(text) > 1 && (text[0] == '{' || text[0] == '[' || text[0] == ' ' || text[0] == '\\') {
				suspicious = true
			}
			if depth == 1 && object && name == nil {
				name = text
			}
		case '{', '[':
			depth++
		case ',', '}', ']':
			if depth == 1 && name != nil {
				member(name, bytes.TrimSpace(raw[from:i]))
				name = nil
			}
			if c != ',' {
				depth--
			}
		case ':':
			if depth == 1 && object {
				from = i + 1
			}
		}
	}
	return suspicious
}

// isEmpty reports whether a value says nothing: null, "", [] or {}.
func isEmpty(value []byte) bool {
	switch {
	case len(value) == 0, string(value) == "null":
		return true
	case value[0] == '[' || value[0] == '{' || value[0] == '"':
		return len(bytes.TrimSpace(value[1:len(value)-1])) == 0
	}
	return false
}
