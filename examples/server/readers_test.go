package main_test

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/examples/internal/exampletest"
)

// TestReaders: for a client that only reads, a tool that writes is no different
// from one that never existed, in both eras. The others do not notice.
func TestReaders(t *testing.T) {
	t.Parallel()
	const reader = "s3cret-of-a-reader"
	url := start(t, "TOKENS=asixto="+secret+",panel="+reader, "READERS=panel").mcp
	reads := []string{"buscar_items", "consultar_agenda", "consultar_cliente", "consultar_reporte"}
	writes := []string{"abrir_caso_soporte", "actualizar_cliente", "cancelar_cita", "iniciar_reporte"}
	all := slices.Sorted(slices.Values(slices.Concat(reads, writes)))
	for era, legacy := range map[string]bool{"modern": false, "legacy": true} {
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			for sent, want := range map[string][]string{secret: all, reader: reads} {
				var names []string
				for _, tool := range catalogueOf(t, resultOf(t, inEra(t, gateway{url, sent}, legacy, "tools/list", "", ""))) {
					names = append(names, tool.Name)
				}
				if !slices.Equal(names, want) {
					t.Errorf("tools = %v, want %v", names, want)
				}
			}
			call := func(sent, tool, arguments string) answer {
				return inEra(t, gateway{url, sent}, legacy, "tools/call", tool, `"name":"`+tool+`","arguments":`+arguments)
			}
			const ana = `{"documento":"1032456789"}`
			for _, arguments := range []string{ana, `{}`, `{"documento":"1032456789","cita":"V-1042"}`} {
				for _, tool := range writes {
					// Of the same length, so that nothing but the name can differ.
					never := "x" + tool[1:]
					hidden, missing := call(reader, tool, arguments), call(reader, never, arguments)
					if got := bytes.ReplaceAll(hidden.body, []byte(tool), []byte(never)); hidden.status != missing.status || !bytes.Equal(got, missing.body) {
						t.Errorf("%s = %d %s,\nand %s = %d %s", tool, hidden.status, hidden.body, never, missing.status, missing.body)
					}
					hidden.header.Del("Date")
					missing.header.Del("Date")
					if !reflect.DeepEqual(hidden.header, missing.header) {
						t.Errorf("%s has the headers %v, and %s has %v", tool, hidden.header, never, missing.header)
					}
				}
			}
			if r := toolResult(t, resultOf(t, call(reader, "consultar_cliente", ana))); r.IsError {
				t.Errorf("a read = %s, want success", r.Structured)
			}
			if r := toolResult(t, resultOf(t, call(secret, "abrir_caso_soporte", report))); r.IsError {
				t.Errorf("a write of a client that is no reader = %s, want success", r.Structured)
			}
		})
	}
}

// inEra sends a request of revision 2026-07-28, or one of the older ones in a
// session.
func inEra(t *testing.T, g gateway, legacy bool, method, name, params string) answer {
	t.Helper()
	if !legacy {
		return do(t, g.request(t, method, name, envelope(method, params, "")))
	}
	hello := do(t, g.request(t, "initialize", "", []byte(`{"jsonrpc":"2.0","id":1,"method":"initialize",`+
		`"params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"whaapy-mcp-client","version":"1.0.0"}}}`)))
	req := g.request(t, method, name, []byte(`{"jsonrpc":"2.0","id":"7","method":"`+method+`","params":{`+params+`}}`))
	req.Header.Set("Mcp-Session-Id", hello.header.Get("Mcp-Session-Id"))
	req.Header.Set("Mcp-Protocol-Version", "2025-06-18")
	return do(t, req)
}

// TestReaderMistake: who is to be held back, and would not be, is named.
func TestReaderMistake(t *testing.T) {
	t.Parallel()
	for name, env := range map[string][]string{
		"another name":   {"TOKENS=panel=s3cret-of-a-reader", "READERS=panel,pnael"},
		"no credentials": {"READERS=pnael"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, err := exampletest.Command(t.Context(), binary, env...).CombinedOutput()
			if want := `READERS: "pnael" is no name in TOKENS`; err == nil || strings.TrimSpace(string(out)) != want {
				t.Errorf("got %v, %s; want %s", err, out, want)
			}
		})
	}
}
