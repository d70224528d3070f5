package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// stateless answers as a server of 2026-07-28 does: list to tools/list, and rest to
// everything else.
func stateless(t *testing.T, list func(w http.ResponseWriter), rest http.HandlerFunc) string {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch {
		case strings.Contains(string(body), `"server/discover"`):
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"]}}`)
		case strings.Contains(string(body), `"tools/list"`):
			list(w)
		default:
			rest(w, r)
		}
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}

// late is the error of a request without an answer in time.
type late struct{ error }

func (late) Timeout() bool   { return true }
func (late) Temporary() bool { return false }

// deaf is a network in which some methods get no answer in time.
type deaf struct{ to func(method string) bool }

func (d deaf) RoundTrip(r *http.Request) (*http.Response, error) {
	if d.to(r.Header.Get("Mcp-Method")) {
		return nil, late{errors.New("too late")}
	}
	return http.DefaultTransport.RoundTrip(r)
}

// TestSilent: a server that stops answering ends the run, whatever it has to be asked yet.
func TestSilent(t *testing.T) {
	t.Parallel()
	tools := strings.Repeat(`{"name":"consultar_x","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object"}},`, 300)
	url := stateless(t, func(w http.ResponseWriter) {
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"tools":[`+strings.TrimSuffix(tools, ",")+`]}}`)
	}, http.NotFound)
	for said, method := range map[string]string{"stopped answering": "tools/call", "no answer within 30s": "server/discover"} {
		opt, err := parseOptions([]string{"-json", url}, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		opt.via = deaf{to: func(m string) bool { return m == method }}
		var stdout, stderr bytes.Buffer
		code := execute(t.Context(), opt, &stdout, &stderr)
		got := decodeReport(t, stdout.String())
		if code != exitCannot || got.Complete || !strings.Contains(stderr.String(), said) {
			t.Errorf("%s: exit code %d, complete %t, stderr %q, want 2, false and %q", method, code, got.Complete, stderr.String(), said)
		}
		if got.Requests > 40 {
			t.Errorf("%s: %d requests, want a few", method, got.Requests)
		}
	}
}

// TestMidway: an answer that begins and does not go on is one that does not come in time, and
// ends the run at the first request.
func TestMidway(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"res`)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}))
	t.Cleanup(srv.Close)
	r := certifyAt(t, srv.URL, "-timeout", "50ms", "-json")
	if got := decodeReport(t, r.stdout); r.code != exitCannot || got.Requests != 1 || !strings.Contains(r.stderr, "no answer within 50ms") {
		t.Errorf("exit code %d after %d requests, stderr %q, want 2 after 1 and why", r.code, got.Requests, r.stderr)
	}
}

// TestForeign are servers that are no MCP servers, or hardly.
func TestForeign(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		answer http.HandlerFunc
		want   string
	}{
		"HTML": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<html>\n<h1>Login\x1b[2J</h1></html>")
		}, "no MCP server answers at this URL, in neither era (ningún servidor MCP responde): " +
			"error: not a JSON-RPC message but text/html: <html> <h1>Login [2J</h1></html>"},
		"array": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `[{"jsonrpc":"2.0"}]`)
		}, `not a JSON-RPC message but application/json: [{"jsonrpc":"2.0"}]`},
		"nothing": {func(http.ResponseWriter, *http.Request) {}, "not a JSON-RPC message but no Content-Type:\n"},
		"large": {func(w http.ResponseWriter, _ *http.Request) {
			for range 100 {
				if _, err := io.WriteString(w, strings.Repeat(" ", 1<<20)); err != nil {
					return
				}
			}
		}, "error: the answer is larger than 8 MB"},
		"endless stream": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			for {
				if _, err := io.WriteString(w, ": "+strings.Repeat("ping ", 1<<16)+"\n\n"); err != nil {
					return
				}
			}
		}, "error: the answer is larger than 8 MB"},
		"endless event": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			for {
				if _, err := io.WriteString(w, "data: "+strings.Repeat("x", 1<<16)+"\n"); err != nil {
					return
				}
			}
		}, "error: the answer is larger than 8 MB"},
		"empty stream": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
		}, "error: the event stream ended without an answer"},
		"cut off": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, `{"jsonrpc"`)
		}, "error: unexpected EOF"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := httptest.NewServer(tt.answer)
			t.Cleanup(srv.Close)
			r := certifyAt(t, srv.URL, "-timeout", "1h") // not what this is about
			if r.code != exitCannot || !strings.Contains(r.stderr, tt.want) {
				t.Errorf("exit code %d, stderr %q, want 2 and %q", r.code, r.stderr, tt.want)
			}
			if !strings.HasPrefix(r.stdout, "INCOMPLETO: ") || strings.ContainsAny(r.stdout+r.stderr, "\x1b") {
				t.Errorf("the report is not one of an incomplete run:\n%s", r.stdout)
			}
		})
	}
}

// TestTLS: a certificate that nobody knows is said to be one.
func TestTLS(t *testing.T) {
	t.Parallel()
	srv := httptest.NewUnstartedServer(http.NotFoundHandler())
	srv.Config.ErrorLog = log.New(io.Discard, "", 0)
	srv.StartTLS()
	t.Cleanup(srv.Close)
	if r := certifyAt(t, srv.URL); r.code != exitCannot || !strings.Contains(r.stderr, "x509: ") {
		t.Errorf("exit code %d, stderr %q, want 2 and what is wrong with the certificate", r.code, r.stderr)
	}
}

// TestOldHTTP: a server of HTTP/1.0, which closes every connection, is asked like any other.
func TestOldHTTP(t *testing.T) {
	t.Parallel()
	good := protect(t, new(shop).handler(t))
	url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		recorder := httptest.NewRecorder()
		good.ServeHTTP(recorder, r)
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		fmt.Fprintf(conn, "HTTP/1.0 %d x\r\n", recorder.Code)
		_ = recorder.Header().Write(conn)
		fmt.Fprintf(conn, "\r\n%s", recorder.Body)
	}))
	r := certifyAt(t, url, "-token", secret, "-json")
	if got := decodeReport(t, r.stdout); r.code != exitClean || len(got.Report.Findings) > 0 {
		t.Errorf("exit code %d, findings %+v, stderr %q", r.code, got.Report.Findings, r.stderr)
	}
}

// TestEndlessList: pages without end are not collected without end.
func TestEndlessList(t *testing.T) {
	t.Parallel()
	var pages atomic.Int64
	for name, next := range map[string]func() string{
		"same cursor": func() string { return "again" },
		"large pages": func() string { return strings.Repeat("n", int(pages.Add(1))) },
	} {
		url := stateless(t, func(w http.ResponseWriter) {
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"nextCursor":"`+next()+`","tools":[{"name":"`+strings.Repeat("a", 1<<20)+`"}]}}`)
		}, http.NotFound)
		if r := certifyAt(t, url); r.code != exitCannot || !strings.Contains(r.stderr, "no end") {
			t.Errorf("%s: exit code %d, stderr %q, want 2 and why", name, r.code, r.stderr)
		}
	}
	if pages.Load() > 12 {
		t.Errorf("%d pages of a megabyte were read, want 9", pages.Load())
	}
}

// TestRedirect: where the server really is gets said.
func TestRedirect(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.RedirectHandler("/elsewhere", http.StatusTemporaryRedirect))
	t.Cleanup(srv.Close)
	if r := certifyAt(t, srv.URL); r.code != exitCannot || !strings.Contains(r.stderr, "to /elsewhere") {
		t.Errorf("exit code %d, stderr %q, want 2 and the place", r.code, r.stderr)
	}
}

// TestOutsized: a schema that would take minutes to compile is left alone.
func TestOutsized(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		raw  string
		want bool
	}{
		"deep":   {strings.Repeat(`{"items":`, 200) + `{}` + strings.Repeat(`}`, 200), true},
		"wide":   {`{"anyOf":[` + strings.Repeat(`{},`, 6000) + `{}]}`, true},
		"usual":  {`{"type":"object","properties":{"a":{"type":["string","null"]}}}`, false},
		"broken": {`{"type":`, false},
	} {
		if got := outsized([]byte(tt.raw)); got != tt.want {
			t.Errorf("%s: outsized = %t, want %t", name, got, tt.want)
		}
	}
}
