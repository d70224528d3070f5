package paginate

import (
	"cmp"
	"encoding/json"
)

// Names are the names of a page's members. An empty one is the contract's.
type Names struct {
	Results string // Default: resultados.
	Total   string // Default: total.
	Limit   string // Default: limit.
	Offset  string // Default: offset.
	// Next names the offset of the page that follows, such as
	// "siguiente_offset". The member is there only where a page follows.
	// Default: no such member.
	Next string
}

func (n Names) orDefault() Names {
	return Names{
		Results: cmp.Or(n.Results, "resultados"),
		Total:   cmp.Or(n.Total, "total"),
		Limit:   cmp.Or(n.Limit, argLimit),
		Offset:  cmp.Or(n.Offset, argOffset),
		Next:    n.Next,
	}
}

// NamedPage is a [Page] whose members have names of one's own. [Page.Named]
// makes one; the zero value has the contract's names.
//
// Do not embed it: its MarshalJSON would stand for the whole struct. A Page can
// be embedded.
type NamedPage[T any] struct {
	Page[T]
	layout *layout // nil is the contract's
}

var _ json.Marshaler = NamedPage[int]{}

// Named returns the page with other names. It panics if two members would have
// the same one. A schema made from the Go type does not know the names: use
// [Rules.PageSchema].
func (p Page[T]) Named(names Names) NamedPage[T] {
	return NamedPage[T]{p, newLayout(names)}
}

// MarshalJSON returns the page in the order results, total, limit, offset, next.
func (p NamedPage[T]) MarshalJSON() ([]byte, error) {
	l := p.layoutOrDefault()
	w := newWriter(l.head)
	for i := range p.Results {
		if err := writeElement(w, p.Results, i); err != nil {
			return nil, err
		}
	}
	return appendTail(l, w.Bytes(), p.Page), nil
}

func (p NamedPage[T]) layoutOrDefault() *layout {
	if p.layout == nil {
		return newLayout(Names{})
	}
	return p.layout
}
