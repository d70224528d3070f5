package transport_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/portavoz/portavoz/middleware/transport"
)

func TestResourceMetadataLocation(t *testing.T) {
	t.Parallel()
	for resource, want := range map[string][2]string{
		"https://mcp.example.com":               {"/.well-known/oauth-protected-resource", "https://mcp.example.com/.well-known/oauth-protected-resource"},
		"https://mcp.example.com/":              {"/.well-known/oauth-protected-resource", "https://mcp.example.com/.well-known/oauth-protected-resource"},
		"https://mcp.example.com/mcp":           {"/.well-known/oauth-protected-resource/mcp", "https://mcp.example.com/.well-known/oauth-protected-resource/mcp"},
		"https://mcp.example.com:8443/a%20b/":   {"/.well-known/oauth-protected-resource/a%20b/", "https://mcp.example.com:8443/.well-known/oauth-protected-resource/a%20b/"},
		"https://mcp.example.com/mcp?tenant=a":  {"/.well-known/oauth-protected-resource/mcp", "https://mcp.example.com/.well-known/oauth-protected-resource/mcp?tenant=a"},
		"http://[::1]:8080/mcp":                 {"/.well-known/oauth-protected-resource/mcp", "http://[::1]:8080/.well-known/oauth-protected-resource/mcp"},
		"https://oauth.example/oauth.example/x": {"/.well-known/oauth-protected-resource/oauth.example/x", "https://oauth.example/.well-known/oauth-protected-resource/oauth.example/x"},
		"":                                      {"/.well-known/oauth-protected-resource", ""},
		"https://a b":                           {"/.well-known/oauth-protected-resource", ""},
	} {
		m := transport.ResourceMetadata{Resource: resource}
		if got := [2]string{m.Path(), m.URL()}; got != want {
			t.Errorf("%q: path and URL = %q, want %q", resource, got, want)
		}
	}
}

func TestResourceMetadataDocument(t *testing.T) {
	t.Parallel()
	full := transport.ResourceMetadata{
		Resource:               "https://mcp.example.com/mcp",
		AuthorizationServers:   []string{"https://auth.example.com"},
		ScopesSupported:        []string{"tools:read", "tools:write"},
		BearerMethodsSupported: []string{"header", "body"},
		ResourceName:           "Operador",
		ResourceDocumentation:  "https://docs.example.com",
	}
	const document = `{"resource":"https://mcp.example.com/mcp","authorization_servers":["https://auth.example.com"],` +
		`"scopes_supported":["tools:read","tools:write"],"bearer_methods_supported":["header","body"],` +
		`"resource_name":"Operador","resource_documentation":"https://docs.example.com"}`
	served := map[string]string{
		"Content-Type": "application/json", "Cache-Control": "public, max-age=300", "Access-Control-Allow-Origin": "*",
	}
	refused := answer{405, map[string]string{
		"Content-Type": "text/plain; charset=utf-8", "X-Content-Type-Options": "nosniff",
		"Access-Control-Allow-Origin": "*", "Allow": "GET, HEAD",
	}, "method not allowed\n"}
	for name, tc := range map[string]struct {
		metadata transport.ResourceMetadata
		method   string
		want     answer
	}{
		"GET":     {full, http.MethodGet, answer{200, served, document}},
		"HEAD":    {full, http.MethodHead, answer{200, served, ""}},
		"POST":    {full, http.MethodPost, refused},
		"OPTIONS": {full, http.MethodOptions, refused},
		"the least": {
			transport.ResourceMetadata{Resource: "http://localhost:8080/mcp"}, http.MethodGet,
			answer{200, served, `{"resource":"http://localhost:8080/mcp","bearer_methods_supported":["header"]}`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, err := tc.metadata.Handler()
			if err != nil {
				t.Fatal(err)
			}
			checkAnswer(t, serve(h, httptest.NewRequest(tc.method, "/anywhere", nil)).Result(), tc.want)
		})
	}
}

func TestResourceMetadataMistakes(t *testing.T) {
	t.Parallel()
	const reason = " is no https URL without user, fragment and quotes (http only on a loopback host)"
	for name, tc := range map[string]struct {
		metadata transport.ResourceMetadata
		want     string
	}{
		"no resource":    {transport.ResourceMetadata{}, "portavoz/transport: ResourceMetadata.Resource:" + reason},
		"a path":         {transport.ResourceMetadata{Resource: "/mcp"}, `portavoz/transport: ResourceMetadata.Resource "/mcp":` + reason},
		"plain http":     {transport.ResourceMetadata{Resource: "http://a.example"}, `portavoz/transport: ResourceMetadata.Resource "http://a.example":` + reason},
		"a fragment":     {transport.ResourceMetadata{Resource: "https://a.example/#x"}, `portavoz/transport: ResourceMetadata.Resource "https://a.example/#x":` + reason},
		"a user":         {transport.ResourceMetadata{Resource: "https://u@a.example/"}, `portavoz/transport: ResourceMetadata.Resource "https://u@a.example/":` + reason},
		"a header quote": {transport.ResourceMetadata{Resource: `https://a.example/"x`}, `portavoz/transport: ResourceMetadata.Resource "https://a.example/\"x":` + reason},
		"two": {
			transport.ResourceMetadata{Resource: "a", AuthorizationServers: []string{"https://ok.example", "b"}},
			"portavoz/transport: ResourceMetadata.Resource \"a\":" + reason + "\nportavoz/transport: ResourceMetadata.AuthorizationServers \"b\":" + reason,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := tc.metadata.Handler(); err == nil || err.Error() != tc.want {
				t.Errorf("Handler: error = %v\nwant %s", err, tc.want)
			}
			if _, err := tc.metadata.Authenticate(transport.Bearer("asixto", current)); err == nil || err.Error() != tc.want {
				t.Errorf("Authenticate: error = %v\nwant %s", err, tc.want)
			}
		})
	}
}

func TestResourceMetadataAuthenticate(t *testing.T) {
	t.Parallel()
	m := transport.ResourceMetadata{Resource: "https://mcp.example.com/mcp"}
	var next seen
	h := must(t)(m.Authenticate(transport.Bearer("asixto", current)))(&next)

	want := refusal(401, -32600, "A valid credential is required.", "WWW-Authenticate",
		`Bearer realm="mcp", resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp"`)
	checkAnswer(t, serve(h, post("{}")).Result(), want)
	if w := serve(h, httptest.NewRequest(http.MethodGet, m.URL(), nil)); w.Code != http.StatusOK {
		t.Errorf("the document answers %d to a client without a credential", w.Code)
	}
	checkAnswer(t, serve(h, httptest.NewRequest(http.MethodGet, m.URL()+"/x", nil)).Result(), want)
	if next.calls != 0 {
		t.Errorf("the server was called %d times, want none", next.calls)
	}
	if w := serve(h, post("{}", "Authorization", "Bearer "+current)); w.Code != http.StatusAccepted {
		t.Errorf("status = %d, want the server's answer", w.Code)
	}
}
