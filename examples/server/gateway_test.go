package main_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
)

// gateway is a client that speaks as the gateway of the contract does: the
// protocol version in the body alone, Mcp-Method and Mcp-Name on every POST.
type gateway struct {
	url    string
	secret string
}

// answer is what came back over HTTP.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// result is what a tool call answers.
type result struct {
	Content []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"content"`
	Structured json.RawMessage `json:"structuredContent"`
	IsError    bool            `json:"isError"`
	ResultType string          `json:"resultType"`
}

// request prepares a POST with the headers of the gateway.
func (g gateway) request(t *testing.T, method, name string, body []byte) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, g.url, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if name == "" {
		name = "-"
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Mcp-Method", method)
	req.Header.Set("Mcp-Name", name)
	if g.secret != "" {
		req.Header.Set("Authorization", "Bearer "+g.secret)
	}
	return req
}

// do sends a request and reads the whole answer.
func do(t *testing.T, req *http.Request) answer {
	t.Helper()
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{res.StatusCode, res.Header, bytes.TrimSpace(body)}
}

// envelope is the body of a request of revision 2026-07-28. More metadata may
// be given as JSON members.
func envelope(method, params, meta string) []byte {
	members := []string{
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28"`,
		`"io.modelcontextprotocol/clientCapabilities":{}`,
	}
	if meta != "" {
		members = append(members, meta)
	}
	if params != "" {
		params += ","
	}
	return []byte(`{"jsonrpc":"2.0","id":"7","method":"` + method + `","params":{` + params +
		`"_meta":{` + strings.Join(members, ",") + `}}}`)
}

// ask sends a request without a name and returns the result of a success.
func (g gateway) ask(t *testing.T, method string) json.RawMessage {
	t.Helper()
	return resultOf(t, do(t, g.request(t, method, "", envelope(method, "", ""))))
}

// call calls a tool. Arguments are a JSON object, meta JSON members or "".
func (g gateway) call(t *testing.T, tool, arguments, meta string) result {
	t.Helper()
	params := `"name":"` + tool + `","arguments":` + arguments
	a := do(t, g.request(t, "tools/call", tool, envelope("tools/call", params, meta)))
	r := toolResult(t, resultOf(t, a))
	if r.ResultType != "complete" {
		t.Errorf("%s: resultType = %q, want complete", tool, r.ResultType)
	}
	return r
}

// resultOf returns the result of an answer that is JSON, 200, and no error.
func resultOf(t *testing.T, a answer) json.RawMessage {
	t.Helper()
	var message struct {
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(a.body, &message); err != nil {
		t.Fatalf("answer %d %q: %v", a.status, a.body, err)
	}
	if a.status != http.StatusOK || message.Error != nil || message.Result == nil {
		t.Fatalf("answer = %d %s, want a result", a.status, a.body)
	}
	return message.Result
}

func toolResult(t *testing.T, raw json.RawMessage) result {
	t.Helper()
	var r result
	if err := json.Unmarshal(raw, &r); err != nil {
		t.Fatalf("result %s: %v", raw, err)
	}
	if len(r.Content) != 1 || r.Content[0].Type != "text" || r.Content[0].Text == "" {
		t.Fatalf("content of %s is not one block of text", raw)
	}
	return r
}

// wantFailure checks that a call failed with exactly this JSON, as data and as
// text.
func wantFailure(t *testing.T, r result, want string) {
	t.Helper()
	if !r.IsError || string(r.Structured) != want {
		t.Errorf("failure = %v %s,\nwant %s", r.IsError, r.Structured, want)
	}
	if r.Content[0].Text != want {
		t.Errorf("text of the failure = %s,\nwant %s", r.Content[0].Text, want)
	}
}
