package contract

import (
	"encoding/json"
	"slices"
	"strings"
)

// direction says who has to satisfy a schema: the caller, or the tool.
type direction int

const (
	intoTool  direction = iota // narrower breaks calls
	outOfTool                  // wider breaks promises
)

// comparer compares two versions of one schema.
type comparer struct {
	*differ
	direction      direction
	oldDoc, newDoc *document
	compared       map[[2]string]bool // pairs of references
}

func newComparer(d *differ, dir direction, prior, next map[string]any) *comparer {
	return &comparer{
		differ: d, direction: dir, oldDoc: &document{root: prior}, newDoc: &document{root: next},
		compared: map[[2]string]bool{{"#", "#"}: true}, // the roots are what is compared first
	}
}

func (c *comparer) narrowed(pointer, es, en string) {
	c.turned("narrowed", map[direction]Impact{intoTool: Breaking, outOfTool: Compatible}, pointer, es, en)
}

func (c *comparer) widened(pointer, es, en string) {
	c.turned("widened", map[direction]Impact{intoTool: Compatible, outOfTool: Breaking}, pointer, es, en)
}

func (c *comparer) turned(kind string, impact map[direction]Impact, pointer, es, en string) {
	c.add(kind, impact[c.direction], pointer, Text{ES: es, EN: en})
}

// unclear reports a change whose effect cannot be told.
func (c *comparer) unclear(pointer, keyword string) {
	c.add("schema-changed", Breaking, join(pointer, keyword), Text{
		ES: "Cambió " + keyword + ", y no se puede saber si admite lo mismo.",
		EN: keyword + " has changed, and whether it admits the same cannot be told.",
	})
}

// asSchema is the object form of any schema: true admits everything, false nothing.
func asSchema(v any) map[string]any {
	switch s := v.(type) {
	case map[string]any:
		if s != nil {
			return s
		}
	case bool:
		if !s {
			return map[string]any{"not": map[string]any{}}
		}
	}
	return map[string]any{}
}

// schemas compares two schemas in the same place.
func (c *comparer) schemas(prior, next map[string]any, pointer string, depth int) {
	oldTarget, newTarget := c.oldDoc.resolve(prior), c.newDoc.resolve(next)
	if oldTarget == nil || newTarget == nil || depth == maxDepth {
		if !same(prior, next) {
			c.unclear(pointer, "$ref")
		}
		return
	}
	c.words(prior, next, pointer)
	if c.before(prior, next) {
		return
	}
	prior, next = oldTarget, newTarget
	c.types(prior, next, pointer)
	c.values(prior, next, pointer)
	c.bounds(prior, next, pointer)
	c.exact(prior, next, pointer)
	c.properties(prior, next, pointer, depth)
	c.rest(prior, next, pointer, depth)
	c.alternatives(prior, next, pointer)
}

// before reports whether two references were compared with each other already:
// what they lead to is reported once, and what refers to itself ends.
func (c *comparer) before(prior, next map[string]any) bool {
	from, _ := prior["$ref"].(string)
	to, _ := next["$ref"].(string)
	if from == "" && to == "" {
		return false
	}
	pair := [2]string{from, to}
	if c.compared[pair] && from != "" && to != "" {
		return true
	}
	c.compared[pair] = true
	return false
}

// allTypes are what a schema without a type admits.
var allTypes = [...]string{"array", "boolean", "integer", "null", "number", "object", "string"}

func typeSet(schema map[string]any) []string {
	t := types(schema)
	if t == nil {
		t = allTypes[:]
	}
	t = slices.Clone(t)
	if slices.Contains(t, "number") && !slices.Contains(t, "integer") {
		t = append(t, "integer")
	}
	return t
}

func (c *comparer) types(prior, next map[string]any, pointer string) {
	was, is := typeSet(prior), typeSet(next)
	lost, won := without(was, is), without(is, was)
	if len(lost) > 0 {
		list := strings.Join(lost, ", ")
		c.narrowed(join(pointer, "type"), "Ya no admite el tipo "+list+".", "It no longer admits the type "+list+".")
	}
	if len(won) > 0 {
		list := strings.Join(won, ", ")
		c.widened(join(pointer, "type"), "Ahora admite también el tipo "+list+".", "It now admits the type "+list+", too.")
	}
}

func without(a, b []string) []string {
	var out []string
	for _, s := range a {
		if !slices.Contains(b, s) {
			out = append(out, s)
		}
	}
	slices.Sort(out)
	return out
}

// listed are the values that a schema lists, as JSON texts.
func listed(schema map[string]any) (values []string, ok bool) {
	if v, ok := schema["const"]; ok {
		return []string{string(compact(v))}, true
	}
	list, ok := schema["enum"].([]any)
	for _, v := range list {
		values = append(values, string(compact(v)))
	}
	return values, ok
}

func (c *comparer) values(prior, next map[string]any, pointer string) {
	was, had := listed(prior)
	is, has := listed(next)
	pointer = join(pointer, "enum")
	switch {
	case had && has:
		if lost := without(was, is); len(lost) > 0 {
			list := clip(strings.Join(lost, ", "))
			c.narrowed(pointer, "Ya no admite "+list+".", "It no longer admits "+list+".")
		}
		if won := without(is, was); len(won) > 0 {
			list := clip(strings.Join(won, ", "))
			c.widened(pointer, "Ahora admite también "+list+".", "It now admits "+list+", too.")
		}
	case has:
		c.narrowed(pointer, "Ahora solo admite los valores de una lista.", "It now admits the values of a list only.")
	case had:
		c.widened(pointer, "Ya no se limita a los valores de una lista.", "It is no longer limited to the values of a list.")
	}
}

// limits are keywords with a number: the sign is that of what narrows.
var limits = [...]struct {
	keyword string
	sign    float64
}{
	{"minLength", 1}, {"minItems", 1}, {"minProperties", 1}, {"minimum", 1}, {"exclusiveMinimum", 1}, {"minContains", 1},
	{"maxLength", -1}, {"maxItems", -1}, {"maxProperties", -1}, {"maximum", -1}, {"exclusiveMaximum", -1}, {"maxContains", -1},
}

func (c *comparer) bounds(prior, next map[string]any, pointer string) {
	for _, limit := range limits {
		was, had := number(prior[limit.keyword])
		is, has := number(next[limit.keyword])
		at := join(pointer, limit.keyword)
		from, to := figure(prior[limit.keyword]), figure(next[limit.keyword])
		es, en := limit.keyword+" pasó de "+from+" a "+to+".", limit.keyword+" went from "+from+" to "+to+"."
		switch {
		case has && !had:
			c.narrowed(at, "Ahora exige "+limit.keyword+" "+to+".", "It now demands "+limit.keyword+" "+to+".")
		case had && !has:
			c.widened(at, "Ya no exige "+limit.keyword+" "+from+".", "It no longer demands "+limit.keyword+" "+from+".")
		case (is-was)*limit.sign > 0:
			c.narrowed(at, es, en)
		case (is-was)*limit.sign < 0:
			c.widened(at, es, en)
		}
	}
}

// figure is a number as it is written.
func figure(v any) string { return clip(string(compact(v))) }

func number(v any) (float64, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	f, err := n.Float64()
	return f, err == nil
}

// exact compares keywords that narrow as soon as they are there, and of which two
// values cannot be compared.
func (c *comparer) exact(prior, next map[string]any, pointer string) {
	for _, keyword := range [...]string{"pattern", "format", "multipleOf", "uniqueItems", "contentMediaType", "contentEncoding"} {
		was, is := prior[keyword], next[keyword]
		if keyword == "uniqueItems" && was == false {
			was = nil
		}
		if keyword == "uniqueItems" && is == false {
			is = nil
		}
		switch at := join(pointer, keyword); {
		case same(was, is):
		case was == nil:
			c.narrowed(at, "Ahora exige "+keyword+".", "It now demands "+keyword+".")
		case is == nil:
			c.widened(at, "Ya no exige "+keyword+".", "It no longer demands "+keyword+".")
		default:
			c.unclear(pointer, keyword)
		}
	}
}

// words compares what is only read.
func (c *comparer) words(prior, next map[string]any, pointer string) {
	for _, keyword := range [...]string{"title", "description", "examples", "default", "deprecated", annotation} {
		if !same(prior[keyword], next[keyword]) {
			c.add("words-changed", Cosmetic, join(pointer, keyword), Text{
				ES: "Cambió " + keyword + ".", EN: keyword + " has changed.",
			})
		}
	}
}
