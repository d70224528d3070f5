package whaapy_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/transport"
	"github.com/portavoz/portavoz/middleware/whaapy"
)

func key(fill byte) []byte { return bytes.Repeat([]byte{fill}, 32) }

func newSessions(tb testing.TB, cfg whaapy.SessionsConfig) *whaapy.Sessions {
	tb.Helper()
	if cfg.Keys == nil {
		cfg.Keys = [][]byte{key(1)}
	}
	s, err := whaapy.NewSessions(cfg)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// manager is what mcp-go asks during a request.
func manager(s *whaapy.Sessions) server.SessionIdManager {
	return s.ResolveSessionIdManager(httptest.NewRequest(http.MethodPost, "/", nil))
}

// state says in a word what becomes of a call with the id.
func state(s *whaapy.Sessions, id string) string {
	switch terminated, err := manager(s).Validate(id); {
	case err != nil:
		return "unknown"
	case terminated:
		return "closed"
	}
	return "open"
}

func checkState(tb testing.TB, what string, s *whaapy.Sessions, id, want string) {
	tb.Helper()
	if got := state(s, id); got != want {
		tb.Errorf("%s: %s, want %s", what, got, want)
	}
}

func TestSessionsForeignIDs(t *testing.T) {
	t.Parallel()
	s := newSessions(t, whaapy.SessionsConfig{})
	id := manager(s).Generate()
	checkState(t, "its own", s, id, "open")
	for name, other := range map[string]string{
		"none": "", "made up": "mcp-session-1", "no base64": "????", "long": strings.Repeat("A", 10_000),
		"cut": id[:len(id)-2], "longer": id + "AA", "padded": id + "=", "another key's": manager(newSessions(t, whaapy.SessionsConfig{Keys: [][]byte{key(2)}})).Generate(),
	} {
		checkState(t, name, s, other, "unknown")
	}
	raw, err := base64.RawURLEncoding.DecodeString(id)
	if err != nil {
		t.Fatal(err)
	}
	for i := range raw {
		forged := bytes.Clone(raw)
		forged[i] ^= 1
		checkState(t, fmt.Sprintf("byte %d changed", i), s, base64.RawURLEncoding.EncodeToString(forged), "unknown")
	}
}

func TestSessionsRotateKeys(t *testing.T) {
	t.Parallel()
	before := newSessions(t, whaapy.SessionsConfig{Keys: [][]byte{key(1)}})
	during := newSessions(t, whaapy.SessionsConfig{Keys: [][]byte{key(2), key(1)}})
	after := newSessions(t, whaapy.SessionsConfig{Keys: [][]byte{key(2)}})
	old, young := manager(before).Generate(), manager(during).Generate()
	checkState(t, "an old id, both keys", during, old, "open")
	checkState(t, "a new id, both keys", during, young, "open")
	checkState(t, "a new id, the new key", after, young, "open")
	checkState(t, "an old id, the new key", after, old, "unknown")
	checkState(t, "a new id, the old key", before, young, "unknown")
}

func TestSessionsExpire(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newSessions(t, whaapy.SessionsConfig{TTL: time.Hour})
		id := manager(s).Generate()
		time.Sleep(time.Hour - time.Second)
		checkState(t, "a second before", s, id, "open")
		time.Sleep(time.Second)
		checkState(t, "after its time", s, id, "unknown")
	})
}

func TestSessionsClose(t *testing.T) {
	t.Parallel()
	s := newSessions(t, whaapy.SessionsConfig{})
	id, other := manager(s).Generate(), manager(s).Generate()
	for range 2 {
		if notAllowed, err := manager(s).Terminate(id); notAllowed || err != nil {
			t.Errorf("Terminate = %v, %v", notAllowed, err)
		}
	}
	checkState(t, "closed", s, id, "closed")
	checkState(t, "another", s, other, "open")
	if notAllowed, err := manager(s).Terminate("nonsense"); notAllowed || err != nil {
		t.Errorf("Terminate of nonsense = %v, %v", notAllowed, err)
	}
}

// TestSessionsOutliveTheCleaning closes nothing when mcp-go lets its bookkeeping go:
// another replica may be serving the session.
func TestSessionsOutliveTheCleaning(t *testing.T) {
	t.Parallel()
	s := newSessions(t, whaapy.SessionsConfig{})
	id := manager(s).Generate()
	if _, err := s.ResolveSessionIdManager(nil).Terminate(id); err != nil {
		t.Fatal(err)
	}
	checkState(t, "after the cleaning", s, id, "open")
}

func TestSessionsConfig(t *testing.T) {
	t.Parallel()
	_, err := whaapy.NewSessions(whaapy.SessionsConfig{Keys: [][]byte{key(1), []byte("short")}, TTL: -1})
	const want = "portavoz/whaapy: key 1 of Sessions has 5 bytes, below 32\nportavoz/whaapy: a duration of Sessions is negative"
	if err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
	if _, err := whaapy.NewSessions(whaapy.SessionsConfig{}); err == nil {
		t.Error("sessions without a key are accepted")
	}
}

func TestClosedForgets(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		closed := whaapy.NewClosed(2)
		now := time.Now()
		note := func(session string, left time.Duration) {
			t.Helper()
			if err := closed.Close(t.Context(), session, now.Add(left)); err != nil {
				t.Fatal(err)
			}
		}
		check := func(when, want string) {
			t.Helper()
			var got []string
			for _, session := range []string{"a", "b", "c", "d"} {
				if is, err := closed.IsClosed(t.Context(), session); is && err == nil {
					got = append(got, session)
				}
			}
			if strings.Join(got, "") != want {
				t.Errorf("%s: closed are %q, want %q", when, got, want)
			}
		}
		note("a", time.Hour)
		note("b", 2*time.Hour)
		note("b", 2*time.Hour)
		check("two", "ab")
		note("c", 3*time.Hour)
		check("full: the one that ends first goes", "bc")
		time.Sleep(2 * time.Hour)
		note("d", 4*time.Hour)
		check("one has ended", "cd")
	})
}

// redis is a server that knows the two scripts.
type redis struct {
	mu   sync.Mutex
	keys map[string]bool
	fail error
}

func (r *redis) do(ctx context.Context, args ...any) (any, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := errors.Join(ctx.Err(), r.fail); err != nil {
		return nil, err
	}
	script, key, session := args[1].(string), args[3].(string), args[4].(string)
	switch {
	case strings.Contains(script, "'SET'"):
		if r.keys == nil {
			r.keys = map[string]bool{}
		}
		r.keys[key] = true
		return []byte(session), nil
	case r.keys[key]:
		return session + " 1", nil
	}
	return session + " 0", nil
}

func TestReplicasShareWhatIsClosed(t *testing.T) {
	t.Parallel()
	shared := new(redis)
	a := newSessions(t, whaapy.SessionsConfig{Closed: whaapy.NewRedisClosed(shared.do)})
	b := newSessions(t, whaapy.SessionsConfig{Closed: whaapy.NewRedisClosed(shared.do)})
	id := manager(a).Generate()
	checkState(t, "on the other replica", b, id, "open")
	if _, err := manager(b).Terminate(id); err != nil {
		t.Fatal(err)
	}
	checkState(t, "where it was made", a, id, "closed")
	checkState(t, "where it was closed", b, id, "closed")
}

func TestSessionsWhileRedisIsAway(t *testing.T) {
	t.Parallel()
	down := &redis{fail: errors.New("connection to 10.0.0.7 refused")}
	var reported []error
	s := newSessions(t, whaapy.SessionsConfig{
		Closed: whaapy.NewRedisClosed(down.do), Report: func(err error) { reported = append(reported, err) },
	})
	id := manager(s).Generate()
	checkState(t, "nobody can be asked", s, id, "open")
	_, err := manager(s).Terminate(id)
	if err == nil || strings.Contains(err.Error(), "10.0.0.7") {
		t.Errorf("Terminate = %v, want an error that the client may read", err)
	}
	checkState(t, "closed here", s, id, "closed")
	if len(reported) != 2 || !strings.Contains(reported[0].Error(), "10.0.0.7") {
		t.Errorf("reported are %v, want both failures", reported)
	}
}

func TestRedisClosedRefusesWhatItDoesNotUnderstand(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]any{
		"nothing": nil, "a number": int64(1), "a list": []any{"a"}, "another session": "b 1", "another question": "a 2", "no text": "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			closed := whaapy.NewRedisClosed(func(context.Context, ...any) (any, error) { return answer, nil })
			if is, err := closed.IsClosed(t.Context(), "a"); is || err == nil {
				t.Errorf("IsClosed = %v, %v, want an error", is, err)
			}
			if err := closed.Close(t.Context(), "a", time.Now().Add(time.Hour)); err == nil {
				t.Error("Close takes it for its own")
			}
		})
	}
}

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

// do sends a request of the 2025-06-18 era.
func do(t *testing.T, method, url, session, body string) (status int, id, answer string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Authorization": "Bearer " + secret,
		"MCP-Protocol-Version": "2025-06-18", "Mcp-Session-Id": session,
	} {
		if value != "" {
			req.Header.Set(name, value)
		}
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Header.Get("Mcp-Session-Id"), string(raw)
}

const (
	secret = "s3cret-of-the-agent"

	initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"whaapy-mcp-client","version":"1.0.0"}}}`
	callIt     = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"consultar","arguments":{}}}`
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

// TestNoSessionIs404 has every way to lack a session, and every method.
func TestNoSessionIs404(t *testing.T) {
	t.Parallel()
	s := newSessions(t, whaapy.SessionsConfig{})
	url := endpoint(t, s)
	_, id, _ := do(t, http.MethodPost, url, "", initialize)
	if status, _, _ := do(t, http.MethodDelete, url, id, ""); status != http.StatusOK {
		t.Errorf("DELETE = %d, want 200", status)
	}
	for name, session := range map[string]string{"closed": id, "forged": id[:len(id)-1] + "_", "foreign": "mcp-session-1", "none": ""} {
		for _, method := range []string{http.MethodPost, http.MethodDelete, http.MethodGet} {
			if method == http.MethodGet && session == "" {
				continue // mcp-go opens a stream for a new session then
			}
			if status, _, answer := do(t, method, url, session, callIt); status != http.StatusNotFound {
				t.Errorf("%s with an id that is %s = %d %s, want 404", method, name, status, answer)
			}
		}
	}
}

// TestInvalidArgumentsInAStream lets mcp-go answer with events, since a notification is
// waiting for the session: the notification comes, and the error after it.
func TestInvalidArgumentsInAStream(t *testing.T) {
	t.Parallel()
	sessions := newSessions(t, whaapy.SessionsConfig{})
	tool := reads("consultar")
	tool.InputSchema.Required = []string{"documento"}
	srv := newServer(tool, returns(structured(`{}`)), whaapy.Envelope(whaapy.Config{}),
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

	const plain = `{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"Invalid arguments","data":{"field":"documento","message_es":"Hace falta documento."}}}`
	if _, _, answer := do(t, http.MethodPost, h.URL, id, callIt); strings.TrimSpace(answer) != plain {
		t.Errorf("as JSON\ngot  %s\nwant %s", answer, plain)
	}
	if err := srv.SendNotificationToSpecificClient(id, "notifications/message", map[string]any{"data": "result"}); err != nil {
		t.Fatal(err)
	}
	const events = "event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"data\":\"result\"}}\n\n" +
		"event: message\ndata: " + plain + "\n\n"
	if _, _, answer := do(t, http.MethodPost, h.URL, id, callIt); answer != events {
		t.Errorf("as events\ngot  %s\nwant %s", answer, events)
	}
}

func FuzzSessionID(f *testing.F) {
	s := newSessions(f, whaapy.SessionsConfig{})
	f.Add(manager(s).Generate())
	f.Add("")
	f.Add(strings.Repeat("A", 60))
	f.Fuzz(func(t *testing.T, id string) {
		other := newSessions(t, whaapy.SessionsConfig{Keys: [][]byte{key(9)}})
		if got := state(other, id); got != "unknown" {
			t.Errorf("%q is %s for a key that signed nothing", id, got)
		}
	})
}

// BenchmarkSession measures what a session costs a call: the id is checked once.
func BenchmarkSession(b *testing.B) {
	s := newSessions(b, whaapy.SessionsConfig{})
	m := manager(s)
	id := m.Generate()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := m.Validate(id); err != nil {
			b.Fatal(err)
		}
	}
}
