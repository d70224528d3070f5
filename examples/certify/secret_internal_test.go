package main

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/middleware/contract"
)

// TestSecretEverywhere: a credential that the server sends back in whatever way is in no
// output, neither whole nor cut, nor as JSON or XML write it.
func TestSecretEverywhere(t *testing.T) {
	t.Parallel()
	const token = `s3cr3t<&>"credential-of-the-check`
	for name, at := range map[string]int{"whole": 10, "cut": 95} {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusInternalServerError)
			_, _ = w.Write([]byte(strings.Repeat("x", at) + r.Header.Get("X-Key") + r.URL.Query().Get("key")))
		}))
		t.Cleanup(srv.Close)
		for _, format := range []string{"-lang=es", "-json", "-junit"} {
			r := certifyAt(t, srv.URL+"/?key=another-secret-value", "-H", "X-Key: "+token, format)
			out := r.stdout + r.stderr
			if r.code != exitCannot || strings.Contains(out, token[:8]) || strings.Contains(out, "another-secret") || !strings.Contains(out, "[…]") {
				t.Errorf("%s %s: exit code %d and a credential in the output, or no mark of one:\n%s", name, format, r.code, out)
			}
		}
	}
}

// TestHide finds the forms of a credential.
func TestHide(t *testing.T) {
	t.Parallel()
	opt := options{private: []string{`a<b"c&d-long`, "short", "ab/cd~ef+gh="}, header: http.Header{
		"Authorization": {"Bearer tok-en-123"}, "Cookie": {"session=cookie-1; other=cookie-2"}, "X-Key": {"two words"},
	}}
	for text, want := range map[string]string{
		`x a<b"c&d-long y`:                        "x […] y",
		`"a\u003cb\"c\u0026d-long"`:               `"[…]"`,
		`<m>a&lt;b&#34;c&amp;d-long</m>`:          "<m>[…]</m>",
		`cut a<b"c&d-l…`:                          "cut […]…",
		`cut in the middle a<b"c&…b"c&d-long`:     "cut in the middle […]…[…]",
		"/structuredContent/ab~1cd~0ef+gh=":       "/structuredContent/[…]",
		"https://x/?t=ab%2Fcd~ef%2Bgh%3D":         "https://x/?t=[…]",
		"https://x/ab%2Fcd~ef+gh=":                "https://x/[…]",
		"WWW-Authenticate: Bearer, tok-en-123":    "WWW-Authenticate: Bearer, […]",
		"cookie-1 and session=cookie-2":           "[…] and session=[…]",
		"the two words, or two":                   "the […], or two",
		`short words stay short, and so does a<b`: `short words stay short, and so does a<b`,
	} {
		if got := opt.hide(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

// TestWithout: a rule that is switched off is no finding, and the report gives the reason.
func TestWithout(t *testing.T) {
	t.Parallel()
	url := serve(t, new(shop).handler(t)) // which asks for no credential
	flags := []string{"-json", "-without", "auth-required=solo en la red interna"}
	r := certifyAt(t, url, append(flags, "-without", "description-when-not=lo dice el manual")...)
	got := decodeReport(t, r.stdout)
	want := contract.Exception{Rule: "auth-required", Reason: "solo en la red interna", Silenced: 1}
	if len(got.Report.Exceptions) != 2 || !same(got.Report.Exceptions[0], want) {
		t.Errorf("exceptions %+v, want two and %+v first", got.Report.Exceptions, want)
	}
	if slices.ContainsFunc(got.Report.Findings, func(f contract.Finding) bool { return f.Rule == want.Rule }) {
		t.Errorf("%s is among the findings", want.Rule)
	}
	for _, o := range got.Checks {
		if o.Rule == "auth-required" && (o.Status != skipped || !strings.Contains(o.Reason.ES, want.Reason)) {
			t.Errorf("check = %+v, want it skipped for the reason", o)
		}
	}
	for wrong, said := range map[string]string{"no-rule=x": "there is no rule", "auth-required": "without a reason"} {
		if r := certifyAt(t, url, "-without", wrong); r.code != exitCannot || !strings.Contains(r.stderr, said) {
			t.Errorf("-without %q: exit code %d, stderr %q, want 2 and %q", wrong, r.code, r.stderr, said)
		}
	}
}

func same(a, b contract.Exception) bool {
	return a.Rule == b.Rule && a.Reason == b.Reason && a.Silenced == b.Silenced && len(a.Tools) == len(b.Tools)
}
