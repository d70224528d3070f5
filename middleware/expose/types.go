package expose

import "encoding/json"

// typeSet is which types of JSON a schema admits.
type typeSet uint8

const (
	isNull typeSet = 1 << iota
	isBoolean
	isInteger
	isFraction
	isString
	isArray
	isObject

	isNumber = isInteger | isFraction
	isAny    = isNull | isBoolean | isNumber | isString | isArray | isObject
)

// typeNames are the names of JSON Schema, in the order in which a merged schema
// lists them. A number comes before an integer, which it contains.
var typeNames = []struct {
	set  typeSet
	name string
}{
	{isString, "string"}, {isNumber, "number"}, {isInteger, "integer"}, {isBoolean, "boolean"},
	{isArray, "array"}, {isObject, "object"}, {isNull, "null"},
}

// disjoint reports whether no value but null is of both sets.
func (t typeSet) disjoint(other typeSet) bool {
	t, other = t&^isNull, other&^isNull
	return t != 0 && other != 0 && t&other == 0
}

// keyword returns the value of the keyword "type", nil for a set that needs none.
func (t typeSet) keyword() any {
	if t == isAny {
		return nil
	}
	var names []any
	for _, n := range typeNames {
		if t&n.set == n.set {
			names = append(names, n.name)
			t &^= n.set
		}
	}
	if len(names) == 1 {
		return names[0]
	}
	return names
}

// typesOf returns which types a schema admits at most; lookup follows a reference.
func typesOf(schema any, lookup func(ref string) any) typeSet {
	t := typer{lookup: lookup, known: map[string]typeSet{}}
	return t.of(schema)
}

// typer remembers what it found out about each reference: a schema that refers to
// itself has an end, and one that refers to one place often is no more work.
type typer struct {
	lookup func(ref string) any
	known  map[string]typeSet
}

func (t *typer) of(schema any) typeSet {
	s, ok := schema.(object)
	if !ok {
		if schema == false {
			return 0
		}
		return isAny
	}
	all := isAny
	if named, ok := s["type"]; ok {
		all &= typesNamed(named)
	}
	if values, ok := s["enum"].([]any); ok {
		all &= typesOfValues(values)
	}
	if value, ok := s["const"]; ok {
		all &= typesOfValues([]any{value})
	}
	if ref, ok := s["$ref"].(string); ok {
		all &= t.ofReference(ref)
	}
	for _, keyword := range [...]string{"anyOf", "oneOf"} {
		if branches, ok := s[keyword].([]any); ok {
			var either typeSet
			for _, branch := range branches {
				either |= t.of(branch)
			}
			all &= either
		}
	}
	if branches, ok := s["allOf"].([]any); ok {
		for _, branch := range branches {
			all &= t.of(branch)
		}
	}
	return all
}

func (t *typer) ofReference(ref string) typeSet {
	types, ok := t.known[ref]
	if !ok {
		t.known[ref] = isAny // as long as it is not known
		types = t.of(t.lookup(ref))
		t.known[ref] = types
	}
	return types
}

// typesNamed reads the keyword "type": a name or a list of names.
func typesNamed(t any) typeSet {
	var set typeSet
	names, ok := t.([]any)
	if !ok {
		names = []any{t}
	}
	for _, name := range names {
		for _, n := range typeNames {
			if n.name == name {
				set |= n.set
			}
		}
	}
	return set
}

func typesOfValues(values []any) typeSet {
	var set typeSet
	for _, v := range values {
		switch v.(type) {
		case nil:
			set |= isNull
		case bool:
			set |= isBoolean
		case json.Number:
			set |= isNumber // 1.0 is an integer, too
		case string:
			set |= isString
		case []any:
			set |= isArray
		case object:
			set |= isObject
		}
	}
	return set
}
