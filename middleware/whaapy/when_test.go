package whaapy_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware/transport"
	"github.com/portavoz/portavoz/middleware/whaapy"
)

// TestWhenInBothEras asks over HTTP, with a session and without: each match finds its
// own calls and no others.
func TestWhenInBothEras(t *testing.T) {
	t.Parallel()
	const (
		agent  = `"clientInfo":{"name":"whaapy-mcp-client","version":"1.0.0"}`
		other  = `"clientInfo":{"name":"inspector","version":"1.0.0"}`
		legacy = "2025-06-18"
		modern = "2026-07-28"
	)
	for name, tc := range map[string]struct {
		match        whaapy.Match
		path, secret string
		client       string
		want         bool
	}{
		"endpoint":          {whaapy.AtEndpoint(), "/whaapy", secret, other, true},
		"another endpoint":  {whaapy.AtEndpoint(), "/asixto", secret, agent, false},
		"client":            {whaapy.Client(whaapy.ClientName), "/asixto", "other-" + secret, agent, true},
		"another client":    {whaapy.Client(whaapy.ClientName), "/whaapy", secret, other, false},
		"principal":         {whaapy.Principal("whaapy"), "/asixto", secret, other, true},
		"another principal": {whaapy.Principal("whaapy"), "/whaapy", "other-" + secret, agent, false},
		"none of them":      {whaapy.Any(), "/whaapy", secret, agent, false},
		"one of them":       {whaapy.Any(whaapy.AtEndpoint(), whaapy.Principal("whaapy")), "/asixto", secret, other, true},
	} {
		for _, era := range []string{legacy, modern} {
			t.Run(name+" "+era, func(t *testing.T) {
				t.Parallel()
				s := newSessions(t, whaapy.SessionsConfig{})
				srv := newServer(reads("consultar"), returns(structured(`{"nombre":"Ana"}`)), whaapy.When(tc.match, whaapy.Envelope(whaapy.Config{}), nil))
				inside := s.Guard(server.NewStreamableHTTPServer(srv, s.Option()))
				mux := http.NewServeMux()
				for path, h := range map[string]http.Handler{"/whaapy": whaapy.Endpoint(inside), "/asixto": inside} {
					gateway, err := transport.Gateway(h, transport.Bearer("whaapy", secret), transport.Bearer("asixto", "other-"+secret))
					if err != nil {
						t.Fatal(err)
					}
					mux.Handle(path, gateway)
				}
				h := httptest.NewServer(mux)
				defer h.Close()
				as := sender{url: h.URL + tc.path, secret: tc.secret, version: era}
				body := callIt
				if era == legacy {
					_, as.session, _ = as.send(t, http.MethodPost, strings.Replace(initialize, agent, tc.client, 1))
				} else {
					body = strings.Replace(callModern, `"_meta":{`, `"_meta":{"io.modelcontextprotocol/`+tc.client[1:]+`,`, 1)
				}
				status, _, answer := as.send(t, http.MethodPost, body)
				if status != http.StatusOK || !strings.Contains(answer, "Ana") {
					t.Fatalf("got %d %s", status, answer)
				}
				if got := strings.Contains(answer, `\"toolName\"`); got != tc.want {
					t.Errorf("an envelope: %v, want %v: %s", got, tc.want, answer)
				}
			})
		}
	}
}
