package transport_test

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/portavoz/portavoz/middleware/call"
)

const (
	current  = "asixto-current-secret"
	previous = "asixto-previous-secret"
)

// modern is a call as the gateway sends it: the version in the body alone.
func modern(name string) string {
	return `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":` + strconv.Quote(name) +
		`,"arguments":{"documento":"CC1032"},"_meta":{"com.asixto/requestId":"req_c41",` +
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`
}

func rpcError(id string, code int, message string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"error":{"code":` + strconv.Itoa(code) + `,"message":` + strconv.Quote(message) + "}}\n"
}

func post(body string, headers ...string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	return r
}

func serve(h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// answer is everything a client sees.
type answer struct {
	status  int
	headers map[string]string
	body    string
}

func checkAnswer(tb testing.TB, got *http.Response, want answer) {
	tb.Helper()
	body, err := io.ReadAll(got.Body)
	if err != nil {
		tb.Errorf("read the answer: %v", err)
	}
	if got.StatusCode != want.status {
		tb.Errorf("status = %d, want %d", got.StatusCode, want.status)
	}
	if string(body) != want.body {
		tb.Errorf("body = %q, want %q", body, want.body)
	}
	for _, name := range []string{"Date", "Content-Length"} { // net/http's own
		got.Header.Del(name)
	}
	for name, v := range want.headers {
		if got.Header.Get(name) != v {
			tb.Errorf("header %s = %q, want %q", name, got.Header.Get(name), v)
		}
	}
	for name := range got.Header {
		if _, expected := want.headers[name]; !expected {
			tb.Errorf("header %s = %q, want none", name, got.Header[name])
		}
	}
}

// refusal is an answer of the package itself; more headers may follow.
func refusal(status, code int, message string, headers ...string) answer {
	a := answer{
		status:  status,
		headers: map[string]string{"Content-Type": "application/json", "X-Content-Type-Options": "nosniff"},
		body:    rpcError("null", code, message),
	}
	for i := 0; i < len(headers); i += 2 {
		a.headers[http.CanonicalHeaderKey(headers[i])] = headers[i+1]
	}
	return a
}

// seen is a stub server that keeps what reached it last.
type seen struct {
	mu       sync.Mutex
	calls    int
	request  *http.Request
	body     string
	err      error
	exchange call.Request
	caller   call.Caller
	known    bool
}

func (s *seen) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	s.request = r
	if r.Body != nil {
		var buf bytes.Buffer
		_, s.err = buf.ReadFrom(r.Body)
		s.body = buf.String()
	}
	s.exchange = call.ExchangeFrom(r.Context()).Request()
	s.caller, s.known = call.CallerFrom(r.Context())
	w.WriteHeader(http.StatusAccepted)
}

// must returns a constructor's result.
func must(tb testing.TB) func(func(http.Handler) http.Handler, error) func(http.Handler) http.Handler {
	tb.Helper()
	return func(mw func(http.Handler) http.Handler, err error) func(http.Handler) http.Handler {
		tb.Helper()
		if err != nil {
			tb.Fatalf("constructor: %v", err)
		}
		return mw
	}
}

// lines returns a logger and the lines it has written, without times.
func lines() (*slog.Logger, *bytes.Buffer) {
	var buf bytes.Buffer
	return slog.New(slog.NewTextHandler(&buf, &slog.HandlerOptions{
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		},
	})), &buf
}
