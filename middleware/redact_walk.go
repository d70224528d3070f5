package middleware

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

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
	media bool  // it is a block of content: base64 is not read
	card  bool  // what is looked at has, or lies in what has, a name of a card
	trail []int // the way to the value that is looked at, by indices
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
	if w.card && redact.Card.Holds(cmp.Or(n.Text(), n.Literal())) {
		w.found++
		w.hide(n)
		return
	}
	switch n.Kind() {
	case document.String:
		if clean, found := w.written(n.Text()); found > 0 {
			w.found += found
			w.replace(n, clean)
		}
	case document.Object:
		paired := w.pairs(n)
		w.each(n, func(child *document.Node) {
			if paired && isValueOfPair(child) {
				w.found++
				w.hide(child)
				return
			}
			w.child(child)
		})
	case document.Array:
		w.list(n)
	case document.Null, document.Bool, document.Number:
	}
}

// each goes through the children of a value, one step deeper.
func (w *walk) each(n *document.Node, visit func(*document.Node)) {
	w.trail = append(w.trail, 0)
	last := len(w.trail) - 1
	for child := range n.Children() {
		visit(child)
		w.trail[last]++
	}
	w.trail = w.trail[:last]
}

// list goes through a list. One of texts may be the lines of a text, so that what is
// one piece of that lies in several of them.
func (w *walk) list(n *document.Node) {
	lines, before := linesOf(n), w.found
	w.each(n, w.child)
	if len(lines) == 0 || w.found == before { // the first line of a piece gives it away
		return
	}
	marked := redact.Lines(lines)
	if marked == nil {
		return
	}
	w.each(n, func(line *document.Node) {
		if marked[w.trail[len(w.trail)-1]] && line.Text() != redact.Placeholder {
			w.found++
			w.replace(line, redact.Placeholder)
		}
	})
}

// linesOf are the texts of a list of nothing else; nil if there are not several.
func linesOf(list *document.Node) []string {
	if list.Len() < 2 || list.At(0).Kind() != document.String || list.At(1).Kind() != document.String {
		return nil
	}
	lines := make([]string, 0, list.Len())
	for item := range list.Children() {
		if item.Kind() != document.String {
			return nil
		}
		lines = append(lines, item.Text())
	}
	return lines
}

// written redacts a text. One that is JSON is treated as data: names count there, and
// escapes hide nothing. Each text inside of a text has twice as many backslashes, so
// that there are few levels.
func (w *walk) written(text string) (clean string, found int) {
	if looksLikeJSON(text) {
		doc, err := document.Parse([]byte(text))
		switch {
		case err == nil:
			inner := walk{redactor: w.redactor, out: &output{}, doc: doc}
			inner.value(doc.Root()) // without a schema everything can go
			if found = inner.found; found > 0 {
				text = string(doc.JSON())
			}
		case json.Valid([]byte(text)): // nested too deeply to be read
			return redact.Placeholder, 1
		}
	}
	clean, more := w.text(text)
	return clean, found + more
}

// pairs reports whether an object says the name of a credential and, in another
// member, its value: {"name":"Authorization","value":"..."}. What has a currency is a
// price, whatever it is called.
func (w *walk) pairs(n *document.Node) bool {
	if n.Len() > maxMembers {
		return false
	}
	for child := range n.Children() {
		if isValueOfPair(child) {
			return w.labelled(n) && currencyOf(n, &w.currencies, "") == ""
		}
	}
	return false
}

func isValueOfPair(n *document.Node) bool {
	return credentialName.forbids(n) && isWordOf(valueWords, strings.ToLower(n.Name()))
}

// labelled reports whether a member of the object is the name of a credential.
func (w *walk) labelled(n *document.Node) bool {
	for child := range n.Children() {
		if child.Kind() != document.String || !isWordOf(labelWords, strings.ToLower(child.Name())) {
			continue
		}
		if label := child.Text(); len(label) <= maxNameBytes && w.read(label).hides() {
			return true
		}
	}
	return false
}

// Members that name what another one holds, in lower case.
const (
	labelWords = " name key nombre clave tipo type scheme esquema campo field header encabezado cabecera param parametro parameter variable etiqueta label "
	valueWords = " value values valor valores val v dato contenido content "
)

// child redacts an element or a member.
func (w *walk) child(n *document.Node) {
	if n.Name() == "" {
		w.value(n)
		return
	}
	switch rule := w.rule(n.Name()); {
	case rule.forbids(n):
		w.found++
		w.hide(n)
	case rule == publicName && holdsScalars(n), w.media && isBinary(n):
	case rule == cardName:
		around := w.card
		w.card = true
		w.value(n)
		w.card = around
	default:
		w.value(n)
	}
}

// replace gives a text its clean form, or hides it where the schema does not take
// that.
func (w *walk) replace(n *document.Node, clean string) {
	w.least = outline.Yes
	if w.may(w.place(n, len(w.trail)).Text(clean)) {
		n.SetText(clean)
		return
	}
	w.hide(n)
}

// hide takes a value out: with its name if that may go, else by putting something
// harmless in its place.
func (w *walk) hide(n *document.Node) {
	place, around := w.place(n, len(w.trail)), w.place(n.Parent(), len(w.trail)-1)
	for _, least := range [...]outline.Verdict{outline.Yes, outline.IfValid} {
		w.least = least
		switch {
		case n.Name() != "" && w.may(around.Without(n.Name())):
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
	w.each(n, w.hide)
}

// place is what the schema says of a value that lies so many steps below the root,
// on the way that is gone.
func (w *walk) place(n *document.Node, depth int) outline.Place {
	if depth <= 0 {
		return w.out.root(w.doc)
	}
	return placeOfChild(w.place(n.Parent(), depth-1), n, w.trail[depth-1])
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

// isBinary reports whether a member of a block of content is base64.
func isBinary(n *document.Node) bool { return n.Name() == "data" || n.Name() == "blob" }

// decodeMembers keeps numbers as they are written.
func decodeMembers(raw []byte) (map[string]any, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var members map[string]any
	err := dec.Decode(&members)
	return members, err
}
