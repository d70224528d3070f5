package transport_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/portavoz/portavoz/middleware/transport"
)

// dial starts h behind a real server and returns a connection to it.
func dial(t *testing.T, h http.Handler) net.Conn {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

func gateway(t *testing.T, next http.Handler) http.Handler {
	t.Helper()
	h, err := transport.Gateway(next, transport.Bearer("asixto", current))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func send(t *testing.T, conn net.Conn, text string) {
	t.Helper()
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatalf("write: %v", err)
	}
}

// receive reads one answer, and whether the server closes the connection then.
func receive(t *testing.T, conn net.Conn) (*http.Response, bool) {
	t.Helper()
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatalf("read the answer: %v", err)
	}
	return resp, resp.Close
}

const start = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAuthorization: Bearer " + current + "\r\n"

func TestWireChunks(t *testing.T) {
	t.Parallel()
	var next seen
	conn := dial(t, gateway(t, &next))
	body := modern("a")
	send(t, conn, start+"Transfer-Encoding: chunked\r\n\r\n")
	for _, part := range []string{body[:50], body[50:]} {
		send(t, conn, fmt.Sprintf("%x\r\n%s\r\n", len(part), part))
	}
	send(t, conn, "0\r\n\r\n")
	if resp, _ := receive(t, conn); resp.StatusCode != http.StatusAccepted {
		t.Errorf("status = %d, want the server's answer", resp.StatusCode)
	}
	if next.body != body || next.request.Header.Get("Mcp-Protocol-Version") != "2026-07-28" {
		t.Errorf("body = %q with %v, want it whole and completed", next.body, next.request.Header)
	}
}

func TestWireChunksTooLong(t *testing.T) {
	t.Parallel()
	logger, _ := lines()
	for name, h := range map[string]http.Handler{
		"gateway":         gateway(t, &seen{}),
		"behind a log":    transport.Log(logger)(gateway(t, &seen{})),
		"headers alone":   transport.Headers()(&seen{}),
		"the limit alone": transport.BodyLimit(0)(&seen{}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn := dial(t, h)
			send(t, conn, start+"Transfer-Encoding: chunked\r\n\r\n200000\r\n"+strings.Repeat(" ", 1<<20+1)) // and no more
			resp, closes := receive(t, conn)
			resp.Header.Set("Connection", "close") // consumed by ReadResponse
			checkAnswer(t, resp, refusal(413, -32600, "The request body is longer than the 1048576 bytes this server accepts.", "Connection", "close"))
			if !closes {
				t.Error("the connection stays open behind a body nobody read")
			}
		})
	}
}

func TestWireExpectContinue(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		head string
		want []int
	}{
		"without a credential": {"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n", []int{401}},
		"too long":             {start + "Content-Length: 2000000\r\n", []int{413}},
		"accepted":             {start + "Content-Length: 2\r\n", []int{100, 202}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn := dial(t, gateway(t, &seen{}))
			send(t, conn, tc.head+"Expect: 100-continue\r\n\r\n")
			r := bufio.NewReader(conn)
			for i, want := range tc.want {
				resp, err := http.ReadResponse(r, nil)
				if err != nil || resp.StatusCode != want {
					t.Fatalf("answer %d = %v, %v, want %d", i, resp, err, want)
				}
				if want == 100 {
					send(t, conn, "{}")
				}
			}
		})
	}
}

func TestWireHeaderNamesInAnyCase(t *testing.T) {
	t.Parallel()
	var next seen
	conn := dial(t, gateway(t, &next))
	body := modern("a")
	send(t, conn, start+fmt.Sprintf("mcp-name: a\r\nMCP-NAME: b\r\nContent-Length: %d\r\n\r\n%s", len(body), body))
	resp, _ := receive(t, conn)
	want := refusal(400, -32020, "")
	want.body = rpcError("7", -32020, "The request has two Mcp-Name headers that differ.")
	checkAnswer(t, resp, want)
	if next.calls != 0 {
		t.Error("the server was called")
	}
}

func TestWireClientLeaves(t *testing.T) {
	t.Parallel()
	var next seen
	answered := make(chan int, 1)
	h := gateway(t, &next)
	conn := dial(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, r)
		answered <- rec.Code
	}))
	send(t, conn, start+"Content-Length: 100\r\n\r\n{\"method\":")
	_ = conn.Close()
	if got := <-answered; got != http.StatusBadRequest || next.calls != 0 {
		t.Errorf("status = %d after %d calls, want 400 and none", got, next.calls)
	}
}

func TestWireSlowClient(t *testing.T) {
	t.Parallel()
	h := gateway(t, &seen{})
	conn := dial(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// as if ReadTimeout had passed
		if err := http.NewResponseController(w).SetReadDeadline(time.Now().Add(-time.Second)); err != nil {
			t.Errorf("SetReadDeadline: %v", err)
		}
		h.ServeHTTP(w, r)
	}))
	send(t, conn, start+"Content-Length: 100\r\n\r\n{\"method\":")
	resp, closes := receive(t, conn)
	resp.Header.Set("Connection", "close") // consumed by ReadResponse
	checkAnswer(t, resp, refusal(408, -32700, "The request body did not arrive in time.", "Connection", "close"))
	if !closes {
		t.Error("the connection stays open behind half a body")
	}
}

func TestWireHead(t *testing.T) {
	t.Parallel()
	conn := dial(t, gateway(t, &seen{}))
	send(t, conn, "HEAD /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n")
	resp, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: http.MethodHead})
	if err != nil {
		t.Fatal(err)
	}
	if body, _ := io.ReadAll(resp.Body); resp.StatusCode != http.StatusUnauthorized || len(body) > 0 {
		t.Errorf("answer = %d %q, want 401 without a body", resp.StatusCode, body)
	}
}

func TestPreflightNeedsACredential(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequest(http.MethodOptions, "/mcp", nil)
	r.Header.Set("Origin", "https://app.example.com")
	r.Header.Set("Access-Control-Request-Method", "POST")
	checkAnswer(t, serve(gateway(t, &seen{}), r).Result(), unauthorized)
}
