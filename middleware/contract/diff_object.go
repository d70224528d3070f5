package contract

import (
	"maps"
	"slices"
)

// properties compares the members of objects.
func (c *comparer) properties(prior, next map[string]any, pointer string, depth int) {
	was, _ := prior["properties"].(map[string]any)
	is, _ := next["properties"].(map[string]any)
	needed, needs := strs(prior["required"]), strs(next["required"])
	for _, name := range keysOf(was, is) {
		at := join(pointer, "properties", name)
		_, had := was[name]
		_, has := is[name]
		required := slices.Contains(needs, name)
		switch {
		case !has:
			c.add("property-removed", Breaking, at, Text{
				ES: "Ya no existe «" + clip(name) + "».", EN: `There is no "` + clip(name) + `" any more.`,
			})
		case !had && required && c.direction == intoTool:
			c.add("required-added", Breaking, at, Text{
				ES: "«" + clip(name) + "» es nueva y obligatoria.", EN: `"` + clip(name) + `" is new and required.`,
			})
		case !had:
			c.add("property-added", Compatible, at, Text{
				ES: "«" + clip(name) + "» es nueva.", EN: `"` + clip(name) + `" is new.`,
			})
		default:
			c.requirement(name, at, slices.Contains(needed, name), required)
			c.schemas(asSchema(was[name]), asSchema(is[name]), at, depth+1)
		}
	}
	c.undeclared(prior, next, needed, needs, pointer)
}

func (c *comparer) requirement(name, pointer string, was, is bool) {
	switch {
	case is && !was:
		c.narrowed(pointer, "«"+clip(name)+"» es ahora obligatoria.", `"`+clip(name)+`" is required now.`)
	case was && !is:
		c.widened(pointer, "«"+clip(name)+"» ya no es obligatoria.", `"`+clip(name)+`" is no longer required.`)
	}
}

// undeclared looks at names that are required and not declared.
func (c *comparer) undeclared(prior, next map[string]any, needed, needs []string, pointer string) {
	was, _ := prior["properties"].(map[string]any)
	is, _ := next["properties"].(map[string]any)
	for _, name := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(needed, needs)))) {
		_, had := was[name]
		_, has := is[name]
		if !had && !has {
			c.requirement(name, join(pointer, "required"), slices.Contains(needed, name), slices.Contains(needs, name))
		}
	}
}

// rest compares the schemas for what is not named: members and elements.
func (c *comparer) rest(prior, next map[string]any, pointer string, depth int) {
	for _, keyword := range [...]string{"additionalProperties", "items"} {
		was, had := prior[keyword]
		is, has := next[keyword]
		at := join(pointer, keyword)
		closed, closes := had && was == false, has && is == false
		switch {
		case !had && !has, closed && closes:
		case isList(was) || isList(is): // the old form of prefixItems
			if !same(was, is) {
				c.unclear(pointer, keyword)
			}
		case closes:
			c.narrowed(at, "Ya no admite "+others(keyword).ES+".", "It no longer admits "+others(keyword).EN+".")
		case closed:
			c.widened(at, "Ahora admite "+others(keyword).ES+".", "It now admits "+others(keyword).EN+".")
		default:
			c.schemas(asSchema(was), asSchema(is), at, depth+1)
		}
	}
}

func isList(v any) bool {
	_, ok := v.([]any)
	return ok
}

func others(keyword string) Text {
	if keyword == "items" {
		return Text{ES: "elementos", EN: "elements"}
	}
	return Text{ES: "propiedades que no declara", EN: "properties that it does not declare"}
}

// alternatives compares anyOf by its branches, and the rest only for being equal.
func (c *comparer) alternatives(prior, next map[string]any, pointer string) {
	for _, keyword := range [...]string{
		"anyOf", "oneOf", "allOf", "not", "if", "then", "else", "prefixItems", "contains", "patternProperties", "propertyNames",
		"dependentSchemas", "dependentRequired", "unevaluatedProperties", "unevaluatedItems",
	} {
		was, is := c.oldDoc.inlined(prior[keyword]), c.newDoc.inlined(next[keyword])
		if same(was, is) {
			continue
		}
		before, after := branches(was), branches(is)
		lost, won := without(before, after), without(after, before)
		switch at := join(pointer, keyword); {
		case keyword == "anyOf" && before != nil && after != nil && len(lost) == 0:
			c.widened(at, "Admite más alternativas.", "It admits more alternatives.")
		case keyword == "anyOf" && before != nil && after != nil && len(won) == 0:
			c.narrowed(at, "Admite menos alternativas.", "It admits fewer alternatives.")
		case was == nil && keyword != "then" && keyword != "else":
			c.narrowed(at, "Ahora exige "+keyword+".", "It now demands "+keyword+".")
		case is == nil && keyword != "then" && keyword != "else":
			c.widened(at, "Ya no exige "+keyword+".", "It no longer demands "+keyword+".")
		default:
			c.unclear(pointer, keyword)
		}
	}
}

// branches are the alternatives of a list, as JSON texts.
func branches(v any) []string {
	list, _ := v.([]any)
	var out []string
	for _, b := range list {
		out = append(out, string(compact(b)))
	}
	return out
}

// inlined is a value with its local references followed, a few levels deep, so that
// a definition that moved into $defs is the same and one that changed there is not.
func (doc *document) inlined(v any) any {
	left := 1000
	return doc.inline(v, 0, &left)
}

func (doc *document) inline(v any, hops int, left *int) any {
	if *left--; *left < 0 {
		return v
	}
	switch t := v.(type) {
	case map[string]any:
		if ref, ok := t["$ref"].(string); ok && len(t) == 1 && hops < maxHops {
			if target, ok := doc.lookup(ref).(map[string]any); ok {
				return doc.inline(target, hops+1, left)
			}
		}
		out := make(map[string]any, len(t))
		for _, name := range slices.Sorted(maps.Keys(t)) { // in one order, since the steps are counted
			out[name] = doc.inline(t[name], hops, left)
		}
		return out
	case []any:
		out := make([]any, len(t))
		for i, value := range t {
			out[i] = doc.inline(value, hops, left)
		}
		return out
	}
	return v
}
