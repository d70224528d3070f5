package contract

import (
	"slices"
	"strings"
)

// follower answers what a schema limits, all that it is made of included: what it says
// itself, what it refers to, and the parts of allOf, all of which have to be met.
type follower struct {
	doc  *document
	uses map[string][]node // the schemas that refer to a place, by the reference
	left int               // steps, since references may branch without end
}

// maxSteps is how far the schema of a tool is followed in all.
const maxSteps = 100_000

func newFollower(root map[string]any) *follower {
	f := &follower{doc: &document{root: root}, uses: make(map[string][]node), left: maxSteps}
	walk(root, "", func(n node) {
		if ref, ok := n.schema["$ref"].(string); ok {
			f.uses[ref] = append(f.uses[ref], n)
		}
	})
	return f
}

// says reports whether a condition holds for the schema or for something that it is made of.
// After too many steps it holds: in doubt a rule is silent.
func (f *follower) says(schema map[string]any, holds func(map[string]any) bool) bool {
	if f.left--; f.left < 0 || holds(schema) {
		return true
	}
	if ref, ok := schema["$ref"].(string); ok {
		if target, ok := f.doc.lookup(ref).(map[string]any); ok && f.says(target, holds) {
			return true
		}
	}
	return f.among(schema, "allOf", holds)
}

// among asks each schema of a list.
func (f *follower) among(schema map[string]any, keyword string, holds func(map[string]any) bool) bool {
	list, _ := schema[keyword].([]any)
	return slices.ContainsFunc(list, func(b any) bool {
		s, ok := b.(map[string]any)
		return ok && f.says(s, holds)
	})
}

// offers is says that asks the branches of anyOf and oneOf, too.
func (f *follower) offers(schema map[string]any, holds func(map[string]any) bool) bool {
	return f.says(schema, func(s map[string]any) bool {
		branch := func(b map[string]any) bool { return f.offers(b, holds) }
		return holds(s) || f.among(s, "anyOf", branch) || f.among(s, "oneOf", branch)
	})
}

// limits reports whether a condition holds for all values in a place: it is said there, or
// around it where the place is a branch, or wherever it is used where it is declared in $defs.
func (f *follower) limits(n node, holds func(map[string]any) bool) bool {
	if f.here(n, holds) {
		return true
	}
	users := f.uses["#"+strings.TrimPrefix(n.pointer, "/inputSchema")]
	return users != nil && !slices.ContainsFunc(users, func(user node) bool { return !f.here(user, holds) })
}

// here asks the schema in a place, and those of which it is a branch or a part.
func (f *follower) here(n node, holds func(map[string]any) bool) bool {
	if f.says(n.schema, holds) {
		return true
	}
	combined := n.up != nil && (strings.HasPrefix(n.pointer, n.up.pointer+"/anyOf/") ||
		strings.HasPrefix(n.pointer, n.up.pointer+"/oneOf/") || strings.HasPrefix(n.pointer, n.up.pointer+"/allOf/"))
	return combined && f.here(*n.up, holds)
}

// isKind reports whether a value may be of a type, by the schema or by a part of allOf that
// is written in it.
func isKind(schema map[string]any, name string) bool {
	if isType(schema, name) {
		return true
	}
	parts, _ := schema["allOf"].([]any)
	return slices.ContainsFunc(parts, func(p any) bool {
		part, ok := p.(map[string]any)
		return ok && isKind(part, name)
	})
}
