package main_test

import (
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/portavoz/portavoz/middleware/call"
	"github.com/portavoz/portavoz/middleware/whaapy"
)

const (
	openCase = `{"documento":"1032456789","descripcion":"Sin internet desde anoche"}`
	created  = `{"ok":true,"status":"success","data":{"ticketId":"tck_0001","status":"created","radicado":"R-0001","fecha":"0"},"toolName":"crear_caso","safety":"mutation","durationMs":0}`
)

// TestSession is the whole of what Whaapy does, within the time that it waits for each
// step.
func TestSession(t *testing.T) {
	t.Parallel()
	p := start(t)
	a := connect(t, p.whaapy)
	a.initialized(t)

	status, _, answer := a.send(t, http.MethodPost, listTimeout, `{"jsonrpc":"2.0","id":123,"method":"tools/list"}`)
	for _, want := range []string{`"name":"buscar_cliente"`, `"name":"consultar_saldo"`, `"name":"crear_caso"`, `When to use:`, `"id":123`} {
		if status != http.StatusOK || !strings.Contains(answer, want) {
			t.Errorf("tools/list = %d %s, want it to have %s", status, answer, want)
		}
	}
	if got, isError := a.call(t, "crear_caso", openCase); got != created || isError {
		t.Errorf("crear_caso: isError %v\ngot  %s\nwant %s", isError, got, created)
	}

	if status, _, _ := a.send(t, http.MethodDelete, callTimeout, ""); status != http.StatusOK {
		t.Errorf("DELETE = %d, want 200", status)
	}
	for _, method := range []string{http.MethodPost, http.MethodDelete} {
		if status, _, answer := a.send(t, method, callTimeout, callOf("crear_caso", openCase, "")); status != http.StatusNotFound {
			t.Errorf("%s in the closed session = %d %s, want 404", method, status, answer)
		}
	}
}

func TestStatuses(t *testing.T) {
	t.Parallel()
	a := connect(t, start(t).whaapy)
	a.key = true
	for name, tc := range map[string]struct {
		tool, arguments, want string
		isError               bool
	}{
		"found": {
			"buscar_cliente", `{"nombre":"ana","limit":null}`,
			`{"ok":true,"status":"success","data":{"resultados":[{"nombre":"Ana María Peña","ciudad":"Bogotá"}],"total":1,"limit":10,"offset":0},"toolName":"buscar_cliente","safety":"read_only","durationMs":0}`, false,
		},
		"found nobody": {
			"buscar_cliente", `{"nombre":"zz"}`,
			`{"ok":true,"status":"needs_more_info","data":{"resultados":[],"total":0,"limit":10,"offset":0},"toolName":"buscar_cliente","safety":"read_only","durationMs":0,"nextQuestion":"¿Me puede dar otro dato para encontrar lo que busca?"}`, false,
		},
		"a datum is missing": {
			"consultar_saldo", `{}`,
			`{"ok":false,"status":"needs_more_info","errors":[{"code":"missing_customer_identity","message":"More information is needed from the person.","message_es":"¿Me puede dar su número de documento?","field":"documento","retryable":true}],"toolName":"consultar_saldo","safety":"read_only","durationMs":0,"nextQuestion":"¿Me puede dar su número de documento?"}`, true,
		},
		"no such client": {
			"consultar_saldo", `{"documento":"99"}`,
			`{"ok":false,"status":"failed","errors":[{"code":"not_found","message":"There is no such record.","message_es":"No encontré un cliente con ese documento.","retryable":false}],"toolName":"consultar_saldo","safety":"read_only","durationMs":0}`, true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, isError := a.call(t, tc.tool, tc.arguments); got != tc.want || isError != tc.isError {
				t.Errorf("isError %v\ngot  %s\nwant %s", isError, got, tc.want)
			}
		})
	}
	t.Run("arguments that break the schema", func(t *testing.T) {
		t.Parallel()
		const want = `{"jsonrpc":"2.0","id":456,"error":{"code":-32602,"message":"Invalid arguments","data":{"field":"documento","message_es":"Conviene revisar documento, que no es del tipo esperado."}}}`
		status, _, answer := a.send(t, http.MethodPost, callTimeout, callOf("consultar_saldo", `{"documento":{"tipo":"CC"}}`, ""))
		if status != http.StatusOK || answer != want {
			t.Errorf("got  %d %s\nwant %s", status, answer, want)
		}
	})
}

// TestInvalidArgumentsForTheOthers stay a result: whoever does not read envelopes did not
// ask for an error of the protocol.
func TestInvalidArgumentsForTheOthers(t *testing.T) {
	t.Parallel()
	p := start(t)
	const want = `"structuredContent":{"error":{"error_type":"VALIDATION"`
	if got := asixtoCall(t, p.asixto, "consultar_saldo", `{"documento":{"tipo":"CC"}}`, ""); !strings.Contains(got, want) {
		t.Errorf("Asixto\ngot  %s\nwant %s", got, want)
	}
	plain := agent{url: p.asixto}
	status, _, got := plain.send(t, http.MethodPost, callTimeout, callOf("consultar_saldo", `{"documento":{"tipo":"CC"}}`, ""))
	if status != http.StatusOK || !strings.Contains(got, want) {
		t.Errorf("a plain client\ngot  %d %s\nwant %s", status, got, want)
	}
}

// TestInitializedGetsLost, or comes again: the session works all the same.
func TestInitializedGetsLost(t *testing.T) {
	t.Parallel()
	p := start(t)
	lost := connect(t, p.whaapy)
	if got, _ := lost.call(t, "crear_caso", openCase); got != created {
		t.Errorf("without initialized: %s", got)
	}
	again := connect(t, p.whaapy)
	for range 3 {
		again.initialized(t)
	}
	if got, isError := again.call(t, "consultar_saldo", `{"documento":"52987654"}`); isError || !strings.Contains(got, `"saldo":"0.00"`) {
		t.Errorf("after three: %s", got)
	}
}

// TestWithoutASession is 404 for whatever is no session, or another caller's, 400 for none
// at all, and 401 for the lack of a credential alone.
func TestWithoutASession(t *testing.T) {
	t.Parallel()
	p := start(t)
	stranger := agent{url: p.whaapy, secret: asixtoSecret}.connect(t)
	for name, tc := range map[string]struct {
		session string
		status  int
	}{
		"none":             {"", http.StatusBadRequest},
		"made up":          {"mcp-session-1", http.StatusNotFound},
		"20,000 letters":   {strings.Repeat("A", 20_000), http.StatusNotFound},
		"expired":          {expired(t), http.StatusNotFound},
		"another caller's": {stranger.session, http.StatusNotFound},
	} {
		a := agent{url: p.whaapy, session: tc.session}
		for _, method := range []string{http.MethodPost, http.MethodDelete} {
			if status, _, answer := a.send(t, method, callTimeout, callOf("crear_caso", openCase, "")); status != tc.status {
				t.Errorf("%s, %s: got %d %s, want %d", name, method, status, answer, tc.status)
			}
		}
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.whaapy, strings.NewReader(hello))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if status, _, _ := exchange(t, req); status != http.StatusUnauthorized {
		t.Errorf("without a credential: got %d, want 401", status)
	}
}

// expired is an id that the server's key has signed for the agent long ago: the clock of
// synctest stands in the year 2000.
func expired(t *testing.T) (id string) {
	t.Helper()
	key, err := hex.DecodeString(sessionKey)
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		sessions, err := whaapy.NewSessions(whaapy.SessionsConfig{Keys: [][]byte{key}})
		if err != nil {
			t.Fatal(err)
		}
		ctx := call.WithCaller(t.Context(), call.Caller{Name: "whaapy"})
		manager := sessions.ResolveSessionIdManager(new(http.Request).WithContext(ctx))
		id = manager.Generate()
		if _, err := manager.Validate(id); err != nil {
			t.Errorf("the id is not good by its own clock: %v", err)
		}
	})
	return id
}

// TestTwoReplicas begins a session at one process and goes on at the other.
func TestTwoReplicas(t *testing.T) {
	t.Parallel()
	a := connect(t, start(t).whaapy)
	b := agent{url: start(t).whaapy, session: a.session}
	b.initialized(t)
	if got, isError := b.call(t, "crear_caso", openCase); got != created || isError {
		t.Errorf("at the other replica: %s", got)
	}
	if status, _, _ := b.send(t, http.MethodDelete, callTimeout, ""); status != http.StatusOK {
		t.Errorf("DELETE at the other replica = %d, want 200", status)
	}
	if status, _, _ := b.send(t, http.MethodPost, callTimeout, callOf("crear_caso", openCase, "")); status != http.StatusNotFound {
		t.Errorf("after DELETE = %d, want 404", status)
	}
}

// TestKeysRotate changes what signs the sessions while they go on: the new key is put
// first, and the old one goes when the old sessions have.
func TestKeysRotate(t *testing.T) {
	t.Parallel()
	const newKey = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff000102030405060708090a0b0c0d0e0f"
	before, during, after := start(t), startWith(t, newKey+","+sessionKey), startWith(t, newKey)
	early, late := connect(t, before.whaapy).session, connect(t, during.whaapy).session
	for name, tc := range map[string]struct {
		at      process
		session string
		status  int
	}{
		"an early session, both keys":   {during, early, http.StatusOK},
		"a late session, both keys":     {during, late, http.StatusOK},
		"a late session, the new key":   {after, late, http.StatusOK},
		"an early session, the new key": {after, early, http.StatusNotFound},
		"a late session, the old key":   {before, late, http.StatusNotFound},
	} {
		a := agent{url: tc.at.whaapy, session: tc.session}
		if status, _, answer := a.send(t, http.MethodPost, callTimeout, callOf("consultar_saldo", `{"documento":"52987654"}`, "")); status != tc.status {
			t.Errorf("%s: got %d %s, want %d", name, status, answer, tc.status)
		}
	}
}

// TestOneHandlerTwoGateways asks one process in three ways, all at once.
func TestOneHandlerTwoGateways(t *testing.T) {
	t.Parallel()
	p := start(t)
	agent := connect(t, p.whaapy)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			const want = `{"jsonrpc":"2.0","id":456,"result":{"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"mesa","version":"1.0.0"}},` +
				`"content":[{"type":"text","text":"Luis Peña tiene un saldo de 0.00 COP."}],"resultType":"complete",` +
				`"structuredContent":{"nombre":"Luis Peña","saldo":"0.00","moneda":"COP"}}}`
			if got := asixtoCall(t, p.asixto, "consultar_saldo", `{"documento":"52987654"}`, ""); got != want {
				t.Errorf("Asixto\ngot  %s\nwant %s", got, want)
			}
		})
		all.Go(func() {
			const want = `{"ok":true,"status":"success","data":{"nombre":"Luis Peña","saldo":"0.00","moneda":"COP"},"toolName":"consultar_saldo","safety":"read_only","durationMs":0}`
			if got, isError := agent.call(t, "consultar_saldo", `{"documento":"52987654"}`); got != want || isError {
				t.Errorf("Whaapy\ngot  %s\nwant %s", got, want)
			}
		})
		all.Go(func() {
			plain := agent // without a session, at the endpoint of the other gateway
			plain.url, plain.session = p.asixto, ""
			_, _, answer := plain.send(t, http.MethodPost, callTimeout, callOf("consultar_saldo", `{"documento":"52987654"}`, ""))
			if want := `"structuredContent":{"nombre":"Luis Peña","saldo":"0.00","moneda":"COP"}`; !strings.Contains(answer, want) {
				t.Errorf("a plain client: got %s, want %s", answer, want)
			}
		})
	}
	all.Wait()
}

// TestOneStore repeats a write under its key: neither gateway runs it twice, and neither
// sees what the other may see.
func TestOneStore(t *testing.T) {
	t.Parallel()
	p := start(t)
	agent := connect(t, p.whaapy)
	key := func(key string) string { return fmt.Sprintf(`"com.asixto/idempotencyKey":%q`, key) }
	for range 2 {
		got, isError := agent.callWith(t, "crear_caso", openCase, `,"_meta":{`+key("k-1")+`}`)
		if got != created || isError {
			t.Errorf("Whaapy\ngot  %s\nwant %s", got, created)
		}
	}
	for range 2 {
		got := asixtoCall(t, p.asixto, "crear_caso", openCase, ","+key("k-1"))
		if want := `"structuredContent":{"status":"created","radicado":"R-0002","fecha":"0"}`; !strings.Contains(got, want) {
			t.Errorf("Asixto\ngot  %s\nwant %s", got, want)
		}
	}
}

// TestUnprotectedWritesAreLogged opens one case from either side: only that of Whaapy, which
// sends no key, ran unprotected.
func TestUnprotectedWritesAreLogged(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		call        func(p process)
		unprotected bool
	}{
		"Whaapy": {func(p process) { connect(t, p.whaapy).call(t, "crear_caso", openCase) }, true},
		"Asixto": {func(p process) {
			asixtoCall(t, p.asixto, "crear_caso", openCase, `,"com.asixto/idempotencyKey":"k-1"`)
		}, false},
	} {
		p := start(t)
		tc.call(p)
		p.Terminate(t)
		p.Wait(t) // and all of its lines are here
		lines := p.Stderr.String()
		if !strings.Contains(lines, `"tool":"crear_caso"`) || strings.Contains(lines, `"unprotected":true`) != tc.unprotected {
			t.Errorf("%s: unprotected should be %v in\n%s", name, tc.unprotected, lines)
		}
	}
}

func TestHealth(t *testing.T) {
	t.Parallel()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, start(t).health, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	if status, _, answer := exchange(t, req); status != http.StatusOK {
		t.Errorf("health = %d %s, want 200", status, answer)
	}
}
