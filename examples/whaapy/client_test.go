package main_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"
)

// How long Whaapy waits.
const (
	initializeTimeout  = 15 * time.Second
	listTimeout        = 15 * time.Second
	callTimeout        = 30 * time.Second
	initializedTimeout = 5 * time.Second
)

// agent is Whaapy: a client of the 2025-06-18 protocol with a session.
type agent struct {
	url, session string
	secret       string // instead of the agent's own
	key          bool   // sends X-API-Key instead of a bearer token
}

// send sends one message, or none, and returns status, session and body.
func (a agent) send(t *testing.T, method string, within time.Duration, body string) (status int, session, answer string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, a.url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("MCP-Protocol-Version", "2025-06-18")
	if a.session != "" {
		req.Header.Set("Mcp-Session-Id", a.session)
	}
	if a.key {
		req.Header.Set("X-API-Key", cmp.Or(a.secret, whaapySecret))
	} else {
		req.Header.Set("Authorization", "Bearer "+cmp.Or(a.secret, whaapySecret))
	}
	return exchange(t, req)
}

func exchange(t *testing.T, req *http.Request) (status int, session, answer string) {
	t.Helper()
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Header.Get("Mcp-Session-Id"), strings.TrimSpace(string(raw))
}

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"whaapy-mcp-client","version":"1.0.0"}}}`

// connect initializes a session.
func connect(t *testing.T, url string) agent {
	t.Helper()
	return agent{url: url}.connect(t)
}

func (a agent) connect(t *testing.T) agent {
	t.Helper()
	status, session, answer := a.send(t, http.MethodPost, initializeTimeout, hello)
	if status != http.StatusOK || session == "" || !strings.Contains(answer, `"protocolVersion":"2025-06-18"`) {
		t.Fatalf("initialize = %d with session %q: %s", status, session, answer)
	}
	a.session = session
	return a
}

func (a agent) initialized(t *testing.T) {
	t.Helper()
	status, _, answer := a.send(t, http.MethodPost, initializedTimeout, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	if status != http.StatusAccepted || answer != "" {
		t.Errorf("notifications/initialized = %d %q, want 202 and nothing", status, answer)
	}
}

func callOf(tool, arguments, meta string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":456,"method":"tools/call","params":{"name":%q,"arguments":%s%s}}`, tool, arguments, meta)
}

var volatile = regexp.MustCompile(`("durationMs":)\d+|("fecha":")[^"]*`)

// call returns the envelope, without what is different each time, and isError.
func (a agent) call(t *testing.T, tool, arguments string) (envelope string, isError bool) {
	t.Helper()
	return a.callWith(t, tool, arguments, "")
}

func (a agent) callWith(t *testing.T, tool, arguments, meta string) (envelope string, isError bool) {
	t.Helper()
	status, _, answer := a.send(t, http.MethodPost, callTimeout, callOf(tool, arguments, meta))
	text, isError := resultOf(t, status, answer)
	return volatile.ReplaceAllString(text, "${1}${2}0"), isError
}

// resultOf returns the text of the only block of a result.
func resultOf(t *testing.T, status int, answer string) (text string, isError bool) {
	t.Helper()
	var message struct {
		Result *struct {
			Content []struct{ Type, Text string }
			IsError bool
		}
	}
	if err := json.Unmarshal([]byte(answer), &message); err != nil || status != http.StatusOK || message.Result == nil ||
		len(message.Result.Content) != 1 || message.Result.Content[0].Type != "text" {
		t.Fatalf("the answer is %d %s, want a result with one text", status, answer)
	}
	return message.Result.Content[0].Text, message.Result.IsError
}

// asixtoCall sends a call as Asixto Gateway does, and returns the body.
func asixtoCall(t *testing.T, url, tool, arguments, meta string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), callTimeout)
	defer cancel()
	body := callOf(tool, arguments, `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
		`"io.modelcontextprotocol/clientCapabilities":{}`+meta+`}`)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Authorization": "Bearer " + asixtoSecret,
		"Mcp-Method": "tools/call", "Mcp-Name": tool,
	} {
		req.Header.Set(name, value)
	}
	status, _, answer := exchange(t, req)
	if status != http.StatusOK {
		t.Fatalf("the answer is %d %s", status, answer)
	}
	return volatile.ReplaceAllString(answer, "${1}${2}0")
}
