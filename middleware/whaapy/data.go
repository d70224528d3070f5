package whaapy

import (
	"bytes"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware/internal/document"
	"github.com/portavoz/portavoz/paginate"
)

// data is what a success says, as an object, and what there is to know about it.
type data struct {
	raw     []byte
	cut     bool     // something was left out of a text
	members []member // those of known, and the evidence
}

type member struct {
	name  string
	value []byte // as it was written
}

// known are the members that decide about the status.
var known = [...]string{"ok", "status", "jobId", "queuedAt", "nextQuestion", "next_question", "candidates", "total"}

// errNothing is for a result whose content the client does not take.
var errNothing = errors.New("the result has no text and no data")

// dataOf returns the data of a sealed success: its structured content, else what its
// texts hold, see fromTexts. Strings that hold objects or arrays become those, as deep as
// they lie. Room is for a text that is no JSON.
func dataOf(res *mcp.CallToolResult, evidence []string, room int) (data, error) {
	raw, cut := []byte(res.RawStructuredContent), false
	if len(raw) == 0 || string(raw) == "null" {
		texts, ok := textsOf(res.Content)
		switch {
		case ok:
			raw, cut = fromTexts(texts, room)
		case len(res.Content) > 0:
			return data{}, errNothing
		default:
			raw = []byte("{}")
		}
	}
	d, suspicious := readData(raw, evidence)
	if suspicious {
		doc, err := document.Parse(raw)
		if err != nil {
			return data{}, err
		}
		if unpack(doc.Root()) {
			d, _ = readData(doc.JSON(), evidence)
		}
	}
	d.cut = cut
	return d, nil
}

func readData(raw []byte, evidence []string) (d data, suspicious bool) {
	d = data{raw: raw}
	suspicious = scan(raw, func(name, value []byte) {
		for _, list := range [...][]string{known[:], evidence} {
			for _, k := range list {
				if k == string(name) {
					d.members = append(d.members, member{k, value})
				}
			}
		}
	})
	return d, suspicious
}

// value returns a member as it was written: the last of its name, nil if there is none.
func (d data) value(name string) []byte {
	for _, m := range slices.Backward(d.members) {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// textsOf returns the text blocks, and whether there is any.
func textsOf(content []mcp.Content) (texts []string, ok bool) {
	for _, c := range content {
		switch t := c.(type) {
		case mcp.TextContent:
			texts = append(texts, t.Text)
		case *mcp.TextContent:
			if t != nil {
				texts = append(texts, t.Text)
			}
		}
	}
	return texts, len(texts) > 0
}

// fromTexts are texts as data: the one that is JSON, all that are JSON as a list, or else
// {"text": ...} of at most room UTF-16 code units, and whether it was cut for that.
func fromTexts(texts []string, room int) (raw []byte, cut bool) {
	var found [][]byte
	for _, text := range texts {
		if doc := jsonIn(text); doc != nil {
			found = append(found, doc.Compact())
		}
	}
	switch len(found) {
	case 0:
		const head = `{"text":`
		text := strings.Join(texts, "\n")
		raw = append(document.AppendText([]byte(head), text), '}')
		if paginate.UTF16Len(raw) > room {
			return append(appendText([]byte(head), text, room-len(head)-1), '}'), true
		}
		return raw, false
	case 1:
		return found[0], false
	}
	return append(append([]byte{'['}, bytes.Join(found, []byte{','})...), ']'), false
}

// jsonIn returns the object or array that a text is, or nil. One that is the JSON of
// such a text is what that one is.
func jsonIn(text string) *document.Document {
	trimmed := strings.TrimLeft(text, " \t\r\n")
	if trimmed == "" || trimmed[0] != '{' && trimmed[0] != '[' && trimmed[0] != '"' {
		return nil
	}
	doc, err := document.Parse([]byte(text))
	if err != nil {
		return nil
	}
	if doc.Root().Kind() == document.String {
		return jsonIn(doc.Root().Text())
	}
	return doc
}

// unpack makes objects and arrays of the strings that hold them, and reports whether
// there were any. Each step makes the whole shorter, so that it ends.
func unpack(n *document.Node) (changed bool) {
	if n.Kind() == document.String {
		doc := jsonIn(n.Text())
		if doc == nil {
			return false
		}
		changed = n.SetJSON(doc.JSON()) == nil
	}
	for child := range n.Children() {
		changed = unpack(child) || changed
	}
	return changed
}

// text returns a member that is a string, or "".
func (d data) text(name string) string {
	value := d.value(name)
	if len(value) == 0 || value[0] != '"' {
		return ""
	}
	doc, err := document.Parse(value)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(doc.Root().Text())
}

// has reports whether a member is there and says something.
func (d data) has(name string) bool { return !isEmpty(d.value(name)) }
