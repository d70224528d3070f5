package middleware

import (
	"encoding/json"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/middleware/internal/document"
	"github.com/portavoz/portavoz/paginate"
)

// block is one block of a result's content.
type block struct {
	content mcp.Content
	isText  bool
	text    string
	mirror  bool               // the text says what the data says
	data    *document.Document // the text is other JSON: an object or a list
	opaque  bool               // the text is JSON that is nested too deeply to be read
}

// readBlocks finds out what the blocks of a result are.
func readBlocks(content []mcp.Content, doc *document.Document) []block {
	blocks := make([]block, len(content))
	for i, c := range content {
		b := &blocks[i]
		b.content = c
		b.text, b.isText = textOf(c)
		isJSON := looksLikeJSON(b.text)
		if doc != nil && (isJSON || isScalar(doc.Root())) { // or it is not the same, and need not be encoded
			b.mirror = b.text == string(doc.JSON()) || isJSON && doc.IsSpelled(b.text)
		}
		if b.mirror || !isJSON {
			continue
		}
		parsed, err := document.Parse([]byte(b.text))
		if err != nil {
			b.opaque = json.Valid([]byte(b.text))
			continue
		}
		b.data, b.mirror = parsed, doc != nil && document.Equal(parsed.Root(), doc.Root())
	}
	return blocks
}

// looksLikeJSON reports whether a text may be an object or a list.
func looksLikeJSON(text string) bool {
	text = strings.TrimLeft(text, " \t\r\n")
	return text != "" && (text[0] == '{' || text[0] == '[')
}

// contentOf is the content that blocks make.
func contentOf(blocks []block) []mcp.Content {
	content := make([]mcp.Content, len(blocks))
	for i, b := range blocks {
		content[i] = b.content
	}
	return content
}

// remake makes the texts that were made of the data again, if the data changed. JSON
// is written without white space in any case.
func remake(blocks []block, doc *document.Document, speak func(*document.Document) string, changed bool) {
	for i := range blocks {
		b := &blocks[i]
		switch {
		case b.mirror:
			b.set(string(doc.JSON()))
		case changed && speak != nil && b.isText && b.data == nil:
			b.set(speak(doc))
			speak = nil // one text is made of the data
		}
	}
}

func (b *block) units() int { return paginate.UTF16Len(b.text) }

// set changes the text, in a block of our own.
func (b *block) set(text string) {
	b.text = text
	switch t := b.content.(type) {
	case mcp.TextContent:
		t.Text = text
		b.content = t
	case *mcp.TextContent:
		own := *t
		own.Text = text
		b.content = own
	}
}
