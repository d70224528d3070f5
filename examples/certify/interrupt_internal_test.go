package main

import (
	"bytes"
	"context"
	"encoding/xml"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/portavoz/portavoz/middleware/contract"
)

// TestInterrupt: what was found until then is reported, and nothing that failed
// because of the interruption.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	for _, at := range []string{"server/discover", "tools/list", "tools/call"} {
		t.Run(at, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			good := protect(t, new(shop).handler(t))
			url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Mcp-Method") == at {
					_, _ = io.Copy(io.Discard, r.Body) // from then on the server sees the client go
					cancel()
					<-r.Context().Done() // the client goes first
					return
				}
				good.ServeHTTP(w, r)
			}))
			var stdout, stderr bytes.Buffer
			code := run(ctx, []string{"-token", secret, "-json", url}, &stdout, &stderr)
			got := decodeReport(t, stdout.String())
			if code != exitCannot || got.Complete {
				t.Errorf("exit code = %d, complete %t, want 2 and false; stderr %q", code, got.Complete, stderr.String())
			}
			for _, f := range got.Report.Findings {
				t.Errorf("finding %+v", f)
			}
			if want := "certify: " + errInterrupted.Error() + "\n"; stderr.String() != want {
				t.Errorf("stderr %q, want %q", stderr.String(), want)
			}
			for _, o := range got.Checks {
				if o.Status == skipped && o.Rule == "health-apart" && o.Reason.EN != "the run ended before" {
					t.Errorf("%s was not verified for %q", o.Rule, o.Reason.EN)
				}
			}
			if text := got.text(contract.Spanish); !strings.HasPrefix(text, "INCOMPLETO: ") {
				t.Errorf("report begins %.40q, want INCOMPLETO", text)
			}
		})
	}
}

// TestSignal: Ctrl-C ends the command with a report of what was found until then.
func TestSignal(t *testing.T) {
	t.Parallel()
	reached := make(chan struct{})
	var once sync.Once
	good := protect(t, new(shop).handler(t))
	url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Method") == "tools/call" {
			_, _ = io.Copy(io.Discard, r.Body)
			once.Do(func() { close(reached) })
			<-r.Context().Done()
			return
		}
		good.ServeHTTP(w, r)
	}))
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), asCommand+"=-token "+secret+" -junit -lang en "+url)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case <-reached:
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Error(err)
		}
		<-ended
	case err := <-ended:
		t.Errorf("ended before it called a tool: %v", err)
	}
	if code := cmd.ProcessState.ExitCode(); code != exitCannot || !strings.Contains(stderr.String(), errInterrupted.Error()) {
		t.Errorf("exit code %d, stderr %q, want 2 and that it was interrupted", code, stderr.String())
	}
	var suite junitSuite
	if err := xml.Unmarshal(stdout.Bytes(), &suite); err != nil || suite.Errors != 1 || suite.Failures > 0 || suite.Tests == suite.Skipped {
		t.Errorf("report: %v, %d tests, %d errors, %d failures, %d skipped\n%s", err, suite.Tests, suite.Errors, suite.Failures, suite.Skipped, stdout.Bytes())
	}
}

// TestReadOnly: without the flag nothing that writes is called, and with the name of
// another tool neither.
func TestReadOnly(t *testing.T) {
	t.Parallel()
	for _, flags := range [][]string{nil, {"-allow-writes", "cancelar_pedido, consultar_pedido"}} {
		s := new(shop)
		r := certifyAt(t, serve(t, protect(t, s.handler(t))), append(flags, "-token", secret)...)
		if n := s.orders.Load(); n > 0 || r.code != exitClean {
			t.Errorf("%v: %d orders were made, exit code %d", flags, n, r.code)
		}
		if stranger := strings.Contains(r.stdout, "«cancelar_pedido»"); stranger != (flags != nil) {
			t.Errorf("%v: the report names the tool that is not there: %t", flags, stranger)
		}
		if want := "no se llamaron (-allow-writes): crear_pedido"; !strings.Contains(r.stdout, want) {
			t.Errorf("%v: report does not say %q:\n%s", flags, want, r.stdout)
		}
	}
}

// TestSecret: the credential is in no report, even if the server sends it back.
func TestSecret(t *testing.T) {
	t.Parallel()
	echo := after(func(x *exchange) {
		if x.tool() == "consultar_pedido" && x.failed() {
			x.fail("NOT_FOUND", "No está: "+secret+" "+strings.Repeat("y nada más ", 30))
		}
	})
	url := serve(t, protect(t, echo(new(shop).handler(t))))
	for _, format := range []string{"-lang=es", "-json", "-junit"} {
		r := certifyAt(t, url, "-token", secret, format)
		if strings.Contains(r.stdout+r.stderr, secret) || !strings.Contains(r.stdout, "result-secret") {
			t.Errorf("%s: the credential is in the report, or the finding is not:\n%s", format, r.stdout)
		}
	}
}

// unseenText has what no report may contain: commands of a terminal, what turns the direction
// of a line, what is not seen, and what XML 1.0 has no way to write.
const unseenText = "\x1b\u009b\a\x7f\u202e\u2028\u200b\ufeff\U000e0041"

// TestForgery: a name that a server chose cannot write a line of the report.
func TestForgery(t *testing.T) {
	t.Parallel()
	evil := after(func(x *exchange) {
		if tools, ok := x.res()["tools"].([]any); ok {
			tools[1].(map[string]any)["name"] = "x\nAPROBADO: todo" + unseenText
			objectOf(objectOf(tools[0].(map[string]any), "inputSchema"), "properties")[unseenText+"]]>&<"] = map[string]any{"type": "string", "default": unseenText}
		}
		if x.failed() {
			x.fail("NOT_FOUND", "No\nAPROBADO: todo"+unseenText)
		}
	})
	url := serve(t, protect(t, evil(new(shop).handler(t))))
	for _, format := range []string{"-lang=es", "-junit", "-json"} {
		r := certifyAt(t, url, "-token", secret, format)
		if r.code != exitFailed || strings.Contains(r.stdout, "\nAPROBADO") || strings.ContainsAny(r.stdout, unseenText) {
			t.Errorf("%s: exit code %d and a forged report:\n%s", format, r.code, r.stdout)
		}
		switch format {
		case "-json": // what is unseen is escaped, and there
			r := decodeReport(t, r.stdout)
			if !slices.ContainsFunc(r.Report.Findings, func(f contract.Finding) bool { return strings.Contains(f.Pointer, unseenText) }) {
				t.Errorf("no finding points at the property: %+v", r.Report.Findings)
			}
		case "-junit":
			if err := xml.Unmarshal([]byte(r.stdout), new(junitSuite)); err != nil {
				t.Errorf("no XML: %v\n%s", err, r.stdout)
			}
		}
	}
}

// TestColoured: the words stay, and only what they mean is marked.
func TestColoured(t *testing.T) {
	t.Parallel()
	plain := "NO APROBADO: x\n  DEBE     regla\n  DEBERÍA  regla\n  IDEA     regla\n           DEBE quedar\n"
	want := "\x1b[31mNO APROBADO\x1b[0m: x\n\x1b[31m  DEBE \x1b[0m    regla\n\x1b[33m  DEBERÍA \x1b[0m regla\n" +
		"\x1b[34m  IDEA \x1b[0m    regla\n           DEBE quedar\n"
	if got := coloured(plain); got != want {
		t.Errorf("coloured text = %q, want %q", got, want)
	}
	if got := coloured("APROBADO: x\n"); got != "\x1b[32mAPROBADO:\x1b[0m x\n" {
		t.Errorf("coloured verdict = %q", got)
	}
}
