package middleware

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/portavoz/portavoz/middleware/internal/document"
	"github.com/portavoz/portavoz/middleware/internal/outline"
	"github.com/portavoz/portavoz/voice"
)

// setting is what holds for a value because of what is around it.
type setting struct {
	name     fieldName
	currency string // named by an object around it, "" if none
	skip     bool   // nobody hears it
}

// value shapes a value and what is inside of it. around is the place of the list
// or object that holds it.
func (t *telling) value(n *document.Node, around, place outline.Place, in setting) {
	switch n.Kind() {
	case document.Object:
		t.object(n, place, in)
	case document.Array:
		t.cut(n, around, place)
		i := 0
		for item := range n.Children() {
			at, inner := placeOfChild(place, item, i), in
			inner.skip = in.skip || ReadAs(at.Note()) == ReadSkip
			t.value(item, place, at, inner)
			i++
		}
	case document.String:
		if !in.skip {
			t.text(n, place, in.name)
		}
	default:
	}
}

// cut shortens a list to as few elements as are wanted and the schema allows.
func (t *telling) cut(list *document.Node, around, place outline.Place) {
	const patience = 32 // a list that has to be longer is not for the phone at all
	for n := t.maxItems; n < list.Len() && n < t.maxItems+patience; n++ {
		if t.changes.may(place.Items(n)) {
			t.page.shorten(&t.changes, around, list, n)
			return
		}
	}
}

// maxMembers is how many members an object may have to be read aloud. One with
// more is a table, and looking for names in it takes long.
const maxMembers = 200

func (t *telling) object(n *document.Node, place outline.Place, in setting) {
	record := n.Len() <= maxMembers
	if record {
		in.currency = currencyOf(n, &t.names, in.currency)
	}
	for child := range n.Children() {
		name := child.Name()
		t.path = append(t.path, name)
		t.member(n, child, place, name, in, record)
		t.path = t.path[:len(t.path)-1]
	}
	t.limit(n, place)
}

// member shapes a member, and adds what is said for it.
func (t *telling) member(object, child *document.Node, around outline.Place, name string, in setting, record bool) {
	place := placeOfChild(around, child, 0)
	as, currency := t.readAs(name, place.Note())
	inner := setting{name: t.names.read(name), currency: in.currency, skip: in.skip || as == ReadSkip}
	if base, ok := strings.CutSuffix(name, t.suffix); ok && record && !inner.skip && object.Get(base) != nil {
		t.spoken(child, place)
		return
	}
	scalar := child.Kind() == document.String || child.Kind() == document.Number
	if !scalar || inner.skip || !record {
		t.value(child, around, place, inner)
		return
	}
	said, ok := t.sayByItself(inner.name, child, place.Format(), in.currency)
	if as != "" {
		said, ok = t.sayAs(as, child, firstOf(in.currency, currency, t.currency))
	}
	if ok {
		t.add(object, around, child, said)
		return
	}
	t.value(child, around, place, inner)
}

// maxMade is how many texts are remembered: more than a sentence has.
const maxMade = 16

// add puts the text for a member behind it, unless there is one.
func (t *telling) add(object *document.Node, place outline.Place, member *document.Node, said string) {
	name := member.Name()
	if object.Get(name) != member || !utf8.ValidString(name) {
		return // another one of this name counts, or it is no name that can be written again
	}
	name += t.suffix
	if len(t.made) < maxMade {
		t.made = append(t.made, said)
	}
	there := object.Get(name)
	switch {
	case there == nil:
		if t.adds.may(place.With(name, said)) {
			object.Put(name, member).SetText(said)
		}
	case there.Kind() == document.Null || there.Kind() == document.String && t.isMute(there.Text()):
		if t.adds.may(place.Property(name).Text(said)) {
			there.SetText(said)
		}
	}
}

// isMute reports whether nothing of a text can be heard: it is a link alone, or has no
// letter. What it loses is noted.
func (t *telling) isMute(text string) bool {
	if strings.TrimSpace(text) == "" {
		return true
	}
	if !mayHoldPiece(text) && !hasMarkup(text) {
		return false
	}
	cleaned := t.hear(text)
	if cleaned.Text != "" {
		return false
	}
	t.removed = append(t.removed, cleaned.Removed...)
	return true
}

// limit brings the limit of a page down to what its list may hold.
func (t *telling) limit(object *document.Node, place outline.Place) {
	limit := object.Get(t.page.limit)
	n, known := integer(limit)
	if !known || n <= t.maxItems {
		return
	}
	for child := range object.Children() {
		if child.Kind() == document.Array && child.Len() <= t.maxItems && t.page.isResults(object, child) {
			if t.changes.may(place.Property(t.page.limit).Integer(t.maxItems)) {
				limit.SetInt(t.maxItems)
			}
			return
		}
	}
}

// readAs is the rule for the member at t.path, and the currency that the rule
// names. An annotation that is not known is none.
func (t *telling) readAs(name, note string) (as ReadAs, currency string) {
	best := 0
	for _, f := range t.fields[name] {
		if f.Tool != "" && f.Tool != t.tool || !t.isAt(f.Field) {
			continue
		}
		rank := 1
		if f.Tool != "" {
			rank += 2
		}
		if strings.Contains(f.Field, ".") {
			rank++
		}
		if rank > best {
			best, as, currency = rank, f.As, f.Currency
		}
	}
	if noted := ReadAs(note); best == 0 && noted.known() {
		as = noted
	}
	return as, currency
}

// isAt reports whether a name or a path leads to the member at t.path.
func (t *telling) isAt(field string) bool {
	if !strings.Contains(field, ".") {
		return true // it was found by its name
	}
	return slices.Equal(strings.Split(field, "."), t.path)
}

// currencyOf is the currency that an object names, else what holds around it.
func currencyOf(object *document.Node, names *fieldNames, around string) string {
	for child := range object.Children() {
		if child.Kind() == document.String && len(child.Literal()) == len(`"COP"`) && isCurrency(child.Text()) && names.read(child.Name()).currency {
			return child.Text()
		}
	}
	return around
}

func firstOf(currencies ...string) string {
	for _, c := range currencies {
		if isCurrency(c) {
			return c
		}
	}
	return ""
}

// text cleans a text of the data.
func (t *telling) text(n *document.Node, place outline.Place, name fieldName) {
	text := n.Text()
	if place.Pinned() {
		if isLinkFormat(place.Format()) && text != "" && t.changes.may(place.Null()) {
			t.removed = append(t.removed, linkOf(text, place.Format()))
			n.SetNull()
		}
		return
	}
	cleaned, pieces, changed := t.clean(text, name.id)
	if !changed {
		return
	}
	for _, candidate := range candidates(cleaned, pieces, place.MaxLength()) {
		if t.changes.may(place.Text(candidate)) {
			n.SetText(candidate)
			t.removed = append(t.removed, pieces...)
			return
		}
	}
	if t.changes.may(place.Null()) {
		n.SetNull()
		t.removed = append(t.removed, pieces...)
	}
}

// linkOf is a text that is an address as a whole.
func linkOf(text, format string) voice.Piece {
	kind := voice.PieceURL
	if strings.HasSuffix(format, "email") {
		kind = voice.PieceEmail
	}
	return voice.Piece{Kind: kind, Text: text, End: len(text)}
}

// spoken cleans a text that was written to be heard: all of it becomes words.
func (t *telling) spoken(n *document.Node, place outline.Place) {
	if n.Kind() != document.String {
		return
	}
	text := n.Text()
	cleaned := t.hear(text)
	if cleaned.Text == text {
		return
	}
	for _, candidate := range candidates(cleaned.Text, cleaned.Removed, place.MaxLength()) {
		if t.changes.may(place.Text(candidate)) {
			n.SetText(candidate)
			t.removed = append(t.removed, cleaned.Removed...)
			return
		}
	}
}

// candidates are the texts that may take the place of one that was cleaned, the
// best one first: a schema may ask for fewer characters, or for some.
func candidates(cleaned string, pieces []voice.Piece, longest int) []string {
	all := []string{cleaned}
	if longest > 0 {
		all = append(all, shorten(cleaned, longest))
	}
	if len(pieces) > 0 {
		all = append(all, pieceNoun(pieces[0].Kind))
	}
	return all
}

func pieceNoun(kind voice.PieceKind) string {
	switch kind {
	case voice.PieceURL:
		return "enlace"
	case voice.PieceEmail:
		return "correo"
	case voice.PieceHandle:
		return "cuenta"
	case voice.PieceFile, voice.PiecePath:
		return "archivo"
	default:
		return "código"
	}
}

// isPieceNoun reports whether a text is all that is left of a piece.
func isPieceNoun(text string) bool {
	switch text {
	case "enlace", "correo", "cuenta", "archivo", "código":
		return true
	}
	return false
}

func isLinkFormat(format string) bool {
	switch format {
	case "uri", "uri-reference", "iri", "iri-reference", "url", "email", "idn-email":
		return true
	}
	return false
}
