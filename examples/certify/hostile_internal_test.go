package main

import (
	"io"
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

// TestSilent: a server that stops answering ends the run, whatever it has to be asked yet.
func TestSilent(t *testing.T) {
	t.Parallel()
	tools := strings.Repeat(`{"name":"consultar_x","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object"}},`, 300)
	url := stateless(t, func(w http.ResponseWriter) {
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"tools":[`+strings.TrimSuffix(tools, ",")+`]}}`)
	}, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	r := certifyAt(t, url, "-timeout", "200ms", "-json")
	got := decodeReport(t, r.stdout)
	if r.code != exitCannot || got.Complete || !strings.Contains(r.stderr, "stopped answering") {
		t.Errorf("exit code %d, complete %t, stderr %q, want 2, false and why", r.code, got.Complete, r.stderr)
	}
	if got.Requests > 40 {
		t.Errorf("%d requests, want a few", got.Requests)
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
