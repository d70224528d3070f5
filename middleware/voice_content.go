package middleware

import (
	"encoding/json"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware/internal/document"
)

// content puts what is said into the text blocks: those of the handler in words,
// without the ones that are JSON, or a sentence made of the data if nothing is
// left of them. Other blocks stay as they are.
func (t *telling) content(rec *Record, own *mcp.CallToolResult, doc *document.Document) {
	blocks := make([]mcp.Content, 0, max(1, len(own.Content)))
	spoken := false
	for _, block := range own.Content {
		text, ok := textOf(block)
		switch {
		case !ok:
			blocks = append(blocks, block)
		case isJSONText(text):
			if doc == nil { // there is nothing else that holds this data
				blocks = append(blocks, block)
			}
		default:
			said := t.hear(text)
			t.removed = append(t.removed, said.Removed...)
			if said.Text != "" {
				blocks, spoken = append(blocks, withText(block, said.Text)), true
			}
		}
	}
	if !spoken && doc != nil {
		n := &narration{mouth: t.mouth, names: &t.names, page: t.page, total: t.total, suffix: t.suffix, made: t.made}
		rec.setSpeaker(n.say)
		blocks = append([]mcp.Content{mcp.NewTextContent(n.say(doc))}, blocks...)
	}
	own.Content = blocks
}

// withText is a text block with another text.
func withText(block mcp.Content, text string) mcp.Content {
	switch b := block.(type) {
	case mcp.TextContent:
		b.Text = text
		return b
	case *mcp.TextContent:
		own := *b
		own.Text = text
		return own
	default:
		return block
	}
}

// isJSONText reports whether a text is an object or a list of JSON.
func isJSONText(text string) bool {
	text = strings.TrimSpace(text)
	return text != "" && (text[0] == '{' || text[0] == '[') && json.Valid([]byte(text))
}

// documentInText is the data of a result that has it as text alone, in one block.
// Where the text is for the ear, it becomes structured content; that has to be an
// object (MCP, "Structured Content"), so a list becomes a page.
func (v *voicing) documentInText(own *mcp.CallToolResult) *document.Document {
	if len(own.Content) != 1 {
		return nil
	}
	text, ok := textOf(own.Content[0])
	if !ok || !isJSONText(text) {
		return nil
	}
	doc, err := document.Parse([]byte(text))
	if err == nil && doc.Root().Kind() == document.Array {
		doc, err = v.pageAround(doc)
	}
	if err != nil {
		return nil
	}
	return doc
}

// pageAround makes a page of a list.
func (v *voicing) pageAround(list *document.Document) (*document.Document, error) {
	doc, err := document.Parse([]byte("{}"))
	if err != nil {
		return nil, err
	}
	page := doc.Root()
	if err := page.Put(v.page.results, nil).SetJSON(list.JSON()); err != nil {
		return nil, err
	}
	page.Put(v.total, page.Get(v.page.results)).SetInt(list.Root().Len())
	return doc, nil
}

// failure puts the sentence of a failure into words, in the data and in the text
// that repeats it. A failure in another form has its text cleaned.
func (t *telling) failure(own *mcp.CallToolResult, doc *document.Document) {
	repeated := doc != nil && len(own.Content) == 1 && isText(own.Content[0], string(own.RawStructuredContent))
	kind := errors.TypeUnknown
	if doc != nil {
		t.message(doc)
		kind = typeIn(doc)
	}
	for i, block := range own.Content {
		text, ok := textOf(block)
		switch {
		case !ok:
		case repeated:
			own.Content = []mcp.Content{withText(block, string(doc.JSON()))}
		case isJSONText(text):
			if inText, err := document.Parse([]byte(text)); err == nil && t.message(inText) {
				own.Content = replaced(own.Content, i, withText(block, string(inText.JSON())))
			}
		default:
			if said := t.sentence(text, kind); said != text {
				own.Content = replaced(own.Content, i, withText(block, said))
			}
		}
	}
}

// message puts the user_message of a failure into words; false if it has none or
// it is so already.
func (t *telling) message(doc *document.Document) bool {
	message := doc.Root().Get("error").Get("user_message")
	said := t.sentence(message.Text(), typeIn(doc))
	if said == message.Text() {
		return false
	}
	message.SetText(said)
	return true
}

// sentence is what is said of a failure of this type. A text of which nothing can be
// heard, such as a link, gives way to the sentence of the type.
func (t *telling) sentence(text string, kind errors.Type) string {
	said := t.hear(text)
	t.removed = append(t.removed, said.Removed...)
	if said.Text == "" && text != "" {
		return errors.Messages(nil).For(&errors.Error{Type: kind})
	}
	return said.Text
}

// typeIn is the type of the failure that a document is; UNKNOWN for any other.
func typeIn(doc *document.Document) errors.Type {
	return errors.ParseType(doc.Root().Get("error").Get("error_type").Text())
}

func isText(block mcp.Content, want string) bool {
	text, ok := textOf(block)
	return ok && text == want
}

// replaced is a list of blocks with another one at i; the list that is given may
// be the handler's.
func replaced(blocks []mcp.Content, i int, block mcp.Content) []mcp.Content {
	own := append([]mcp.Content(nil), blocks...)
	own[i] = block
	return own
}
