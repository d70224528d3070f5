package outline

import (
	"regexp"
	"slices"
	"sync"
)

// node is one subschema. Absent keywords are zero values; nodes refer to each
// other as the schema does, in circles too.
type node struct {
	id     int
	never  bool // the schema false
	opaque bool // nobody knows what it demands

	kinds     kinds // what type, const and enum let through; anyKind without them
	values    []any // scalars of const or enum as decoded, numbers as json.Number
	hasValues bool
	composite bool // some of the values are lists or objects

	minLength, maxLength int // maxLength -1: none
	pattern              *pattern
	format               string

	minimum, maximum, above, below, multipleOf *float64 // NaN: a number that is not whole, or too large

	all, any, one       []*node // allOf and $ref are one: both hold
	not, cond, yes, els *node
	dependent           []*node // dependentSchemas
	triggers            map[string]bool
	demanded            map[string]bool // members that another member asks for

	properties     map[string]*node
	patterns       []patternProperty
	additional     *node
	names          *node
	required       map[string]bool
	fewestMembers  int
	membersBounded bool

	prefix      []*node
	items       *node
	minItems    int
	contains    bool
	unique      bool
	unevaluated []*node

	note, title string

	possible kinds // kinds, the schemas that it refers to considered; see narrow
	gather   sync.Once
	gathered []*node
}

type patternProperty struct {
	pattern *pattern
	schema  *node
}

// pattern is a regular expression of ECMA-262. Those of Go differ little, but
// they differ: a match is a guess.
type pattern struct{ re *regexp.Regexp }

func newPattern(text string) *pattern {
	re, err := regexp.Compile(text)
	if err != nil {
		return &pattern{}
	}
	return &pattern{re}
}

// mayMatch reports whether a text may match.
func (p *pattern) mayMatch(text string) bool { return p.re == nil || p.re.MatchString(text) }

// conjuncts are the schema and everything that holds whenever it does: what it
// refers to, the parts of allOf, and so on.
func (n *node) conjuncts() []*node {
	n.gather.Do(func() {
		n.gathered = []*node{n}
		for i := 0; i < len(n.gathered); i++ {
			for _, part := range n.gathered[i].all {
				if !slices.Contains(n.gathered, part) {
					n.gathered = append(n.gathered, part)
				}
			}
		}
	})
	return n.gathered
}

// refuses reports whether the schema certainly refuses an object whose member has
// this text.
func (n *node) refuses(member, text string) bool {
	return slices.ContainsFunc(n.conjuncts(), func(part *node) bool {
		p := part.properties[member]
		return p != nil && p.accepts(text) == No
	})
}

// narrow finds out which kinds each schema may let through, the parts that it
// refers to included. The sets only shrink, so that every round of it is right,
// and only the last ones are exact; long chains of references do without.
func narrow(nodes map[string]*node) {
	for _, n := range nodes {
		n.possible = n.kinds
		if n.never {
			n.possible = 0
		}
	}
	const rounds = 8
	for range rounds {
		for _, n := range nodes {
			for _, part := range n.all {
				n.possible &= part.possible
			}
			for _, branches := range [...][]*node{n.any, n.one} {
				if len(branches) == 0 {
					continue
				}
				var union kinds
				for _, branch := range branches {
					union |= branch.possible
				}
				n.possible &= union
			}
		}
	}
}
