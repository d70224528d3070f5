package schema

import (
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// quick accepts most valid values of most schemas of tools in a fraction of the
// validator's time, which makes an exact fraction of every number. It knows the
// keywords of the fields below, and it may be wrong in one way only: what it does
// not accept is for the validator to judge.
type quick struct {
	types      kinds
	properties map[string]*quick
	required   []string
	closed     bool // no other properties
	items      *quick
	minItems   int
	maxItems   int
	minLength  int
	maxLength  int
	pattern    jsonschema.Regexp
	low, high  float64
	words      words // the strings of an enum
	null       bool  // an enum has null
	enum       bool
	anyOf      []*quick
	width      int // of itself and its alternatives, and theirs
}

// maxWidth is how many schemas quick holds against one value. What is wider is for the
// validator, whose steps are counted.
const maxWidth = 64

// words are strings of which a value may be one.
type words struct {
	list []string
	set  map[string]bool // the same, nil where the list is short and so the faster one
}

func newWords(values []any) (w words) {
	const short = 16
	for _, v := range values {
		if word, ok := v.(string); ok {
			w.list = append(w.list, word)
		}
	}
	if len(w.list) > short {
		w.set = make(map[string]bool, len(w.list))
		for _, word := range w.list {
			w.set[word] = true
		}
	}
	return w
}

func (w *words) has(word string) bool {
	if w.set != nil {
		return w.set[word]
	}
	return slices.Contains(w.list, word)
}

// understood are the fields of a compiled schema that quick looks at, and those
// that say nothing about values.
var understood = []string{
	"Bool", "Types", "Properties", "Required", "AdditionalProperties", "Items2020", "MinItems", "MaxItems",
	"MinLength", "MaxLength", "Pattern", "Minimum", "Maximum", "Enum", "AnyOf",
	"DraftVersion", "Location", "ID", "Anchor",
	"Title", "Description", "Default", "Comment", "ReadOnly", "WriteOnly", "Examples", "Deprecated",
}

// newQuick returns nil for a schema that holds something else.
func newQuick(s *jsonschema.Schema) *quick {
	if fields := reflect.ValueOf(s).Elem(); !understands(fields) {
		return nil
	}
	q := &quick{
		types: newKinds(s.Types), required: s.Required, pattern: s.Pattern,
		minItems: atLeast(s.MinItems), maxItems: atMost(s.MaxItems),
		minLength: atLeast(s.MinLength), maxLength: atMost(s.MaxLength),
		low: math.Inf(-1), high: math.Inf(1),
	}
	ok := exact(&q.low, s.Minimum) && exact(&q.high, s.Maximum) && (s.Bool == nil || *s.Bool)
	switch additional := s.AdditionalProperties.(type) {
	case nil:
	case bool:
		q.closed = !additional
	default:
		ok = false
	}
	if s.Enum != nil {
		q.enum, q.words, q.null = true, newWords(s.Enum.Values), slices.Contains(s.Enum.Values, nil)
	}
	if s.Items2020 != nil {
		q.items = newQuick(s.Items2020)
		ok = ok && q.items != nil
	}
	q.width = 1
	for _, branch := range s.AnyOf {
		b := newQuick(branch)
		if b == nil {
			return nil
		}
		q.anyOf, q.width = append(q.anyOf, b), q.width+b.width
	}
	ok = ok && q.width <= maxWidth
	q.properties = make(map[string]*quick, len(s.Properties))
	for name, property := range s.Properties {
		p := newQuick(property)
		q.properties[name], ok = p, ok && p != nil
	}
	if !ok {
		return nil
	}
	return q
}

// understands reports whether every field that is set is one of those understood.
// A reference is none of them, so that the parts of what is understood form a tree.
func understands(schema reflect.Value) bool {
	for i := range schema.NumField() {
		field := schema.Type().Field(i)
		if field.IsExported() && !schema.Field(i).IsZero() && !slices.Contains(understood, field.Name) {
			return false
		}
	}
	return true
}

// kinds is a set of types.
type kinds uint8

const (
	null kinds = 1 << iota
	boolean
	number
	integer
	text
	array
	object
)

var kindOf = map[string]kinds{
	"null": null, "boolean": boolean, "number": number, "integer": integer,
	"string": text, "array": array, "object": object,
}

func newKinds(types *jsonschema.Types) kinds {
	if types == nil {
		return null | boolean | number | text | array | object
	}
	var all kinds
	for _, name := range types.ToStrings() {
		all |= kindOf[name]
	}
	return all
}

func (k kinds) has(kind kinds) bool { return k&kind != 0 }

func atLeast(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}

func atMost(n *int) int {
	if n == nil {
		return math.MaxInt
	}
	return *n
}

// exact sets a bound, and reports false if float64 does not hold it: the validator
// compares the shortest decimal that stands for a float64.
func exact(bound *float64, r *big.Rat) bool {
	if r == nil {
		return true
	}
	f, _ := r.Float64()
	shortest, ok := new(big.Rat).SetString(strconv.FormatFloat(f, 'g', -1, 64))
	*bound = f
	return ok && shortest.Cmp(r) == 0
}

// accepts reports true for values that are valid, and false for those that are not
// or that it is not sure of.
func (q *quick) accepts(v any) bool {
	var ok bool
	switch t := v.(type) {
	case nil:
		ok = q.acceptsNull()
	case bool:
		ok = q.acceptsBool()
	case string:
		ok = q.acceptsText(t)
	case float64:
		ok = q.acceptsNumber(t)
	case []any:
		ok = q.acceptsList(t)
	case map[string]any:
		ok = q.acceptsObject(t)
	}
	return ok && (q.anyOf == nil || slices.ContainsFunc(q.anyOf, func(b *quick) bool { return b.accepts(v) }))
}

func (q *quick) acceptsNull() bool { return q.types.has(null) && (!q.enum || q.null) }

func (q *quick) acceptsBool() bool { return q.types.has(boolean) && !q.enum }

func (q *quick) acceptsNumber(f float64) bool {
	if !q.types.has(number) && (!q.types.has(integer) || f != math.Trunc(f)) {
		return false
	}
	return !q.enum && f >= q.low && f <= q.high
}

func (q *quick) acceptsText(s string) bool {
	if !q.types.has(text) || q.enum && !q.words.has(s) {
		return false
	}
	if q.minLength > 0 || q.maxLength < len(s) { // no more characters than bytes
		if n := utf8.RuneCountInString(s); n < q.minLength || n > q.maxLength {
			return false
		}
	}
	return q.pattern == nil || q.pattern.MatchString(s)
}

func (q *quick) acceptsList(list []any) bool {
	if !q.acceptsLength(len(list)) {
		return false
	}
	if q.items != nil {
		for _, element := range list {
			if !q.items.accepts(element) {
				return false
			}
		}
	}
	return true
}

// acceptsLength is what is asked of an array apart from its elements.
func (q *quick) acceptsLength(n int) bool {
	return q.types.has(array) && !q.enum && n >= q.minItems && n <= q.maxItems
}

func (q *quick) acceptsObject(members map[string]any) bool {
	if !q.types.has(object) || q.enum {
		return false
	}
	for _, name := range q.required {
		if _, ok := members[name]; !ok {
			return false
		}
	}
	for name, member := range members {
		property, known := q.properties[name]
		if known && !property.accepts(member) || !known && q.closed {
			return false
		}
	}
	return true
}
