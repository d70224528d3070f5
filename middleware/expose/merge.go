package expose

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// use is a field as one action has it.
type use struct {
	a      *action
	f      *field
	schema object // what it demands, references renamed
	text   string // of schema
}

// variant is what some actions demand of a field alike.
type variant struct {
	schema object
	keys   []string
}

// noteKeywords say something to the reader and demand nothing. They are kept where
// all actions agree.
var noteKeywords = []string{"$comment", "default", "deprecated", "description", "examples", "readOnly", "title", "writeOnly"}

// merged returns the input schema of a grouped tool with these actions: every field
// of any of them, each with the least that all demand of it, and closed. What one
// action demands beyond that is in the description of the field, and calls are held
// to it.
//
// Fields that every action requires come first, then the others in the order in
// which the actions, by name, declare them.
func (c *Config) merged(actions []*action) json.RawMessage {
	keys := keysOf(actions)
	defs := nameDefs(actions)
	uses := map[string][]use{}
	var names []string
	for _, a := range actions {
		for _, f := range a.input.fields {
			if uses[f.name] == nil {
				names = append(names, f.name)
			}
			uses[f.name] = append(uses[f.name], newUse(a, f, defs))
		}
	}
	always := func(name string) bool {
		return len(uses[name]) == len(actions) && !slices.ContainsFunc(uses[name], func(u use) bool { return !u.f.required })
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(rank(always(a)), rank(always(b))) })

	operation := members{{"type", "string"}, {"enum", keys}}
	if !c.Compact {
		operation = append(operation, member{"description", c.Words.Operation})
	}
	properties := members{{c.Discriminator, operation}}
	required := []string{c.Discriminator}
	for _, name := range names {
		property := c.property(uses[name], keys)
		if always(name) {
			required = append(required, name)
		} else if c.NullIsAbsent && !slices.ContainsFunc(uses[name], func(u use) bool { return u.f.types&isNull != 0 }) {
			property = nullable(property)
		}
		properties = append(properties, member{name, property})
	}
	root := members{{"type", "object"}, {"properties", properties}, {"required", required}, {"additionalProperties", false}}
	if draft := actions[0].input.draft(); draft != "" {
		root = append(members{{"$schema", draft}}, root...)
	}
	if all := defs.all(actions); all != nil {
		root = append(root, member{"$defs", all})
	}
	return json.RawMessage(encode(root))
}

func rank(first bool) int {
	if first {
		return 0
	}
	return 1
}

func keysOf(actions []*action) []string {
	keys := make([]string, len(actions))
	for i, a := range actions {
		keys[i] = a.key
	}
	return keys
}

func newUse(a *action, f *field, defs *defNames) use {
	s := f.schema
	if f.refers || a.input.headers {
		s, _ = defs.refer(a, s).(object)
	}
	demands := make(object, len(s))
	for keyword, value := range s {
		if !slices.Contains(noteKeywords, keyword) {
			demands[keyword] = value
		}
	}
	return use{a, f, demands, encode(demands)}
}

// property returns the schema of a field that several actions use. Keys are those
// of all actions of the tool.
func (c *Config) property(uses []use, keys []string) object {
	var variants []variant
	at := map[string]int{}
	var require, allow, used []string
	for _, u := range uses {
		i, ok := at[u.text]
		if !ok {
			i = len(variants)
			at[u.text] = i
			variants = append(variants, variant{schema: u.schema})
		}
		variants[i].keys = append(variants[i].keys, u.a.key)
		used = append(used, u.a.key)
		if u.f.required {
			require = append(require, u.a.key)
		} else {
			allow = append(allow, u.a.key)
		}
	}
	property, differ := maps.Clone(variants[0].schema), ""
	if len(variants) > 1 {
		property, differ = widen(variants)
	}
	for _, keyword := range noteKeywords {
		if value, ok := agreed(uses, keyword); ok {
			property[keyword] = value
		}
	}
	others := slices.DeleteFunc(slices.Clone(keys), func(k string) bool { return slices.Contains(used, k) })
	property["description"] = sentences(c.fieldText(uses), c.Words.note(require, allow, others), differ)
	return property
}

// agreed returns the value that all uses have for a keyword.
func agreed(uses []use, keyword string) (any, bool) {
	first, ok := uses[0].f.schema[keyword]
	if !ok {
		return nil, false
	}
	if len(uses) > 1 {
		text := encode(first)
		for _, u := range uses[1:] {
			if other, ok := u.f.schema[keyword]; !ok || encode(other) != text {
				return nil, false
			}
		}
	}
	return first, true
}

// fieldText is the description of a field, with the actions in front of it where
// they describe it differently.
func (c *Config) fieldText(uses []use) string {
	var texts []string
	of := map[string][]string{}
	for _, u := range uses {
		text := u.f.description
		if c.Compact {
			text = firstSentence(text)
		}
		if text == "" {
			continue
		}
		if of[text] == nil {
			texts = append(texts, text)
		}
		of[text] = append(of[text], u.a.key)
	}
	if len(texts) == 1 {
		return texts[0]
	}
	for i, text := range texts {
		texts[i] = strings.Join(of[text], ", ") + ": " + text
	}
	return sentences(texts...)
}
