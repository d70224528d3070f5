package middleware

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware/internal/document"
)

// oneReading refuses arguments that two readers may take for different things, of
// whom one may be the policy or the person, and the other the handler: an object with
// two members of one name, of which a map keeps the last and a struct merges both, or
// of names that encoding/json takes for the same field of a struct, "monto" and
// "Monto", of which the one that was written last counts.
func oneReading(req *mcp.CallToolRequest) error {
	raw := rawArguments(req)
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil
	}
	doc, err := document.Parse(raw)
	if err == nil && ambiguous(doc.Root()) {
		err = errors.New("an object has two members of one name")
	}
	if err != nil {
		return errors.Validation("", errors.WithCode(errors.CodeInvalidArguments), errors.WithCause(err))
	}
	return nil
}

// ambiguous reports whether an object in the value has two members of one name.
func ambiguous(n *document.Node) bool {
	var names map[string]bool
	for child := range n.Children() {
		if n.Kind() == document.Object {
			name := document.FieldName(child.Name())
			if names[name] {
				return true
			}
			if names == nil {
				names = make(map[string]bool, n.Len())
			}
			names[name] = true
		}
		if ambiguous(child) {
			return true
		}
	}
	return false
}

// legible is JSON as a person gets to read it: in the order of the names of members,
// with numbers as they were written, and no longer than limit.
func legible(raw []byte, limit int) (json.RawMessage, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return json.RawMessage("{}"), nil
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var value any
	if err := dec.Decode(&value); err != nil {
		return nil, err
	}
	text, err := json.Marshal(value)
	if err == nil && len(text) > limit {
		err = fmt.Errorf("the arguments have more than %d bytes", limit)
	}
	return text, err
}
