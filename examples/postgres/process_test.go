package main_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// binary is the server, built once by TestMain.
var binary string

func TestMain(m *testing.M) {
	code, err := buildAndRun(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func buildAndRun(m *testing.M) (int, error) {
	dir, err := os.MkdirTemp("", "portavoz-postgres-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "server")
	args := []string{"build", "-o", binary}
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		args = append(args, "-race") // a data race in the server then fails its exit code
	}
	if out, err := exec.Command("go", append(args, ".")...).CombinedOutput(); err != nil {
		return 0, fmt.Errorf("go build: %w\n%s", err, out)
	}
	code := m.Run()
	return code, errors.Join(postgres.remove(), mariaDB.remove())
}

// secret is the credential that the processes under test accept, for the
// principal "asixto".
const secret = "s3cret-of-the-postgres-test"

// process is a running server.
type process struct {
	gateway
	health string // URL of its root
	cmd    *exec.Cmd
	stderr *output
	exited chan struct{} // closed when the process has ended
}

// start runs the server on free ports and the database at url. When the test ends
// the process gets SIGTERM, if it is still there, and has to end with code 0.
func start(t *testing.T, url string, env ...string) *process {
	t.Helper()
	p := &process{stderr: new(output), exited: make(chan struct{})}
	p.cmd = command(context.WithoutCancel(t.Context()), append([]string{"DATABASE_URL=" + url}, env...)...)
	p.cmd.Stderr = p.stderr
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stdout)
	p.gateway = gateway{p.address(t, lines, `^MCP en (http://127\.0\.0\.1:\d+/mcp)$`)}
	p.health = strings.TrimSuffix(p.address(t, lines, `^Salud en (http://127\.0\.0\.1:\d+/salud)$`), "/salud")
	go func() {
		_, _ = io.Copy(io.Discard, stdout)
		_ = p.cmd.Wait() // the exit code is read from ProcessState
		close(p.exited)
	}()
	t.Cleanup(func() {
		if p.ended() {
			return // the test killed it
		}
		p.signal(t, syscall.SIGTERM)
		if code := p.cmd.ProcessState.ExitCode(); code != 0 {
			t.Errorf("exit code = %d, want 0; stderr:\n%s", code, p.stderr)
		}
	})
	return p
}

// command prepares the binary with an environment of its own.
func command(ctx context.Context, env ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, binary)
	cmd.Env = append([]string{"ADDR=127.0.0.1:0", "HEALTH_ADDR=127.0.0.1:0", "TOKENS=asixto=" + secret}, env...) // the last one of a name counts
	return cmd
}

func (p *process) address(t *testing.T, lines *bufio.Scanner, pattern string) string {
	t.Helper()
	if !lines.Scan() {
		_ = p.cmd.Wait()
		t.Fatalf("the server printed no address; stderr:\n%s", p.stderr)
	}
	match := regexp.MustCompile(pattern).FindStringSubmatch(lines.Text())
	if match == nil {
		t.Fatalf("stdout line = %q, want %s", lines.Text(), pattern)
	}
	return match[1]
}

func (p *process) ended() bool {
	select {
	case <-p.exited:
		return true
	default:
		return false
	}
}

// signal sends a signal that ends the process, waits for the end, and kills a
// process that does not end.
func (p *process) signal(t *testing.T, sig os.Signal) {
	t.Helper()
	if err := p.cmd.Process.Signal(sig); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Error(err)
	}
	select {
	case <-p.exited:
	case <-time.After(patience):
		_ = p.cmd.Process.Kill()
		<-p.exited
		t.Errorf("the server did not end after %v; stderr:\n%s", sig, p.stderr)
	}
}

// output is a buffer that a process writes while the test reads.
type output struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.String()
}

// eventually asks again until it gets yes. There is nothing to wait on in
// another process; the ticker only keeps the question cheap.
func eventually(t testing.TB, what string, yes func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), patience)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !yes() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("not within %v: %s", patience, what)
		}
	}
}
