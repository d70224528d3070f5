package schema

import (
	"slices"
	"strconv"

	"github.com/portavoz/portavoz/middleware/internal/document"
)

// CheckDocument is [Schema.Check] for a document. It decodes the document only if
// there is something about it that takes the validator to judge. The error is for a
// document with a number beyond float64, or one that would take the validator a
// million steps.
func (s *Schema) CheckDocument(doc *document.Document) ([]Problem, error) {
	if s.quick != nil && s.quick.acceptsNode(doc.Root()) {
		return nil, nil
	}
	v, err := Decode(doc.JSON())
	if err != nil {
		return nil, err
	}
	return s.Check(v, maxWork)
}

// acceptsNode is accepts for a value in a document. Of members of one name it looks
// at all.
func (q *quick) acceptsNode(n *document.Node) bool {
	var ok bool
	switch n.Kind() {
	case document.Null:
		ok = q.acceptsNull()
	case document.Bool:
		ok = q.acceptsBool()
	case document.String:
		ok = q.acceptsText(n.Text())
	case document.Number:
		ok = q.acceptsLiteral(n.Literal())
	case document.Array:
		ok = q.acceptsElements(n)
	case document.Object:
		ok = q.acceptsMembers(n)
	}
	return ok && (q.anyOf == nil || slices.ContainsFunc(q.anyOf, func(b *quick) bool { return b.acceptsNode(n) }))
}

// acceptsLiteral is not sure of a number that float64 may not hold.
func (q *quick) acceptsLiteral(literal string) bool {
	if len(literal) > floatDigits {
		return false
	}
	f, err := strconv.ParseFloat(literal, 64)
	return err == nil && q.acceptsNumber(f)
}

func (q *quick) acceptsElements(n *document.Node) bool {
	if !q.acceptsLength(n.Len()) {
		return false
	}
	if q.items != nil {
		for element := range n.Children() {
			if !q.items.acceptsNode(element) {
				return false
			}
		}
	}
	return true
}

func (q *quick) acceptsMembers(n *document.Node) bool {
	if !q.types.has(object) || q.enum {
		return false
	}
	for _, name := range q.required {
		if n.Get(name) == nil {
			return false
		}
	}
	for member := range n.Children() {
		property, known := q.properties[member.Name()]
		if known && !property.acceptsNode(member) || !known && q.closed {
			return false
		}
	}
	return true
}
