package errors_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/portavoz/portavoz/errors"
)

// TestFromNetwork fails for real, on the loopback interface.
func TestFromNetwork(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		fail func(*testing.T) error
		want reading
	}{
		"dial refused":              {dialRefused, unavailable},
		"dial refused below http":   {getRefused, unavailable},
		"dial timed out":            {dialTimedOut, unavailable},
		"dial canceled":             {dialCanceled, canceledBefore},
		"name lookup":               {lookup, unavailable},
		"name lookup while dialing": {dialUnknownName, unavailable},
		"http client timeout":       {clientTimeout, timeout},
		"request deadline":          {requestDeadline, timeout},
		"request canceled":          {requestCanceled, canceled},
		"read deadline":             {readDeadline, timeout},
		"reset while reading":       {resetWhileReading, connectionLost},
		"reset below http":          {resetBelowHTTP, connectionLost},
		"closed without an answer":  {closedWithoutAnswer, connectionLost},
		"closed in the answer":      {closedInAnswer, connectionLost},
		"write to a closed stream":  {writeToClosed, connectionLost},
		"read from a closed socket": {readFromClosed, connectionLost},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := tc.fail(t)
			if err == nil {
				t.Fatal("nothing failed")
			}
			got := errors.From(fmt.Errorf("crm: %w", err))
			if read(got) != tc.want {
				t.Errorf("From(%v) = %+v, want %+v", err, read(got), tc.want)
			}
			if got.UserMessage != "" {
				t.Errorf("UserMessage = %q, want none", got.UserMessage)
			}
		})
	}
}

// TestFromNetworkMade holds what cannot be provoked on every machine.
func TestFromNetworkMade(t *testing.T) {
	t.Parallel()
	op := func(name string, err error) error { return &net.OpError{Op: name, Net: "tcp", Err: err} }
	call := func(n syscall.Errno) error { return os.NewSyscallError("connect", n) }
	for name, tc := range map[string]struct {
		err  error
		want reading
	}{
		"no such host":                   {&net.DNSError{Err: "no such host", IsNotFound: true}, unavailable},
		"lookup timed out":               {&net.DNSError{Err: "i/o timeout", IsTimeout: true}, unavailable},
		"lookup failed reading":          {&net.DNSError{UnwrapErr: op("read", os.ErrDeadlineExceeded)}, unavailable},
		"no route while dialing":         {op("dial", call(syscall.EHOSTUNREACH)), unavailable},
		"no network while dialing":       {op("dial", call(syscall.ENETUNREACH)), unavailable},
		"no route afterwards":            {op("read", call(syscall.EHOSTUNREACH)), connectionLost},
		"no route, nobody says when":     {syscall.EHOSTUNREACH, connectionLost},
		"refused, bare":                  {syscall.ECONNREFUSED, unavailable},
		"refused after a datagram":       {op("read", call(syscall.ECONNREFUSED)), connectionLost},
		"redial after a lost connection": {op("read", op("dial", call(syscall.ECONNREFUSED))), connectionLost},
		"dial through a proxy":           {op("proxyconnect", op("dial", call(syscall.ECONNREFUSED))), unavailable},
		"reset, bare":                    {syscall.ECONNRESET, connectionLost},
		"connection timed out":           {op("read", call(syscall.ETIMEDOUT)), timeout},
		"write, an odd number":           {op("write", syscall.Errno(10054)), connectionLost},
		"no permission to dial":          {op("dial", call(syscall.EACCES)), unavailable},
		"a file, not a connection":       {&os.PathError{Op: "read", Path: "/x", Err: syscall.EIO}, unknown},
		"an address that does not parse": {&url.Error{Op: "parse", URL: ":", Err: errors.New("missing scheme")}, unknown},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := errors.From(tc.err); read(got) != tc.want {
				t.Errorf("From(%v) = %+v, want %+v", tc.err, read(got), tc.want)
			}
		})
	}
}

// closedPort returns an address where nobody listens.
func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// serveOnce accepts one connection, hands it to serve, and closes it.
func serveOnce(t *testing.T, serve func(*net.TCPConn)) string {
	t.Helper()
	l, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		conn, err := l.AcceptTCP()
		if err != nil {
			return // the test ended before it dialed
		}
		defer conn.Close()
		serve(conn)
	}()
	t.Cleanup(func() {
		l.Close()
		<-done
	})
	return l.Addr().String()
}

// get asks for url on a connection of its own, and reads the answer.
func get(ctx context.Context, t *testing.T, limit time.Duration, url string) error {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	client := &http.Client{Transport: transport, Timeout: limit}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.ReadAll(resp.Body)
	return err
}

// silent is a server that never answers; begun is closed when it was asked.
func silent(t *testing.T) (url string, begun chan struct{}) {
	t.Helper()
	begun = make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(begun)
		<-r.Context().Done()
	}))
	t.Cleanup(s.Close)
	return s.URL, begun
}

func dialRefused(t *testing.T) error {
	t.Helper()
	var d net.Dialer
	_, err := d.DialContext(t.Context(), "tcp", closedPort(t))
	return err
}

func getRefused(t *testing.T) error {
	t.Helper()
	return get(t.Context(), t, 0, "http://"+closedPort(t))
}

func dialTimedOut(t *testing.T) error {
	t.Helper()
	d := net.Dialer{Timeout: time.Nanosecond}
	_, err := d.DialContext(t.Context(), "tcp", closedPort(t))
	return err
}

func dialCanceled(t *testing.T) error {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var d net.Dialer
	_, err := d.DialContext(ctx, "tcp", closedPort(t))
	return err
}

// offline is a resolver whose name server cannot be reached.
func offline() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		return nil, errors.New("offline")
	}}
}

func lookup(t *testing.T) error {
	t.Helper()
	_, err := offline().LookupHost(t.Context(), "crm.invalid")
	return err
}

func dialUnknownName(t *testing.T) error {
	t.Helper()
	d := net.Dialer{Resolver: offline()}
	_, err := d.DialContext(t.Context(), "tcp", "crm.invalid:80")
	return err
}

func clientTimeout(t *testing.T) error {
	t.Helper()
	url, _ := silent(t)
	return get(t.Context(), t, 50*time.Millisecond, url)
}

func requestDeadline(t *testing.T) error {
	t.Helper()
	url, _ := silent(t)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	return get(ctx, t, 0, url)
}

func requestCanceled(t *testing.T) error {
	t.Helper()
	url, begun := silent(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		<-begun
		cancel()
	}()
	return get(ctx, t, 0, url)
}

// connect dials a server that holds the connection open until the test ends.
func connect(t *testing.T) *net.TCPConn {
	t.Helper()
	release := make(chan struct{})
	addr := serveOnce(t, func(*net.TCPConn) { <-release })
	t.Cleanup(func() { close(release) })
	return dial(t, addr)
}

func dial(t *testing.T, addr string) *net.TCPConn {
	t.Helper()
	peer, err := net.ResolveTCPAddr("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.DialTCP("tcp", nil, peer)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

func readDeadline(t *testing.T) error {
	t.Helper()
	conn := connect(t)
	if err := conn.SetReadDeadline(time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	_, err := conn.Read(make([]byte, 1))
	return err
}

func resetWhileReading(t *testing.T) error {
	t.Helper()
	conn := dial(t, serveOnce(t, func(conn *net.TCPConn) {
		_, _ = conn.Read(make([]byte, 1))
		_ = conn.SetLinger(0)
	}))
	if _, err := conn.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	_, err := conn.Read(make([]byte, 1))
	return err
}

// answerOnce reads one request, writes answer, and leaves the rest to end.
func answerOnce(t *testing.T, answer string, end func(*net.TCPConn)) string {
	t.Helper()
	return "http://" + serveOnce(t, func(conn *net.TCPConn) {
		if _, err := http.ReadRequest(bufio.NewReader(conn)); err != nil {
			t.Error(err)
		}
		if _, err := io.WriteString(conn, answer); err != nil {
			t.Error(err)
		}
		end(conn)
	})
}

func resetBelowHTTP(t *testing.T) error {
	t.Helper()
	return get(t.Context(), t, 0, answerOnce(t, "", func(conn *net.TCPConn) { _ = conn.SetLinger(0) }))
}

func closedWithoutAnswer(t *testing.T) error {
	t.Helper()
	return get(t.Context(), t, 0, answerOnce(t, "", func(*net.TCPConn) {}))
}

func closedInAnswer(t *testing.T) error {
	t.Helper()
	const half = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"
	return get(t.Context(), t, 0, answerOnce(t, half, func(*net.TCPConn) {}))
}

func writeToClosed(t *testing.T) error {
	t.Helper()
	conn := connect(t)
	if err := conn.CloseWrite(); err != nil {
		t.Fatal(err)
	}
	_, err := conn.Write([]byte("x"))
	return err
}

func readFromClosed(t *testing.T) error {
	t.Helper()
	conn := connect(t)
	conn.Close()
	_, err := conn.Read(make([]byte, 1))
	return err
}
