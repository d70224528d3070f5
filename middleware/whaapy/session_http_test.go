package whaapy_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/transport"
	"github.com/portavoz/portavoz/middleware/whaapy"
)

// endpoint is one replica: a server behind what belongs in front of it.
func endpoint(t *testing.T, s *whaapy.Sessions) string {
	t.Helper()
	srv := newServer(reads("consultar"), returns(structured(`{"nombre":"Ana"}`)),
		whaapy.When(whaapy.Client(whaapy.ClientName), whaapy.Envelope(whaapy.Config{}), nil))
	gateway, err := transport.Gateway(s.Guard(server.NewStreamableHTTPServer(srv, s.Option())), transport.Bearer("whaapy", secret))
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(gateway)
	t.Cleanup(h.Close)
	return h.URL
}

// do sends a request of the 2025-06-18 era, or of the later one if the body is callModern.
func do(t *testing.T, method, url, session, body string) (status int, id, answer string) {
	t.Helper()
	as := sender{url: url, secret: secret, session: session, version: "2025-06-18"}
	if body == callModern {
		as.version = "2026-07-28"
	}
	return as.send(t, method, body)
}

// sender is a client. It states a version of the later era in the body alone.
type sender struct{ url, secret, session, version string }

func (s sender) send(t *testing.T, method, body string) (status int, id, answer string) {
	t.Helper()
	resp := s.open(t, method, body)
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Header.Get("Mcp-Session-Id"), string(raw)
}

// open sends a request and leaves the answer's body to be read and closed.
func (s sender) open(t *testing.T, method, body string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, s.url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Authorization": "Bearer " + s.secret,
		"MCP-Protocol-Version": s.version, "Mcp-Session-Id": s.session,
	} {
		if value != "" && value != "2026-07-28" {
			req.Header.Set(name, value)
		}
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

const (
	secret = "s3cret-of-the-agent"

	initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"whaapy-mcp-client","version":"1.0.0"}}}`
	callModern = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"consultar","arguments":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	callIt     = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"consultar","arguments":{}}}`

	callAnnounced = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"consultar","arguments":{},"_meta":{"announce":true}}}`
)

// TestClientIsKnownToEveryReplica initializes at one replica and calls the other, which
// finds the client's name in the id.
func TestClientIsKnownToEveryReplica(t *testing.T) {
	t.Parallel()
	a, b := endpoint(t, newSessions(t, whaapy.SessionsConfig{})), endpoint(t, newSessions(t, whaapy.SessionsConfig{}))
	_, whaapyID, _ := do(t, http.MethodPost, a, "", initialize)
	_, otherID, _ := do(t, http.MethodPost, a, "", strings.Replace(initialize, "whaapy-mcp-client", "inspector", 1))
	for name, url := range map[string]string{"the same replica": a, "another replica": b} {
		if status, _, answer := do(t, http.MethodPost, url, whaapyID, callIt); status != 200 || !strings.Contains(answer, `\"toolName\":\"consultar\"`) {
			t.Errorf("%s, Whaapy: got %d %s, want an envelope", name, status, answer)
		}
		if status, _, answer := do(t, http.MethodPost, url, otherID, callIt); status != 200 || !strings.Contains(answer, `"structuredContent":{"nombre":"Ana"}`) {
			t.Errorf("%s, another client: got %d %s, want the bare result", name, status, answer)
		}
	}
}

// TestNoSessionIs404 has every way to name a session that is not there, and every method.
func TestNoSessionIs404(t *testing.T) {
	t.Parallel()
	s := newSessions(t, whaapy.SessionsConfig{})
	url := endpoint(t, s)
	_, id, _ := do(t, http.MethodPost, url, "", initialize)
	if status, _, _ := do(t, http.MethodDelete, url, id, ""); status != http.StatusOK {
		t.Errorf("DELETE = %d, want 200", status)
	}
	for name, session := range map[string]string{"closed": id, "forged": id[:len(id)-1] + "_", "foreign": "mcp-session-1"} {
		for _, method := range []string{http.MethodPost, http.MethodDelete, http.MethodGet} {
			if status, _, answer := do(t, method, url, session, callIt); status != http.StatusNotFound {
				t.Errorf("%s with an id that is %s = %d %s, want 404", method, name, status, answer)
			}
		}
	}
}

// TestNoIDIs400 has what needs a session and names none, and what needs none.
func TestNoIDIs400(t *testing.T) {
	t.Parallel()
	s := newSessions(t, whaapy.SessionsConfig{})
	url := endpoint(t, s)
	for _, method := range []string{http.MethodPost, http.MethodDelete, http.MethodGet} {
		if status, _, answer := do(t, method, url, "", callIt); status != http.StatusBadRequest {
			t.Errorf("%s without an id = %d %s, want 400", method, status, answer)
		}
	}
	if status, _, answer := do(t, http.MethodPost, url, "", initialize); status != http.StatusOK {
		t.Errorf("initialize = %d %s, want 200", status, answer)
	}
	if status, _, answer := do(t, http.MethodPost, url, "", callModern); status != http.StatusOK || !strings.Contains(answer, `"nombre":"Ana"`) {
		t.Errorf("a call of 2026-07-28 = %d %s, want its result", status, answer)
	}
}

// TestGuardWithoutHeaders leaves it to mcp-go to look into the message.
func TestGuardWithoutHeaders(t *testing.T) {
	t.Parallel()
	s := newSessions(t, whaapy.SessionsConfig{})
	h := httptest.NewServer(s.Guard(server.NewStreamableHTTPServer(newServer(reads("consultar"), returns(structured(`{}`))), s.Option())))
	defer h.Close()
	status, id, _ := do(t, http.MethodPost, h.URL, "", initialize)
	if status != http.StatusOK || id == "" {
		t.Fatalf("initialize = %d with session %q", status, id)
	}
	if status, _, answer := do(t, http.MethodPost, h.URL, id, callIt); status != http.StatusOK {
		t.Errorf("a call = %d %s, want 200", status, answer)
	}
	if status, _, _ := do(t, http.MethodPost, h.URL, "", callIt); status != http.StatusNotFound {
		t.Errorf("without an id = %d, want mcp-go's 404", status)
	}
}

// TestClosingWhileRedisIsAway closes a session that the other replica cannot be told
// about, and again until it can.
func TestClosingWhileRedisIsAway(t *testing.T) {
	t.Parallel()
	var shared redis
	replica := func() string {
		return endpoint(t, newSessions(t, whaapy.SessionsConfig{Closed: whaapy.NewRedisClosed(shared.do), Report: func(error) {}}))
	}
	a, b := replica(), replica()
	_, id, _ := do(t, http.MethodPost, a, "", initialize)
	for _, step := range []struct {
		what, method, url string
		down              bool
		want              int
	}{
		{"closing it", http.MethodDelete, a, true, http.StatusInternalServerError},
		{"a call where it was closed", http.MethodPost, a, true, http.StatusNotFound},
		{"a call elsewhere", http.MethodPost, b, true, http.StatusOK},
		{"closing it once more", http.MethodDelete, a, true, http.StatusInternalServerError},
		{"closing it with Redis back", http.MethodDelete, a, false, http.StatusOK},
		{"a call elsewhere then", http.MethodPost, b, false, http.StatusNotFound},
		{"closing what is closed", http.MethodDelete, a, false, http.StatusNotFound},
		{"closing it elsewhere", http.MethodDelete, b, false, http.StatusNotFound},
	} {
		shared.setDown(step.down)
		if status, _, answer := do(t, step.method, step.url, id, callIt); status != step.want {
			t.Errorf("%s = %d %s, want %d", step.what, status, answer, step.want)
		}
	}
}

// TestClosingMeetsCalls closes a session from many sides while it is in use: each call is
// answered or told 404, one after the first DELETE is told 404, and a DELETE that comes
// too late is, too.
func TestClosingMeetsCalls(t *testing.T) {
	t.Parallel()
	url := endpoint(t, newSessions(t, whaapy.SessionsConfig{}))
	_, id, _ := do(t, http.MethodPost, url, "", initialize)
	var all sync.WaitGroup
	for i := range 12 {
		method := http.MethodPost
		if i%3 == 0 {
			method = http.MethodDelete
		}
		all.Go(func() {
			if status, _, answer := do(t, method, url, id, callIt); status != http.StatusOK && status != http.StatusNotFound {
				t.Errorf("%s = %d %s, want 200 or 404", method, status, answer)
			}
		})
	}
	all.Wait()
	for _, method := range []string{http.MethodPost, http.MethodDelete} {
		if status, _, _ := do(t, method, url, id, callIt); status != http.StatusNotFound {
			t.Errorf("%s at the end = %d, want 404", method, status)
		}
	}
}

// TestClosingDuringACall closes a session while one of its calls runs: that one is
// answered, and the next is not.
func TestClosingDuringACall(t *testing.T) {
	t.Parallel()
	runs, closed := make(chan struct{}), make(chan struct{})
	srv := newServer(writes("consultar"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		close(runs)
		<-closed
		return structured(`{"ticketId":"1"}`), nil
	}, whaapy.Envelope(whaapy.Config{}))
	s := newSessions(t, whaapy.SessionsConfig{})
	h := httptest.NewServer(s.Guard(server.NewStreamableHTTPServer(srv, s.Option())))
	defer h.Close()
	_, id, _ := do(t, http.MethodPost, h.URL, "", initialize)
	var all sync.WaitGroup
	all.Go(func() {
		if status, _, answer := do(t, http.MethodPost, h.URL, id, callIt); status != http.StatusOK || !strings.Contains(answer, `\"ticketId\":\"1\"`) {
			t.Errorf("the call that ran = %d %s, want its result", status, answer)
		}
	})
	<-runs
	if status, _, _ := do(t, http.MethodDelete, h.URL, id, ""); status != http.StatusOK {
		t.Errorf("DELETE = %d, want 200", status)
	}
	if status, _, _ := do(t, http.MethodPost, h.URL, id, callIt); status != http.StatusNotFound {
		t.Errorf("a call after DELETE = %d, want 404", status)
	}
	close(closed)
	all.Wait()
}

// TestInvalidArgumentsInAStream lets mcp-go answer with events: a notification is sent
// from within the call, which goes on to its refusal once the client has read it. One that
// is only waiting when the call ends may be lost, for mcp-go takes it from the queue
// before it looks whether the answer was written.
func TestInvalidArgumentsInAStream(t *testing.T) {
	t.Parallel()
	sessions := newSessions(t, whaapy.SessionsConfig{})
	tool := reads("consultar")
	tool.InputSchema.Required = []string{"documento"}
	announced := make(chan struct{})
	srv := newServer(tool, returns(structured(`{}`)), announces(announced), whaapy.Envelope(whaapy.Config{}),
		middleware.Errors(middleware.ErrorsConfig{}), middleware.Validate(middleware.ValidateConfig{}))
	gateway, err := transport.GatewayConfig{
		Credentials: []transport.Credential{transport.Bearer("whaapy", secret)}, InvalidParams: true,
	}.Wrap(server.NewStreamableHTTPServer(srv, sessions.Option()))
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(gateway)
	defer h.Close()
	_, id, _ := do(t, http.MethodPost, h.URL, "", initialize)
	do(t, http.MethodPost, h.URL, id, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)

	const (
		plain    = `{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"Invalid arguments","data":{"field":"documento","message_es":"Hace falta documento."}}}`
		progress = `{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"result"}}`
	)
	if _, _, answer := do(t, http.MethodPost, h.URL, id, callIt); strings.TrimSpace(answer) != plain {
		t.Errorf("as JSON\ngot  %s\nwant %s", answer, plain)
	}

	resp := sender{url: h.URL, secret: secret, session: id, version: "2025-06-18"}.open(t, http.MethodPost, callAnnounced)
	defer resp.Body.Close()
	event := func(message string) string { return "event: message\ndata: " + message + "\n\n" }
	first := make([]byte, len(event(progress)))
	if _, err := io.ReadFull(resp.Body, first); err != nil || string(first) != event(progress) {
		t.Fatalf("the first event = %q, %v, want %q", first, err, event(progress))
	}
	close(announced)
	if rest, err := io.ReadAll(resp.Body); err != nil || string(rest) != event(plain) {
		t.Errorf("the events after it = %q, %v, want %q", rest, err, event(plain))
	}
}

// announces sends a notification to the caller who asks for it, and lets the call go on
// when read is closed.
func announces(read <-chan struct{}) server.ToolHandlerMiddleware {
	return func(next server.ToolHandlerFunc) server.ToolHandlerFunc {
		return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if req.Params.Meta != nil && req.Params.Meta.AdditionalFields["announce"] == true {
				err := server.ServerFromContext(ctx).SendNotificationToClient(ctx, "notifications/message", map[string]any{"data": "result"})
				if err != nil {
					return nil, err
				}
				select {
				case <-read:
				case <-ctx.Done():
				}
			}
			return next(ctx, req)
		}
	}
}
