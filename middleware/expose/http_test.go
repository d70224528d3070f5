package expose_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware/expose"
)

// post sends a message over HTTP, in the era of 2026-07-28 or the one before, and
// returns everything that comes back.
func post(t *testing.T, srv http.Handler, modern bool, method, name string, params map[string]any) string {
	t.Helper()
	params, header := maps.Clone(params), http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
	if modern {
		const revision = "2026-07-28"
		params["_meta"] = map[string]any{
			"io.modelcontextprotocol/protocolVersion": revision, "io.modelcontextprotocol/clientCapabilities": map[string]any{},
			"io.modelcontextprotocol/clientInfo": map[string]any{"name": "prueba", "version": "1"},
		}
		header.Set("Mcp-Protocol-Version", revision)
		header.Set("Mcp-Method", method)
		if name != "" {
			header.Set("Mcp-Name", name)
		}
	}
	message, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		t.Fatal(err)
	}
	req := httptest.NewRequest(http.MethodPost, "/mcp", bytes.NewReader(message))
	req.Header = header
	answer := httptest.NewRecorder()
	srv.ServeHTTP(answer, req)
	return fmt.Sprint(answer.Code, answer.Header(), answer.Body)
}

// What is hidden is answered over HTTP as what never existed: the status, the headers
// and the body, in both eras, whatever the name is written into.
func TestHiddenOverHTTP(t *testing.T) {
	t.Parallel()
	for _, strategy := range []expose.Strategy{expose.Flat, expose.Grouped, expose.Split} {
		hidden := append(cuentas(), expose.Mutation("claves.rotar", echo, raw(`{"clave":{"type":"string"}}`)))
		hidden[3].Scopes = []string{"admin"}
		serveOver := func(declarations ...expose.Declaration) http.Handler {
			return server.NewStreamableHTTPServer(serve(t, compile(t, expose.Config{Strategy: strategy}, declarations...)), server.WithStateLess(true))
		}
		with, without := serveOver(hidden...), serveOver(cuentas()[:2]...)
		for _, modern := range []bool{false, true} {
			ask := func(method, name string, params map[string]any) string {
				t.Helper()
				got, want := post(t, with, modern, method, name, params), post(t, without, modern, method, name, params)
				if got != want {
					t.Errorf("%s, modern %t: %s %s %v got\n%s\nwithout what is hidden\n%s", strategy, modern, method, name, params, got, want)
				}
				return got
			}
			if got := ask("tools/list", "", map[string]any{}); !strings.HasPrefix(got, "200") || !strings.Contains(got, `"cuentas`) {
				t.Errorf("%s, modern %t: the list is %s", strategy, modern, got)
			}
			for _, name := range []string{"cuentas", "cuentas_ver", "cuentas_read", "cuentas_write", "cuentas_borrar", "claves", "claves_write", "claves_rotar", "cuentas.borrar"} {
				for _, arguments := range []string{`{}`, `{"action":"borrar","id":"a"}`, `{"action":"rotar"}`, `{"action":"ver","id":"a","clave":"x"}`, `{"clave":"x"}`, `[]`} {
					ask("tools/call", name, map[string]any{"name": name, "arguments": json.RawMessage(arguments)})
				}
				ask("tools/call", name, map[string]any{"name": name, "task": map[string]any{"ttl": 1000}})
			}
			// and one that is not hidden is answered
			tool := map[expose.Strategy]string{expose.Flat: "cuentas_ver", expose.Grouped: "cuentas", expose.Split: "cuentas_read"}[strategy]
			got := ask("tools/call", tool, map[string]any{"name": tool, "arguments": map[string]any{"action": "ver", "id": "a"}})
			if !strings.HasPrefix(got, "200") || !strings.Contains(got, "cuentas.ver") {
				t.Errorf("%s, modern %t: got %s", strategy, modern, got)
			}
		}
	}
}
