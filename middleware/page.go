package middleware

import (
	"cmp"
	"strconv"

	"github.com/portavoz/portavoz/middleware/internal/document"
	"github.com/portavoz/portavoz/middleware/internal/outline"
	"github.com/portavoz/portavoz/paginate"
)

// pageNames are the names of the members of a page, see [paginate.Names].
type pageNames struct{ results, limit, offset, next string }

func newPageNames(n paginate.Names) pageNames {
	return pageNames{
		results: cmp.Or(n.Results, "resultados"),
		limit:   cmp.Or(n.Limit, "limit"),
		offset:  cmp.Or(n.Offset, "offset"),
		next:    cmp.Or(n.Next, "siguiente_offset"),
	}
}

// shorten cuts a list to its first n items. If it is the list of a page, the page
// agrees with it afterwards: the limit is n, and the next offset, where the page
// has one or its schema declares it, leads to the first item that was cut off. The
// total is how many there are and stays. around is the place of what holds the
// list.
func (names pageNames) shorten(e *edit, around outline.Place, list *document.Node, n int) {
	if n >= list.Len() {
		return
	}
	list.Truncate(n)
	page := list.Parent()
	if page.Kind() != document.Object || !names.isResults(page, list) {
		return
	}
	if limit, known := integer(page.Get(names.limit)); known && limit > n && e.may(around.Property(names.limit).Integer(n)) {
		page.Get(names.limit).SetInt(n)
	}
	offset, known := integer(page.Get(names.offset))
	if !known {
		return
	}
	switch next := page.Get(names.next); {
	case next == nil:
		if around.Declares(names.next) && e.may(around.WithInteger(names.next, offset+n)) {
			page.Put(names.next, page.Get(names.offset)).SetInt(offset + n)
		}
	case e.may(placed(around.Property(names.next), next).Integer(offset + n)):
		next.SetInt(offset + n)
	}
}

// isResults reports whether the list is the one that the page is about: the one of
// that name, or the only one.
func (names pageNames) isResults(page, list *document.Node) bool {
	if list.Name() == names.results {
		return true
	}
	for member := range page.Children() {
		if member != list && member.Kind() == document.Array {
			return false
		}
	}
	return true
}

// integer reads a whole number that is written as one.
func integer(n *document.Node) (int, bool) {
	if n.Kind() != document.Number {
		return 0, false
	}
	i, err := strconv.ParseInt(n.Literal(), 10, 32)
	return int(i), err == nil
}
