package transport

import (
	"encoding/json"
	"strings"

	"github.com/portavoz/portavoz/middleware/call"
)

// The fields of a message that a header repeats, and the first revision that
// asks for those headers (MCP 2026-07-28, SEP-2243). Revisions are dates and
// compare as strings.
const (
	versionKey   = "io.modelcontextprotocol/protocolVersion"
	clientKey    = "io.modelcontextprotocol/clientInfo"
	firstModern  = "2026-07-28"
	methodTool   = "tools/call"
	methodPrompt = "prompts/get"
	methodRead   = "resources/read"
)

func isModern(version string) bool { return version >= firstModern }

// message is what this package reads of a JSON-RPC message. It is decoded by
// the rules of encoding/json, as mcp-go does it: keys match in any case, the
// last of two equal keys wins, and broken UTF-8 reads as U+FFFD. Reading it in
// any other way would let a client show one message to the headers and another
// to the server.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params params          `json:"params"`
}

// params reads its fields leniently: mcp-go looks at each with a decoding of
// its own, so a mistake in one says nothing about another.
//
// Two params objects in one message: the name is read from the last alone,
// while _meta stays from the first when the last has none. That is what
// mcp-go's decodings add up to.
type params struct {
	name, uri text
	client    client
	meta      meta
	invalid   bool // params is no object, so no version can be read
}

func (p *params) UnmarshalJSON(b []byte) error {
	var fields struct {
		Name   text   `json:"name"`
		URI    text   `json:"uri"`
		Client client `json:"clientInfo"`
		Meta   meta   `json:"_meta"`
	}
	fields.Meta = p.meta
	if json.Unmarshal(b, &fields) != nil {
		p.invalid = true
	}
	p.name, p.uri, p.client, p.meta = fields.Name, fields.URI, fields.Client, fields.Meta
	return nil
}

// client is the clientInfo of an initialize.
type client struct{ name string }

func (c *client) UnmarshalJSON(b []byte) error {
	var fields struct {
		Name text `json:"name"`
	}
	_ = json.Unmarshal(b, &fields) // anything but an object has no name
	c.name = fields.Name.value
	return nil
}

// text is a string, or a note that something else was there.
type text struct {
	value string
	wrong bool
}

func (t *text) UnmarshalJSON(b []byte) error {
	if json.Unmarshal(b, &t.value) != nil {
		t.wrong = true
	}
	return nil
}

// meta is the _meta object; its keys match exactly.
type meta struct {
	fields  map[string]any
	invalid bool // some _meta is no object, so no version can be read
}

func (m *meta) UnmarshalJSON(b []byte) error {
	m.fields = nil
	if json.Unmarshal(b, &m.fields) != nil {
		m.invalid = true
	}
	return nil
}

// readMessage reads body, and reports whether it is one JSON-RPC message. Of
// anything else no more than an id is known.
func readMessage(body []byte) (message, bool) {
	var m message
	if json.Unmarshal(body, &m) != nil {
		return message{ID: m.ID}, false
	}
	return m, true
}

// version returns the protocol version that the message states, or "".
func (m *message) version() string {
	if m.Params.invalid || m.Params.meta.invalid {
		return ""
	}
	v, _ := m.Params.meta.fields[versionKey].(string)
	return v
}

// subject returns params.name, or params.uri for a resource, and whether the
// Mcp-Name header repeats it for this method.
func (m *message) subject() (name string, repeated bool) {
	t := m.Params.name
	if strings.HasPrefix(m.Method, "resources/") {
		t = m.Params.uri
	}
	if t.wrong || m.Params.invalid {
		return "", false
	}
	switch m.Method {
	case methodTool, methodPrompt, methodRead:
		return t.value, true
	}
	return t.value, false
}

// clientName returns how the client's software names itself, or "".
func (m *message) clientName() string {
	name := m.Params.client.name
	if info, ok := m.Params.meta.fields[clientKey].(map[string]any); ok {
		name, _ = info["name"].(string)
	}
	if !validName(name) {
		return ""
	}
	return name
}

// note returns what the rest of the exchange may want to know.
func (m *message) note(keys call.Keys) call.Request {
	name, _ := m.subject()
	return call.Request{
		Method:    m.Method,
		Name:      name,
		Version:   m.version(),
		Client:    m.clientName(),
		RequestID: keys.Read(m.Params.meta.fields).RequestID,
		ID:        m.ID,
	}
}
