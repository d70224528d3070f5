package main_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/portavoz/portavoz/examples/internal/exampletest"
)

// patience bounds whatever takes as long as it takes.
const patience = exampletest.Patience

// redisServer is a redis-server of a test's own, on a free port, with its data in
// a folder of the test.
type redisServer struct {
	addr   string
	args   []string
	cmd    *exec.Cmd
	log    *exampletest.Output
	exited chan struct{} // closed when the process has ended
}

// startRedis starts a server that keeps nothing on disk unless args say so. It
// is killed when the test ends.
func startRedis(t testing.TB, args ...string) *redisServer {
	t.Helper()
	s := &redisServer{args: append([]string{
		"--bind", "127.0.0.1", "--dir", t.TempDir(), "--save", "",
	}, args...)}
	t.Cleanup(func() { s.kill(t) })
	for range 5 { // somebody else may take the port in between
		s.addr = freeAddr(t)
		if s.run(t) {
			return s
		}
	}
	t.Fatalf("redis-server does not start:\n%s", s.log)
	return nil
}

// needRedis skips a test where there is no redis-server. CI, which installs it,
// fails.
func needRedis(t testing.TB) string {
	t.Helper()
	path, err := exec.LookPath("redis-server")
	switch {
	case err == nil:
		return path
	case os.Getenv("PORTAVOZ_LONG") != "":
		t.Fatalf("redis-server is not installed: %v", err)
	default:
		t.Skip("redis-server is not installed (Debian: apt-get install redis-server)")
	}
	return ""
}

// freeAddr is an address nobody listens at. A node of a cluster listens 10,000
// above its port as well.
func freeAddr(t testing.TB) string {
	t.Helper()
	for {
		l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		addr, ok := l.Addr().(*net.TCPAddr)
		l.Close()
		if ok && addr.Port < 55000 {
			return addr.String()
		}
	}
}

// run starts the process and waits until it answers; false says that it ended
// before.
func (s *redisServer) run(t testing.TB) bool {
	t.Helper()
	_, port, _ := strings.Cut(s.addr, ":")
	s.log, s.exited = new(exampletest.Output), make(chan struct{})
	s.cmd = exec.CommandContext(context.WithoutCancel(t.Context()), needRedis(t), append([]string{"--port", port}, s.args...)...)
	s.cmd.Stdout, s.cmd.Stderr = s.log, s.log
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func(cmd *exec.Cmd, exited chan struct{}) {
		_ = cmd.Wait() // it is killed
		close(exited)
	}(s.cmd, s.exited)
	up := false
	exampletest.Eventually(t, "redis-server answers PING", func() bool {
		select {
		case <-s.exited:
			return true
		default:
		}
		conn, err := s.dial(t)
		if err != nil {
			return false
		}
		defer conn.Close()
		up = conn.command("PING") == "+PONG"
		return up
	})
	return up
}

// kill ends the process as a power cut would, and waits for its end.
func (s *redisServer) kill(t testing.TB) {
	t.Helper()
	if s.cmd == nil || s.cmd.Process == nil {
		return
	}
	_ = s.cmd.Process.Kill() // it may have ended
	select {
	case <-s.exited:
	case <-time.After(patience):
		t.Error("redis-server does not end")
	}
}

// restart starts the process again, with the data that it left.
func (s *redisServer) restart(t testing.TB) {
	t.Helper()
	if !s.run(t) {
		t.Fatalf("redis-server does not start again:\n%s", s.log)
	}
}

// rawConn speaks to the server without a client in between.
type rawConn struct {
	net.Conn
	r *bufio.Reader
}

func (s *redisServer) dial(t testing.TB) (*rawConn, error) {
	t.Helper()
	conn, err := (&net.Dialer{Timeout: patience}).Dial("tcp", s.addr)
	if err != nil {
		return nil, err
	}
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	return &rawConn{conn, bufio.NewReader(conn)}, nil
}

// command sends one command and returns its answer: a line, or the text of a
// bulk string, or what went wrong.
func (c *rawConn) command(words ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "*%d\r\n", len(words))
	for _, word := range words {
		fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(word), word)
	}
	if _, err := c.Write([]byte(b.String())); err != nil {
		return err.Error()
	}
	line, err := c.line()
	if err != nil {
		return err.Error()
	}
	n, err := strconv.Atoi(strings.TrimPrefix(line, "$"))
	if !strings.HasPrefix(line, "$") || err != nil || n < 0 {
		return line
	}
	bulk := make([]byte, n+2)
	for read := 0; read < len(bulk); {
		m, err := c.r.Read(bulk[read:])
		if err != nil {
			return err.Error()
		}
		read += m
	}
	return string(bulk[:n])
}

func (c *rawConn) line() (string, error) {
	line, err := c.r.ReadString('\n')
	return strings.TrimRight(line, "\r\n"), err
}

// ask sends one command over a connection of its own, and does not take an error
// for an answer.
func (s *redisServer) ask(t testing.TB, words ...string) string {
	t.Helper()
	conn, err := s.dial(t)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	answer := conn.command(words...)
	if strings.HasPrefix(answer, "-") {
		t.Fatalf("%s: %s", words[0], answer)
	}
	return answer
}

// watch writes down the commands that clients send while f runs, without those
// of scripts and those with which a client opens a connection.
func (s *redisServer) watch(t testing.TB, f func()) []string {
	t.Helper()
	conn, err := s.dial(t)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if answer := conn.command("MONITOR"); answer != "+OK" {
		t.Fatalf("MONITOR: %s", answer)
	}
	f()
	const end = "end-of-the-watch"
	s.ask(t, "ECHO", end)
	var commands []string
	for {
		line, err := conn.line()
		if err != nil {
			t.Fatal(err)
		}
		_, command, ok := strings.Cut(line, `] "`)
		switch {
		case !ok || strings.Contains(line, " lua] "):
		case strings.Contains(command, end):
			return commands
		default:
			name, _, _ := strings.Cut(strings.ToUpper(command), `"`)
			if name != "HELLO" && name != "CLIENT" {
				commands = append(commands, name)
			}
		}
	}
}
