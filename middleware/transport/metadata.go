package transport

import (
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

const wellKnown = "/.well-known/oauth-protected-resource"

// ResourceMetadata is the document in which a protected resource says where
// clients get their tokens (RFC 9728, section 2). It is public. The tags are
// the names of the RFC; empty fields are left out.
type ResourceMetadata struct {
	// Resource is the URL of the MCP endpoint as clients see it, such as
	// "https://mcp.example.com/mcp". Required; https, or http on a loopback
	// host; without a fragment.
	Resource string `json:"resource"`
	// AuthorizationServers are the issuers whose tokens are accepted, as URLs.
	AuthorizationServers []string `json:"authorization_servers,omitempty"`
	// ScopesSupported are the scopes that a client may ask for.
	ScopesSupported []string `json:"scopes_supported,omitempty"`
	// BearerMethodsSupported is how a token may be sent. Default: "header",
	// the only way that [Bearer] reads.
	BearerMethodsSupported []string `json:"bearer_methods_supported,omitempty"`
	// ResourceName is the name of the server, for people.
	ResourceName string `json:"resource_name,omitempty"`
	// ResourceDocumentation is a URL, for developers.
	ResourceDocumentation string `json:"resource_documentation,omitempty"`
}

// URL returns where the document is served: the well-known path put between
// host and path of the resource (RFC 9728, section 3.1), or "" if the resource
// is no URL.
func (m ResourceMetadata) URL() string {
	u, err := url.Parse(m.Resource)
	if err != nil || u.Host == "" {
		return ""
	}
	at := u.Scheme + "://" + u.Host + m.Path()
	if u.RawQuery != "" {
		at += "?" + u.RawQuery
	}
	return at
}

// Path returns the path of [ResourceMetadata.URL], to mount the handler at,
// such as "/.well-known/oauth-protected-resource/mcp".
func (m ResourceMetadata) Path() string {
	u, err := url.Parse(m.Resource)
	if err != nil || u.EscapedPath() == "/" {
		return wellKnown
	}
	return wellKnown + u.EscapedPath()
}

// Handler serves the document to everybody, with GET and HEAD; other methods
// get 405. Pages of any origin may read it. The error is a [ConfigError] for
// each field that RFC 9728 does not allow.
func (m ResourceMetadata) Handler() (http.Handler, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	if m.BearerMethodsSupported == nil {
		m.BearerMethodsSupported = []string{"header"}
	}
	document, _ := json.Marshal(m) // strings always encode
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Access-Control-Allow-Origin", "*")
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			h.Set("Allow", "GET, HEAD")
			http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
			return
		}
		h.Set("Content-Type", "application/json")
		h.Set("Cache-Control", "public, max-age=300")
		h.Set("Content-Length", strconv.Itoa(len(document)))
		if r.Method == http.MethodGet {
			_, _ = w.Write(document)
		}
	}), nil
}

// Authenticate is [Authenticate] for a resource with metadata: it also serves
// the document at its path, without a credential, and its 401 says where
// (RFC 9728, section 5.1). Requests for the path have to reach it: a handler
// mounted at "/mcp" alone does not see them.
func (m ResourceMetadata) Authenticate(credentials ...Credential) (func(http.Handler) http.Handler, error) {
	return m.authenticate(slog.Default(), credentials)
}

func (m ResourceMetadata) authenticate(logger *slog.Logger, credentials []Credential) (func(http.Handler) http.Handler, error) {
	document, errDocument := m.Handler()
	protect, errCredentials := authenticate(challenge(m.URL()), logger, credentials)
	if err := errors.Join(errDocument, errCredentials); err != nil {
		return nil, err
	}
	path := m.Path()
	return func(next http.Handler) http.Handler {
		protected := protect(next)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.EscapedPath() == path {
				document.ServeHTTP(w, r)
				return
			}
			protected.ServeHTTP(w, r)
		})
	}, nil
}

func (m ResourceMetadata) check() error {
	var errs []error
	for _, field := range []struct {
		name string
		urls []string
	}{
		{"Resource", []string{m.Resource}},
		{"AuthorizationServers", m.AuthorizationServers},
	} {
		for _, s := range field.urls {
			if !isPublicURL(s) {
				errs = append(errs, &ConfigError{
					Part:   "ResourceMetadata." + field.name,
					Name:   s,
					Reason: "is no https URL without user, fragment and quotes (http only on a loopback host)",
				})
			}
		}
	}
	return errors.Join(errs...)
}

func isPublicURL(s string) bool {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.User != nil || strings.ContainsAny(s, "#\"\\") {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && isLoopback(u.Hostname())
}

// isLoopback reports whether a host without port is the machine itself.
func isLoopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.Unmap().IsLoopback()
}
