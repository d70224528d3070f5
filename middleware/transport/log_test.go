package transport_test

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/portavoz/portavoz/middleware/call"
	"github.com/portavoz/portavoz/middleware/transport"
)

// tool answers like a server whose tool middleware was reached.
func tool(w http.ResponseWriter, r *http.Request) {
	call.ExchangeFrom(r.Context()).SetOutcome(call.Outcome{Tool: "abrir_caso_soporte", RequestID: "req_9", Outcome: "business_error", ErrorType: "NOT_FOUND"})
	_, _ = io.WriteString(w, "done")
}

func TestLog(t *testing.T) {
	t.Parallel()
	unknown := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(1500 * time.Microsecond) // of the bubble's clock
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, "no such tool")
	})
	authorized := []string{"Authorization", "Bearer " + current}
	for name, tc := range map[string]struct {
		config  transport.GatewayConfig
		handler http.Handler
		request *http.Request
		want    string
	}{
		"no credential": {
			handler: http.NotFoundHandler(), request: post(modern("a")),
			want: `level=WARN msg="mcp request" http_method=POST path=/mcp status=401 bytes=96 duration_ms=0 remote=192.0.2.1:1234 refused=no_credential`,
		},
		"a wrong credential": {
			handler: http.NotFoundHandler(), request: post(modern("a"), "Authorization", "Bearer wrong-secret"),
			want: `level=WARN msg="mcp request" http_method=POST path=/mcp status=401 bytes=96 duration_ms=0 remote=192.0.2.1:1234 refused=wrong_credential`,
		},
		"a body too large": {
			config: transport.GatewayConfig{BodyLimit: 10}, handler: http.NotFoundHandler(), request: post(modern("a"), authorized...),
			want: `level=WARN msg="mcp request" http_method=POST path=/mcp status=413 bytes=130 duration_ms=0 remote=192.0.2.1:1234 refused=body_too_large`,
		},
		"a strange host": {
			config: transport.GatewayConfig{Hosts: []string{"mcp.example.com"}}, handler: http.NotFoundHandler(),
			request: httptest.NewRequest(http.MethodPost, "http://evil.example/mcp?token=secret", nil),
			want:    `level=WARN msg="mcp request" http_method=POST path=/mcp status=403 bytes=159 duration_ms=0 remote=192.0.2.1:1234 refused=host_not_allowed`,
		},
		"headers that differ": {
			handler: http.NotFoundHandler(), request: post(modern("a"), append(authorized, "Mcp-Name", "a", "Mcp-Name", "b")...),
			want: `level=WARN msg="mcp request" http_method=POST path=/mcp status=400 bytes=111 duration_ms=0 remote=192.0.2.1:1234 rpc_method=tools/call tool=a request_id=req_c41 caller=asixto refused=conflicting_headers`,
		},
		"an unknown tool": {
			handler: unknown, request: post(modern("no_existe"), authorized...),
			want: `level=WARN msg="mcp request" http_method=POST path=/mcp status=400 bytes=12 duration_ms=1.5 remote=192.0.2.1:1234 rpc_method=tools/call tool=no_existe request_id=req_c41 caller=asixto`,
		},
		"nothing written": {
			handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), request: post(`{"method":"ping"}`, authorized...),
			want: `level=INFO msg="mcp request" http_method=POST path=/mcp status=200 bytes=0 duration_ms=0 remote=192.0.2.1:1234 rpc_method=ping caller=asixto`,
		},
		"a failure of the server": {
			handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }), request: post(`{"method":"ping"}`, authorized...),
			want: `level=ERROR msg="mcp request" http_method=POST path=/mcp status=502 bytes=0 duration_ms=0 remote=192.0.2.1:1234 rpc_method=ping caller=asixto`,
		},
		"text that forges a line": {
			handler: unknown, request: post(`{"method":"tools/call","params":{"name":"a\nlevel=ERROR msg=x\u202e`+strings.Repeat("ñ", 100)+`"}}`, authorized...),
			want: `level=WARN msg="mcp request" http_method=POST path=/mcp status=400 bytes=12 duration_ms=1.5 remote=192.0.2.1:1234 rpc_method=tools/call tool="a�level=ERROR msg=x�` + strings.Repeat("ñ", 53) + `…" caller=asixto`,
		},
		"a tool was reached": {handler: http.HandlerFunc(tool), request: post(modern("abrir_caso_soporte"), authorized...)},
		"every request": {
			config: transport.GatewayConfig{LogEveryRequest: true}, handler: http.HandlerFunc(tool), request: post(modern("abrir_caso_soporte"), authorized...),
			want: `level=INFO msg="mcp request" http_method=POST path=/mcp status=200 bytes=4 duration_ms=0 remote=192.0.2.1:1234 rpc_method=tools/call tool=abrir_caso_soporte request_id=req_9 caller=asixto outcome=business_error error_type=NOT_FOUND`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				logger, got := lines()
				tc.config.Logger, tc.config.Credentials = logger, creds(transport.Bearer("asixto", current))
				h, err := tc.config.Wrap(tc.handler)
				if err != nil {
					t.Fatal(err)
				}
				serve(h, tc.request)
				if line := strings.TrimSuffix(got.String(), "\n"); line != tc.want {
					t.Errorf("line = %s\nwant   %s", line, tc.want)
				}
				if strings.Contains(got.String(), "secret") {
					t.Error("the line holds a secret")
				}
			})
		})
	}
}

func TestLogPanics(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		value any
		begun bool
		want  string
	}{
		"before the answer": {value: "secret text", want: "level=ERROR status=0 panic=true"},
		"after it began":    {value: []int{1}, begun: true, want: "level=ERROR status=200 panic=true"},
		"an abort":          {value: http.ErrAbortHandler, want: "level=INFO status=0 panic=false"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			logger, got := lines()
			h := transport.Log(logger)(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				if tc.begun {
					_, _ = io.WriteString(w, "begun")
				}
				panic(tc.value)
			}))
			func() {
				defer func() {
					if v := recover(); v == nil || !sameValue(v, tc.value) {
						t.Errorf("panic = %v, want %v to go on", v, tc.value)
					}
				}()
				serve(h, post("{}"))
			}()
			if line := summary(got.String()); line != tc.want {
				t.Errorf("line = %s, want %s", got, tc.want)
			}
			if strings.Contains(got.String(), "secret") {
				t.Errorf("the line holds the panic's value: %s", got)
			}
		})
	}
}

func sameValue(a, b any) bool {
	if err, ok := a.(error); ok {
		other, ok := b.(error)
		return ok && errors.Is(err, other)
	}
	return slog.AnyValue(a).String() == slog.AnyValue(b).String()
}

// summary is what TestLogPanics looks at in a line.
func summary(line string) string {
	var kept []string
	for field := range strings.FieldsSeq(line) {
		if strings.HasPrefix(field, "level=") || strings.HasPrefix(field, "status=") {
			kept = append(kept, field)
		}
	}
	panicked := "panic=false"
	if strings.Contains(line, "panic=true") {
		panicked = "panic=true"
	}
	return strings.Join(append(kept, panicked), " ")
}

func TestLogGoexit(t *testing.T) {
	t.Parallel()
	logger, got := lines()
	h := transport.Log(logger)(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { runtime.Goexit() }))
	done := make(chan struct{})
	go func() {
		defer close(done)
		serve(h, post("{}"))
	}()
	<-done
	if line := summary(got.String()); line != "level=ERROR status=0 panic=true" {
		t.Errorf("line = %s, want a panic", got)
	}
}

func TestLogWithoutLogger(t *testing.T) {
	t.Parallel()
	var next seen
	if h := transport.Log(nil)(&next); h != http.Handler(&next) {
		t.Error("Log(nil) does not return the handler itself")
	}
}
