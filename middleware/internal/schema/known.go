package schema

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// known lists the names that the schema at an address has for members, sorted;
// nil for an address outside of this schema. Each list is made once: thousands of
// elements may have a name too many.
func (s *Schema) known(address string) []string {
	pointer, ok := strings.CutPrefix(address, location+"#")
	if !ok {
		return nil
	}
	if list, ok := s.names.Load(pointer); ok {
		names, _ := list.([]string)
		return names
	}
	names, followed := map[string]struct{}{}, map[string]bool{}
	s.collect(s.lookup(pointer), names, followed)
	list := slices.Sorted(maps.Keys(names))
	s.names.Store(pointer, list)
	return list
}

// collect gathers the names that a schema and its parts for the same value have.
// It follows each reference once.
func (s *Schema) collect(schema any, names map[string]struct{}, followed map[string]bool) {
	object, ok := schema.(map[string]any)
	if !ok {
		return
	}
	if properties, ok := object["properties"].(map[string]any); ok {
		for name := range properties {
			names[name] = struct{}{}
		}
	}
	if ref, ok := object["$ref"].(string); ok {
		if pointer, local := strings.CutPrefix(ref, "#"); local && !followed[ref] {
			followed[ref] = true
			s.collect(s.lookup(pointer), names, followed)
		}
	}
	for _, applicator := range [...]string{"allOf", "anyOf", "oneOf"} {
		parts, _ := object[applicator].([]any)
		for _, part := range parts {
			s.collect(part, names, followed)
		}
	}
	for _, applicator := range [...]string{"if", "then", "else"} {
		s.collect(object[applicator], names, followed)
	}
}

// lookup follows a JSON Pointer in its URI fragment form (RFC 6901, section 6)
// through the schema's document; nil if it leads nowhere.
func (s *Schema) lookup(fragment string) any {
	pointer, err := url.PathUnescape(fragment)
	if err != nil {
		return nil
	}
	v := s.document
	for i, step := range strings.Split(pointer, "/") {
		if i > 0 { // before the first slash is nothing
			v = child(v, strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~"))
		}
	}
	return v
}

// At returns what lies at a path in a decoded value, nil if nothing does.
func At(v any, path []string) any {
	for _, step := range path {
		v = child(v, step)
	}
	return v
}

// child returns a member of an object or an element of an array, nil if there is
// none.
func child(v any, step string) any {
	switch t := v.(type) {
	case map[string]any:
		return t[step]
	case []any:
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(t) {
			return t[i]
		}
	}
	return nil
}
