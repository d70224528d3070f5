package main_test

import (
	"strings"
	"sync"
	"testing"
)

const report = `{"documento":"1032456789","tipo":"falla","descripcion":"Sin internet"}`

// TestRetry: the same key twice is one case, whatever happened to the first
// answer, and a key belongs to its arguments, its conversation and its tool.
func TestRetry(t *testing.T) {
	t.Parallel()
	g := gateway{start(t).mcp, secret}
	const key = `"com.asixto/idempotencyKey":"k-1","com.asixto/conversationId":"cnv-1"`
	first := g.call(t, "abrir_caso_soporte", report, key)
	if first.IsError {
		t.Fatalf("first = %s, want success", first.Structured)
	}
	reordered := `{"descripcion":"Sin internet", "tipo":"falla", "documento":"1032456789"}`
	for name, arguments := range map[string]string{"same bytes": report, "same values": reordered} {
		if again := g.call(t, "abrir_caso_soporte", arguments, key); string(again.Structured) != string(first.Structured) ||
			again.Content[0].Text != first.Content[0].Text {
			t.Errorf("%s: the retry got %s, want %s", name, again.Structured, first.Structured)
		}
	}
	wantFailure(t, g.call(t, "abrir_caso_soporte", strings.Replace(report, "falla", "cobro", 1), key),
		`{"error":{"error_type":"VALIDATION","user_message":"Esa solicitud ya se registró con otros datos.","details":{"code":"idempotency_key_reused"}}}`)
	other := g.call(t, "abrir_caso_soporte", report, strings.Replace(key, "cnv-1", "cnv-2", 1))
	if other.IsError || string(other.Structured) == string(first.Structured) {
		t.Errorf("another conversation got %s, want a case of its own", other.Structured)
	}
	if r := g.call(t, "consultar_cliente", `{"documento":"1032456789"}`, ""); !strings.Contains(string(r.Structured), `"casos_abiertos":2`) {
		t.Errorf("client = %s, want two cases", r.Structured)
	}
}

// TestCancelTwice: a retry of "cancel" gets its first answer, not "already
// cancelled": the key is looked up before any guard.
func TestCancelTwice(t *testing.T) {
	t.Parallel()
	g := gateway{start(t).mcp, secret}
	const arguments, key = `{"documento":"1032456789","cita":"V-1042"}`, `"com.asixto/idempotencyKey":"cancel"`
	first := g.call(t, "cancelar_cita", arguments, key)
	again := g.call(t, "cancelar_cita", arguments, key)
	if first.IsError || again.IsError || string(again.Structured) != string(first.Structured) {
		t.Errorf("got %s and then %s, want the same success", first.Structured, again.Structured)
	}
}

// TestFailureIsRetryable: a failure that proves that nothing happened does not
// use the key up.
func TestFailureIsRetryable(t *testing.T) {
	t.Parallel()
	g := gateway{start(t).mcp, secret}
	const key = `"com.asixto/idempotencyKey":"retry"`
	if r := g.call(t, "abrir_caso_soporte", strings.Replace(report, "1032456789", "999", 1), key); !r.IsError {
		t.Fatalf("an unknown person got %s", r.Structured)
	}
	if r := g.call(t, "abrir_caso_soporte", report, key); r.IsError {
		t.Errorf("after a failure the key gets %s, want success", r.Structured)
	}
}

// TestTwentyAtOnce: one key, twenty calls at the same moment, one case.
func TestTwentyAtOnce(t *testing.T) {
	t.Parallel()
	g := gateway{start(t).mcp, secret}
	var mu sync.Mutex
	answers := map[string]int{}
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			r := g.call(t, "abrir_caso_soporte", report, `"com.asixto/idempotencyKey":"storm"`)
			mu.Lock()
			defer mu.Unlock()
			answers[string(r.Structured)]++
		})
	}
	group.Wait()
	if len(answers) != 1 {
		t.Errorf("got the answers %v, want one", answers)
	}
	if r := g.call(t, "consultar_cliente", `{"documento":"1032456789"}`, ""); !strings.Contains(string(r.Structured), `"casos_abiertos":1`) {
		t.Errorf("client = %s, want one case", r.Structured)
	}
}
