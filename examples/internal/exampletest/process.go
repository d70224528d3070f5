// Package exampletest runs the program of an example as its users do: built, as a process
// of its own, over HTTP.
package exampletest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Patience bounds whatever takes as long as it takes.
const Patience = time.Minute

// Main is for TestMain: it builds the program of the folder, stores where it lies, runs the
// tests and then what comes after them, and returns the exit code.
func Main(m *testing.M, binary *string, after ...func() error) int {
	code, err := buildAndRun(m, binary)
	for _, f := range after {
		err = errors.Join(err, f())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

func buildAndRun(m *testing.M, binary *string) (int, error) {
	dir, err := os.MkdirTemp("", "portavoz-example-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	*binary = filepath.Join(dir, "server")
	args := []string{"build", "-buildvcs=false", "-o", *binary}
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		args = append(args, "-race") // a data race in the program then fails its exit code
	}
	if out, err := exec.Command("go", append(args, ".")...).CombinedOutput(); err != nil {
		return 0, fmt.Errorf("go build: %w\n%s", err, out)
	}
	return m.Run(), nil
}

// Command prepares a program to listen on free ports of the loopback, with no other
// environment than env, of which the last value of a name counts.
func Command(ctx context.Context, binary string, env ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, binary)
	cmd.Env = append([]string{"ADDR=127.0.0.1:0", "HEALTH_ADDR=127.0.0.1:0"}, env...)
	return cmd
}

// Process is a running program.
type Process struct {
	URLs   []string // that it printed, in the order of the prefixes
	Stderr *Output

	cmd    *exec.Cmd
	exited chan struct{} // closed when the process has ended
	killed bool
}

// Start starts a program, which prints a line with each of the prefixes and a URL. When the
// test ends it gets SIGTERM and has to end with code 0, unless the test killed it.
func Start(t testing.TB, binary string, env []string, prefixes ...string) *Process {
	t.Helper()
	p := &Process{
		Stderr: new(Output), exited: make(chan struct{}),
		cmd: Command(context.WithoutCancel(t.Context()), binary, env...),
	}
	p.cmd.Stderr = p.Stderr
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	unwatch := watch(p.cmd.Process.Pid)
	p.URLs, err = readURLs(stdout, prefixes)
	if err != nil {
		_ = p.cmd.Process.Kill() // it may have ended
		_ = p.cmd.Wait()
		unwatch()
		t.Fatalf("%v; stderr:\n%s", err, p.Stderr)
	}
	go func() {
		_, _ = io.Copy(io.Discard, stdout)
		_ = p.cmd.Wait() // the exit code is read from ProcessState
		unwatch()
		close(p.exited)
	}()
	t.Cleanup(func() {
		if p.killed {
			return
		}
		http.DefaultClient.CloseIdleConnections() // the program waits 5 s for one that was never used
		p.Terminate(t)
		p.Wait(t)
		if code := p.cmd.ProcessState.ExitCode(); code != 0 {
			t.Errorf("exit code = %d, want 0; stderr:\n%s", code, p.Stderr)
		}
	})
	return p
}

// watch kills a process if the tests do not come to their end: then the pipe is closed all
// the same. It returns what ends the watch, for when the process has ended.
func watch(pid int) (end func()) {
	const script = `cat >&2; kill -s KILL "$1" 2>&-`
	cmd := exec.CommandContext(context.Background(), "sh", "-c", script, "sh", strconv.Itoa(pid))
	if _, err := cmd.StdinPipe(); err != nil || cmd.Start() != nil {
		return func() {} // there is no shell here
	}
	return func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
	}
}

func readURLs(stdout io.Reader, prefixes []string) ([]string, error) {
	var urls []string
	lines := bufio.NewScanner(stdout)
	for _, prefix := range prefixes {
		if !lines.Scan() {
			return nil, errors.Join(fmt.Errorf("the program printed no line with %q", prefix), lines.Err())
		}
		url, ok := strings.CutPrefix(lines.Text(), prefix)
		if !ok || !strings.HasPrefix(url, "http://127.0.0.1:") {
			return nil, fmt.Errorf("stdout line = %q, want %q and a URL", lines.Text(), prefix)
		}
		urls = append(urls, url)
	}
	return urls, nil
}

// Pid is the number of the process.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Ended says whether the process has ended.
func (p *Process) Ended() bool {
	select {
	case <-p.exited:
		return true
	default:
		return false
	}
}

// Terminate sends SIGTERM, if the process is still there.
func (p *Process) Terminate(t testing.TB) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Error(err)
	}
}

// Kill sends SIGKILL and waits for the end. The exit code does not matter then.
func (p *Process) Kill(t testing.TB) {
	t.Helper()
	p.killed = true
	if err := p.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Error(err)
	}
	<-p.exited
}

// Wait waits for the process to end, and kills one that does not.
func (p *Process) Wait(t testing.TB) {
	t.Helper()
	select {
	case <-p.exited:
	case <-time.After(Patience):
		_ = p.cmd.Process.Kill()
		<-p.exited
		t.Errorf("the program did not end; stderr:\n%s", p.Stderr)
	}
}
