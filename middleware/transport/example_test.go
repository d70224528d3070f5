package transport_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"time"

	"github.com/portavoz/portavoz/middleware/call"
	"github.com/portavoz/portavoz/middleware/transport"
)

// mcpHandler stands for the handler of an MCP library.
var mcpHandler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	who, known := call.CallerFrom(r.Context())
	if !known {
		who.Name = "somebody"
	}
	body, _ := io.ReadAll(r.Body)
	_, _ = fmt.Fprintf(w, "%s calls, version %q, body as sent: %v", who.Name, r.Header.Get("Mcp-Protocol-Version"), string(body) == list)
})

const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list",` +
	`"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`

// show sends list to h and prints the answer.
func show(h http.Handler, headers ...string) {
	r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(list))
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	fmt.Println(w.Code, strings.TrimSpace(w.Body.String()))
}

// text is a logger whose lines have neither time nor duration.
func text(w io.Writer) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey || a.Key == "duration_ms" {
			return slog.Attr{}
		}
		return a
	}}))
}

// One line in front of an MCP handler is enough for a gateway.
func Example() {
	handler, err := transport.Gateway(mcpHandler, transport.Bearer("asixto", "s3cret-of-the-gateway"))
	if err != nil {
		fmt.Println(err)
		return
	}
	show(handler)
	show(handler, "Authorization", "Bearer s3cret-of-the-gateway")
	// Output:
	// 401 {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"A valid credential is required."}}
	// 200 asixto calls, version "2026-07-28", body as sent: true
}

// A server with everything chosen.
func ExampleGatewayConfig() {
	config := transport.GatewayConfig{
		Credentials: []transport.Credential{
			transport.Bearer("asixto", "the-new-secret-of-asixto", "the-old-secret-of-asixto"),
			transport.APIKey("X-API-Key", "whaapy", "the-secret-of-whaapy").Tenant("cmp_31a"),
		},
		Logger: text(os.Stdout),
		Hosts:  []string{"mcp.example.com"},
	}
	handler, err := config.Wrap(mcpHandler)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := httptest.NewRequest(http.MethodGet, "https://evil.example/mcp", nil)
	handler.ServeHTTP(httptest.NewRecorder(), r)
	// Output:
	// level=WARN msg="mcp request" http_method=GET path=/mcp status=403 bytes=159 remote=192.0.2.1:1234 refused=host_not_allowed
}

// A server that has its own credentials and limits needs the headers alone.
func ExampleHeaders() {
	show(mcpHandler)
	show(transport.Headers()(mcpHandler))
	// Output:
	// 200 somebody calls, version "", body as sent: true
	// 200 somebody calls, version "2026-07-28", body as sent: true
}

func ExampleBodyLimit() {
	show(transport.BodyLimit(100)(mcpHandler))
	// Output:
	// 413 {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"The request body is longer than the 100 bytes this server accepts."}}
}

// A secret is rotated by accepting both for a while. To the server they are one
// caller, so its limits and idempotency keys do not notice.
func ExampleBearer() {
	auth, err := transport.Authenticate(transport.Bearer("asixto", "the-new-secret-of-asixto", "the-old-secret-of-asixto"))
	if err != nil {
		fmt.Println(err)
		return
	}
	show(auth(mcpHandler), "Authorization", "Bearer the-old-secret-of-asixto")
	// Output:
	// 200 asixto calls, version "", body as sent: true
}

// Whaapy can be told to send several headers.
func ExampleCustomHeaders() {
	auth, err := transport.Authenticate(transport.CustomHeaders("whaapy", map[string]string{
		"X-Client": "whaapy", "X-Client-Secret": "the-secret-of-whaapy",
	}))
	if err != nil {
		fmt.Println(err)
		return
	}
	show(auth(mcpHandler), "X-Client", "whaapy", "X-Client-Secret", "the-secret-of-whaapy")
	// Output:
	// 200 whaapy calls, version "", body as sent: true
}

// Behind an API gateway that has checked the credential already.
func ExampleTrustedHeader() {
	auth, err := transport.Authenticate(transport.TrustedHeader("X-Consumer-Username", "192.0.2.0/24"))
	if err != nil {
		fmt.Println(err)
		return
	}
	show(auth(mcpHandler), "X-Consumer-Username", "asixto") // httptest calls from 192.0.2.1
	// Output:
	// 200 asixto calls, version "", body as sent: true
}

// Tokens of an authorization server: a function looks at them, and the metadata
// document tells clients where to get one.
func ExampleVerifier() {
	verify := func(_ context.Context, r *http.Request) (call.Caller, error) {
		switch r.Header.Get("Authorization") {
		case "Bearer a-signed-token":
			return call.Caller{Name: "asixto", Scopes: []string{"tools:read"}}, nil
		case "Bearer of-a-new-key":
			return call.Caller{}, fmt.Errorf("fetch the keys: %w", transport.ErrUnavailable)
		}
		return call.Caller{}, errors.New("not signed by us")
	}
	metadata := transport.ResourceMetadata{
		Resource:             "https://mcp.example.com/mcp",
		AuthorizationServers: []string{"https://auth.example.com"},
	}
	auth, err := metadata.Authenticate(transport.Verifier(verify))
	if err != nil {
		fmt.Println(err)
		return
	}
	show(auth(mcpHandler), "Authorization", "Bearer a-signed-token")
	show(auth(mcpHandler), "Authorization", "Bearer of-a-new-key")
	w := httptest.NewRecorder()
	auth(mcpHandler).ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/mcp", nil))
	fmt.Println(w.Code, w.Header().Get("WWW-Authenticate"))
	// Output:
	// 200 asixto calls, version "", body as sent: true
	// 503 {"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"Credentials cannot be checked now."}}
	// 401 Bearer realm="mcp", resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp"
}

// The document on its own, for a server whose handler sees only its own path.
func ExampleResourceMetadata() {
	metadata := transport.ResourceMetadata{Resource: "https://mcp.example.com/mcp", AuthorizationServers: []string{"https://auth.example.com"}}
	document, err := metadata.Handler()
	if err != nil {
		fmt.Println(err)
		return
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", mcpHandler)
	mux.Handle(metadata.Path(), document)

	w := httptest.NewRecorder()
	mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, metadata.URL(), nil))
	fmt.Println(w.Body)
	// Output:
	// {"resource":"https://mcp.example.com/mcp","authorization_servers":["https://auth.example.com"],"bearer_methods_supported":["header"]}
}

func ExampleAllowedHosts() {
	hosts, err := transport.AllowedHosts("mcp.example.com")
	if err != nil {
		fmt.Println(err)
		return
	}
	show(hosts(mcpHandler)) // httptest asks for example.com
	_, err = transport.AllowedHosts("https://mcp.example.com")
	fmt.Println(err)
	// Output:
	// 403 {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Host \"example.com\" is not among the hosts this server answers for (transport.AllowedHosts)."}}
	// portavoz/transport: AllowedHosts "https://mcp.example.com": is no host, such as "mcp.example.com" or "[::1]:8080"
}

func ExampleLog() {
	log := transport.Log(text(os.Stdout))
	log(transport.Headers()(http.NotFoundHandler())).ServeHTTP(httptest.NewRecorder(), post(list))
	// Output:
	// level=WARN msg="mcp request" http_method=POST path=/mcp status=404 bytes=19 remote=192.0.2.1:1234 rpc_method=tools/list
}

func ExampleOutcomeHeaders() {
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// package middleware does this for every tool call
		call.ExchangeFrom(r.Context()).SetOutcome(call.Outcome{Tool: "consultar_cliente", Outcome: "ok"})
		_, _ = fmt.Fprint(w, "{}")
	})
	w := httptest.NewRecorder()
	transport.OutcomeHeaders("")(handler).ServeHTTP(w, post(list))
	fmt.Println(w.Header().Get("X-Call-Tool"), w.Header().Get("X-Call-Outcome"))
	// Output:
	// consultar_cliente ok
}

// Wrong: the log stands inside the check of credentials, so that the requests
// nobody else logs, those without a valid credential, are not logged at all.
func Example_wrong() {
	auth, err := transport.Authenticate(transport.Bearer("asixto", "s3cret-of-the-gateway"))
	if err != nil {
		fmt.Println(err)
		return
	}
	log := transport.Log(text(os.Stdout))
	show(auth(log(mcpHandler))) // the log has to be the outer one
	// Output:
	// 401 {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"A valid credential is required."}}
}

// patient stands for middleware.NewLimiter or package redislimit; it gives a key
// two units and then makes it wait.
type patient struct{ spent map[string]int }

func (p patient) Take(_ context.Context, c call.Charge) (call.Verdict, error) {
	if p.spent[c.Key]++; p.spent[c.Key] > 2 {
		return call.Verdict{Wait: 1500 * time.Millisecond}, nil
	}
	return call.Verdict{}, nil
}

// Lists, discovery and whatever is no call of a tool have a limit of their own.
func ExampleRateLimit() {
	limit := transport.RateLimit(patient{map[string]int{}}, call.Rate(10, time.Second, 20), transport.RateLimitConfig{})
	handler, err := transport.GatewayConfig{
		Credentials: []transport.Credential{transport.Bearer("asixto", "s3cret-of-the-gateway")},
		RateLimit:   limit,
	}.Wrap(mcpHandler)
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 3 {
		show(handler, "Authorization", "Bearer s3cret-of-the-gateway")
	}
	// Output:
	// 200 asixto calls, version "2026-07-28", body as sent: true
	// 200 asixto calls, version "2026-07-28", body as sent: true
	// 429 {"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"Too many requests.","data":{"retry_after_seconds":2}}}
}
