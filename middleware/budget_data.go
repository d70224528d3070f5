package middleware

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/portavoz/portavoz/middleware/internal/document"
	"github.com/portavoz/portavoz/middleware/internal/outline"
	"github.com/portavoz/portavoz/paginate"
)

// minText is the least that is left of a text that is cut inside of data, in UTF-16
// code units. What is shorter is a name or a heading.
const minText = 80

// fitter makes one document smaller.
type fitter struct {
	edit
	doc  *document.Document
	root outline.Place
	page pageNames
	room int
	shed bool // members that the schema does not demand may go
}

// part is a value in a document, with its place and that of what holds it.
type part struct {
	node   *document.Node
	place  outline.Place
	around outline.Place
	units  int // before anything was cut
}

// over is how many UTF-16 code units the document has too many.
func (f *fitter) over() int { return f.doc.Units() - f.room }

// fit makes the document fit, as far as the schema lets it, and reports whether it
// does.
func (f *fitter) fit() bool {
	for _, step := range [...]struct {
		wants  func(part) bool
		reduce func(part)
		skip   bool
	}{
		{wants: isLongList, reduce: f.cutList},
		{wants: isLongText, reduce: f.cutText},
		{wants: isMember, reduce: f.drop, skip: !f.shed},
	} {
		if step.skip || f.over() <= 0 {
			continue
		}
		for _, p := range f.largest(step.wants) {
			if f.over() <= 0 {
				break
			}
			if f.doc.Holds(p.node) {
				step.reduce(p)
			}
		}
	}
	return f.over() <= 0
}

// largest returns the parts of the document that are wanted, the largest first; of
// two that are equal the one that comes first. What lies in a part comes after it.
func (f *fitter) largest(wants func(part) bool) []part {
	var parts []part
	var walk func(p part)
	walk = func(p part) {
		if wants(p) {
			parts = append(parts, p)
		}
		i := 0
		for child := range p.node.Children() {
			walk(part{child, placeOfChild(p.place, child, i), p.place, child.Units()})
			i++
		}
	}
	root := f.doc.Root()
	walk(part{node: root, place: f.root, units: root.Units()})
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(b.units, a.units) })
	return parts
}

// isLongList leaves out what has one item, and a few numbers: those are a point or
// a range.
func isLongList(p part) bool {
	if p.node.Kind() != document.Array || p.node.Len() < 2 {
		return false
	}
	if p.node.Len() > 4 {
		return true
	}
	for item := range p.node.Children() {
		if item.Kind() != document.Number {
			return true
		}
	}
	return false
}

// isLongText wants prose: it is long, has white space, and nobody says what it has to
// look like. A text for the ear is the last word on an amount or a date.
func isLongText(p part) bool {
	return p.node.Kind() == document.String && p.units > minText &&
		!p.place.Pinned() && p.place.Note() == "" && !strings.HasSuffix(p.node.Name(), "_texto") &&
		strings.ContainsFunc(p.node.Text(), unicode.IsSpace)
}

func isMember(p part) bool { return p.node.Parent().Kind() == document.Object }

// cutList drops as many items from the end of a list as are too many, but for one.
func (f *fitter) cutList(p part) {
	for f.over() > 0 {
		var sizes []int
		for item := range p.node.Children() {
			sizes = append(sizes, item.Units()+1)
		}
		n := len(sizes)
		for over := f.over(); n > 1 && over > 0; over -= sizes[n] {
			n--
		}
		for n < len(sizes) && !f.may(p.place.Items(n)) {
			n++
		}
		if n == len(sizes) {
			return
		}
		f.page.shorten(&f.edit, p.around, p.node, n)
	}
}

// cutForSpeech shortens lists until the text that is made of the document fits, or
// there is nothing left to shorten.
func (f *fitter) cutForSpeech(speak func(*document.Document) string) {
	for {
		size := paginate.UTF16Len(speak(f.doc))
		if size <= f.room || !slices.ContainsFunc(f.largest(isLongList), func(p part) bool {
			return f.cutInProportion(p, size)
		}) {
			return
		}
	}
}

// cutInProportion cuts a list to about the part of size that there is room for, and
// reports whether that is less than it was.
func (f *fitter) cutInProportion(p part, size int) bool {
	n := max(min(p.node.Len()*f.room/size, p.node.Len()-1), 1)
	for n < p.node.Len() && !f.may(p.place.Items(n)) {
		n++
	}
	before := p.node.Len()
	f.page.shorten(&f.edit, p.around, p.node, n)
	return n < before
}

// cutText cuts a text to what there is room for.
func (f *fitter) cutText(p part) {
	text, size := p.node.Text(), p.node.Units()
	most := max(size-f.over(), minText) - len(`""`)
	for room := most; ; {
		short := cutText(text, room)
		units := document.TextUnits(short)
		switch {
		case short == "" || units >= size:
			return
		case units-len(`""`) > most && room > minText: // what is escaped takes more
			room -= max(units-len(`""`)-most, 1)
		default:
			if f.may(p.place.Text(short)) {
				p.node.SetText(short)
			}
			return
		}
	}
}

// drop takes a member out.
func (f *fitter) drop(p part) {
	if f.may(p.around.Without(p.node.Name())) {
		p.node.Remove()
	}
}
