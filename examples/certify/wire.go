package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// The revisions that are spoken.
const (
	modern = "2026-07-28" // stateless: each request says everything
	legacy = "2025-06-18" // initialize, then a session
)

// maxBody bounds what is read of an answer.
const maxBody = 8 << 20

// wire speaks one era of MCP with one server. It is safe for concurrent use
// once it is set up.
type wire struct {
	http    *http.Client
	now     func() time.Time
	url     string
	host    string
	header  http.Header
	version string // modern or what initialize negotiated; "" before that
	// versionHeader also sends the version of the modern era as a header. A
	// gateway does not.
	versionHeader bool
	noDash        bool   // leaves Mcp-Name out where there is no name
	session       string // of the legacy era
	ids           *atomic.Int64
}

func newWire(opt options) *wire {
	transport := opt.via
	if transport == nil {
		transport = &http.Transport{Proxy: http.ProxyFromEnvironment, MaxIdleConnsPerHost: burst, IdleConnTimeout: time.Minute, ForceAttemptHTTP2: true}
	}
	return &wire{
		http: &http.Client{
			Transport:     transport,
			Timeout:       opt.timeout,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		now: opt.now, url: opt.url, host: opt.host, header: opt.header,
		ids: new(atomic.Int64),
	}
}

// with returns a copy of the wire that was changed.
func (w *wire) with(change func(*wire)) *wire {
	other := *w
	change(&other)
	return &other
}

// message is a request that is to be sent.
type message struct {
	method       string
	name         string // Mcp-Name; "" is "-"
	params       map[string]any
	meta         map[string]any
	notification bool
	edit         func(*http.Request) // the last word on it; may be nil
}

// reply is what came back.
type reply struct {
	status int
	header http.Header
	body   []byte
	result json.RawMessage
	fault  *rpcError
	took   time.Duration
	err    error // nothing came back, or no JSON-RPC
}

// rpcError is a JSON-RPC error.
type rpcError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
}

// ok reports whether there is a result.
func (r reply) ok() bool {
	return r.err == nil && r.status == http.StatusOK && r.fault == nil && r.result != nil
}

// late reports whether the answer did not come in time.
func (r reply) late() bool {
	var slow net.Error
	return errors.As(r.err, &slow) && slow.Timeout()
}

// said describes the reply in a few words for a message.
func (r reply) said() string {
	switch {
	case r.status >= 300 && r.status < 400:
		return "HTTP " + strconv.Itoa(r.status) + " to " + quote(r.header.Get("Location")) + ", which is not followed: give that URL"
	case r.err != nil:
		return "error: " + quote(r.err.Error())
	case r.fault != nil:
		return "HTTP " + strconv.Itoa(r.status) + ", " + strconv.Itoa(r.fault.Code) + " " + quote(r.fault.Message)
	case r.result == nil:
		return "HTTP " + strconv.Itoa(r.status) + " " + quote(string(r.body))
	}
	return "HTTP " + strconv.Itoa(r.status)
}

// errTooLarge is an answer, or a stream without one, that is not read to its end.
var errTooLarge = errors.New("the answer is larger than 8 MB")

// send sends one request and reads the whole answer.
func (w *wire) send(ctx context.Context, m message) reply {
	req, err := w.request(ctx, m)
	if err != nil {
		return reply{err: err}
	}
	begin := w.now()
	res, err := w.http.Do(req) //nolint:gosec // the URL is named by whoever runs the command
	if err != nil {
		if inURL := (*url.Error)(nil); errors.As(err, &inURL) {
			err = inURL.Err // the URL itself may hold a secret
		}
		return reply{err: err, took: w.now().Sub(begin)}
	}
	defer done(res.Body)
	r := reply{status: res.StatusCode, header: res.Header}
	body := &io.LimitedReader{R: res.Body, N: maxBody + 1}
	kind := res.Header.Get("Content-Type")
	if strings.HasPrefix(kind, "text/event-stream") {
		r.body, r.err = lastEvent(body)
	} else {
		r.body, r.err = io.ReadAll(body)
	}
	r.took = w.now().Sub(begin)
	if body.N <= 0 {
		r.body, r.err = nil, errTooLarge
	}
	if r.err != nil {
		return r
	}
	var answer struct {
		Result json.RawMessage `json:"result"`
		Error  *rpcError       `json:"error"`
	}
	if err := json.Unmarshal(r.body, &answer); err == nil {
		r.result, r.fault = answer.Result, answer.Error
	} else if r.status == http.StatusOK && !m.notification {
		r.err = fmt.Errorf("not a JSON-RPC message but %s: %s", cmp.Or(kind, "no Content-Type"), quote(string(r.body)))
	}
	return r
}

// done closes what was read as far as it was wanted: a stream may have no end.
func done(body io.Closer) { _ = body.Close() }

// request builds the POST of a message.
func (w *wire) request(ctx context.Context, m message) (*http.Request, error) {
	params := maps.Clone(m.params)
	if params == nil {
		params = map[string]any{}
	}
	meta := maps.Clone(m.meta)
	if meta == nil {
		meta = map[string]any{}
	}
	if w.version == modern {
		meta["io.modelcontextprotocol/protocolVersion"] = modern
		meta["io.modelcontextprotocol/clientInfo"] = clientInfo()
		meta["io.modelcontextprotocol/clientCapabilities"] = map[string]any{}
	}
	if len(meta) > 0 {
		params["_meta"] = meta
	}
	envelope := map[string]any{"jsonrpc": "2.0", "method": m.method, "params": params}
	if !m.notification {
		envelope["id"] = "certify-" + strconv.FormatInt(w.ids.Add(1), 10)
	}
	body, err := json.Marshal(envelope)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.url, bytes.NewReader(body)) //nolint:gosec // as above
	if err != nil {
		return nil, err
	}
	w.dress(req, m)
	if m.edit != nil {
		m.edit(req)
	}
	return req, nil
}

// dress sets the headers.
func (w *wire) dress(req *http.Request, m message) {
	req.Header = w.header.Clone()
	req.Host = w.host
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if w.version == modern {
		req.Header.Set("Mcp-Method", m.method)
		req.Header.Set("Mcp-Name", inHeader(m.name))
		if m.name == "" {
			req.Header.Set("Mcp-Name", "-")
		}
		if m.name == "" && w.noDash {
			req.Header.Del("Mcp-Name")
		}
		if w.versionHeader {
			req.Header.Set("Mcp-Protocol-Version", modern)
		}
		return
	}
	if w.version != "" {
		req.Header.Set("Mcp-Protocol-Version", w.version)
	}
	if w.session != "" {
		req.Header.Set("Mcp-Session-Id", w.session)
	}
}

// inHeader is a name as a header carries it: in base64, marked so, if it is not of visible
// ASCII (MCP 2026-07-28, Streamable HTTP, custom headers).
func inHeader(name string) string {
	foreign := func(r rune) bool { return r < ' ' || r > '~' }
	if strings.ContainsFunc(name, foreign) || strings.TrimSpace(name) != name || strings.HasPrefix(name, "=?base64?") {
		return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(name)) + "?="
	}
	return name
}

func clientInfo() map[string]any {
	return map[string]any{"name": "portavoz-certify", "version": "1.0.0"}
}

// rewriteVersion puts another version into a request of the modern era.
func rewriteVersion(r *http.Request, version string) {
	body, err := r.GetBody()
	if err != nil {
		return
	}
	raw, err := io.ReadAll(body)
	if err != nil {
		return
	}
	raw = bytes.Replace(raw, []byte(`protocolVersion":"`+modern), []byte(`protocolVersion":"`+version), 1)
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(raw)), int64(len(raw))
	r.GetBody = nil
	if r.Header.Get("Mcp-Protocol-Version") != "" {
		r.Header.Set("Mcp-Protocol-Version", version)
	}
}
