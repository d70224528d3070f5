package transport

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/portavoz/portavoz/middleware/call"
)

// JSON-RPC error codes, all defined by JSON-RPC 2.0 or by MCP 2026-07-28.
const (
	codeParseError     = -32700
	codeInvalidRequest = -32600
	codeInvalidParams  = -32602
	codeInternalError  = -32603
	codeHeaderMismatch = -32020
)

// refusal is an answer that this package gives by itself.
type refusal struct {
	status  int    // of HTTP
	code    int    // of the JSON-RPC error
	reason  string // one word, for the log
	message string // for whoever reads the answer
	closes  bool   // the rest of the request is not worth reading

	retryAfter time.Duration // how long to wait; zero is not known
	invalid    *call.Invalid // what is wrong with the arguments, or nil
}

// send answers r. The id is echoed when it is a valid JSON-RPC id, else it is
// null.
func (f refusal) send(w http.ResponseWriter, r *http.Request, id json.RawMessage) {
	call.ExchangeFrom(r.Context()).SetRefusal(f.reason)
	if f.retryAfter > 0 {
		w.Header().Set("Retry-After", strconv.FormatInt(f.seconds(), 10))
	}
	h := w.Header()
	h.Del("Content-Length") // of an answer that somebody prepared before
	h.Del("Content-Encoding")
	h.Set("Content-Type", "application/json")
	h.Set("X-Content-Type-Options", "nosniff")
	if f.closes && r.ProtoMajor == 1 { // in HTTP/2 it would close every stream of the connection
		h.Set("Connection", "close")
	}
	w.WriteHeader(f.status)
	_, _ = w.Write(f.body(id)) //nolint:gosec // JSON, and sniffing is off; a client that left has no use for it
}

// seconds is how long to wait, rounded up.
func (f refusal) seconds() int64 { return int64((f.retryAfter-1)/time.Second) + 1 }

// body is the JSON-RPC error, with a line break at its end.
func (f refusal) body(id json.RawMessage) []byte {
	type data struct {
		RetryAfter int64  `json:"retry_after_seconds,omitempty"`
		Field      string `json:"field,omitempty"`
		MessageES  string `json:"message_es,omitempty"`
	}
	type details struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
		Data    *data  `json:"data,omitempty"`
	}
	failure := details{Code: f.code, Message: f.message}
	if f.retryAfter > 0 {
		failure.Data = &data{RetryAfter: f.seconds()}
	}
	if f.invalid != nil {
		failure.Data = &data{Field: f.invalid.Field, MessageES: f.invalid.Message}
	}
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false) // the id goes back as it came
	_ = enc.Encode(struct {  // strings, a number and a checked id always encode
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   details         `json:"error"`
	}{"2.0", validID(id), failure})
	return body.Bytes()
}

// validID returns id if it is a string or a number, else nil, which encodes as
// null.
func validID(id json.RawMessage) json.RawMessage {
	if len(id) == 0 || !utf8.Valid(id) || !json.Valid(id) {
		return nil
	}
	if c := id[0]; c == '"' || c == '-' || '0' <= c && c <= '9' {
		return id
	}
	return nil
}
