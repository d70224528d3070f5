package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// TestBare is what the certifier says of a server of mcp-go as its
// documentation shows how to write one.
func TestBare(t *testing.T) {
	t.Parallel()
	srv := server.NewMCPServer("orders", "1.0.0", server.WithToolCapabilities(false))
	srv.AddTool(mcp.NewTool("get_order", mcp.WithDescription("Get an order by its code"),
		mcp.WithReadOnlyHintAnnotation(true), mcp.WithString("code", mcp.Required())),
		func(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if code := req.GetString("code", ""); code != "prueba" { // what is made up where only the schema is known
				return nil, fmt.Errorf("orders/store.go:41: order %q: dial tcp 10.0.0.7:5432: i/o timeout", code)
			}
			return mcp.NewToolResultText("Arrives 2030-03-14, see https://orders.example.com/track.pdf"), nil
		})
	created := 0
	srv.AddTool(mcp.NewTool("create_order", mcp.WithDescription("Create an order of a product"), mcp.WithString("product", mcp.Required())),
		func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			created++
			return mcp.NewToolResultText(fmt.Sprintf("Created %d", created)), nil
		})
	url := serve(t, server.NewStreamableHTTPServer(srv))

	for name, flags := range map[string][]string{
		"bare.es.txt":    nil,
		"bare.en.txt":    {"-lang", "en"},
		"bare.json":      {"-json"},
		"bare.junit.xml": {"-junit", "-lang", "en"},
	} {
		r := certifyAt(t, url, flags...)
		if r.code != exitFailed || r.stderr != "" {
			t.Errorf("%s: exit code = %d, stderr %q, want 1 and none", name, r.code, r.stderr)
		}
		golden(t, name, r.stdout)
	}
	if created > 0 {
		t.Errorf("a tool that writes ran %d times without -allow-writes", created)
	}
}

// TestExampleServer builds the example server and runs the certifier against
// it: everything that can be verified is right.
func TestExampleServer(t *testing.T) {
	t.Parallel()
	binary := filepath.Join(t.TempDir(), "server")
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", binary, "../server").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), binary)
	cmd.Env = []string{"ADDR=127.0.0.1:0", "HEALTH_ADDR=127.0.0.1:0", "TOKENS=ci=" + secret, "RATE_LIMIT=1ms,200"}
	lines := startServer(t, cmd)
	endpoint, health := lastWord(t, lines), lastWord(t, lines)

	r := certifyAt(t, endpoint, "-token", secret, "-profile", "asixto", "-allow-writes", "all", "-args", "testdata/example.json", "-health", health)
	if r.code != exitClean {
		t.Errorf("exit code = %d, want 0; stderr %q", r.code, r.stderr)
	}
	golden(t, "example.txt", r.stdout)
}

// TestExampleDesk: each face of the server for two gateways is right for its own, and
// not even a should is broken.
func TestExampleDesk(t *testing.T) {
	t.Parallel()
	binary := filepath.Join(t.TempDir(), "whaapy")
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", binary, "../whaapy").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), binary)
	cmd.Env = []string{"ADDR=127.0.0.1:0", "HEALTH_ADDR=127.0.0.1:0", "TOKENS=ci=" + secret}
	lines := startServer(t, cmd)
	var urls []string
	for len(urls) < 3 && lines.Scan() {
		for word := range strings.FieldsSeq(lines.Text()) {
			if strings.HasPrefix(word, "http://") {
				urls = append(urls, word)
			}
		}
	}
	faces := 0
	for _, url := range urls {
		profile := "asixto"
		if strings.HasSuffix(url, "/whaapy/mcp") {
			profile = "whaapy"
		} else if !strings.HasSuffix(url, "/asixto/mcp") {
			continue // health
		}
		faces++
		r := certifyAt(t, url, "-token", secret, "-profile", profile, "-allow-writes", "all", "-args", "testdata/desk.json", "-json")
		got := decodeReport(t, r.stdout)
		if r.code != exitClean || len(got.Report.Findings) > 0 {
			t.Errorf("%s: exit code %d, findings %+v, stderr %q, want 0 and none", url, r.code, got.Report.Findings, r.stderr)
		}
	}
	if faces != 2 {
		t.Errorf("the server names %d of its two endpoints: %v", faces, urls)
	}
}

// startServer runs a server until the test ends. The lines are those of its
// standard output.
func startServer(t *testing.T, cmd *exec.Cmd) *bufio.Scanner {
	t.Helper()
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
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Error(err)
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("the server ended with %v\n%s", err, stderr.Bytes())
		}
	})
	return bufio.NewScanner(stdout)
}

// lastWord is that of the next line, which is an address.
func lastWord(t *testing.T, lines *bufio.Scanner) string {
	t.Helper()
	if !lines.Scan() {
		t.Fatal("the server printed no address")
	}
	line := lines.Text()
	return line[strings.LastIndexByte(line, ' ')+1:]
}

// TestHost: a 403 because of the Host header is told apart from a credential
// that is refused.
func TestHost(t *testing.T) {
	t.Parallel()
	good := protect(t, new(shop).handler(t)) // mcp-go's own check refuses the name
	url := serve(t, good)
	r := certifyAt(t, url, "-token", secret, "-H", "Host=mcp.example.com", "-json")
	got := decodeReport(t, r.stdout)
	if len(got.Report.Findings) != 1 || got.Report.Findings[0].Rule != "host-refused" || r.code != exitCannot || got.Complete {
		t.Errorf("exit code %d, findings %v, want 2 and host-refused", r.code, got.Report.Findings)
	}
	if want := "host-refused"; !strings.Contains(r.stderr, want) {
		t.Errorf("stderr = %q, want %q in it", r.stderr, want)
	}
}

// TestCannot are the ways in which a server cannot be asked.
func TestCannot(t *testing.T) {
	t.Parallel()
	good := serve(t, protect(t, new(shop).handler(t)))
	empty := serve(t, http.NotFoundHandler())
	for name, tt := range map[string]struct {
		args []string
		want string
	}{
		"no credential":    {[]string{good}, "refuses the credential"},
		"wrong credential": {[]string{"-token", "guess", good}, "refuses the credential"},
		"no MCP":           {[]string{empty}, "no MCP server"},
		"nobody":           {[]string{"http://user:passw0rd@127.0.0.1:1/?key=private"}, "refused"},
		"no URL":           {nil, "one URL"},
		"wrong scheme":     {[]string{"ftp://x"}, "not one of http"},
		"both formats":     {[]string{"-json", "-junit", good}, "exclude"},
		"profile":          {[]string{"-profile", "other", good}, "unknown profile"},
		"language":         {[]string{"-lang", "fr", good}, "-lang"},
		"no file":          {[]string{"-args", "testdata/none.json", good}, "-args"},
		"wrong file":       {[]string{"-args", "testdata/wrong.json", good}, `"crear_pedido"`},
		"header":           {[]string{"-H", "X-API-Key", good}, "name=value"},
		"flags last":       {[]string{good, "-json"}, "the flags stand before the URL"},
		"two URLs":         {[]string{good, good}, "want one URL, got 2"},
		"unknown flag":     {[]string{"-tokn", "x", good}, "certify: flag provided but not defined: -tokn (certify -h lists the flags)\n"},
		"health":           {[]string{"-health", "127.0.0.1:8081/private", good}, "-health: want a URL of http or https"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var stdout, stderr bytes.Buffer
			if code := run(t.Context(), tt.args, &stdout, &stderr); code != exitCannot || strings.Count(stderr.String(), tt.want) != 1 {
				t.Errorf("exit code = %d, stderr %q, want 2 and %q once", code, stderr.String(), tt.want)
			}
			if strings.Contains(stdout.String(), "no hubo con qué") {
				t.Errorf("the report does not say that the run ended before:\n%s", stdout.String())
			}
			for _, private := range []string{"passw0rd", "private", "guess"} {
				if strings.Contains(stdout.String()+stderr.String(), private) {
					t.Errorf("%q is in the output:\n%s%s", private, stdout.String(), stderr.String())
				}
			}
		})
	}
}

// TestHelp: -h is no mistake, and says what the exit codes are.
func TestHelp(t *testing.T) {
	t.Parallel()
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), []string{"-h"}, &stdout, &stderr); code != exitClean || stdout.Len() > 0 {
		t.Errorf("exit code %d, stdout %q, want 0 and none", code, stdout.String())
	}
	for _, want := range []string{"usage: certify [flags] URL", "-allow-writes", "exit code: 0 "} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("help lacks %q:\n%s", want, stderr.String())
		}
	}
}

// TestUserInfo: credentials in the URL are credentials like others.
func TestUserInfo(t *testing.T) {
	t.Parallel()
	opt, err := parseOptions([]string{"http://ana:passw0rd@127.0.0.1:1/mcp?x=1"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if opt.url != "http://127.0.0.1:1/mcp?x=1" || opt.shown != "http://127.0.0.1:1/mcp" {
		t.Errorf("URL = %q, shown as %q", opt.url, opt.shown)
	}
	if got := opt.header.Get("Authorization"); got != "Basic YW5hOnBhc3N3MHJk" {
		t.Errorf("Authorization = %q, want Basic", got)
	}
}
