package contract

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// place says how a schema is reached, and so what may be asked of it.
type place int

const (
	atRoot     place = iota
	atProperty       // the value of a named property
	atItem           // an element, or the value of a free key
	atBranch         // of anyOf or oneOf: a whole alternative
	atPartial        // of allOf, if, not...: says only a part
)

// node is a schema within a schema.
type node struct {
	schema   map[string]any
	boolean  bool // the schema is true or false, and schema is nil
	pointer  string
	place    place
	name     string // of the property
	required bool   // the property
	depth    int    // properties, elements and combinations around it
	up       *node  // the schema around it; nil at the root
}

// maxDepth is how deep schemas are looked into.
const maxDepth = 64

// Keywords that hold schemas, by what the schemas in them say.
var (
	schemaMaps = []struct {
		keyword string
		place   place
	}{{"patternProperties", atItem}, {"$defs", atBranch}, {"definitions", atBranch}, {"dependentSchemas", atPartial}}
	schemaLists = []struct {
		keyword string
		place   place
	}{{"prefixItems", atItem}, {"items", atItem}, {"anyOf", atBranch}, {"oneOf", atBranch}, {"allOf", atPartial}}
	schemaValues = []struct {
		keyword string
		place   place
	}{
		{"items", atItem}, {"additionalProperties", atItem}, {"contains", atPartial}, {"not", atPartial},
		{"if", atPartial}, {"then", atPartial}, {"else", atPartial}, {"propertyNames", atPartial},
		{"unevaluatedProperties", atPartial}, {"unevaluatedItems", atPartial}, {"contentSchema", atPartial},
	}
)

// walk visits a schema and those in it, in a fixed order.
func walk(root map[string]any, pointer string, visit func(node)) {
	walkFrom(node{schema: root, pointer: pointer, place: atRoot}, visit)
}

func walkFrom(n node, visit func(node)) {
	visit(n)
	if n.schema == nil || n.depth == maxDepth {
		return
	}
	properties, _ := n.schema["properties"].(map[string]any)
	required := strs(n.schema["required"])
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		n.descend(properties[name], visit, node{
			pointer: join(n.pointer, "properties", name), place: atProperty,
			name: name, required: slices.Contains(required, name), depth: n.depth + 1,
		})
	}
	for _, k := range schemaMaps {
		held, _ := n.schema[k.keyword].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(held)) {
			n.descend(held[name], visit, node{pointer: join(n.pointer, k.keyword, name), place: k.place, depth: n.depth + 1})
		}
	}
	for _, k := range schemaLists {
		held, _ := n.schema[k.keyword].([]any)
		for i, s := range held {
			n.descend(s, visit, node{pointer: join(n.pointer, k.keyword, strconv.Itoa(i)), place: k.place, depth: n.depth + 1})
		}
	}
	for _, k := range schemaValues {
		if held, ok := n.schema[k.keyword]; ok {
			n.descend(held, visit, node{pointer: join(n.pointer, k.keyword), place: k.place, depth: n.depth + 1})
		}
	}
}

func (n node) descend(held any, visit func(node), child node) {
	child.up = &n
	switch s := held.(type) {
	case map[string]any:
		child.schema = s
		if n.place == atPartial {
			child.place = atPartial // whatever is within a part is one
		}
		walkFrom(child, visit)
	case bool:
		if n.place != atPartial && (child.place == atProperty || child.place == atItem && s && !strings.HasSuffix(child.pointer, "/additionalProperties")) {
			child.boolean = s
			visit(child)
		}
	}
}

// maxHops bounds how many references and combinations are followed.
const maxHops = 16

// document is a schema in which references are looked up. It is not safe for concurrent use.
type document struct {
	root    map[string]any
	anchors map[string]map[string]any // nil until one is asked for
}

// resolve follows local references. It returns nil for one that leads nowhere.
func (doc *document) resolve(schema map[string]any) map[string]any {
	for range maxHops {
		ref, ok := schema["$ref"].(string)
		if !ok {
			return schema
		}
		if schema, ok = doc.lookup(ref).(map[string]any); !ok {
			return nil
		}
	}
	return nil
}

// lookup finds what a local reference points at, nil if nothing.
func (doc *document) lookup(ref string) any {
	rest, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil
	}
	if decoded, err := url.PathUnescape(rest); err == nil { // the pointer is a URI fragment (RFC 6901, 6)
		rest = decoded
	}
	if rest == "" {
		return doc.root
	}
	if rest[0] != '/' {
		return doc.anchored(rest)
	}
	var at any = doc.root
	for token := range strings.SplitSeq(rest[1:], "/") {
		token = unescape(token)
		switch v := at.(type) {
		case map[string]any:
			at = v[token]
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(v) {
				return nil
			}
			at = v[i]
		default:
			return nil
		}
	}
	return at
}

// anchored finds the schema that declares an $anchor. They are all noted at once, since
// every reference may ask for one.
func (doc *document) anchored(anchor string) any {
	if doc.anchors == nil {
		doc.anchors = make(map[string]map[string]any)
		doc.note(doc.root)
	}
	if found, ok := doc.anchors[anchor]; ok {
		return found
	}
	return nil
}

// note notes the anchors in a value, in a fixed order: the first one of a name counts.
func (doc *document) note(at any) {
	switch v := at.(type) {
	case map[string]any:
		for _, keyword := range [...]string{"$anchor", "$dynamicAnchor"} {
			if name, ok := v[keyword].(string); ok && doc.anchors[name] == nil {
				doc.anchors[name] = v
			}
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			doc.note(v[name])
		}
	case []any:
		for _, held := range v {
			doc.note(held)
		}
	}
}

// circles reports whether a schema is nothing but references to references.
func (doc *document) circles(schema map[string]any) bool {
	for range maxHops {
		ref, ok := schema["$ref"].(string)
		if !ok {
			return false
		}
		if schema, ok = doc.lookup(ref).(map[string]any); !ok {
			return false
		}
	}
	return has(schema, "$ref")
}

// nullCheck asks whether schemas accept null, as far as types, values and
// alternatives say. What cannot be resolved counts as accepting: another rule
// complains about it. So does whatever comes after too many steps.
type nullCheck struct {
	doc  *document
	left int // steps, since references may branch without end
}

func (doc *document) admitsNull(schema map[string]any) bool {
	return (&nullCheck{doc: doc, left: 1000}).admits(schema)
}

func (c *nullCheck) admits(schema map[string]any) bool {
	if c.left--; c.left < 0 {
		return true
	}
	if has(schema, "$ref") {
		if target := c.doc.resolve(schema); target != nil && !c.admits(target) {
			return false
		}
	}
	if t := types(schema); t != nil && !slices.Contains(t, "null") {
		return false
	}
	if !valuesAdmitNull(schema) {
		return false
	}
	for _, keyword := range [...]string{"anyOf", "oneOf"} {
		if branches, ok := schema[keyword].([]any); ok && !slices.ContainsFunc(branches, c.branch) {
			return false
		}
	}
	all, _ := schema["allOf"].([]any)
	return !slices.ContainsFunc(all, func(b any) bool { return !c.branch(b) })
}

func (c *nullCheck) branch(branch any) bool {
	switch b := branch.(type) {
	case map[string]any:
		return c.admits(b)
	case bool:
		return b
	}
	return true
}

// valuesAdmitNull reports whether null is among the listed values, if there are any.
func valuesAdmitNull(schema map[string]any) bool {
	if values, ok := schema["enum"].([]any); ok && !slices.Contains(values, nil) {
		return false
	}
	value, ok := schema["const"]
	return !ok || value == nil
}

// types reads a type: one name or several. It is nil where there is none.
func types(schema map[string]any) []string {
	switch t := schema["type"].(type) {
	case string:
		return []string{t}
	case []any:
		return strs(t)
	}
	return nil
}

// isType reports whether a value of the schema may be of the type.
func isType(schema map[string]any, name string) bool { return slices.Contains(types(schema), name) }

// fixed reports whether the schema lists its values.
func fixed(schema map[string]any) bool { return has(schema, "enum") || has(schema, "const") }

func has(schema map[string]any, keywords ...string) bool {
	return slices.ContainsFunc(keywords, func(k string) bool { _, ok := schema[k]; return ok })
}

// strs returns the strings of a decoded list.
func strs(v any) []string {
	list, _ := v.([]any)
	var out []string
	for _, e := range list {
		if s, ok := e.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// join appends tokens to a JSON Pointer (RFC 6901).
func join(pointer string, tokens ...string) string {
	var b strings.Builder
	b.WriteString(pointer)
	for _, t := range tokens {
		b.WriteString("/" + strings.ReplaceAll(strings.ReplaceAll(t, "~", "~0"), "/", "~1"))
	}
	return b.String()
}

// unescape reads one token of a JSON Pointer.
func unescape(token string) string {
	return strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
}
