package outline

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"strconv"

	"github.com/portavoz/portavoz/middleware/internal/document"
)

// maxDepth bounds how deep a schema is read; what lies deeper is opaque.
const maxDepth = 200

// compiler makes the nodes of a schema, one for each JSON pointer.
type compiler struct {
	schema  any
	opaque  *node // for everything that is not known
	nodes   map[string]*node
	anchors map[string]string // $anchor to JSON pointer; "" where two have the same
	based   bool              // a subschema has an $id: references have several bases
}

// document compiles a whole schema.
func (c *compiler) document(raw []byte) *node {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if err := dec.Decode(&c.schema); err != nil {
		return c.opaque
	}
	if _, err := dec.Token(); err != io.EOF {
		return c.opaque
	}
	c.findAnchors(c.schema, "", 0)
	root := c.compile(c.schema, "", 0)
	narrow(c.nodes)
	return root
}

func newCompiler() *compiler {
	return &compiler{
		opaque:  &node{opaque: true, kinds: anyKind, possible: anyKind, maxLength: -1},
		nodes:   make(map[string]*node),
		anchors: make(map[string]string),
	}
}

// compile makes the node of the subschema at a pointer.
func (c *compiler) compile(schema any, pointer string, depth int) *node {
	if known := c.nodes[pointer]; known != nil {
		return known
	}
	if depth > maxDepth {
		return c.opaque
	}
	n := &node{id: len(c.nodes) + 1, kinds: anyKind, maxLength: -1}
	c.nodes[pointer] = n
	switch s := schema.(type) {
	case bool:
		n.never = !s
	case map[string]any:
		k := keywords{compiler: c, node: n, schema: s, pointer: pointer, depth: depth}
		k.values()
		k.scalars()
		k.combinations()
		k.members()
		k.elements()
	default:
		n.opaque = true
	}
	return n
}

// keywords reads the keywords of one subschema into its node.
type keywords struct {
	*compiler
	*node
	schema  map[string]any
	pointer string
	depth   int
}

// sub compiles the subschema under a keyword; nil where there is none.
func (k *keywords) sub(keyword string) *node {
	schema, ok := k.schema[keyword]
	if !ok {
		return nil
	}
	return k.compile(schema, k.pointer+"/"+escape(keyword), k.depth+1)
}

// list compiles the subschemas of a list.
func (k *keywords) list(keyword string) []*node {
	schemas, ok := k.schema[keyword].([]any)
	if !ok {
		return nil
	}
	nodes := make([]*node, len(schemas))
	for i, schema := range schemas {
		nodes[i] = k.compile(schema, k.pointer+"/"+escape(keyword)+"/"+strconv.Itoa(i), k.depth+1)
	}
	return nodes
}

// named compiles the subschemas of an object. A list among them is that of names
// in the older dependencies, and no schema.
func (k *keywords) named(keyword string) map[string]*node {
	schemas, ok := k.schema[keyword].(map[string]any)
	if !ok {
		return nil
	}
	nodes := make(map[string]*node, len(schemas))
	for name, schema := range schemas {
		if _, isList := schema.([]any); !isList {
			nodes[name] = k.compile(schema, k.pointer+"/"+escape(keyword)+"/"+escape(name), k.depth+1)
		}
	}
	return nodes
}

func (k *keywords) values() {
	switch t := k.schema["type"].(type) {
	case string:
		k.kinds = kindsOf(t)
	case []any:
		k.kinds = 0
		for _, name := range t {
			if text, ok := name.(string); ok {
				k.kinds |= kindsOf(text)
			}
		}
	}
	for _, keyword := range [...]string{"const", "enum"} {
		listed, ok := k.schema[keyword]
		if !ok {
			continue
		}
		values := []any{listed}
		if keyword == "enum" {
			if values, ok = listed.([]any); !ok {
				k.node.opaque = true
				continue
			}
		}
		k.restrict(values)
	}
}

// restrict holds the node to values. Where const stands beside enum, the union is
// more than both let through, and the kinds are exact.
func (k *keywords) restrict(values []any) {
	var set kinds
	if k.hasValues {
		k.node.opaque = true
	}
	k.hasValues = true
	for _, v := range values {
		switch v.(type) {
		case nil:
			set |= 1 << document.Null
		case bool:
			set |= 1 << document.Bool
		case json.Number:
			set |= 1 << document.Number
		case string:
			set |= 1 << document.String
		case []any:
			set |= 1 << document.Array
			k.composite = true
			continue
		case map[string]any:
			set |= 1 << document.Object
			k.composite = true
			continue
		}
		k.node.values = append(k.node.values, v)
	}
	k.kinds &= set
}

func (k *keywords) scalars() {
	k.minLength = max(0, count(k.schema["minLength"], 0))
	if most := count(k.schema["maxLength"], -1); most >= 0 && most < math.MaxInt32 {
		k.maxLength = most
	}
	if text, ok := k.schema["pattern"].(string); ok {
		k.pattern = newPattern(text)
	}
	k.format, _ = k.schema["format"].(string)
	k.minimum, k.maximum = bound(k.schema["minimum"]), bound(k.schema["maximum"])
	k.above, k.below = bound(k.schema["exclusiveMinimum"]), bound(k.schema["exclusiveMaximum"])
	k.multipleOf = bound(k.schema["multipleOf"])
	k.note, _ = k.schema["x-portavoz"].(string)
	k.title, _ = k.schema["title"].(string)
}

func (k *keywords) combinations() {
	k.all, k.any, k.one = k.list("allOf"), k.list("anyOf"), k.list("oneOf")
	k.not, k.cond = k.sub("not"), k.sub("if")
	k.yes, k.els = k.sub("then"), k.sub("else")
	if ref, ok := k.schema["$ref"].(string); ok {
		k.all = append(k.all, k.resolve(ref, k.depth+1))
	}
	for _, dynamic := range [...]string{"$dynamicRef", "$recursiveRef"} {
		if _, ok := k.schema[dynamic]; ok {
			k.all = append(k.all, k.compiler.opaque)
		}
	}
}

func (k *keywords) members() {
	k.properties = k.named("properties")
	for text, schema := range k.named("patternProperties") {
		k.patterns = append(k.patterns, patternProperty{newPattern(text), schema})
	}
	k.additional, k.names = k.sub("additionalProperties"), k.sub("propertyNames")
	k.required = names(k.schema["required"])
	k.fewestMembers = max(0, count(k.schema["minProperties"], 0))
	_, k.membersBounded = k.schema["maxProperties"]
	if rest := k.sub("unevaluatedProperties"); rest != nil {
		k.unevaluated = append(k.unevaluated, rest)
	}
	for _, keyword := range [...]string{"dependentRequired", "dependentSchemas", "dependencies"} {
		dependents, _ := k.schema[keyword].(map[string]any)
		for name, dependent := range dependents {
			if k.triggers == nil {
				k.triggers, k.demanded = make(map[string]bool), make(map[string]bool)
			}
			k.triggers[name] = true
			for other := range names(dependent) {
				k.demanded[other] = true
			}
		}
		if keyword == "dependentRequired" {
			continue
		}
		for _, schema := range k.named(keyword) {
			k.dependent = append(k.dependent, schema)
		}
	}
}

func (k *keywords) elements() {
	k.prefix, k.items = k.list("prefixItems"), nil
	if _, isList := k.schema["items"].([]any); isList { // until 2019-09
		k.prefix, k.items = k.list("items"), k.sub("additionalItems")
	} else {
		k.items = k.sub("items")
	}
	k.minItems = max(0, count(k.schema["minItems"], 0))
	_, k.contains = k.schema["contains"]
	k.unique = k.schema["uniqueItems"] == true
	if rest := k.sub("unevaluatedItems"); rest != nil {
		k.unevaluated = append(k.unevaluated, rest)
	}
}

func kindsOf(name string) kinds {
	switch name {
	case "null":
		return 1 << document.Null
	case "boolean":
		return 1 << document.Bool
	case "number", "integer":
		return 1 << document.Number
	case "string":
		return 1 << document.String
	case "array":
		return 1 << document.Array
	case "object":
		return 1 << document.Object
	}
	return 0
}

// count reads a number of things; missing where there is none.
func count(v any, missing int) int {
	literal, ok := v.(json.Number)
	if !ok {
		return missing
	}
	f, err := strconv.ParseFloat(literal.String(), 64)
	if err != nil || f > math.MaxInt32 {
		return math.MaxInt32
	}
	return int(math.Ceil(f))
}

// bound reads a limit of numbers: nil where there is none, NaN for one that is not
// written as a whole number.
func bound(v any) *float64 {
	literal, ok := v.(json.Number)
	if !ok {
		return nil
	}
	f := math.NaN()
	if whole, err := strconv.ParseInt(literal.String(), 10, 53); err == nil {
		f = float64(whole)
	}
	return &f
}

// names reads a list of texts as a set; nil for anything else.
func names(v any) map[string]bool {
	list, ok := v.([]any)
	if !ok {
		return nil
	}
	set := make(map[string]bool, len(list))
	for _, name := range list {
		if text, ok := name.(string); ok {
			set[text] = true
		}
	}
	return set
}
