package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"testing"
)

// gateway is a client that speaks as the gateway of the contract does.
type gateway struct{ url string }

// result is what a tool call answers.
type result struct {
	Content []struct {
		Text string `json:"text"`
	} `json:"content"`
	Structured json.RawMessage `json:"structuredContent"`
	IsError    bool            `json:"isError"`
	Meta       struct {
		Replayed bool `json:"portavoz/replayed"`
	} `json:"_meta"`
}

// try calls a tool under an idempotency key, which may be empty. Each key is of
// another conversation, of which one alone would be stopped after some calls. The
// error is that of the connection or the protocol: a failure of the tool is a
// result.
func (g gateway) try(ctx context.Context, tool, key string, arguments map[string]string) (result, error) {
	meta := map[string]any{
		"io.modelcontextprotocol/protocolVersion":    "2026-07-28",
		"io.modelcontextprotocol/clientCapabilities": map[string]any{},
		"com.asixto/companyId":                       "cmp_1",
		"com.asixto/conversationId":                  "cnv_" + key,
	}
	if key != "" {
		meta["com.asixto/idempotencyKey"] = key
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": "7", "method": "tools/call", "params": map[string]any{
		"name": tool, "arguments": arguments, "_meta": meta,
	}})
	if err != nil {
		return result{}, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, g.url, bytes.NewReader(body))
	if err != nil {
		return result{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Mcp-Method", "tools/call")
	req.Header.Set("Mcp-Name", tool)
	req.Header.Set("Authorization", "Bearer "+secret)
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return result{}, err
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return result{}, err
	}
	var message struct {
		Result *result         `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(raw, &message); err != nil || message.Result == nil {
		return result{}, errors.Join(err, fmt.Errorf("answer = %d %s, want a result", res.StatusCode, raw))
	}
	return *message.Result, nil
}

// call is try for a connection that has no excuse.
func (g gateway) call(t *testing.T, tool, key string, arguments map[string]string) result {
	t.Helper()
	r, err := g.try(t.Context(), tool, key, arguments)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// openCase calls the tool that writes.
func (g gateway) openCase(t *testing.T, key string) result {
	t.Helper()
	return g.call(t, "abrir_caso_soporte", key, problem)
}

var problem = map[string]string{"descripcion": "No hay internet desde anoche"}

// failure is the error_type of a result, or "" for a success.
func (r result) failure(t *testing.T) string {
	t.Helper()
	if !r.IsError {
		return ""
	}
	var failed struct {
		Error struct {
			Type string `json:"error_type"`
		} `json:"error"`
	}
	if err := json.Unmarshal(r.Structured, &failed); err != nil || failed.Error.Type == "" {
		t.Fatalf("failure = %s, %v", r.Structured, err)
	}
	return failed.Error.Type
}
