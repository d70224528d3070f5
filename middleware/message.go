package middleware

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware/internal/redact"
	"github.com/portavoz/portavoz/paginate"
)

// maxCleaned bounds how much of a text is read for a message, in bytes. What is
// said is a fraction of it, and reading a megabyte takes a good part of a second.
const maxCleaned = 16 << 10

// cleanMessage makes a text fit to be said to a person: one line, no control
// characters, no markup, nothing secret or internal, at most limit UTF-16 code
// units. It returns "" for a text that is a machine's.
func cleanMessage(s string, limit int) string {
	if most := max(maxCleaned, 8*limit); len(s) > most {
		s = s[:most]
	}
	if redact.LooksInternal(s) {
		return ""
	}
	s, _ = redact.Text(strings.ToValidUTF8(s, ""))
	s, _ = redact.Text(oneLine(s)) // dropping markup may have joined what was apart
	return shorten(s, limit)
}

// oneLine folds white space and drops what is only markup or invisible, escape
// sequences of terminals (ECMA-48, section 5.4) as a whole.
func oneLine(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	space := false
	escape := 0 // bytes of an escape sequence read so far
	for _, r := range s {
		switch {
		case escape == 1 && r == '[', escape > 1 && r >= ' ' && r < '@':
			escape++
			continue
		case escape > 1 && r >= '@' && r <= '~': // the final byte
			escape = 0
			continue
		}
		escape = 0
		switch {
		case r == '\x1b':
			escape = 1
		case unicode.IsSpace(r):
			space = b.Len() > 0
		case r == '*', r == '`', r == '#' && !space && b.Len() == 0:
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r):
		default:
			if space {
				b.WriteByte(' ')
				space = false
			}
			b.WriteRune(r)
		}
	}
	return b.String()
}

// shorten cuts at the last sentence that fits, or else at the last word, with an
// ellipsis: see [cutText], which says where a sentence was left out.
func shorten(s string, limit int) string {
	if paginate.UTF16Len(s) <= limit {
		return s
	}
	c := cutsOf(s, limit-1)
	switch {
	case c.sentence > 0:
		return s[:c.sentence]
	case c.word > 0:
		return strings.TrimRight(s[:c.word], " ,;:") + ellipsis
	}
	return s[:c.character] + ellipsis
}

// textOfAll joins the text blocks of a result, for the log.
func textOfAll(res *mcp.CallToolResult) string {
	var parts []string
	for _, c := range res.Content {
		if t, ok := textOf(c); ok {
			parts = append(parts, t)
		}
	}
	return strings.Join(parts, " ")
}

// isShaped reports whether a failure has its final form: one text block with
// the same JSON as the structured content, and one of the six types.
func isShaped(res *mcp.CallToolResult) bool {
	own, err := seal(res)
	if err != nil || len(own.Content) != 1 {
		return false
	}
	text, ok := textOf(own.Content[0])
	if !ok || !bytes.Equal([]byte(text), own.RawStructuredContent) {
		return false
	}
	var shape struct {
		Error struct {
			Type string `json:"error_type"`
		} `json:"error"`
	}
	err = json.Unmarshal(own.RawStructuredContent, &shape)
	return err == nil && string(errors.ParseType(shape.Error.Type)) == shape.Error.Type
}
