package schema

import (
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// flatten turns the validator's tree of errors into a list of what the caller
// can correct.
func (s *Schema) flatten(e *jsonschema.ValidationError) []Problem {
	at := func(rule string, want any) []Problem {
		return []Problem{{Path: e.InstanceLocation, Rule: rule, Want: want}}
	}
	switch k := e.ErrorKind.(type) {
	case *kind.Schema, *kind.Group, *kind.AllOf, *kind.Reference:
		var all []Problem
		for _, cause := range e.Causes {
			all = append(all, s.flatten(cause)...)
		}
		return all
	case *kind.AnyOf:
		return s.nearestBranch(e, "anyOf")
	case *kind.OneOf:
		return s.nearestBranch(e, "oneOf")
	case *kind.Required:
		return named(e, RuleMissing, k.Missing, nil)
	case *kind.DependentRequired:
		return named(e, RuleMissing, k.Missing, nil)
	case *kind.Dependency:
		return named(e, RuleMissing, k.Missing, nil)
	case *kind.AdditionalProperties:
		return named(e, RuleUnknown, k.Properties, s.known(e.SchemaURL))
	case *kind.FalseSchema:
		if owner, ok := strings.CutSuffix(e.SchemaURL, "/unevaluatedProperties"); ok {
			return []Problem{{Path: e.InstanceLocation, Rule: RuleUnknown, Known: s.known(owner)}}
		}
		return at("false", nil)
	case *kind.PropertyNames:
		return named(e, "propertyNames", []string{k.Property}, nil)
	case *kind.Type:
		return at("type", k.Want)
	case *kind.Enum:
		return at("enum", k.Want)
	case *kind.Const:
		return at("const", []any{k.Want})
	case *kind.Format:
		return at("format", k.Want)
	case *kind.Pattern:
		return at("pattern", k.Want)
	case *kind.MinLength:
		return at("minLength", k.Want)
	case *kind.MaxLength:
		return at("maxLength", k.Want)
	case *kind.MinItems:
		return at("minItems", k.Want)
	case *kind.MaxItems:
		return at("maxItems", k.Want)
	case *kind.MinProperties:
		return at("minProperties", k.Want)
	case *kind.MaxProperties:
		return at("maxProperties", k.Want)
	case *kind.Minimum:
		return at("minimum", literal(k.Want))
	case *kind.Maximum:
		return at("maximum", literal(k.Want))
	case *kind.ExclusiveMinimum:
		return at("exclusiveMinimum", literal(k.Want))
	case *kind.ExclusiveMaximum:
		return at("exclusiveMaximum", literal(k.Want))
	case *kind.MultipleOf:
		return at("multipleOf", literal(k.Want))
	case *kind.RefCycle:
		return at(ruleCircle, nil)
	case *kind.Not:
		return at("not", nil)
	default:
		return at(keyword(e.ErrorKind), nil)
	}
}

// keyword is the name of a rule that has nothing to add.
func keyword(k jsonschema.ErrorKind) string {
	if path := k.KeywordPath(); len(path) > 0 {
		return path[0]
	}
	return "schema"
}

// named makes a problem for each of several members of one object.
func named(e *jsonschema.ValidationError, rule string, names, known []string) []Problem {
	problems := make([]Problem, 0, len(names))
	for _, name := range names {
		path := append(slices.Clone(e.InstanceLocation), name)
		problems = append(problems, Problem{Path: path, Rule: rule, Known: known})
	}
	return problems
}

// nearestBranch reports the alternative that the caller seems to have meant: of
// those that take this type of value the one that breaks the fewest fixed values
// (a discriminator), and then the fewest rules. Alternatives that differ in the
// type alone, or in one fixed value, become one problem that lists them all.
func (s *Schema) nearestBranch(e *jsonschema.ValidationError, rule string) []Problem {
	branches := make([][]Problem, 0, len(e.Causes))
	for _, cause := range e.Causes {
		branches = append(branches, sorted(s.flatten(cause)))
	}
	if len(branches) == 0 { // more than one alternative of a oneOf is satisfied
		return []Problem{{Path: e.InstanceLocation, Rule: rule}}
	}
	if all, ok := merged(branches); ok {
		return all
	}
	ofType := slices.DeleteFunc(slices.Clone(branches), func(b []Problem) bool {
		return len(b) == 1 && b[0].Rule == "type" && len(b[0].Path) == len(e.InstanceLocation)
	})
	if all, ok := merged(ofType); ok {
		return all
	}
	if len(ofType) == 0 {
		ofType = branches
	}
	return slices.MinFunc(ofType, func(a, b []Problem) int {
		if fixedA, fixedB := fixed(a), fixed(b); fixedA != fixedB {
			return fixedA - fixedB
		}
		return len(a) - len(b)
	})
}

// fixed counts the broken fixed values.
func fixed(branch []Problem) int {
	n := 0
	for _, p := range branch {
		if p.Rule == "const" || p.Rule == "enum" {
			n++
		}
	}
	return n
}

// merged makes one problem of several branches that are told apart by one thing at
// one place: a type, or a fixed value.
func merged(branches [][]Problem) ([]Problem, bool) {
	var all Problem
	for i, branch := range branches {
		p, ok := pivot(branch)
		if !ok {
			return nil, false
		}
		if i == 0 {
			all = Problem{Path: p.Path, Rule: p.Rule}
		} else if all.Rule != p.Rule || !slices.Equal(all.Path, p.Path) {
			return nil, false
		}
		all.Want = union(all.Want, p.Want)
	}
	return []Problem{all}, len(branches) > 1
}

// pivot is the problem that tells a branch from the others: its only one, if
// that is the type, or its only fixed value.
func pivot(branch []Problem) (Problem, bool) {
	if len(branch) == 1 && branch[0].Rule == "type" {
		return branch[0], true
	}
	if fixed(branch) != 1 {
		return Problem{}, false
	}
	i := slices.IndexFunc(branch, func(p Problem) bool { return p.Rule == "const" || p.Rule == "enum" })
	p := branch[i]
	p.Rule = "enum"
	return p, true
}

// union joins two lists of types or of values.
func union(a, b any) any {
	switch b := b.(type) {
	case []string:
		list, _ := a.([]string)
		for _, v := range b {
			if !slices.Contains(list, v) {
				list = append(slices.Clip(list), v)
			}
		}
		return list
	case []any:
		list, _ := a.([]any)
		return append(slices.Clip(list), b...)
	}
	return a
}
