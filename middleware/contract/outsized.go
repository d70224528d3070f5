package contract

// What a schema may have at most to be looked into. Tools of people have a tenth of it;
// the time that a compiler takes grows with the square of it and more.
const (
	mostLevels     = 128   // of objects and lists, one in the other
	mostContainers = 5_000 // objects and lists
)

// outsized reports whether a schema of the tool is too deep or too large to be looked
// into, and says so.
func (l *linter) outsized(d *definition) bool {
	found := false
	for _, key := range [...]string{"inputSchema", "outputSchema"} {
		left := mostContainers
		if fits(d.object[key], mostLevels, &left) {
			continue
		}
		found = true
		l.find(d, "schema-invalid", "/"+key, Text{
			ES: key + " es tan profundo o tan grande que no se puede comprobar.",
			EN: key + " is so deep or so large that it cannot be checked.",
		})
	}
	return found
}

func fits(v any, levels int, left *int) bool {
	var held []any
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			held = append(held, e)
		}
	case []any:
		held = v
	default:
		return true
	}
	if *left--; *left < 0 || levels == 0 {
		return false
	}
	for _, e := range held {
		if !fits(e, levels-1, left) {
			return false
		}
	}
	return true
}
