package schema

import (
	"errors"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// errWork is why a value is not looked at.
var errWork = errors.New("the schema takes too long for this value")

// within reports whether the validator holds v to s in that many steps. It has no
// limit of its own, and a schema that refers to itself in two of its alternatives
// makes it look twice as often at each level of a value: 30 levels are a thousand
// million.
//
// It is found out by walking as the validator does, without judging: what is counted
// is never much less than what is done, and more only where an alternative ends early.
func within(steps int, s *jsonschema.Schema, v any) bool {
	left := work(steps)
	left.apply(s, v, nil)
	return left >= 0
}

// work is how many steps are left.
type work int

// applied is a chain of schemas that hold for one value because of each other.
type applied struct {
	schema *jsonschema.Schema
	by     *applied
}

func (w *work) apply(s *jsonschema.Schema, v any, by *applied) {
	if *w--; *w < 0 || s == nil {
		return
	}
	for a := by; a != nil; a = a.by {
		if a.schema == s {
			return // a circle, where the validator ends
		}
	}
	if s.Enum != nil {
		*w -= work(len(s.Enum.Values)) // numbers are compared as fractions
	}
	switch t := v.(type) {
	case map[string]any:
		w.object(s, t, by)
	case []any:
		w.array(s, t)
	case string:
		if s.Pattern != nil || s.Format != nil {
			*w -= work(len(t) / textStep)
		}
		if s.Format != nil && s.Format.Name == "regex" { // which compiles it
			*w -= work(len(t))
		}
	}
	self := &applied{s, by}
	for _, same := range [...]*jsonschema.Schema{s.Ref, s.RecursiveRef, s.Not, s.If, s.Then, s.Else} {
		w.applyAny(same, v, self)
	}
	if s.DynamicRef != nil { // where it points first: what takes its place extends that
		w.applyAny(s.DynamicRef.Ref, v, self)
	}
	for _, list := range [...][]*jsonschema.Schema{s.AllOf, s.AnyOf, s.OneOf} {
		for _, same := range list {
			w.apply(same, v, self)
		}
	}
}

// textStep is how many bytes of a text are matched in the time of a step.
const textStep = 64

// applyAny is apply for what may be nil, or no schema.
func (w *work) applyAny(s any, v any, by *applied) {
	if s, ok := s.(*jsonschema.Schema); ok && s != nil {
		w.apply(s, v, by)
	}
}

func (w *work) object(s *jsonschema.Schema, members map[string]any, by *applied) {
	self := &applied{s, by}
	for name, dependent := range s.DependentSchemas {
		if _, ok := members[name]; ok {
			w.apply(dependent, members, self)
		}
	}
	for name, dependent := range s.Dependencies {
		if _, ok := members[name]; ok {
			w.applyAny(dependent, members, self)
		}
	}
	for name, member := range members {
		if *w < 0 {
			return
		}
		property, known := s.Properties[name]
		if known {
			w.apply(property, member, nil)
		}
		for pattern, property := range s.PatternProperties {
			*w -= work(1 + len(name)/textStep)
			if pattern.MatchString(name) {
				known = true
				w.apply(property, member, nil)
			}
		}
		if !known {
			w.applyAny(s.AdditionalProperties, member, nil)
			w.applyAny(s.UnevaluatedProperties, member, nil)
		}
		w.applyAny(s.PropertyNames, name, nil)
	}
}

func (w *work) array(s *jsonschema.Schema, list []any) {
	if s.UniqueItems {
		const inPairs = 20 // up to here all are compared with all, and then by their hashes
		times := 2
		if len(list) <= inPairs {
			times = len(list)
		}
		*w -= work(times * values(list))
	}
	tuple := s.PrefixItems
	if items, ok := s.Items.([]*jsonschema.Schema); ok { // before 2020-12
		tuple = items
	}
	for i, element := range list {
		if *w < 0 {
			return
		}
		if i < len(tuple) {
			w.apply(tuple[i], element, nil)
		} else {
			for _, rest := range [...]any{s.Items2020, s.Items, s.AdditionalItems, s.UnevaluatedItems} {
				w.applyAny(rest, element, nil)
			}
		}
		w.applyAny(s.Contains, element, nil)
	}
}

// values counts a value and those in it.
func values(v any) int {
	n := 1
	switch t := v.(type) {
	case []any:
		for _, element := range t {
			n += values(element)
		}
	case map[string]any:
		for _, member := range t {
			n += values(member)
		}
	}
	return n
}
