package schema

import (
	"slices"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/portavoz/portavoz/middleware/internal/document"
)

// CheckArguments is [Schema.Check] for a value that a handler may read into a struct.
// A schema that allows names which it does not have says nothing about a member
// "Monto" where it has bounds for "monto", and encoding/json reads it as just that. To
// this check, such a member is as unknown as where the schema allows no other names.
func (s *Schema) CheckArguments(v any, most int) ([]Problem, error) {
	problems, err := s.Check(v, most)
	if err != nil || !s.open {
		return problems, err
	}
	var names misnamed
	names.in(v, nil, s.compiled)
	if names == nil {
		return problems, nil
	}
	return sorted(append(problems, names...)), nil
}

// misnamed are members whose names a struct takes for others.
type misnamed []Problem

// in looks for them in a value to which the schemas apply. It comes to each value
// once, with all schemas that apply there, whether they hold or not: whatever any of
// them has is a name.
func (m *misnamed) in(v any, path []string, schemas ...*jsonschema.Schema) {
	switch t := v.(type) {
	case map[string]any:
		here := inPlace(schemas)
		var fields map[string]string
		for name, member := range t {
			at := append(slices.Clip(path), name)
			if !slices.ContainsFunc(here, func(s *jsonschema.Schema) bool { return s.Properties[name] != nil }) {
				if fields == nil {
					fields = fieldsOf(here)
				}
				if property, ok := fields[document.FieldName(name)]; ok {
					*m = append(*m, Problem{Path: at, Rule: RuleUnknown, Known: []string{property}})
				}
			}
			if isContainer(member) {
				m.in(member, at, ofMember(here, name)...)
			}
		}
	case []any:
		here := inPlace(schemas)
		for i, element := range t {
			if isContainer(element) {
				m.in(element, append(slices.Clip(path), strconv.Itoa(i)), ofElement(here, i)...)
			}
		}
	}
}

func isContainer(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return true
	}
	return false
}

// fieldsOf are the names that the schemas have for members, by what encoding/json
// compares.
func fieldsOf(schemas []*jsonschema.Schema) map[string]string {
	fields := map[string]string{}
	for _, s := range schemas {
		for name := range s.Properties {
			field := document.FieldName(name)
			if other, ok := fields[field]; !ok || name < other {
				fields[field] = name
			}
		}
	}
	return fields
}

// inPlace returns the schemas and those that apply to the same value because of them,
// each once. One under "not" says what a value is not.
func inPlace(schemas []*jsonschema.Schema) []*jsonschema.Schema {
	var (
		all  []*jsonschema.Schema
		seen = map[*jsonschema.Schema]bool{nil: true}
		add  func(...*jsonschema.Schema)
	)
	add = func(more ...*jsonschema.Schema) {
		for _, s := range more {
			if seen[s] {
				continue
			}
			seen[s] = true
			all = append(all, s)
			add(s.Ref, s.RecursiveRef, s.If, s.Then, s.Else)
			if s.DynamicRef != nil {
				add(s.DynamicRef.Ref)
			}
			add(s.AllOf...)
			add(s.AnyOf...)
			add(s.OneOf...)
			for _, dependent := range s.DependentSchemas {
				add(dependent)
			}
			for _, dependent := range s.Dependencies {
				add(asSchemas(dependent)...)
			}
		}
	}
	add(schemas...)
	return all
}

// ofMember returns the schemas that the given ones have for a member.
func ofMember(schemas []*jsonschema.Schema, name string) []*jsonschema.Schema {
	var all []*jsonschema.Schema
	for _, s := range schemas {
		all = append(all, s.Properties[name], s.UnevaluatedProperties)
		all = append(all, asSchemas(s.AdditionalProperties)...)
		for pattern, property := range s.PatternProperties {
			if pattern.MatchString(name) {
				all = append(all, property)
			}
		}
	}
	return all
}

// ofElement returns the schemas that the given ones have for an element.
func ofElement(schemas []*jsonschema.Schema, i int) []*jsonschema.Schema {
	var all []*jsonschema.Schema
	for _, s := range schemas {
		all = append(all, s.Items2020, s.Contains, s.UnevaluatedItems)
		all = append(all, asSchemas(s.AdditionalItems)...)
		items := asSchemas(s.Items)
		if _, tuple := s.Items.([]*jsonschema.Schema); !tuple {
			all, items = append(all, items...), s.PrefixItems
		}
		if i < len(items) {
			all = append(all, items[i])
		}
	}
	return all
}

// asSchemas is the value of a keyword that holds a schema, several, or something else.
func asSchemas(v any) []*jsonschema.Schema {
	switch t := v.(type) {
	case *jsonschema.Schema:
		return []*jsonschema.Schema{t}
	case []*jsonschema.Schema:
		return t
	}
	return nil
}

// isOpen reports whether a value may hold what quick does not look at: members with
// names that the schema does not have, or elements.
func (q *quick) isOpen() bool {
	looksAtAll := q.closed || !q.types.has(object)
	if !looksAtAll || q.items == nil && q.types.has(array) {
		if q.anyOf == nil && !q.enum {
			return true
		}
	}
	if q.items != nil && q.items.isOpen() || slices.ContainsFunc(q.anyOf, (*quick).isOpen) {
		return true
	}
	for _, property := range q.properties {
		if property.isOpen() {
			return true
		}
	}
	return false
}
