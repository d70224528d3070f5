package exampletest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
)

// Gateway is a client that speaks as the gateway of the contract does.
type Gateway struct{ URL, Secret string }

// Result is what a tool call answers.
type Result struct {
	Content []struct {
		Text string `json:"text"`
	} `json:"content"`
	Structured json.RawMessage `json:"structuredContent"`
	IsError    bool            `json:"isError"`
	Meta       struct {
		Replayed bool `json:"portavoz/replayed"`
	} `json:"_meta"`
}

// Try calls a tool under an idempotency key, which may be empty. Each key is of another
// conversation, of which one alone would be stopped after some calls. The error is that of
// the connection or the protocol: a failure of the tool is a result.
func (g Gateway) Try(ctx context.Context, tool, key string, arguments map[string]string) (Result, error) {
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
		return Result{}, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, g.URL, bytes.NewReader(body))
	if err != nil {
		return Result{}, err
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Mcp-Method": "tools/call", "Mcp-Name": tool, "Authorization": "Bearer " + g.Secret,
	} {
		req.Header.Set(name, value)
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return Result{}, err
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return Result{}, err
	}
	var message struct {
		Result *Result `json:"result"`
	}
	if err := json.Unmarshal(raw, &message); err != nil || message.Result == nil {
		return Result{}, errors.Join(err, fmt.Errorf("answer = %d %s, want a result", res.StatusCode, raw))
	}
	return *message.Result, nil
}

// Call is Try for a connection that has no excuse.
func (g Gateway) Call(t testing.TB, tool, key string, arguments map[string]string) Result {
	t.Helper()
	r, err := g.Try(t.Context(), tool, key, arguments)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// OpenCase calls the tool that writes.
func (g Gateway) OpenCase(t testing.TB, key string) Result {
	t.Helper()
	return g.Call(t, CaseTool, key, Problem(key))
}

// OpenAtLast calls the tool that writes as a gateway does, which sends the key again when
// it is told that the store could not be asked in time, and says how often it was.
func (g Gateway) OpenAtLast(t testing.TB, key string) (r Result, refusals int) {
	t.Helper()
	InTime(t, "the write is settled", func() bool {
		var err error
		if r, err = g.Try(t.Context(), CaseTool, key, Problem(key)); err != nil {
			t.Error(err)
			return true
		}
		if r.Failure(t) != "SYSTEM" {
			return true
		}
		refusals++
		return false
	})
	return r, refusals
}

// CaseTool is the tool that writes.
const CaseTool = "abrir_caso_soporte"

// Problem is what the case of a key is about.
func Problem(key string) map[string]string {
	return map[string]string{"descripcion": "No hay internet, dice " + key}
}

// Failure is the error_type of a result, or "" for a success.
func (r Result) Failure(t testing.TB) string {
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
		t.Errorf("failure = %s, %v", r.Structured, err)
	}
	return failed.Error.Type
}

// OpenOnce opens a case under each of 20 keys, which it returns the number of, eight times
// at once over all the gateways: the eight get one result, and one of them is no replay.
func OpenOnce(t testing.TB, gateways ...Gateway) int {
	t.Helper()
	const keys, duplicates = 20, 8
	var results [keys][duplicates]Result
	var refusals [keys]atomic.Int32
	var all sync.WaitGroup
	for k := range keys {
		for d := range duplicates {
			all.Go(func() {
				r, n := gateways[d%len(gateways)].OpenAtLast(t, fmt.Sprint("key-", k))
				results[k][d] = r
				refusals[k].Add(int32(n))
			})
		}
	}
	all.Wait()
	if t.Failed() {
		t.FailNow()
	}
	for k := range results {
		first, ran := results[k][0], 0
		for _, r := range results[k] {
			if r.IsError || string(r.Structured) != string(first.Structured) || r.Content[0].Text != first.Content[0].Text {
				t.Errorf("key %d: %s and %s, want one result", k, r.Structured, first.Structured)
			}
			if !r.Meta.Replayed {
				ran++
			}
		}
		// Who was refused may have gone before his write ran to its end.
		if ran > 1 || ran == 0 && refusals[k].Load() == 0 {
			t.Errorf("key %d: %d results are no replays, want 1", k, ran)
		}
	}
	return keys
}
