package outline

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/portavoz/portavoz/middleware/internal/document"
)

// spec identifies a state: which subschemas may apply to a value, and what is
// known of the value.
type spec struct {
	roots    []*node // by id; all of them may apply
	fragile  bool    // a change here may turn a combination further out against the result
	fixed    bool    // this text tells branches apart
	narrowed bool    // kind is known
	kind     document.Kind
	excluded []*node  // branches that the value does not fit; by id
	tags     []string // members that told so; sorted
}

func (s *spec) key() string {
	slices.SortFunc(s.roots, byID)
	s.roots = slices.Compact(s.roots)
	slices.SortFunc(s.excluded, byID)
	s.excluded = slices.Compact(s.excluded)
	slices.Sort(s.tags)
	s.tags = slices.Compact(s.tags)
	var b strings.Builder
	for i, flag := range [...]bool{s.fragile, s.fixed, s.narrowed} {
		if flag {
			b.WriteByte('a' + byte(i))
		}
	}
	b.WriteByte('0' + byte(s.kind))
	for _, nodes := range [...][]*node{s.roots, s.excluded} {
		b.WriteByte(';')
		for _, n := range nodes {
			b.WriteString(strconv.Itoa(n.id))
			b.WriteByte(',')
		}
	}
	for _, tag := range s.tags {
		b.WriteString(strconv.Quote(tag))
	}
	return b.String()
}

func byID(a, b *node) int { return cmp.Compare(a.id, b.id) }

// state is what a schema says of a value in one situation. All of it but the
// states that follow is computed when it is made.
type state struct {
	spec
	flat []*node // every subschema that may apply to the value itself, roots first

	unsure      bool // fragile, or a change inside may turn a combination here
	plain       bool // every text from minLength to maxLength is right
	pinned      bool // the schema says which texts are right
	shortest    int
	longest     int // -1: no limit
	fewestItems int
	contains    bool
	discerning  []string // members by which branches may be told apart
	note        string
	title       string
	format      string

	expand   sync.Once
	declared map[string]*state // by member
	other    *state            // a member that is not declared; nil where patterns decide
	prefix   []*state          // the first items
	rest     *state            // the items after them
	byKind   [kindCount]*state
}

func newState(s spec) *state {
	st := &state{spec: s, unsure: s.fragile, longest: -1}
	f := flattener{state: st, seen: make(map[*node]bool)}
	for _, root := range s.roots {
		f.add(root)
	}
	st.describe()
	st.plain = st.plain && !f.branches
	return st
}

// flattener collects the subschemas that apply to one value.
type flattener struct {
	*state
	seen     map[*node]bool
	branches bool // there were choices
}

func (f *flattener) add(n *node) {
	if f.seen[n] {
		return
	}
	f.seen[n] = true
	f.flat = append(f.flat, n)
	f.unsure = f.unsure || n.opaque || n.not != nil || n.cond != nil || len(n.dependent) > 0 ||
		len(n.unevaluated) > 0 || n.composite
	f.branches = f.branches || n.not != nil || n.cond != nil
	for _, part := range n.all {
		f.add(part)
	}
	for _, part := range [...]*node{n.cond, n.yes, n.els} {
		if part != nil {
			f.add(part)
		}
	}
	for _, part := range n.dependent {
		f.add(part)
	}
	f.choose(n.any, false)
	f.choose(n.one, true)
}

// choose adds the branches that the value may fit. One that is left is what it
// fits, if it is valid at all.
func (f *flattener) choose(branches []*node, exclusive bool) {
	var left []*node
	for _, branch := range branches {
		fits := !f.narrowed || branch.possible.has(f.kind)
		if fits && !slices.Contains(f.excluded, branch) {
			left = append(left, branch)
		}
	}
	if len(left) > 1 {
		f.branches = true
		f.unsure = f.unsure || exclusive
		f.discern(left)
	}
	for _, branch := range left {
		f.add(branch)
	}
}

// discern notes the members that branches hold to certain texts.
func (f *flattener) discern(branches []*node) {
	for _, branch := range branches {
		for _, n := range branch.conjuncts() {
			for member, p := range n.properties {
				if p.hasValues && p.kinds.has(document.String) && !slices.Contains(f.tags, member) {
					f.discerning = append(f.discerning, member)
				}
			}
		}
	}
	slices.Sort(f.discerning)
	f.discerning = slices.Compact(f.discerning)
}

// describe gathers what the subschemas say of the value itself.
func (st *state) describe() {
	st.plain = true
	for _, n := range st.flat {
		pinned := n.hasValues || n.pattern != nil || n.format != ""
		st.pinned = st.pinned || pinned
		st.plain = st.plain && !pinned && !n.opaque && !n.never && n.kinds.has(document.String)
		st.shortest = max(st.shortest, n.minLength)
		if n.maxLength >= 0 && (st.longest < 0 || n.maxLength < st.longest) {
			st.longest = n.maxLength
		}
		st.fewestItems = max(st.fewestItems, n.minItems)
		st.contains = st.contains || n.contains
		st.note = cmp.Or(st.note, n.note)
		st.title = cmp.Or(st.title, n.title)
		st.format = cmp.Or(st.format, n.format)
	}
}

// follow computes the states that can be named beforehand.
func (st *state) follow(o *Outline) {
	st.expand.Do(func() {
		st.declared = make(map[string]*state)
		patterns, prefix := false, 0
		for _, n := range st.flat {
			for name := range n.properties {
				st.declared[name] = nil
			}
			patterns = patterns || len(n.patterns) > 0
			prefix = max(prefix, len(n.prefix))
		}
		for name := range st.declared {
			st.declared[name] = o.state(o.member(st, name))
		}
		if !patterns {
			st.other = o.state(o.undeclared(st))
		}
		st.prefix = make([]*state, prefix)
		for i := range st.prefix {
			st.prefix[i] = o.state(o.item(st, i))
		}
		st.rest = o.state(o.item(st, prefix))
		if st.narrowed {
			return
		}
		for kind := range kindCount {
			s := st.spec.clone()
			s.narrowed, s.kind = true, kind
			st.byKind[kind] = o.state(s)
		}
	})
}

func (s *spec) clone() spec {
	c := *s
	c.roots, c.excluded, c.tags = slices.Clone(s.roots), slices.Clone(s.excluded), slices.Clone(s.tags)
	return c
}

// member specifies the place of a member.
func (o *Outline) member(st *state, name string) spec {
	s := spec{fragile: st.unsure, fixed: slices.Contains(st.tags, name)}
	for _, n := range st.flat {
		s.fragile = s.fragile || len(n.patterns) > 0 // whether one matches is a guess
		if n.opaque {
			s.roots = append(s.roots, o.opaque)
		}
		for _, p := range n.patterns {
			if p.pattern.mayMatch(name) {
				s.roots = append(s.roots, p.schema)
			}
		}
		if p := n.properties[name]; p != nil {
			s.roots = append(s.roots, p)
		} else if n.additional != nil {
			s.roots = append(s.roots, n.additional)
		}
		s.roots = append(s.roots, n.unevaluated...)
	}
	return s
}

// undeclared specifies the place of a member that no subschema names, where there
// are no patterns.
func (o *Outline) undeclared(st *state) spec {
	s := spec{fragile: st.unsure}
	for _, n := range st.flat {
		if n.opaque {
			s.roots = append(s.roots, o.opaque)
		}
		if n.additional != nil {
			s.roots = append(s.roots, n.additional)
		}
		s.roots = append(s.roots, n.unevaluated...)
	}
	return s
}

// item specifies the place of an item of a list.
func (o *Outline) item(st *state, i int) spec {
	s := spec{fragile: st.unsure || st.contains}
	for _, n := range st.flat {
		s.fragile = s.fragile || n.unique
		switch {
		case n.opaque:
			s.roots = append(s.roots, o.opaque)
		case i < len(n.prefix):
			s.roots = append(s.roots, n.prefix[i])
		case n.items != nil:
			s.roots = append(s.roots, n.items)
		}
		s.roots = append(s.roots, n.unevaluated...)
	}
	return s
}
