package middleware

import (
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/middleware/internal/document"
	"github.com/portavoz/portavoz/middleware/internal/outline"
	"github.com/portavoz/portavoz/paginate"
)

// shrinker makes one result fit: its data and its text.
type shrinker struct {
	out   *output
	page  pageNames
	room  int
	done  bool                            // it is what came of a write that has happened
	speak func(*document.Document) string // how the text was made of the data, nil if it was not
}

// result makes a result of our own fit. The document is its data, nil if it has
// none.
func (s *shrinker) result(own *mcp.CallToolResult, doc *document.Document) (*document.Document, error) {
	blocks := readBlocks(own.Content, doc)
	if doc != nil {
		fitting, changed, err := s.data(doc)
		if err != nil {
			return nil, err
		}
		doc = fitting
		remake(blocks, doc, s.speak, changed)
	}
	blocks = s.texts(blocks)
	if len(blocks) == 0 && doc == nil {
		return nil, errTooLarge
	}
	own.Content = contentOf(blocks)
	return doc, nil
}

// data makes the data fit: first with changes after which the schema is satisfied
// for certain, then with those that have to be tried. The document that it returns
// takes the place of doc, which may have been changed.
func (s *shrinker) data(doc *document.Document) (fitting *document.Document, changed bool, err error) {
	if s.fits(doc) {
		return doc, false, nil
	}
	doc.Tighten()
	original := doc
	for _, least := range [...]outline.Verdict{outline.Yes, outline.IfValid} {
		if doc = original; least == outline.Yes && s.out.declared { // else there is nothing to try
			doc = original.Copy()
		}
		f := fitter{edit: edit{least: least}, doc: doc, root: s.out.root(doc), page: s.page, room: s.room, shed: s.done}
		if !f.fit() {
			continue
		}
		if s.speak != nil {
			f.cutForSpeech(s.speak)
		}
		if !f.unsure || s.out.allows(doc) {
			return doc, true, nil
		}
	}
	return nil, false, errTooLarge
}

// fits reports whether the data, and the text that is made of it, are small enough.
func (s *shrinker) fits(doc *document.Document) bool {
	return doc.Units() <= s.room && (s.speak == nil || paginate.UTF16Len(s.speak(doc)) <= s.room)
}

// texts makes the text blocks fit together. What the data says as well goes first;
// then the last blocks give way to the first ones. Blocks of which nothing is left
// are left out.
func (s *shrinker) texts(blocks []block) []block {
	over := -s.room
	for _, b := range blocks {
		over += b.units()
	}
	if over <= 0 {
		return blocks
	}
	own := slices.ContainsFunc(blocks, func(b block) bool { return b.text != "" && !b.mirror })
	for i, mirrored := 0, false; i < len(blocks); i++ {
		if b := &blocks[i]; b.mirror {
			if own || mirrored {
				over -= b.units()
				b.set("")
			}
			mirrored = true
		}
	}
	for i := len(blocks) - 1; i >= 0 && over > 0; i-- {
		before := blocks[i].units()
		room := max(before-over, 0)
		if i > 0 && room < minText { // a few words of a second text say nothing
			room = 0
		}
		s.cutBlock(&blocks[i], room)
		over -= before - blocks[i].units()
	}
	return slices.DeleteFunc(blocks, func(b block) bool { return b.isText && b.text == "" })
}

// cutBlock makes one text fit. JSON stays JSON, or goes.
func (s *shrinker) cutBlock(b *block, room int) {
	switch {
	case b.units() <= room:
	case b.mirror, b.opaque: // the data says it too, or it cannot be cut
		b.set("")
	case b.data == nil:
		b.set(cutText(b.text, room))
	default:
		b.data.Tighten()
		f := fitter{doc: b.data, page: s.page, room: room, shed: s.done}
		if !f.fit() {
			b.set("")
			return
		}
		b.set(string(b.data.JSON()))
	}
}
