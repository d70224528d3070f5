package outline

import (
	"slices"
	"unicode/utf8"

	"github.com/portavoz/portavoz/middleware/internal/document"
)

// Place is a place in the data and what the schema says of it. The zero Place has
// no schema: everything is allowed there. A Place is a value, as cheap to copy as
// a pointer.
type Place struct {
	outline *Outline
	state   *state
}

// As is the place where the kind of the value is known. Branches of another kind
// do not speak of it. Call it before anything is asked about the value.
func (p Place) As(kind document.Kind) Place {
	if p.state == nil || p.state.narrowed {
		return p
	}
	p.state.follow(p.outline)
	return Place{p.outline, p.state.byKind[kind]}
}

// Tags lists the members of an object by whose texts its branches are told apart,
// sorted. Hand what the data has of them to [Place.Where]. The list must not be
// changed.
func (p Place) Tags() []string {
	if p.state == nil {
		return nil
	}
	return p.state.discerning
}

// Where is the place of an object whose member has this text. Branches that
// refuse it do not speak of the object, and the text is pinned: another one might
// bring them back.
func (p Place) Where(member, text string) Place {
	if p.state == nil {
		return p
	}
	s := p.state.spec.clone()
	found := len(s.excluded)
	for _, n := range p.state.flat {
		for _, branches := range [...][]*node{n.any, n.one} {
			for _, branch := range branches {
				if branch.refuses(member, text) {
					s.excluded = append(s.excluded, branch)
				}
			}
		}
	}
	if len(s.excluded) == found {
		return p
	}
	s.tags = append(s.tags, member)
	return Place{p.outline, p.outline.state(s)}
}

// Property is the place of a member of an object.
func (p Place) Property(name string) Place {
	if p.state == nil {
		return p
	}
	p.state.follow(p.outline)
	if next := p.state.declared[name]; next != nil {
		return Place{p.outline, next}
	}
	if p.state.other != nil {
		return Place{p.outline, p.state.other}
	}
	return Place{p.outline, p.outline.state(p.outline.member(p.state, name))}
}

// Item is the place of an item of a list.
func (p Place) Item(i int) Place {
	if p.state == nil {
		return p
	}
	p.state.follow(p.outline)
	if i < len(p.state.prefix) {
		return Place{p.outline, p.state.prefix[i]}
	}
	return Place{p.outline, p.state.rest}
}

// Text says whether the text here may become this one.
func (p Place) Text(text string) Verdict {
	switch st := p.state; {
	case st == nil:
		return Yes
	case st.fixed:
		return No
	case st.plain:
		if st.shortest > 0 || st.longest >= 0 {
			length := utf8.RuneCountInString(text)
			if length < st.shortest || st.longest >= 0 && length > st.longest {
				return No
			}
		}
		return p.state.outward()
	}
	return p.accepts(text)
}

// Integer says whether the number here may become n.
func (p Place) Integer(n int) Verdict { return p.accepts(n) }

// Null says whether the value here may become null.
func (p Place) Null() Verdict { return p.accepts(nil) }

func (p Place) accepts(scalar any) Verdict {
	if p.state == nil {
		return Yes
	}
	if p.state.fixed {
		return No
	}
	verdict := p.state.outward()
	for _, root := range p.state.roots {
		verdict = min(verdict, root.accepts(scalar))
	}
	return verdict
}

// Pinned reports whether the schema says what the text here looks like: by enum,
// const, pattern or format, or since branches are told apart by it. Such a text is
// an identifier or a code, not prose.
func (p Place) Pinned() bool { return p.state != nil && (p.state.pinned || p.state.fixed) }

// MaxLength is the most code points that a text may have here; -1 is no limit.
func (p Place) MaxLength() int {
	if p.state == nil {
		return -1
	}
	return p.state.longest
}

// Items says whether the list here may be cut from its end to n items.
func (p Place) Items(n int) Verdict {
	switch {
	case p.state == nil:
		return Yes
	case n < p.state.fewestItems:
		return No
	case p.state.contains:
		return IfValid
	}
	return p.sure()
}

// Declares reports whether the schema names the member of the object here.
func (p Place) Declares(name string) bool {
	if p.state == nil {
		return false
	}
	for _, n := range p.state.flat {
		if n.properties[name] != nil {
			return true
		}
	}
	return false
}

// With says whether the object here may get a member of this name, which it does
// not have, with this text. Every subschema that may apply has to agree: one that
// is closed has to declare it, and one that bounds the number of its members
// never does. For a member that is there, ask [Place.Property] for [Place.Text].
func (p Place) With(name, text string) Verdict { return p.with(name, text) }

// WithInteger is [Place.With] for a member that is a whole number.
func (p Place) WithInteger(name string, n int) Verdict { return p.with(name, n) }

func (p Place) with(name string, scalar any) Verdict {
	if p.state == nil {
		return Yes
	}
	verdict := p.sure()
	for _, n := range p.state.flat {
		if verdict = min(verdict, n.takes(name, scalar)); verdict == No {
			return No
		}
		if len(n.unevaluated) > 0 && !p.Declares(name) {
			return No // at best it is not evaluated
		}
	}
	return verdict
}

func (n *node) takes(name string, scalar any) Verdict {
	if n.never || n.membersBounded || n.triggers[name] || n.composite {
		return No
	}
	verdict := Yes
	if n.names != nil {
		verdict = n.names.accepts(name)
	}
	declared := n.properties[name]
	if declared != nil {
		verdict = min(verdict, declared.accepts(scalar))
	}
	for _, p := range n.patterns {
		if p.pattern.mayMatch(name) {
			verdict = min(verdict, p.schema.accepts(scalar), IfValid)
		}
	}
	if declared == nil && n.additional != nil {
		verdict = min(verdict, n.additional.accepts(scalar))
	}
	return verdict
}

// Without says whether the object here may lose the member of this name.
func (p Place) Without(name string) Verdict {
	if p.state == nil {
		return Yes
	}
	for _, n := range p.state.flat {
		if n.required[name] || n.demanded[name] || n.fewestMembers > 0 || n.composite || n.never {
			return No
		}
	}
	if slices.Contains(p.state.tags, name) {
		return No
	}
	return p.sure()
}

// Note is the annotation "x-portavoz": "money", "date", "phone", "digits" or
// "skip", or what else stands there; "" without one.
func (p Place) Note() string {
	if p.state == nil {
		return ""
	}
	return p.state.note
}

// Title is the title that the schema gives to the value; "" without one.
func (p Place) Title() string {
	if p.state == nil {
		return ""
	}
	return p.state.title
}

// Format is the format that the schema names, such as "date"; "" without one.
func (p Place) Format() string {
	if p.state == nil {
		return ""
	}
	return p.state.format
}

// sure is what holds for a change inside of the value here.
func (p Place) sure() Verdict {
	if p.state.unsure {
		return IfValid
	}
	return Yes
}

// outward is what holds for another scalar here: combinations at the place itself
// are asked about it.
func (s *state) outward() Verdict {
	if s.fragile {
		return IfValid
	}
	return Yes
}
