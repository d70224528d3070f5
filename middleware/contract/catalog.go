package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/paginate"
)

// Catalog is a list of tools as a client sees them. Make one with [Tools],
// [Registered] or [ParseList]; the zero Catalog has no tools. It is immutable
// and safe for concurrent use.
type Catalog struct{ tools []definition }

// definition is one tool of a catalogue.
type definition struct {
	index   int
	object  map[string]any // nil: not a JSON object
	raw     []byte         // its compact JSON, keys sorted
	problem string         // why there is no object
}

// Tools is a catalogue of mcp-go definitions, in the order given. One that
// mcp-go cannot encode is kept, as a finding for [Lint].
func Tools(tools ...mcp.Tool) Catalog {
	var c Catalog
	for i := range tools {
		raw, err := json.Marshal(tools[i])
		if err != nil {
			c.tools = append(c.tools, definition{index: i, problem: "cannot be encoded: " + err.Error()})
			continue
		}
		c.tools = append(c.tools, define(i, raw))
	}
	return c
}

// Registered is the catalogue of a server: every tool that it knows, sorted by
// name as mcp-go lists them. Tool filters and tools of single sessions do not
// count: what is hidden from one caller is held to the same rules.
func Registered(srv *server.MCPServer) Catalog {
	byName := srv.ListTools()
	tools := make([]mcp.Tool, 0, len(byName))
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		tools = append(tools, byName[name].Tool)
	}
	return Tools(tools...)
}

// ParseList reads what tools/list answered: the array of tools, the result with
// its "tools", or the whole JSON-RPC message. Elements of the list that are no
// tools are findings for [Lint]; anything else is an error.
func ParseList(raw []byte) (Catalog, error) {
	var list []json.RawMessage
	switch first(raw) {
	case '[':
		if err := decode(raw, &list); err != nil {
			return Catalog{}, fmt.Errorf("portavoz/contract: not JSON: %w", err)
		}
	case '{':
		var message struct {
			Tools  *[]json.RawMessage `json:"tools"`
			Result struct {
				Tools *[]json.RawMessage `json:"tools"`
			} `json:"result"`
		}
		if err := decode(raw, &message); err != nil {
			return Catalog{}, fmt.Errorf("portavoz/contract: not a list of tools: %w", err)
		}
		switch {
		case message.Tools != nil:
			list = *message.Tools
		case message.Result.Tools != nil:
			list = *message.Result.Tools
		default:
			return Catalog{}, fmt.Errorf(`portavoz/contract: no "tools" in the list`)
		}
	default:
		return Catalog{}, fmt.Errorf("portavoz/contract: not a list of tools: want a JSON array or object")
	}
	var c Catalog
	for i, raw := range list {
		c.tools = append(c.tools, define(i, raw))
	}
	return c, nil
}

// Len returns the number of tools.
func (c Catalog) Len() int { return len(c.tools) }

// Names returns the names of the tools in their order; "#3" for the third if it
// has none.
func (c Catalog) Names() []string {
	names := make([]string, len(c.tools))
	for i := range c.tools {
		names[i] = c.tools[i].label()
	}
	return names
}

// Characters returns the size of the list in UTF-16 code units of compact JSON.
func (c Catalog) Characters() int {
	n := 2 + max(0, len(c.tools)-1) // brackets and commas
	for i := range c.tools {
		n += paginate.UTF16Len(string(c.tools[i].raw))
	}
	return n
}

// define reads the definition of a tool.
func define(index int, raw []byte) definition {
	d := definition{index: index, raw: raw}
	var v any
	if err := decode(raw, &v); err != nil {
		d.problem = "is not JSON"
	} else if object, ok := v.(map[string]any); ok {
		d.object, d.raw = object, compact(object)
	} else {
		d.problem = "is not an object"
	}
	return d
}

func (d *definition) name() string {
	name, _ := d.object["name"].(string)
	return name
}

// label names the tool in a finding.
func (d *definition) label() string {
	if name := d.name(); name != "" {
		return clip(name)
	}
	return fmt.Sprintf("#%d", d.index+1)
}

// schema returns one of the two schemas of the tool, nil if it is no object.
func (d *definition) schema(key string) map[string]any {
	s, _ := d.object[key].(map[string]any)
	return s
}

// decode reads one JSON value with its numbers as they are written.
func decode(raw []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if err := dec.Decode(into); err != nil {
		return err
	}
	if _, err := dec.Token(); err != io.EOF {
		return fmt.Errorf("something follows the value")
	}
	return nil
}

// compact encodes a decoded value: keys sorted, numbers as they were, nothing
// escaped that need not be.
func compact(v any) []byte {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil { // decoded JSON always encodes
		return nil
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
}

func first(raw []byte) byte {
	if trimmed := bytes.TrimLeft(raw, " \t\r\n"); len(trimmed) > 0 {
		return trimmed[0]
	}
	return 0
}

// clip shortens a text of the definition for a message, and takes out what
// could forge a line of a report.
func clip(s string) string {
	const most = 80 // every name that is allowed fits
	n := 0
	for i := range s {
		if n == most {
			return strings.Map(inLine, s[:i]) + "…"
		}
		n++
	}
	return strings.Map(inLine, s)
}

// inLine replaces what ends a line, turns its direction, is not seen, or commands a
// terminal.
func inLine(r rune) rune {
	if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) {
		return ' '
	}
	return r
}
