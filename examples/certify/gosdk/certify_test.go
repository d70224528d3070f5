package main_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden reports")

// binaries has the programs, built once by TestMain.
var binaries string

func TestMain(m *testing.M) {
	flag.Parse()
	code, err := buildAndRun(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func buildAndRun(m *testing.M) (int, error) {
	dir, err := os.MkdirTemp("", "portavoz-gosdk-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	binaries = dir
	for name, from := range map[string]string{"gosdk": ".", "certify": ".."} {
		cmd := exec.Command("go", "build", "-buildvcs=false", "-o", filepath.Join(dir, name), ".")
		cmd.Dir = from // the certifier is of another module
		if out, err := cmd.CombinedOutput(); err != nil {
			return 0, fmt.Errorf("go build in %s: %w\n%s", from, err, out)
		}
	}
	return m.Run(), nil
}

// start runs the server on a free port until the test ends.
func start(t *testing.T) (url string) {
	t.Helper()
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), filepath.Join(binaries, "gosdk"))
	cmd.Env = []string{"ADDR=127.0.0.1:0"}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Error(err)
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("the server ended with %v\n%s", err, stderr.Bytes())
		}
	})
	lines := bufio.NewScanner(stdout)
	if !lines.Scan() {
		t.Fatalf("the server printed no address\n%s", stderr.Bytes())
	}
	return lines.Text()
}

// TestReport is what the certifier says of a server of the official Go SDK.
func TestReport(t *testing.T) {
	t.Parallel()
	for profile, want := range map[string]int{"asixto": 1, "core": 0} {
		t.Run(profile, func(t *testing.T) {
			t.Parallel()
			cmd := exec.CommandContext(t.Context(), filepath.Join(binaries, "certify"), "-profile", profile, "-allow-writes", "all", start(t))
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			stdout, err := cmd.Output()
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			if code := cmd.ProcessState.ExitCode(); code != want {
				t.Errorf("exit code = %d, want %d\n%s", code, want, stderr.Bytes())
			}
			golden(t, filepath.Join("testdata", profile+".txt"), string(stdout))
		})
	}
}

// golden compares a report with the one that is kept, its volatile figures apart.
func golden(t *testing.T, path, got string) {
	t.Helper()
	for form, with := range map[string]string{
		`127\.0\.0\.1:\d+`: "127.0.0.1:8090", `(?m)^\d+ solicitudes; \d+`: "N solicitudes; N", `\d+\.\d\d s\b`: "0.00 s",
	} {
		got = regexp.MustCompile(form).ReplaceAllString(got, with)
	}
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("report differs from %s (go test -update):\n%s", path, got)
	}
}
