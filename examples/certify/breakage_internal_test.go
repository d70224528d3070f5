package main

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
)

// exchange is one request and its answer, on its way through a breakage.
type exchange struct {
	method string // HTTP
	header http.Header
	body   map[string]any // of the request
	status int
	sent   http.Header // of the answer
	answer map[string]any
}

func (x *exchange) rpc() string { s, _ := x.body["method"].(string); return s }

func (x *exchange) params() map[string]any { return objectOf(x.body, "params") }

// tool is the one that is called, "" if none is.
func (x *exchange) tool() string {
	if x.rpc() != "tools/call" {
		return ""
	}
	s, _ := x.params()["name"].(string)
	return s
}

func (x *exchange) args() map[string]any { return objectOf(x.params(), "arguments") }
func (x *exchange) meta() map[string]any { return objectOf(x.params(), "_meta") }
func (x *exchange) voice() bool          { return x.meta()[metaChannel] == "voice" }
func (x *exchange) res() map[string]any  { return objectOf(x.answer, "result") }
func (x *exchange) data() map[string]any { return objectOf(x.res(), "structuredContent") }
func (x *exchange) failure() map[string]any {
	return objectOf(x.data(), "error")
}

// success reports whether a tool did what it was called for.
func (x *exchange) success() bool {
	return x.res()["structuredContent"] != nil && x.res()["isError"] != true
}
func (x *exchange) failed() bool { return x.res()["isError"] == true }

func (x *exchange) say(text string) {
	x.res()["content"] = []any{map[string]any{"type": "text", "text": text}}
}

// fail answers a failure of the contract's form.
func (x *exchange) fail(errorType, message string) {
	data := map[string]any{"error": map[string]any{"error_type": errorType, "user_message": message}}
	x.refail(data, string(mustJSON(data)))
}

func (x *exchange) refail(data any, text string) {
	x.answer = map[string]any{"jsonrpc": "2.0", "id": x.body["id"], "result": map[string]any{
		"resultType": "complete", "isError": true, "structuredContent": data, "content": []any{map[string]any{"type": "text", "text": text}},
	}}
	x.status = http.StatusOK
}

// succeed answers data.
func (x *exchange) succeed(data any) {
	x.refail(data, "Listo.")
	delete(x.res(), "isError")
}

// fault answers a JSON-RPC error.
func (x *exchange) fault(status, code int) {
	x.answer = map[string]any{"jsonrpc": "2.0", "id": x.body["id"], "error": map[string]any{"code": code, "message": "no"}}
	x.status = status
}

// list is the first list of the data.
func (x *exchange) list() []any { l, _ := x.data()["resultados"].([]any); return l }

func objectOf(in map[string]any, key string) map[string]any {
	o, _ := in[key].(map[string]any)
	if o == nil {
		return map[string]any{}
	}
	return o
}

// breakage changes one thing about a server.
type breakage func(http.Handler) http.Handler

// before changes requests on their way in.
func before(change func(*exchange)) breakage {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			x := readExchange(r)
			change(x)
			next.ServeHTTP(w, x.request(r))
		})
	}
}

// after changes answers on their way out.
func after(change func(*exchange)) breakage {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			x := readExchange(r)
			recorder := httptest.NewRecorder()
			next.ServeHTTP(recorder, x.request(r))
			x.status, x.sent = recorder.Code, recorder.Header()
			isJSON := decode(recorder.Body.Bytes(), &x.answer) == nil
			change(x)
			out := recorder.Body.Bytes()
			if isJSON || x.answer != nil {
				out = mustJSON(x.answer)
				x.sent.Set("Content-Type", "application/json")
			}
			x.sent.Set("Content-Length", strconv.Itoa(len(out)))
			maps.Copy(w.Header(), x.sent)
			w.WriteHeader(x.status)
			_, _ = w.Write(out)
		})
	}
}

func readExchange(r *http.Request) *exchange {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	x := &exchange{method: r.Method, header: r.Header.Clone(), body: map[string]any{}}
	_ = decode(raw, &x.body)
	return x
}

// request is the changed one.
func (x *exchange) request(r *http.Request) *http.Request {
	raw := mustJSON(x.body)
	if len(x.body) == 0 {
		raw = nil
	}
	changed := r.Clone(r.Context())
	changed.Header = x.header
	changed.Body, changed.ContentLength = io.NopCloser(bytes.NewReader(raw)), int64(len(raw))
	return changed
}

func decodeReport(t *testing.T, stdout string) report {
	t.Helper()
	var r report
	if err := json.Unmarshal([]byte(stdout), &r); err != nil {
		t.Fatalf("report: %v\n%s", err, stdout)
	}
	return r
}
