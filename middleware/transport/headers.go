package transport

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"mime"
	"net/http"
	"os"
	"slices"

	"github.com/portavoz/portavoz/middleware/call"
)

// The headers that repeat what a message says (MCP 2026-07-28, SEP-2243).
const (
	headerVersion = "Mcp-Protocol-Version"
	headerMethod  = "Mcp-Method"
	headerName    = "Mcp-Name"
)

func repeatedHeaders() [3]string { return [...]string{headerVersion, headerMethod, headerName} }

// HeadersOption changes one thing about [Headers].
type HeadersOption func(*headers)

// WithMaxBody sets the longest body that [Headers] reads, in bytes; the
// default is [DefaultBodyLimit], or the limit of a [BodyLimit] in front. Zero
// or less means the default.
func WithMaxBody(n int64) HeadersOption { return func(h *headers) { h.limit = max(n, 0) } }

// WithKeys names the metadata keys of the gateway; [Headers] reads the request
// id, for the log. The default is the zero [call.Keys].
func WithKeys(keys call.Keys) HeadersOption { return func(h *headers) { h.keys = keys } }

// Headers completes the headers that MCP 2026-07-28 asks for from the message
// in the body. A gateway that states the protocol version in the body alone is
// refused by mcp-go with 400 and error -32020 otherwise.
//
// It looks at POST requests with a JSON body and
//
//   - adds Mcp-Protocol-Version, Mcp-Method and Mcp-Name where they are
//     missing or empty and the body states version 2026-07-28 or later;
//     Mcp-Name in Base64 where a header cannot hold the name as it is. A header
//     that is there is never changed: one that contradicts the body is left for
//     the server to refuse, with the same -32020;
//   - refuses, with 400 and -32020, two lines of one of these headers that
//     differ, whatever the version: the server would read the first and a proxy
//     perhaps the last. Equal lines become one;
//   - notes what the message says in [call.Exchange].
//
// The body is read once, as far as its limit (413 beyond it), and handed on
// byte for byte. A body that is no JSON-RPC message, a batch, an older version
// or anything else passes untouched, and the server answers. A body that breaks
// off is answered with 400 and -32700, one that does not come in time (see
// [http.Server.ReadTimeout]) with 408.
//
// The request is copied before it is changed.
func Headers(opts ...HeadersOption) func(http.Handler) http.Handler {
	var h headers
	for _, opt := range opts {
		opt(&h)
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodPost || r.Body == nil || !isJSON(r.Header.Get("Content-Type")) {
				next.ServeHTTP(w, r)
				return
			}
			body, refused := h.read(w, r)
			if refused != nil {
				refused.send(w, r, nil)
				return
			}
			ctx, exchange := call.WithExchange(r.Context())
			m, ok := readMessage(body)
			if ok {
				exchange.SetRequest(m.note(h.keys))
			}
			if twice := conflicting(r.Header); twice != "" {
				conflict(twice).send(w, r, m.ID)
				return
			}
			c := r.WithContext(ctx)
			giveBack(c, body)
			if set := m.headers(r.Header); len(set) > 0 {
				c.Header = r.Header.Clone()
				maps.Copy(c.Header, set)
			}
			next.ServeHTTP(w, c)
		})
	}
}

type headers struct {
	limit int64 // 0: that of a BodyLimit in front, or the default
	keys  call.Keys
}

// read returns the whole body, or the answer to one that cannot be read. It
// leaves closing to the server, which would wait here for the rest.
func (h *headers) read(w http.ResponseWriter, r *http.Request) ([]byte, *refusal) {
	src := r.Body
	if _, limited := r.Body.(*limitedBody); !limited || h.limit > 0 {
		limit := h.limit
		if limit == 0 {
			limit = DefaultBodyLimit
		}
		if r.ContentLength > limit {
			tooLarge := bodyTooLarge(limit)
			return nil, &tooLarge
		}
		src = http.MaxBytesReader(w, r.Body, limit)
	}
	// The announced length is a promise: past 64 KiB memory follows the bytes
	// that have arrived.
	var buf bytes.Buffer
	buf.Grow(int(min(max(r.ContentLength, 0), 64<<10)) + bytes.MinRead)
	_, err := buf.ReadFrom(src)
	if err == nil {
		return buf.Bytes(), nil
	}
	refused := unreadableBody(err)
	return nil, &refused
}

func unreadableBody(err error) refusal {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return bodyTooLarge(tooLarge.Limit)
	}
	f := refusal{
		status:  http.StatusBadRequest,
		code:    codeParseError,
		reason:  "unreadable_body",
		message: "The request body ended before it was complete.",
		closes:  true,
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		f.status, f.message = http.StatusRequestTimeout, "The request body did not arrive in time."
	}
	return f
}

// conflicting returns the first of the three headers that has lines that
// differ, or "".
func conflicting(h http.Header) string {
	for _, name := range repeatedHeaders() {
		lines := h[name]
		if slices.ContainsFunc(lines, func(line string) bool { return line != lines[0] }) {
			return name
		}
	}
	return ""
}

func conflict(name string) refusal {
	return refusal{
		status:  http.StatusBadRequest,
		code:    codeHeaderMismatch,
		reason:  "conflicting_headers",
		message: "The request has two " + name + " headers that differ.",
	}
}

// giveBack puts body where it was read from.
func giveBack(r *http.Request, body []byte) {
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	r.ContentLength = int64(len(body))
	r.TransferEncoding = nil // it is no longer in chunks
}

// headers returns what has to change in h: equal lines that become one, and
// what h lacks. A version or method that no header can hold stays missing: no
// server knows it, and the answer will say so.
func (m *message) headers(h http.Header) http.Header {
	set := http.Header{}
	for _, name := range repeatedHeaders() {
		if len(h[name]) > 1 {
			set[name] = h[name][:1:1]
		}
	}
	add := func(name, value string) {
		if value != "" && h.Get(name) == "" {
			set[name] = []string{value}
		}
	}
	version := m.version()
	if !isModern(version) {
		return set
	}
	if headerSafe(version) {
		add(headerVersion, version)
	}
	if headerSafe(m.Method) {
		add(headerMethod, m.Method)
	}
	if name, repeated := m.subject(); repeated {
		add(headerName, encodeHeader(name))
	}
	return set
}

// isJSON reports whether a Content-Type is application/json, as mcp-go reads it.
func isJSON(contentType string) bool {
	if contentType == "application/json" {
		return true
	}
	mediaType, _, err := mime.ParseMediaType(contentType)
	return err == nil && mediaType == "application/json"
}
