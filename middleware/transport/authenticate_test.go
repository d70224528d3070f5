package transport_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"sync"
	"testing"

	"github.com/portavoz/portavoz/middleware/call"
	"github.com/portavoz/portavoz/middleware/transport"
)

var (
	unauthorized = refusal(401, -32600, "A valid credential is required.", "WWW-Authenticate", `Bearer realm="mcp"`)
	unavailable  = refusal(503, -32603, "Credentials cannot be checked now.")
)

// fixed returns a Verifier that always says the same.
func fixed(who call.Caller, err error) transport.Credential {
	return transport.Verifier(func(context.Context, *http.Request) (call.Caller, error) { return who, err })
}

func TestAuthenticate(t *testing.T) {
	t.Parallel()
	asixto := transport.Bearer("asixto", current, previous)
	key := transport.APIKey("x-api-key", "whaapy", "whaapy-secret-0123")
	custom := transport.CustomHeaders("whaapy", map[string]string{"X-Client": "whaapy", "X-Secret": "custom-secret-0123"})
	peer := transport.TrustedHeader("X-Consumer", "192.0.2.0/24")
	jwt := transport.Verifier(func(_ context.Context, r *http.Request) (call.Caller, error) {
		if r.Header.Get("Authorization") == "Bearer jwt" {
			return call.Caller{Name: "from-jwt", Scopes: []string{"read"}}, nil
		}
		return call.Caller{}, errors.New("token jwt-secret-text is not valid")
	})
	for name, tc := range map[string]struct {
		credentials []transport.Credential
		sent        []string
		want        call.Caller // none: 401
	}{
		"the current secret":          {credentials: creds(asixto), sent: []string{"Authorization", "Bearer " + current}, want: call.Caller{Name: "asixto"}},
		"the previous secret":         {credentials: creds(asixto), sent: []string{"Authorization", "Bearer " + previous}, want: call.Caller{Name: "asixto"}},
		"the scheme in any case":      {credentials: creds(asixto), sent: []string{"Authorization", "bEARER   " + current}, want: call.Caller{Name: "asixto"}},
		"bound to a tenant":           {credentials: creds(asixto.Tenant("cmp_31a").Scopes("read", "write")), sent: []string{"Authorization", "Bearer " + current}, want: call.Caller{Name: "asixto", Tenant: "cmp_31a", Scopes: []string{"read", "write"}}},
		"nothing":                     {credentials: creds(asixto, key, custom, peer, jwt)},
		"another secret":              {credentials: creds(asixto), sent: []string{"Authorization", "Bearer " + current + "x"}},
		"a shorter secret":            {credentials: creds(asixto), sent: []string{"Authorization", "Bearer " + current[:5]}},
		"no secret":                   {credentials: creds(asixto), sent: []string{"Authorization", "Bearer"}},
		"a huge secret":               {credentials: creds(asixto), sent: []string{"Authorization", "Bearer " + string(make([]byte, 5000))}},
		"another scheme":              {credentials: creds(asixto), sent: []string{"Authorization", "Basic " + current}},
		"no scheme":                   {credentials: creds(asixto), sent: []string{"Authorization", current}},
		"two Authorization lines":     {credentials: creds(asixto), sent: []string{"Authorization", "Bearer " + current, "Authorization", "Bearer " + current}},
		"two lines beside a good key": {credentials: creds(key, asixto), sent: []string{"Authorization", "a", "Authorization", "b", "X-Api-Key", "whaapy-secret-0123"}},
		"a key":                       {credentials: creds(asixto, key), sent: []string{"X-API-KEY", "whaapy-secret-0123"}, want: call.Caller{Name: "whaapy"}},
		"a wrong key":                 {credentials: creds(asixto, key), sent: []string{"X-Api-Key", "whaapy-secret-012"}},
		"two key lines":               {credentials: creds(key), sent: []string{"X-Api-Key", "whaapy-secret-0123", "X-Api-Key", "x"}},
		"a key beside a wrong bearer": {credentials: creds(asixto, key), sent: []string{"Authorization", "Bearer x", "X-Api-Key", "whaapy-secret-0123"}, want: call.Caller{Name: "whaapy"}},
		"two callers":                 {credentials: creds(asixto, key), sent: []string{"Authorization", "Bearer " + current, "X-Api-Key", "whaapy-secret-0123"}},
		"one caller, twice": {
			credentials: creds(asixto, transport.APIKey("X-Api-Key", "asixto", "asixto-key-0123456")),
			sent:        []string{"Authorization", "Bearer " + current, "X-Api-Key", "asixto-key-0123456"},
			want:        call.Caller{Name: "asixto"},
		},
		"one caller, the first listed counts": {
			credentials: creds(asixto.Scopes("first"), transport.APIKey("X-Api-Key", "asixto", "asixto-key-0123456").Scopes("second")),
			sent:        []string{"Authorization", "Bearer " + current, "X-Api-Key", "asixto-key-0123456"},
			want:        call.Caller{Name: "asixto", Scopes: []string{"first"}},
		},
		"one caller of two tenants": {
			credentials: creds(asixto.Tenant("a"), transport.APIKey("X-Api-Key", "asixto", "asixto-key-0123456").Tenant("b")),
			sent:        []string{"Authorization", "Bearer " + current, "X-Api-Key", "asixto-key-0123456"},
		},
		"custom headers":              {credentials: creds(custom), sent: []string{"X-Client", "whaapy", "X-Secret", "custom-secret-0123"}, want: call.Caller{Name: "whaapy"}},
		"one custom header missing":   {credentials: creds(custom), sent: []string{"X-Secret", "custom-secret-0123"}},
		"one custom header wrong":     {credentials: creds(custom), sent: []string{"X-Client", "other", "X-Secret", "custom-secret-0123"}},
		"one custom header twice":     {credentials: creds(custom), sent: []string{"X-Client", "whaapy", "X-Client", "whaapy", "X-Secret", "custom-secret-0123"}},
		"a trusted peer":              {credentials: creds(peer), sent: []string{"X-Consumer", " billing "}, want: call.Caller{Name: "billing"}},
		"a trusted peer names nobody": {credentials: creds(peer), sent: []string{"X-Consumer", " "}},
		"a trusted peer, two names":   {credentials: creds(peer), sent: []string{"X-Consumer", "a", "X-Consumer", "a"}},
		"a name that forges a line":   {credentials: creds(peer), sent: []string{"X-Consumer", "a\u2028b"}},
		"a verifier":                  {credentials: creds(jwt, asixto), sent: []string{"Authorization", "Bearer jwt"}, want: call.Caller{Name: "from-jwt", Scopes: []string{"read"}}},
		"a verifier bound":            {credentials: creds(jwt.Tenant("cmp").Scopes()), sent: []string{"Authorization", "Bearer jwt"}, want: call.Caller{Name: "from-jwt", Tenant: "cmp"}},
		"a verifier refuses":          {credentials: creds(jwt), sent: []string{"Authorization", "Bearer other"}},
		"a verifier names nobody":     {credentials: creds(fixed(call.Caller{}, nil))},
		"a verifier is not asked": {
			credentials: creds(fixed(call.Caller{}, transport.ErrUnavailable), asixto),
			sent:        []string{"Authorization", "Bearer " + current},
			want:        call.Caller{Name: "asixto"},
		},
		"the second verifier": {
			credentials: creds(fixed(call.Caller{}, transport.ErrUnavailable), fixed(call.Caller{Name: "b"}, nil)),
			want:        call.Caller{Name: "b"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var next seen
			w := serve(must(t)(transport.Authenticate(tc.credentials...))(&next), post("{}", tc.sent...))
			if tc.want.Name == "" {
				checkAnswer(t, w.Result(), unauthorized)
				if next.calls != 0 {
					t.Error("the server was called")
				}
				return
			}
			if len(tc.want.Scopes) == 0 {
				next.caller.Scopes = nil
			}
			if !next.known || !reflect.DeepEqual(next.caller, tc.want) {
				t.Errorf("caller = %+v, %v, want %+v", next.caller, next.known, tc.want)
			}
		})
	}
}

func creds(c ...transport.Credential) []transport.Credential { return c }

func TestAuthenticateUnavailable(t *testing.T) {
	t.Parallel()
	for name, err := range map[string]error{
		"the sentinel":    fmt.Errorf("jwks: %w", transport.ErrUnavailable),
		"a deadline":      fmt.Errorf("jwks: %w", context.DeadlineExceeded),
		"the client left": context.Canceled,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var next seen
			auth := must(t)(transport.Authenticate(fixed(call.Caller{}, err), transport.Bearer("asixto", current)))
			checkAnswer(t, serve(auth(&next), post("{}", "Authorization", "Bearer x")).Result(), unavailable)
			if next.calls != 0 {
				t.Error("the server was called")
			}
		})
	}
}

func TestTrustedHeaderPeers(t *testing.T) {
	t.Parallel()
	networks := []string{"10.0.0.0/8", "::ffff:172.16.0.0/108", "2001:db8::/32", "fe80::/10", "203.0.113.7"}
	auth := must(t)(transport.Authenticate(transport.TrustedHeader("X-Consumer", networks...)))
	for remote, want := range map[string]bool{
		"10.1.2.3:5000":             true,
		"[::ffff:10.1.2.3]:5000":    true,
		"172.16.5.5:5000":           true,
		"[2001:db8::1]:5000":        true,
		"[fe80::1%eth0]:5000":       true,
		"203.0.113.7:1":             true,
		"203.0.113.8:1":             false,
		"172.32.0.1:5000":           false,
		"11.0.0.1:5000":             false,
		"[::ffff:11.0.0.1]:5000":    false,
		"[2001:db9::1]:5000":        false,
		"127.0.0.1:5000":            false,
		"10.0.0.1":                  false,
		"@":                         false,
		"":                          false,
		"10.0.0.1.example.com:5000": false,
	} {
		t.Run(remote, func(t *testing.T) {
			t.Parallel()
			var next seen
			r := post("{}", "X-Consumer", "billing", "X-Forwarded-For", "10.0.0.1")
			r.RemoteAddr = remote
			w := serve(auth(&next), r)
			if next.known != want {
				t.Errorf("believed = %v with status %d, want %v", next.known, w.Code, want)
			}
		})
	}
}

func TestOpen(t *testing.T) {
	t.Parallel()
	var next seen
	logger, _ := lines()
	h, err := transport.GatewayConfig{Credentials: creds(transport.Open()), Logger: logger}.Wrap(&next)
	if err != nil {
		t.Fatal(err)
	}
	w := serve(h, post("{}", "Authorization", "Bearer whatever"))
	if w.Code != http.StatusAccepted || next.known {
		t.Errorf("status = %d, caller known = %v, want everybody in and nobody known", w.Code, next.known)
	}
}

// unread is a body that must not be read.
type unread struct{ t *testing.T }

func (u unread) Read([]byte) (int, error) {
	u.t.Error("the body was read before the credential was known")
	return 0, io.EOF
}

func TestAuthenticateDoesNotReadTheBody(t *testing.T) {
	t.Parallel()
	reading := transport.Verifier(func(_ context.Context, r *http.Request) (call.Caller, error) {
		if body, err := io.ReadAll(r.Body); err != nil || len(body) > 0 {
			t.Errorf("the verifier sees a body: %q, %v", body, err)
		}
		return call.Caller{}, errors.New("no")
	})
	h, err := transport.Gateway(&seen{}, transport.Bearer("asixto", current), reading)
	if err != nil {
		t.Fatal(err)
	}
	r := post("")
	r.Body, r.ContentLength = io.NopCloser(unread{t}), 100
	checkAnswer(t, serve(h, r).Result(), unauthorized)
}

func TestAuthenticateConcurrently(t *testing.T) {
	t.Parallel()
	auth := must(t)(transport.Authenticate(
		transport.Bearer("asixto", current, previous), transport.APIKey("X-Api-Key", "whaapy", "whaapy-secret-0123")))
	h := auth(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		who, _ := call.CallerFrom(r.Context())
		_, _ = io.WriteString(w, who.Name)
	}))
	var wg sync.WaitGroup
	for i := range 500 {
		wg.Go(func() {
			r, want := post("{}", "Authorization", "Bearer "+previous), "asixto"
			if i%2 == 0 {
				r, want = post("{}", "X-Api-Key", "whaapy-secret-0123"), "whaapy"
			}
			if got := serve(h, r).Body.String(); got != want {
				t.Errorf("caller = %q, want %q", got, want)
			}
		})
	}
	wg.Wait()
}

func BenchmarkAuthenticate(b *testing.B) {
	auth := must(b)(transport.Authenticate(
		transport.Bearer("asixto", current, previous), transport.APIKey("X-Api-Key", "whaapy", "whaapy-secret-0123")))
	h := auth(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	for name, secret := range map[string]string{"accepted": current, "refused": "wrong"} {
		b.Run(name, func(b *testing.B) {
			r := post("{}", "Authorization", "Bearer "+secret)
			b.ReportAllocs()
			for b.Loop() {
				h.ServeHTTP(discard{}, r)
			}
		})
	}
}

// discard is a writer that costs nothing.
type discard struct{}

func (discard) Header() http.Header         { return http.Header{} }
func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) WriteHeader(int)             {}
