package middleware

import (
	"bytes"
	"encoding/json"

	"github.com/portavoz/portavoz/middleware/internal/document"
	"github.com/portavoz/portavoz/middleware/internal/outline"
	"github.com/portavoz/portavoz/middleware/internal/redact"
)

// walk goes through one document and takes out what must not leave. What the schema
// says of a place is looked up only where something is found.
type walk struct {
	*redactor
	edit
	out   *output
	doc   *document.Document
	found int
	stuck bool // something must not leave, and the schema demands it
}

// run redacts the document, or says why that cannot be.
func (w *walk) run() error {
	w.value(w.doc.Root())
	if w.stuck || w.unsure && !w.out.allows(w.doc) {
		return errSchemaDemands
	}
	return nil
}

func (w *walk) value(n *document.Node) {
	switch n.Kind() {
	case document.String:
		text := n.Text()
		if clean, found := w.text(text); found > 0 {
			w.found += found
			w.replace(n, clean)
		}
	case document.Array, document.Object:
		for child := range n.Children() {
			w.child(child)
		}
	case document.Null, document.Bool, document.Number:
	}
}

// child redacts an element or a member.
func (w *walk) child(n *document.Node) {
	if n.Name() == "" {
		w.value(n)
		return
	}
	switch rule := w.rule(n.Name()); {
	case rule.forbids(n.Kind()):
		w.found++
		w.hide(n)
	case rule == publicName && holdsScalars(n), isBinary(n):
	default:
		w.value(n)
	}
}

// replace gives a text its clean form, or hides it where the schema does not take
// that.
func (w *walk) replace(n *document.Node, clean string) {
	w.least = outline.Yes
	if w.may(w.place(n).Text(clean)) {
		n.SetText(clean)
		return
	}
	w.hide(n)
}

// hide takes a value out: with its name if that may go, else by putting something
// harmless in its place.
func (w *walk) hide(n *document.Node) {
	place := w.place(n)
	for _, least := range [...]outline.Verdict{outline.Yes, outline.IfValid} {
		w.least = least
		switch {
		case n.Name() != "" && w.may(w.place(n.Parent()).Without(n.Name())):
			n.Remove()
		case w.may(place.Null()):
			n.SetNull()
		case w.may(place.Text(redact.Placeholder)):
			n.SetText(redact.Placeholder)
		case w.may(place.Text("")):
			n.SetText("")
		case w.may(place.Integer(0)):
			n.SetInt(0)
		case n.Kind() == document.Array && w.may(place.Items(0)):
			n.Truncate(0)
		default:
			continue
		}
		return
	}
	if isScalar(n) {
		w.stuck = w.stuck || n.Kind() != document.Bool && n.Kind() != document.Null
		return
	}
	for child := range n.Children() {
		w.hide(child)
	}
}

// place is what the schema says of a value: the way to it, from the root.
func (w *walk) place(n *document.Node) outline.Place {
	parent := n.Parent()
	if parent == nil {
		return w.out.root(w.doc)
	}
	i := 0
	if parent.Kind() == document.Array {
		for sibling := range parent.Children() {
			if sibling == n {
				break
			}
			i++
		}
	}
	return placeOfChild(w.place(parent), n, i)
}

func isScalar(n *document.Node) bool {
	return n.Kind() != document.Array && n.Kind() != document.Object
}

// holdsScalars reports whether a value is a scalar or a list of some.
func holdsScalars(n *document.Node) bool {
	if n.Kind() == document.Object {
		return false
	}
	for item := range n.Children() {
		if !isScalar(item) {
			return false
		}
	}
	return true
}

// isBinary reports whether a member is the base64 of a media block: long, and
// nothing to be read.
func isBinary(n *document.Node) bool {
	return n.Kind() == document.String && (n.Name() == "data" || n.Name() == "blob") &&
		n.Parent().Get("mimeType").Kind() == document.String
}

// decodeMembers keeps numbers as they are written.
func decodeMembers(raw []byte) (map[string]any, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var members map[string]any
	err := dec.Decode(&members)
	return members, err
}
