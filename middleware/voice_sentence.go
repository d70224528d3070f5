package middleware

import (
	"slices"
	"strings"

	"github.com/portavoz/portavoz/middleware/internal/document"
	"github.com/portavoz/portavoz/voice"
)

// narration makes a sentence of the data of a result, for a handler that has none.
// It reads what is there when it is asked, so that whoever shortens the data asks
// again.
type narration struct {
	*mouth
	names  *fieldNames
	page   pageNames
	total  string // the name of that member
	suffix string
	made   []string // texts that the mouth has made
}

// What can be heard at once.
const (
	maxTold  = 5   // members of a record
	maxHeard = 3   // elements of a list
	maxItem  = 4   // parts of one element
	maxSaid  = 300 // UTF-16 code units of one text
)

// say says the data. It is never empty.
func (s *narration) say(doc *document.Document) string {
	said := s.tell(doc)
	if mayHoldPiece(said) { // parts that are clean may make an address together
		said = s.hear(said).Text
	}
	if said == "" {
		return "Listo."
	}
	return said
}

func (s *narration) tell(doc *document.Document) string {
	root := doc.Root()
	switch root.Kind() {
	case document.Object:
		if list := s.listOf(root); list != nil {
			return s.sayPage(root, list)
		}
		return s.sayRecord(root)
	case document.Array:
		return s.sayPage(nil, root)
	default:
		if said := s.scalar(root); said != "" {
			return sentence(capital(said))
		}
		return ""
	}
}

// listOf is the list that an object is the page of, nil if it is none: it has a
// total, a limit or an offset, or holds nothing else.
func (s *narration) listOf(object *document.Node) *document.Node {
	list := object.Get(s.page.results)
	if list.Kind() != document.Null { // a nil slice of a handler is written so
		list = nil
	}
	for child := range object.Children() {
		if child.Kind() == document.Array && s.page.isResults(object, child) {
			list = child
		}
	}
	if list == nil {
		return nil
	}
	for _, name := range [...]string{s.total, s.page.limit, s.page.offset} {
		if object.Get(name).Kind() == document.Number {
			return list
		}
	}
	if object.Len() == 1 {
		return list
	}
	return nil
}

func (s *narration) sayPage(page, list *document.Node) string {
	shown := min(list.Len(), maxHeard)
	total, _ := integer(page.Get(s.total))
	total = max(total, list.Len())
	offset, _ := integer(page.Get(s.page.offset))
	switch {
	case total == 0:
		return "No encontré resultados."
	case list.Len() == 0:
		return "No hay más resultados."
	}
	found := "Encontré " + s.Count(int64(total), voice.Noun{Singular: "resultado", Plural: "resultados"})
	items := s.items(list)
	switch {
	case len(items) == 0:
		return found + "."
	case total == shown:
		return sentence(found + ": " + enumerate(items))
	}
	return sentence(found + ". " + s.which(shown, offset, total) + enumerate(items))
}

// which says which ones of all results the shown ones are.
func (s *narration) which(shown, offset, total int) string {
	one, several := "primero", "primeros"
	switch {
	case offset > 0 && offset+shown >= total:
		one, several = "último", "últimos"
	case offset > 0:
		one, several = "siguiente", "siguientes"
	}
	if shown == 1 {
		return "El " + one + " es: "
	}
	return "Los " + several + " " + s.Int(int64(shown)) + " son: "
}

// items says the first elements of a list; nil if one of them says nothing, since
// the count would be wrong.
func (s *narration) items(list *document.Node) []string {
	var items []string
	for item := range list.Children() {
		if len(items) == maxHeard {
			break
		}
		said := s.item(item)
		if said == "" {
			return nil
		}
		items = append(items, said)
	}
	return items
}

// item says one element: what it is called, and what of it can be heard as it
// stands, such as a date or a price.
func (s *narration) item(n *document.Node) string {
	if n.Kind() != document.Object || n.Len() > maxMembers {
		return s.scalar(n)
	}
	var parts []string
	if called := s.called(n); called != "" {
		parts = append(parts, called)
	}
	currency := currencyOf(n, s.names, "")
	for child := range n.Children() {
		if len(parts) == maxItem {
			break
		}
		if said := s.aloud(n, child, currency); said != "" {
			parts = append(parts, said)
		}
	}
	return strings.Join(parts, ", ")
}

// aloud is the text for the ear of a date, an amount or the like: the one that it
// has beside it, or else one that is made now; "" for other members.
func (s *narration) aloud(object, member *document.Node, currency string) string {
	name := member.Name()
	if s.isSpoken(object, member) {
		return s.scalar(member)
	}
	if s.hasSpoken(object, name) {
		return "" // it follows
	}
	said, _ := s.sayByItself(s.names.read(name), member, "", currency)
	return said
}

// called is what an object is called: the text of a member with a word for a name, else
// the first text that is no identifier.
func (s *narration) called(object *document.Node) string {
	first := ""
	for child := range object.Children() {
		name := child.Name()
		about := s.names.read(name)
		if child.Kind() != document.String || about.id || about.currency || first != "" && !about.naming ||
			s.isSpoken(object, child) || s.hasSpoken(object, name) {
			continue
		}
		if _, other := s.sayByItself(about, child, "", ""); other {
			continue
		}
		switch said := s.scalar(child); {
		case said != "" && about.naming:
			return said
		case first == "":
			first = said
		}
	}
	return first
}

// isSpoken reports whether a member is the text for the ear of another.
func (s *narration) isSpoken(object, member *document.Node) bool {
	base, ok := strings.CutSuffix(member.Name(), s.suffix)
	return ok && member.Kind() == document.String && object.Get(base) != nil
}

// hasSpoken reports whether a member has a text for the ear beside it.
func (s *narration) hasSpoken(object *document.Node, name string) bool {
	return object.Get(name+s.suffix).Text() != ""
}

// sayRecord says the first members that can be heard: prose as it is, the others
// with what they are.
func (s *narration) sayRecord(object *document.Node) string {
	if object.Len() > maxMembers {
		return ""
	}
	var told []string
	currency := currencyOf(object, s.names, "")
	for child := range object.Children() {
		if len(told) == maxTold {
			break
		}
		name := child.Name()
		about := s.names.read(name)
		if about.id || about.currency || s.isSilent(name) || s.hasSpoken(object, name) {
			continue
		}
		said := s.aloud(object, child, currency)
		if said == "" {
			said = s.part(child, name)
		} else {
			name = strings.TrimSuffix(name, s.suffix)
			about.sentence = false
		}
		switch {
		case said == "":
		case about.sentence:
			told = append(told, sentence(said))
		default:
			told = append(told, sentence(s.label(name)+said))
		}
	}
	return strings.Join(told, " ")
}

// isSilent reports whether a member is for the program that asked: that of a page, or
// the one that says that all went well.
func (s *narration) isSilent(name string) bool {
	switch name {
	case s.page.limit, s.page.offset, s.page.next, "ok", "success", "exito":
		return true
	}
	return false
}

// label says what a member is.
func (s *narration) label(name string) string {
	if said := s.hear(labelOf(name)).Text; said != "" {
		return capital(said) + ": " // an acronym may have become a word
	}
	return ""
}

// part says the value of a member with this name, which a number agrees with.
func (s *narration) part(n *document.Node, name string) string {
	switch n.Kind() {
	case document.Number:
		if isFeminine(name) {
			said, _ := s.Number(n.Literal(), voice.Feminine)
			return said
		}
		return s.scalar(n)
	case document.Object:
		return s.item(n)
	case document.Array:
		if items := s.items(n); len(items) > 0 {
			return enumerate(items)
		}
		return ""
	default:
		return s.scalar(n)
	}
}

func (s *narration) scalar(n *document.Node) string {
	switch n.Kind() {
	case document.String:
		text := n.Text()
		if slices.Contains(s.made, text) { // it was made to be heard
			return text
		}
		if isPieceNoun(text) {
			return ""
		}
		text = shorten(text, maxSaid)
		if isReference(text) {
			if said, ok := heard(s.Code(text)); ok {
				return said
			}
		}
		said := strings.ReplaceAll(s.hear(text).Text, "\n", " ")
		return strings.TrimRight(said, ".,;: ")
	case document.Number:
		said, _ := s.Number(n.Literal())
		return said
	case document.Bool:
		if n.Literal() == "true" {
			return "sí"
		}
		return "no"
	default:
		return ""
	}
}

// isReference reports whether a text is a code that people read out sign by sign,
// as "C-100" or a long number, and no date.
func isReference(s string) bool {
	const shortest, longest = 6, 20
	letters, digits := 0, 0
	for i := range len(s) {
		switch c := s[i]; {
		case isDigitByte(c):
			digits++
		case 'A' <= c && c <= 'Z':
			letters++
		case c != '-' || i == 0:
			return false
		}
	}
	return len(s) <= longest && digits > 0 && (letters > 0 || digits >= shortest) && !isDatePrefix(s)
}

// enumerate lists with commas, or with semicolons where the elements have commas
// of their own.
func enumerate(items []string) string {
	for _, item := range items {
		if len(items) > 1 && strings.ContainsAny(item, ",;") {
			return voice.Join(strings.Join(items[:len(items)-1], "; ")+";", items[len(items)-1])
		}
	}
	return voice.Join(items...)
}

// sentence ends a text as a sentence.
func sentence(s string) string {
	for _, end := range [...]string{".", "!", "?", "…"} {
		if strings.HasSuffix(s, end) {
			return s
		}
	}
	return s + "."
}
