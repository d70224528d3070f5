// Package outline says what a tool's output schema lets be changed in a result
// that satisfies it. It is compiled once per definition; a walk through the data
// goes through it side by side, from [Outline.Root] with [Place.Property] and
// [Place.Item], and asks at each place: may this list be shorter, may this text
// be another, may a member be added?
//
// The answers are a [Verdict]. Yes is a promise: a result that was valid before
// is valid after, whatever else was changed with the same promise. It holds since
// most keywords only ever demand more of the parts than they did: allOf, anyOf,
// $ref, properties and items of valid parts are valid. Others may turn against a
// result when a part of it changes for the better: oneOf of several branches that
// fit, not, if, dependentSchemas, contains, unevaluated*, uniqueItems, an enum of
// whole objects. Below those, and below what is not known (a reference to
// another document, $dynamicRef), the answer is at best [IfValid].
//
// Branches are told apart by the kind of the data ([Place.As]) and by members
// that they pin with const or enum ([Place.Where]), so that a nullable object or
// a tagged union needs no second look.
//
// Keywords and their meaning are those of JSON Schema 2020-12; of older drafts
// the list form of items, additionalItems and dependencies are understood.
package outline

import (
	"sync"

	"github.com/portavoz/portavoz/middleware/internal/document"
)

// Verdict is an answer. Of two answers the smaller one holds for both.
type Verdict uint8

// The answers.
const (
	No      Verdict = iota
	IfValid         // only if the whole result, changed, is valid
	Yes             // a result that was valid stays so
)

func (v Verdict) not() Verdict { return Yes - v }

// kinds is a set of kinds.
type kinds uint8

const (
	kindCount = document.Object + 1
	anyKind   = kinds(1<<kindCount - 1)
)

func (s kinds) has(k document.Kind) bool { return s&(1<<k) != 0 }

// Outline is a compiled schema. It is safe for concurrent use.
type Outline struct {
	root   *state
	opaque *node

	mu     sync.Mutex
	states map[string]*state
}

// Compile reads a schema. Empty text is a schema that allows everything. What
// cannot be read gets no error but caution: its places answer [IfValid].
func Compile(raw []byte) *Outline {
	if len(raw) == 0 {
		raw = []byte("true")
	}
	c := newCompiler()
	root := c.document(raw)
	o := &Outline{opaque: c.opaque, states: make(map[string]*state)}
	o.root = o.state(spec{roots: []*node{root}})
	return o
}

// Root is the place of the whole result.
func (o *Outline) Root() Place { return Place{o, o.root} }

// maxStates bounds what an outline remembers. A schema has about two states for
// each of its subschemas; only hostile ones have more.
const maxStates = 4096

// state returns the state of that specification, the same one each time.
func (o *Outline) state(s spec) *state {
	key := s.key()
	o.mu.Lock()
	defer o.mu.Unlock()
	if known := o.states[key]; known != nil {
		return known
	}
	if len(o.states) >= maxStates {
		s = spec{roots: []*node{o.opaque}, kind: s.kind, narrowed: s.narrowed, fragile: true}
		if key = s.key(); o.states[key] != nil {
			return o.states[key]
		}
	}
	made := newState(s)
	o.states[key] = made
	return made
}
