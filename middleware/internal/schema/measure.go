package schema

// Size says how large a JSON text is, and whether float64 can hold its numbers.
type Size struct {
	// Depth is how many arrays and objects lie in each other: 0 for a scalar.
	Depth int
	// Values counts the values: the text itself, elements and members.
	Values int
	// Members counts the members of all objects as they are written, those of one
	// name included.
	Members int
	// Exact says that some number has more digits than float64 is sure to keep.
	Exact bool
}

// floatDigits is how many decimal digits float64 keeps (DBL_DIG of C).
const floatDigits = 15

// Measure reads a valid JSON text once, without decoding it. Of a text that is not
// valid it says something that does not matter.
func Measure(raw []byte) Size {
	size := Size{Values: 1}
	depth, digits := 0, 0
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		switch {
		case c >= '0' && c <= '9':
			if digits++; digits > floatDigits {
				size.Exact = true
			}
			continue
		case c == '.':
			continue // between the digits of one number
		case c == '"':
			i = closing(raw, i)
		case c == ':':
			size.Members++
		case c == ',':
			size.Values++
		case c == '{' || c == '[':
			depth++
			size.Depth = max(size.Depth, depth)
			size.Values++ // of what it holds the first; the others have a comma
		case c == '}' || c == ']':
			depth--
		}
		digits = 0
	}
	return size
}

// closing returns where the string ends that begins at i.
func closing(raw []byte, i int) int {
	for i++; i < len(raw) && raw[i] != '"'; i++ {
		if raw[i] == '\\' {
			i++
		}
	}
	return i
}

// Members counts the members of all objects in a decoded value. It is less than
// the text has if names occur twice in one object.
func Members(v any) int {
	n := 0
	switch t := v.(type) {
	case []any:
		for _, element := range t {
			n += Members(element)
		}
	case map[string]any:
		n = len(t)
		for _, member := range t {
			n += Members(member)
		}
	}
	return n
}
