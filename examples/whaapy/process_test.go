package main_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
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
	dir, err := os.MkdirTemp("", "portavoz-whaapy-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "server")
	args := []string{"build", "-buildvcs=false", "-o", binary}
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		args = append(args, "-race") // a data race in the server then fails its exit code
	}
	if out, err := exec.Command("go", append(args, ".")...).CombinedOutput(); err != nil {
		return 0, fmt.Errorf("go build: %w\n%s", err, out)
	}
	return m.Run(), nil
}

// The secrets that the processes under test accept, and what signs their sessions.
const (
	asixtoSecret = "s3cret-of-asixto"
	whaapySecret = "s3cret-of-whaapy"
	sessionKey   = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
)

// process is a running server, with the URLs that it printed.
type process struct{ asixto, whaapy, health string }

// start runs the server on free ports. When the test ends it gets SIGTERM and has to end
// with code 0.
func start(t *testing.T) process {
	t.Helper()
	return startWith(t, sessionKey)
}

// startWith is start with other session keys, separated by commas.
func startWith(t *testing.T, sessionKeys string) process {
	t.Helper()
	ctx, kill := context.WithCancel(context.WithoutCancel(t.Context()))
	cmd := exec.CommandContext(ctx, binary)
	cmd.Env = []string{
		"ADDR=127.0.0.1:0", "HEALTH_ADDR=127.0.0.1:0", "SESSION_KEYS=" + sessionKeys,
		"TOKENS=asixto=" + asixtoSecret + ",whaapy=" + whaapySecret,
	}
	stderr := new(output)
	cmd.Stderr = stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var p process
	lines := bufio.NewScanner(stdout)
	for _, line := range []struct {
		prefix string
		url    *string
	}{{"Asixto en ", &p.asixto}, {"Whaapy en ", &p.whaapy}, {"Salud en ", &p.health}} {
		var ok bool
		if !lines.Scan() {
			_ = cmd.Wait()
			t.Fatalf("the server printed no address; stderr:\n%s", stderr)
		}
		if *line.url, ok = strings.CutPrefix(lines.Text(), line.prefix); !ok {
			t.Fatalf("stdout line = %q, want %q", lines.Text(), line.prefix)
		}
	}
	t.Cleanup(func() {
		defer kill()
		http.DefaultClient.CloseIdleConnections() // the server waits 5 s for one that was never used
		late := time.AfterFunc(time.Minute, kill)
		defer late.Stop()
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Error(err)
		}
		_, _ = io.Copy(io.Discard, stdout)
		if err := cmd.Wait(); err != nil {
			t.Errorf("the server ended with %v; stderr:\n%s", err, stderr)
		}
	})
	return p
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
