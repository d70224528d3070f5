package transport_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/portavoz/portavoz/middleware/call"
	"github.com/portavoz/portavoz/middleware/transport"
)

func TestGateway(t *testing.T) {
	t.Parallel()
	var next seen
	h, err := transport.Gateway(&next, transport.Bearer("asixto", current, previous))
	if err != nil {
		t.Fatal(err)
	}
	checkAnswer(t, serve(h, post(modern("a"))).Result(), unauthorized)

	w := serve(h, post(modern("a"), "Authorization", "Bearer "+previous, "Mcp-Method", "tools/call", "Mcp-Name", "a"))
	if w.Code != http.StatusAccepted || next.body != modern("a") {
		t.Fatalf("status = %d, body = %q, want the server's answer to the body as sent", w.Code, next.body)
	}
	if got := next.request.Header.Get("Mcp-Protocol-Version"); got != "2026-07-28" {
		t.Errorf("Mcp-Protocol-Version = %q, want 2026-07-28", got)
	}
	if next.caller.Name != "asixto" || next.exchange.Name != "a" {
		t.Errorf("caller = %+v, request = %+v, want asixto and a", next.caller, next.exchange)
	}
}

func TestGatewayConfigOrder(t *testing.T) {
	t.Parallel()
	logger, got := lines()
	config := transport.GatewayConfig{
		Credentials:    creds(transport.Bearer("asixto", current)),
		Metadata:       &transport.ResourceMetadata{Resource: "https://mcp.example.com/mcp"},
		Logger:         logger,
		Hosts:          []string{"mcp.example.com"},
		BodyLimit:      200,
		OutcomeHeaders: true,
		Keys:           call.WithPrefix("com.example/"),
	}
	h, err := config.Wrap(http.HandlerFunc(tool))
	if err != nil {
		t.Fatal(err)
	}
	const document = "/.well-known/oauth-protected-resource/mcp"
	for name, tc := range map[string]struct {
		host, path, secret, body string
		status                   int
		logged                   string // "": a tool was reached
	}{
		"the host comes first":            {host: "evil.example", path: "/mcp", body: strings.Repeat(" ", 300), status: 403, logged: "refused=host_not_allowed"},
		"then the size":                   {host: "mcp.example.com", path: "/mcp", body: strings.Repeat(" ", 300), status: 413, logged: "refused=body_too_large"},
		"then the credential":             {host: "mcp.example.com", path: "/mcp", body: "{}", status: 401, logged: "refused=no_credential"},
		"the document needs none":         {host: "mcp.example.com", path: document, status: 405, logged: "status=405"},
		"the document is behind the host": {host: "evil.example", path: document, status: 403, logged: "refused=host_not_allowed"},
		"then the tool":                   {host: "mcp.example.com", path: "/mcp", secret: current, body: `{"method":"tools/call"}`, status: 200},
	} {
		r := httptest.NewRequest(http.MethodPost, tc.path, strings.NewReader(tc.body))
		r.Host = tc.host
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+tc.secret)
		if tc.secret == "" {
			r.Header.Del("Authorization")
		}
		got.Reset()
		w := serve(h, r)
		if w.Code != tc.status {
			t.Errorf("%s: status = %d, want %d", name, w.Code, tc.status)
		}
		if (tc.logged == "") != (got.Len() == 0) || !strings.Contains(got.String(), tc.logged) {
			t.Errorf("%s: line = %q, want %q in it", name, got, tc.logged)
		}
		if reached := w.Header().Get("X-Call-Tool") != ""; reached != (tc.logged == "") {
			t.Errorf("%s: X-Call-Tool = %q", name, w.Header().Get("X-Call-Tool"))
		}
	}
}

func TestGatewayConfigMistakes(t *testing.T) {
	t.Parallel()
	config := transport.GatewayConfig{
		Credentials: creds(transport.Bearer("asixto", "")),
		Metadata:    &transport.ResourceMetadata{Resource: "mcp", AuthorizationServers: []string{"https://auth.example.com"}},
		Hosts:       []string{"https://mcp.example.com"},
	}
	h, err := config.Wrap(http.NotFoundHandler())
	const want = `portavoz/transport: ResourceMetadata.Resource "mcp": is no https URL without user, fragment and quotes (http only on a loopback host)` + "\n" +
		`portavoz/transport: Bearer "asixto": a secret is blank` + "\n" +
		`portavoz/transport: AllowedHosts "https://mcp.example.com": is no host, such as "mcp.example.com" or "[::1]:8080"`
	if h != nil || err == nil || err.Error() != want {
		t.Errorf("Wrap = %v, error = %v\nwant %s", h, err, want)
	}
	if _, err := transport.Gateway(http.NotFoundHandler()); err == nil {
		t.Error("Gateway without credentials gives no error")
	}
}

func TestGatewayPanicsWithoutHandler(t *testing.T) {
	t.Parallel()
	defer func() {
		if v, want := recover(), "portavoz/transport: nil handler"; v != want {
			t.Errorf("panic = %v, want %q", v, want)
		}
	}()
	_, _ = transport.Gateway(nil, transport.Bearer("asixto", current))
}

func TestGatewayHosts(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		hosts []string
		want  int
	}{
		"nil allows any":        {nil, http.StatusAccepted},
		"empty allows loopback": {[]string{}, http.StatusForbidden},
	} {
		h, err := transport.GatewayConfig{Credentials: creds(transport.Bearer("asixto", current)), Hosts: tc.hosts}.Wrap(&seen{})
		if err != nil {
			t.Fatal(err)
		}
		if got := serve(h, post("{}", "Authorization", "Bearer "+current)).Code; got != tc.want {
			t.Errorf("%s: status = %d, want %d", name, got, tc.want)
		}
	}
}

func TestGatewayConcurrently(t *testing.T) {
	t.Parallel()
	logger, _ := lines()
	config := transport.GatewayConfig{
		Credentials:    creds(transport.Bearer("asixto", current), transport.APIKey("X-Api-Key", "whaapy", "whaapy-secret-0123")),
		Logger:         logger,
		OutcomeHeaders: true,
	}
	h, err := config.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		who, _ := call.CallerFrom(r.Context())
		body, _ := io.ReadAll(r.Body)
		call.ExchangeFrom(r.Context()).SetOutcome(call.Outcome{Tool: r.Header.Get("Mcp-Name"), Outcome: who.Name})
		_, _ = w.Write(body)
	}))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(h)
	defer server.Close()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 50, MaxConnsPerHost: 50}}
	defer client.CloseIdleConnections()

	var wg sync.WaitGroup
	for i := range 500 {
		wg.Go(func() {
			name, who := "tool_"+strings.Repeat("a", i%40), "asixto"
			body := modern(name)
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, strings.NewReader(body))
			if err != nil {
				t.Error(err)
				return
			}
			r.Header.Set("Content-Type", "application/json")
			if i%2 == 0 {
				r.Header.Set("Authorization", "Bearer "+current)
			} else {
				who = "whaapy"
				r.Header.Set("X-Api-Key", "whaapy-secret-0123")
			}
			resp, err := client.Do(r)
			if err != nil {
				t.Error(err)
				return
			}
			defer resp.Body.Close()
			got, _ := io.ReadAll(resp.Body)
			if string(got) != body || resp.Header.Get("X-Call-Tool") != name || resp.Header.Get("X-Call-Outcome") != who {
				t.Errorf("request %d got the answer of another: %v %s", i, resp.Header, got)
			}
		})
	}
	wg.Wait()
}

func BenchmarkGateway(b *testing.B) {
	logger, _ := lines()
	config := transport.GatewayConfig{Credentials: creds(transport.Bearer("asixto", current, previous)), Logger: logger, OutcomeHeaders: true}
	h, err := config.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		call.ExchangeFrom(r.Context()).SetOutcome(call.Outcome{Tool: "a", RequestID: "r", Outcome: "ok"})
		w.WriteHeader(http.StatusOK)
	}))
	if err != nil {
		b.Fatal(err)
	}
	body := modern("abrir_caso_soporte")
	r := post("", "Authorization", "Bearer "+current, "Mcp-Method", "tools/call", "Mcp-Name", "abrir_caso_soporte")
	r.ContentLength = int64(len(body))
	b.ReportAllocs()
	for b.Loop() {
		r.Body = io.NopCloser(strings.NewReader(body))
		h.ServeHTTP(discard{}, r)
	}
}
