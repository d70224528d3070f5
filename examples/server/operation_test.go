package main_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/examples/internal/exampletest"
)

// TestLog: one line per call that closes an incident with one request id, and
// holds nothing of the person.
func TestLog(t *testing.T) {
	t.Parallel()
	p := start(t)
	g := gateway{p.mcp, secret}
	const meta = `"com.asixto/requestId":"req_log","com.asixto/conversationId":"cnv_1",` +
		`"com.asixto/companyId":"cmp_1","com.asixto/channel":"chat"`
	g.call(t, "consultar_cliente", `{"documento":"1032456789"}`, meta)
	g.call(t, "actualizar_cliente", `{"documento":"404404404","dato":"correo","valor":"ana@example.com"}`, `"com.asixto/requestId":"req_fails"`)
	do(t, g.request(t, "tools/call", "no_existe", envelope("tools/call", `"name":"no_existe"`, `"com.asixto/requestId":"req_unknown"`)))

	tests := map[string]struct {
		id   string
		want map[string]any
	}{
		"success": {"req_log", map[string]any{
			"level": "info", "message": "tool call", "tool": "consultar_cliente", "conversation_id": "cnv_1", "company_id": "cmp_1",
			"channel": "chat", "caller": "asixto", "outcome": "ok", "error_type": nil, "era": "modern", "truncated": false,
		}},
		"failure": {"req_fails", map[string]any{
			"level": "info", "message": "tool call", "tool": "actualizar_cliente", "caller": "asixto", "outcome": "business_error",
			"error_type": "NOT_FOUND", "era": "modern",
		}},
		"unknown tool": {"req_unknown", map[string]any{
			"level": "warn", "message": "mcp request", "tool": "no_existe", "caller": "asixto", "status": 400.0, "rpc_method": "tools/call",
		}},
	}
	for name, tt := range tests {
		var line map[string]any
		exampletest.Eventually(t, "a line for "+tt.id, func() bool { line = p.logLine(tt.id); return line != nil })
		for field, want := range tt.want {
			if line[field] != want {
				t.Errorf("%s: %s = %v, want %v in %v", name, field, line[field], want, line)
			}
		}
		if ms, ok := line["duration_ms"].(float64); !ok || ms <= 0 {
			t.Errorf("%s: duration_ms = %v, want a duration", name, line["duration_ms"])
		}
		if units, _ := line["characters"].(float64); line["message"] == "tool call" && units <= 0 {
			t.Errorf("%s: characters = %v, want the size of the result", name, line["characters"])
		}
	}
	log := p.Stderr.String()
	for _, private := range []string{secret, "1032456789", "404404404", "ana@example.com", "Ana María"} {
		if strings.Contains(log, private) {
			t.Errorf("the log holds %q:\n%s", private, log)
		}
	}
}

// logLine returns the only line with a request id, or nil.
func (p *process) logLine(requestID string) map[string]any {
	lines := bufio.NewScanner(strings.NewReader(p.Stderr.String()))
	for lines.Scan() {
		var line map[string]any
		if json.Unmarshal(lines.Bytes(), &line) == nil && line["request_id"] == requestID {
			return line
		}
	}
	return nil
}

// TestHealth: the checks live apart from MCP and need no credential.
func TestHealth(t *testing.T) {
	t.Parallel()
	p := start(t)
	gateway{p.mcp, secret}.call(t, "consultar_cliente", `{"documento":"1032456789"}`, "")
	tests := map[string]struct{ path, want string }{
		"alive":   {"/livez", `{"status":"pass"}`},
		"started": {"/startupz", `{"status":"pass"}`},
		"ready":   {"/readyz", `"status":"pass"`},
		"people":  {"/salud", `"notes":["El servicio funciona con normalidad."]`},
		"level":   {"/salud", `"serviceLevel:calls":[{"componentType":"system","observedValue":1,`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := get(t, p.health+tt.path)
			if a.status != http.StatusOK || a.header.Get("Content-Type") != "application/health+json" {
				t.Errorf("answer = %d %s", a.status, a.header.Get("Content-Type"))
			}
			if !strings.Contains(string(a.body), tt.want) {
				t.Errorf("body = %s, want %s", a.body, tt.want)
			}
		})
	}
	for _, header := range []string{"Forwarded", "X-Forwarded-For", "X-Real-IP", "Via"} {
		t.Run("no figures through a proxy on this machine: "+header, func(t *testing.T) {
			t.Parallel()
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.health+"/readyz", http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set(header, "203.0.113.7")
			if a := do(t, req); strings.TrimSpace(string(a.body)) != `{"status":"pass"}` {
				t.Errorf("body = %s, want the verdict alone", a.body)
			}
		})
	}
	t.Run("not on the MCP listener", func(t *testing.T) {
		t.Parallel()
		if a := get(t, strings.TrimSuffix(p.mcp, "/mcp")+"/readyz"); a.status != http.StatusNotFound {
			t.Errorf("status = %d, want 404", a.status)
		}
	})
}

func get(t *testing.T, url string) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	return do(t, req)
}

// TestShutdown: after SIGTERM the server says that it leaves, finishes the call
// that is under way, and ends with code 0.
func TestShutdown(t *testing.T) {
	t.Parallel()
	p := start(t)
	body := string(envelope("tools/call", `"name":"consultar_cliente","arguments":{"documento":"1032456789"}`, ""))
	c := openCall(t, p, "consultar_cliente", len(body))
	defer c.Close()

	p.Terminate(t)
	exampletest.Eventually(t, "/readyz says that the server is draining", func() bool {
		a := get(t, p.health+"/readyz")
		return a.status == http.StatusServiceUnavailable && strings.Contains(string(a.body), "draining")
	})
	if p.Ended() {
		t.Fatal("the server ended with a call under way")
	}

	c.write(t, body)
	a := c.answer(t)
	if got := toolResult(t, resultOf(t, a)); got.IsError {
		t.Errorf("the call under way = %s, want success", a.body)
	}
	p.Wait(t) // the end of the test checks the exit code
}

// TestShutdownFinishesReports: a report that was accepted is made before the process
// ends, also if it has to leave at once.
func TestShutdownFinishesReports(t *testing.T) {
	t.Parallel()
	p := start(t)
	g := gateway{p.mcp, secret}
	const reports = 6 // more than run at once
	for i := range reports {
		who := strings.Replace(meta("chat", "key"), "cnv_1", fmt.Sprint("cnv_", i), 1) // one alone would be told to stop
		r := g.call(t, "iniciar_reporte", `{"documento":"1032456789"}`, who)
		if r.IsError || jobID.FindSubmatch(r.Structured) == nil {
			t.Fatalf("iniciar_reporte = %s", r.Structured)
		}
	}
	p.Terminate(t)
	p.Wait(t) // the end of the test checks the exit code
	made := 0
	for line := range strings.Lines(p.Stderr.String()) {
		if strings.Contains(line, `"tool":"generar_reporte"`) && strings.Contains(line, `"outcome":"ok"`) {
			made++
		}
	}
	if made != reports {
		t.Errorf("%d reports were made, want %d; stderr:\n%s", made, reports, p.Stderr)
	}
}

// TestStartFailures: what is wrong is said with the variable to set, and no
// secret.
func TestStartFailures(t *testing.T) {
	t.Parallel()
	taken, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { taken.Close() }) // not defer: the subtests run after it
	addr := taken.Addr().String()
	tests := map[string]struct {
		env  string
		want []string
	}{
		"port taken":        {"ADDR=" + addr, []string{addr + " ya está en uso", "ADDR=127.0.0.1:0", "address in use: set ADDR"}},
		"health port taken": {"HEALTH_ADDR=" + addr, []string{addr + " ya está en uso", "address in use: set HEALTH_ADDR"}},
		"no address":        {"ADDR=casa", []string{"ADDR:", `"casa"`}},
		"name, no secret":   {"TOKENS=a=qwerty,asixto=", []string{"TOKENS", "entry 2"}},
		"no tenant":         {"TOKENS=a=qwerty,asixto@=qwerty2", []string{"TOKENS", "entry 2"}},
		"nothing but comma": {"TOKENS= , ", []string{"TOKENS"}},
		"one secret twice":  {"TOKENS=a=qwerty,b=qwerty", []string{"TOKENS"}},
		"no host":           {"PUBLIC_HOSTS=https://mcp.example.com/", []string{"PUBLIC_HOSTS", "https://mcp.example.com/"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := exampletest.Command(t.Context(), binary, tt.env)
			var stdout, stderr exampletest.Output
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			if err := cmd.Run(); !errors.As(err, new(*exec.ExitError)) || cmd.ProcessState.ExitCode() != 1 {
				t.Errorf("error = %v, want exit code 1", err)
			}
			for _, want := range tt.want {
				if !strings.Contains(stderr.String(), want) {
					t.Errorf("stderr = %s, want %s", stderr.String(), want)
				}
			}
			if strings.Contains(stderr.String(), "qwerty") || stdout.String() != "" {
				t.Errorf("stdout = %q, stderr = %q: want no address and no secret", stdout.String(), stderr.String())
			}
		})
	}
}

// TestTokens: secrets with names, several of one name, bare ones, none.
func TestTokens(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		tokens, sent string
		caller       any // nil: nobody
	}{
		"current":      {" asixto = new-secret-0123456789 , asixto=old-secret-0123456789", "new-secret-0123456789", "asixto"},
		"previous":     {"asixto=new-secret-0123456789, asixto=old-secret-0123456789", "old-secret-0123456789", "asixto"},
		"bare":         {"asixto=one-secret-0123456789, bare-secret-0123456789", "bare-secret-0123456789", "gateway"},
		"equals signs": {"asixto=b64-secret-0123456789==", "b64-secret-0123456789==", "asixto"},
		"tenant":       {"asixto @ cmp_1 = one-secret-0123456789", "one-secret-0123456789", "asixto"},
		"open":         {"", "", nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := start(t, "TOKENS="+tt.tokens)
			gateway{p.mcp, tt.sent}.call(t, "buscar_items", `{"texto":"plan"}`, `"com.asixto/requestId":"req_who"`)
			var line map[string]any
			exampletest.Eventually(t, "a line of the call", func() bool { line = p.logLine("req_who"); return line != nil })
			if line["caller"] != tt.caller {
				t.Errorf("caller = %v, want %v", line["caller"], tt.caller)
			}
			if warned := strings.Contains(p.Stderr.String(), "everybody is let in"); warned != (tt.caller == nil) {
				t.Errorf("warning = %v; stderr:\n%s", warned, p.Stderr)
			}
		})
	}
}

// TestPublicHosts: a reverse proxy on the same machine may hand on its host.
func TestPublicHosts(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		env, host string
		want      int
	}{
		"not configured": {"PUBLIC_HOSTS=", "mcp.example.com", http.StatusForbidden},
		"configured":     {"PUBLIC_HOSTS= mcp.example.com , other.example.com", "mcp.example.com", http.StatusOK},
		"another host":   {"PUBLIC_HOSTS=mcp.example.com", "evil.example.com", http.StatusForbidden},
		"loopback":       {"PUBLIC_HOSTS=mcp.example.com", "localhost:8080", http.StatusOK},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := gateway{start(t, tt.env).mcp, secret}
			req := g.request(t, "tools/list", "", envelope("tools/list", "", ""))
			req.Host = tt.host
			if a := do(t, req); a.status != tt.want {
				t.Errorf("answer = %d %s, want %d", a.status, a.body, tt.want)
			}
		})
	}
}
