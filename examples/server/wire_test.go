package main_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/portavoz/portavoz/examples/internal/exampletest"
)

// wire is a connection on which a test writes a request by hand.
type wire struct {
	net.Conn
	in *bufio.Reader
}

// openCall sends the headers of a call of a tool with a body of n bytes, and returns
// once the server has begun to read the body: from then on the call is under
// way. The body is the caller's to write.
func openCall(t *testing.T, p *process, tool string, n int) *wire {
	t.Helper()
	host := strings.Split(p.mcp, "/")[2]
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	if err := conn.SetDeadline(time.Now().Add(exampletest.Patience)); err != nil {
		t.Fatal(err)
	}
	w := &wire{conn, bufio.NewReader(conn)}
	w.write(t, fmt.Sprintf("POST /mcp HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n"+
		"Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"+
		"Mcp-Method: tools/call\r\nMcp-Name: %s\r\n"+
		"Content-Length: %d\r\nExpect: 100-continue\r\n\r\n", host, secret, tool, n))
	line, err := w.in.ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "HTTP/1.1 100 ") {
		t.Fatalf("first line = %q (%v), want 100 Continue", line, err)
	}
	if _, err := w.in.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *wire) write(t *testing.T, s string) {
	t.Helper()
	if _, err := io.WriteString(w, s); err != nil {
		t.Fatal(err)
	}
}

// answer reads the final answer.
func (w *wire) answer(t *testing.T) answer {
	t.Helper()
	res, err := http.ReadResponse(w.in, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{res.StatusCode, res.Header, bytes.TrimSpace(body)}
}
