package transport_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/portavoz/portavoz/middleware/call"
	"github.com/portavoz/portavoz/middleware/transport"
)

// TestInvalidParamsStopsAtTheFirstFlush leaves an answer alone whose header has gone
// out before the arguments were refused.
func TestInvalidParamsStopsAtTheFirstFlush(t *testing.T) {
	t.Parallel()
	for name, begin := range map[string]func(http.ResponseWriter){
		"Flush":              func(w http.ResponseWriter) { w.(http.Flusher).Flush() },
		"ResponseController": func(w http.ResponseWriter) { _ = http.NewResponseController(w).Flush() },
		"WriteHeader":        func(w http.ResponseWriter) { w.WriteHeader(http.StatusOK) },
		"Write":              func(w http.ResponseWriter) { _, _ = io.WriteString(w, " ") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := transport.Headers()(transport.InvalidParams()(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				begin(w)
				exchange := call.ExchangeFrom(r.Context())
				exchange.SetInvalid(call.Invalid{Field: "limit"})
				exchange.AskInvalid()
				_, _ = io.WriteString(w, business)
			})))
			if w := serve(h, post(legacyCall)); strings.TrimSpace(w.Body.String()) != business || w.Code != http.StatusOK {
				t.Errorf("got %d %q, want the server's answer", w.Code, w.Body)
			}
		})
	}
}

// TestInvalidParamsReplacesTheWholeAnswer has a server that prepared an answer of
// another kind, which nothing is left of.
func TestInvalidParamsReplacesTheWholeAnswer(t *testing.T) {
	t.Parallel()
	for name, serveIt := range map[string]http.HandlerFunc{
		"compressed": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.WriteHeader(http.StatusOK)
			_, _ = w.Write([]byte{0x1f, 0x8b})
		},
		"plain text":   func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusInternalServerError) },
		"nothing":      func(http.ResponseWriter, *http.Request) {},
		"only a flush": func(w http.ResponseWriter, _ *http.Request) { w.(http.Flusher).Flush() },
		"large":        func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 1<<20)) },
		"copied":       func(w http.ResponseWriter, _ *http.Request) { _, _ = io.Copy(w, strings.NewReader(business)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkAnswer(t, serve(refusing(true, serveIt), post(legacyCall)).Result(), answer{status: 200, body: invalidRPC + "\n", headers: map[string]string{
				"Content-Type": "application/json", "X-Content-Type-Options": "nosniff",
			}})
		})
	}
}

// TestInvalidParamsNeedsAMessage leaves what is no message of a client, or cannot be
// read as one, to the server.
func TestInvalidParamsNeedsAMessage(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]*http.Request{
		"HEAD":         httptest.NewRequest(http.MethodHead, "/mcp", nil),
		"GET":          httptest.NewRequest(http.MethodGet, "/mcp", nil),
		"a batch":      post("[" + legacyCall + "," + legacyCall + "]"),
		"another type": post(legacyCall, "Content-Type", "text/plain"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "another type" {
				r.Header["Content-Type"] = r.Header["Content-Type"][1:]
			}
			if w := serve(refusing(true, asJSON), r); w.Code != http.StatusOK || w.Body.String() != business+"\n" {
				t.Errorf("got %d %q, want the server's answer", w.Code, w.Body)
			}
		})
	}
}

// TestInvalidParamsLetsTheConnectionGo takes it over below the writer.
func TestInvalidParamsLetsTheConnectionGo(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(refusing(true, func(w http.ResponseWriter, _ *http.Request) {
		conn, out, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Errorf("Hijack: %v", err)
			return
		}
		defer conn.Close()
		_, _ = out.WriteString("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
		_ = out.Flush()
	}))
	defer server.Close()
	resp, err := http.Post(server.URL, "application/json", strings.NewReader(legacyCall))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, err := io.ReadAll(resp.Body); err != nil || string(body) != "ok" {
		t.Errorf("got %q, %v, want what was written to the connection", body, err)
	}
}

// TestInvalidParamsKeepsCallsApart sends calls over one connection, every other one
// with wrong arguments, and then all of them at once.
func TestInvalidParamsKeepsCallsApart(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(transport.Headers()(transport.InvalidParams()(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		exchange := call.ExchangeFrom(r.Context())
		exchange.AskInvalid()
		if id, err := strconv.Atoi(string(exchange.Request().ID)); err != nil || id%2 == 1 {
			exchange.SetInvalid(call.Invalid{Field: "f" + strconv.Itoa(id)})
		}
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{}}`, exchange.Request().ID)
	}))))
	defer server.Close()
	ask := func(id int) {
		resp, err := http.Post(server.URL, "application/json", strings.NewReader(strings.Replace(legacyCall, `"c-1"`, strconv.Itoa(id), 1)))
		if err != nil {
			t.Error(err)
			return
		}
		defer resp.Body.Close()
		line, _ := bufio.NewReader(resp.Body).ReadString('\n')
		want := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{}}`, id)
		if id%2 == 1 {
			want = fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32602,"message":"Invalid arguments","data":{"field":"f%d"}}}`, id, id)
		}
		if got := strings.TrimSpace(line); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	var all sync.WaitGroup
	for id := range 20 {
		if ask(id); id > 3 {
			all.Go(func() { ask(id) })
		}
	}
	all.Wait()
}
