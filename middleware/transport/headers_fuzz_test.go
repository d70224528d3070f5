package transport_test

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/middleware/transport"
)

// serverMeta, serverReads and serverName decode a message as mcp-go v1.2.1
// does: detectRequestEra in server/streamable_http_modern.go, ExtractHeaderName
// in mcp/headers.go.
type serverMeta struct{ fields map[string]any }

func (m *serverMeta) UnmarshalJSON(b []byte) error {
	raw := map[string]any{}
	if err := json.Unmarshal(b, &raw); err != nil {
		return err
	}
	m.fields = raw
	return nil
}

func serverReads(body []byte) (method, version string, ok bool) {
	var message struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	if json.Unmarshal(body, &message) != nil {
		return "", "", false
	}
	var wrapper struct {
		Params struct {
			Meta *serverMeta `json:"_meta"`
		} `json:"params"`
	}
	if json.Unmarshal(body, &wrapper) == nil && wrapper.Params.Meta != nil {
		version, _ = wrapper.Params.Meta.fields["io.modelcontextprotocol/protocolVersion"].(string)
	}
	return message.Method, version, true
}

func serverName(method string, body []byte) (string, bool) {
	var wrapper struct {
		Params json.RawMessage `json:"params"`
	}
	_ = json.Unmarshal(body, &wrapper)
	switch method {
	case "tools/call", "prompts/get":
		var p struct {
			Name string `json:"name"`
		}
		err := json.Unmarshal(wrapper.Params, &p)
		return p.Name, err == nil && p.Name != ""
	case "resources/read":
		var p struct {
			URI string `json:"uri"`
		}
		err := json.Unmarshal(wrapper.Params, &p)
		return p.URI, err == nil && p.URI != ""
	}
	return "", false
}

// FuzzHeaders sends arbitrary bodies. The next handler gets the same bytes;
// headers are only added; and those that are added say what the server will
// read in the body, by its own rules.
func FuzzHeaders(f *testing.F) {
	f.Add([]byte(modern("a")))
	f.Add([]byte(modern("señal")))
	f.Add([]byte(modern("a")[:60]))
	f.Add([]byte("[" + modern("a") + "]"))
	f.Add([]byte(`{"method":"tools/call","params":{"name":"a",` + metaModern + `},"params":{"name":"b"}}`))
	f.Add([]byte(`{"method":"tools/call","params":{` + metaModern + `},"Params":null}`))
	f.Add([]byte(`{"method":"tools/call","params":{"name":"a",` + metaModern + `},"params":[]}`))
	f.Add([]byte(`{"method":"tools/call","params":{"name":"a","name":null,` + metaModern + `,"_meta":{}}}`))
	f.Add([]byte(`{"method":"resources/read","params":{"uri":5,"uri":"a",` + metaModern + `}}`))
	f.Add([]byte(`{"method":"tools/call","params":{"name":"a","_meta":{"x":1e999,"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`))
	f.Add([]byte(`{"method":"tools/call","method":null,"param` + "\u017f" + `":{"name":"a",` + metaModern + `}}`))
	f.Add([]byte("{\"id\":\"\xff\",\"method\":\"\x00\"}"))
	f.Fuzz(func(t *testing.T, body []byte) {
		var next seen
		r := post(string(body), "X-Other", "kept")
		w := httptest.NewRecorder()
		transport.Headers()(&next).ServeHTTP(w, r)
		if next.calls != 1 || next.body != string(body) {
			t.Fatalf("calls = %d, body = %q, want one call with %q", next.calls, next.body, body)
		}
		want := http.Header{"Content-Type": {"application/json"}, "X-Other": {"kept"}}
		if method, version, ok := serverReads(body); ok && version >= "2026-07-28" {
			addPlain(want, "Mcp-Protocol-Version", version)
			addPlain(want, "Mcp-Method", method)
			if name, ok := serverName(method, body); ok {
				want["Mcp-Name"] = []string{wireForm(name)}
			}
		}
		if !maps.EqualFunc(next.request.Header, want, slices.Equal) {
			t.Errorf("headers = %q, want %q", next.request.Header, want)
		}
	})
}

func addPlain(h http.Header, name, value string) {
	if value != "" && wireForm(value) == value {
		h[name] = []string{value}
	}
}

// wireForm is EncodeHeaderValue of mcp/headers.go for strings.
func wireForm(s string) string {
	plain := s == strings.Trim(s, " \t") &&
		!strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 || r > 0x7e }) &&
		!(strings.HasPrefix(s, "=?base64?") && strings.HasSuffix(s, "?="))
	if plain {
		return s
	}
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(s)) + "?="
}
