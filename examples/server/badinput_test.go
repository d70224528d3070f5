package main_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"
)

// good is a call that succeeds: what the cases of TestBadInput start from.
var good = string(envelope("tools/call", `"name":"consultar_cliente","arguments":{"documento":"1032456789"}`, ""))

// TestBadInput is what arrives at an address on the internet, with the exact
// answer to each.
func TestBadInput(t *testing.T) {
	t.Parallel()
	g := gateway{start(t).mcp, secret}
	const (
		notJSON  = `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"request body is not valid json"}}`
		tooLarge = `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"The request body is longer than the 1048576 bytes this server accepts."}}`
	)
	mismatch := func(message string) string {
		return `{"jsonrpc":"2.0","id":"7","error":{"code":-32020,"message":"` + message + `"}}`
	}
	tests := map[string]struct {
		body   string
		header http.Header // instead of the gateway's; without a line, none
		status int
		want   string
	}{
		"truncated JSON": {good[:60], nil, 400, notJSON},
		"empty":          {"", nil, 400, notJSON},
		"NUL byte":       {strings.Replace(good, "1032456789", "1032\x00456789", 1), nil, 400, notJSON},
		"depth":          {strings.Replace(good, `"1032456789"`, strings.Repeat("[", 20_000)+strings.Repeat("]", 20_000), 1), nil, 400, notJSON},
		"batch":          {"[" + good + "]", nil, 400, notJSON},
		"no object":      {`"tools/call"`, nil, 400, notJSON},
		"wrong content type": {good, http.Header{"Content-Type": {"text/plain"}}, 400,
			"Invalid content type: must be 'application/json'"},
		"no content type": {good, http.Header{"Content-Type": nil}, 400,
			"Invalid content type: must be 'application/json'"},
		"two MiB": {`{"pad":"` + strings.Repeat("x", 2<<20) + `"}`, nil, 413, tooLarge},
		"unknown tool": {strings.Replace(good, "consultar_cliente", "no_existe", 1), http.Header{"Mcp-Name": {"no_existe"}}, 400,
			`{"jsonrpc":"2.0","id":"7","error":{"code":-32602,"message":"tool 'no_existe' not found: tool not found"}}`},
		"unknown method": {strings.Replace(good, "tools/call", "tools/run", 1), http.Header{"Mcp-Method": {"tools/run"}}, 404,
			`{"jsonrpc":"2.0","id":"7","error":{"code":-32601,"message":"Method tools/run not found"}}`},
		"_meta null, so no revision and no session": {
			`{"jsonrpc":"2.0","id":"7","method":"tools/call","params":{"name":"consultar_cliente","arguments":{},"_meta":null}}`, nil, 404,
			"Invalid session ID"},
		"header contradicts the method": {good, http.Header{"Mcp-Method": {"tools/list"}}, 400,
			mismatch(`header mismatch: Mcp-Method: header value \"tools/list\" does not match body value \"tools/call\"`)},
		"header contradicts the name": {good, http.Header{"Mcp-Name": {"buscar_items"}}, 400,
			mismatch(`header mismatch: Mcp-Name: header value \"buscar_items\" does not match body value \"consultar_cliente\"`)},
		"header contradicts the version": {good, http.Header{"Mcp-Protocol-Version": {"2025-06-18"}}, 400,
			mismatch(`Mcp-Protocol-Version header 2025-06-18 does not match request io.modelcontextprotocol/protocolVersion 2026-07-28`)},
		"two names": {good, http.Header{"Mcp-Name": {"consultar_cliente", "buscar_items"}}, 400,
			mismatch("The request has two Mcp-Name headers that differ.")},
		"two methods": {good, http.Header{"Mcp-Method": {"tools/call", "tools/list"}}, 400,
			mismatch("The request has two Mcp-Method headers that differ.")},
		"two versions": {good, http.Header{"Mcp-Protocol-Version": {"2026-07-28", "2025-06-18"}}, 400,
			mismatch("The request has two Mcp-Protocol-Version headers that differ.")},
		"two credentials": {good, http.Header{"Authorization": {"Bearer " + secret, "Bearer other"}}, 401,
			`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"A valid credential is required."}}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			req := g.request(t, "tools/call", "consultar_cliente", []byte(tt.body))
			maps.Copy(req.Header, tt.header)
			if a := do(t, req); a.status != tt.status || string(a.body) != tt.want {
				t.Errorf("answer = %d %s,\nwant %d %s", a.status, a.body, tt.status, tt.want)
			}
		})
	}
}

// TestBadArguments reaches a handler, and the answer is a result.
func TestBadArguments(t *testing.T) {
	t.Parallel()
	g := gateway{start(t).mcp, secret}
	const (
		badShape = `{"error":{"error_type":"VALIDATION","user_message":"Los datos de la solicitud no tienen la forma esperada.",` +
			`"details":{"code":"invalid_arguments","problems":[{"rule":"type","expected":["object"],"message":"Los datos de la solicitud no tienen la forma esperada."}]}}}`
		badKey  = `{"error":{"error_type":"VALIDATION","user_message":"La solicitud llegó con un dato interno que no es válido.","details":{"code":"invalid_idempotency_key"}}}`
		ana     = `{"nombre":"Ana María Ríos","estado":"activo","plan":"Plan Fibra 300","precio":"89900.00","moneda":"COP","casos_abiertos":0}`
		update  = `{"documento":"1032456789","dato":"telefono","valor":"300 555 0199"}`
		updated = `{"nombre":"Ana María Ríos","actualizado":"telefono"}`
	)
	wrongType := func(field, want string) string {
		return wrongArgument("argument_type", field, `"rule":"type","expected":`+want, "Conviene revisar "+field+", que no es del tipo esperado.")
	}
	tests := map[string]struct {
		tool, arguments, meta string
		failed                bool
		want                  string
	}{
		"number for a string": {"consultar_cliente", `{"documento":1032456789}`, "", true, wrongType("documento", `["string"]`)},
		"string for a number": {"buscar_items", `{"texto":"plan","limit":"3"}`, "", true, wrongType("limit", `["null","integer"]`)},
		"limit below one": {"buscar_items", `{"texto":"plan","limit":0}`, "", true,
			wrongArgument("argument_range", "limit", `"rule":"minimum","expected":1`, "Conviene revisar limit, que está fuera de los límites.")},
		"limit beyond 25": {"buscar_items", `{"texto":"plan","limit":26}`, "", true,
			wrongArgument("argument_range", "limit", `"rule":"maximum","expected":25`, "Conviene revisar limit, que está fuera de los límites.")},
		"a name twice": {"consultar_cliente", `{"documento":"1032456789","documento":"52887001"}`, "", true,
			`{"error":{"error_type":"VALIDATION","user_message":"Los datos de la solicitud no tienen la forma esperada.","details":{"code":"invalid_arguments"}}}`},
		"arguments an array": {"consultar_cliente", `["1032456789"]`, "", true, badShape},
		"arguments a string": {"consultar_cliente", `"{}"`, "", true, badShape},
		"arguments null": {"consultar_cliente", `null`, "", true,
			wrongArgument("missing_argument", "documento", `"rule":"required"`, "Hace falta documento.")},
		"NUL, escaped":             {"consultar_cliente", `{"documento":"1032456789\u0000"}`, "", false, ana},
		"invalid UTF-8":            {"consultar_cliente", `{"documento":"1032456789` + "\xff" + `"}`, "", false, ana},
		"number for a key, write":  {"actualizar_cliente", update, `"com.asixto/idempotencyKey":7`, true, badKey},
		"blank key, write":         {"actualizar_cliente", update, `"com.asixto/idempotencyKey":" "`, true, badKey},
		"null for a key, write":    {"actualizar_cliente", update, `"com.asixto/idempotencyKey":null`, false, updated},
		"number for a key, read":   {"consultar_cliente", `{"documento":"1032456789"}`, `"com.asixto/idempotencyKey":7`, false, ana},
		"every datum of no type":   {"consultar_cliente", `{"documento":"1032456789"}`, `"com.asixto/requestId":1,"com.asixto/conversationId":{},"com.asixto/channel":null`, false, ana},
		"line break in request id": {"consultar_cliente", `{"documento":"1032456789"}`, `"com.asixto/requestId":"a\n{\"level\":\"fatal\"}"`, false, ana},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := g.call(t, tt.tool, tt.arguments, tt.meta)
			switch {
			case tt.failed:
				wantFailure(t, r, tt.want)
			case r.IsError || string(r.Structured) != tt.want:
				t.Errorf("result = %v %s, want success %s", r.IsError, r.Structured, tt.want)
			}
			if !utf8.Valid(r.Structured) {
				t.Errorf("result is not UTF-8: %q", r.Structured)
			}
		})
	}
}

// TestLegacyMetaNull: within a session of an older revision nothing is missing.
func TestLegacyMetaNull(t *testing.T) {
	t.Parallel()
	g := gateway{start(t).mcp, secret}
	hello := do(t, g.request(t, "initialize", "", []byte(`{"jsonrpc":"2.0","id":1,"method":"initialize",`+
		`"params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`)))
	req := g.request(t, "tools/call", "consultar_cliente", []byte(`{"jsonrpc":"2.0","id":2,"method":"tools/call",`+
		`"params":{"name":"consultar_cliente","arguments":{"documento":"1032456789"},"_meta":null}}`))
	req.Header.Set("Mcp-Session-Id", hello.header.Get("Mcp-Session-Id"))
	if r := toolResult(t, resultOf(t, do(t, req))); r.IsError || !json.Valid(r.Structured) || !bytes.Contains(r.Structured, []byte("Ana María")) {
		t.Errorf("result = %s, want success", r.Structured)
	}
}
