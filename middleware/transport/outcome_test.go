package transport_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/portavoz/portavoz/middleware/call"
	"github.com/portavoz/portavoz/middleware/transport"
)

func TestOutcomeHeaders(t *testing.T) {
	t.Parallel()
	outcome := func(o call.Outcome) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			call.ExchangeFrom(r.Context()).SetOutcome(o)
			_, _ = io.WriteString(w, "ok")
		}
	}
	for name, tc := range map[string]struct {
		prefix  string
		handler http.Handler
		want    map[string]string
	}{
		"a failure": {
			handler: http.HandlerFunc(tool),
			want:    map[string]string{"X-Call-Tool": "abrir_caso_soporte", "X-Call-Outcome": "business_error", "X-Call-Error-Type": "NOT_FOUND", "X-Call-Request-Id": "req_9"},
		},
		"another prefix": {
			prefix: "acme-", handler: outcome(call.Outcome{Tool: "a", Outcome: "ok"}),
			want: map[string]string{"Acme-Tool": "a", "Acme-Outcome": "ok", "Acme-Request-Id": "req_c41"},
		},
		"text no header can hold": {
			handler: outcome(call.Outcome{Tool: "a\r\nSet-Cookie: x", RequestID: "ñ"}),
			want:    map[string]string{"X-Call-Tool": "=?base64?YQ0KU2V0LUNvb2tpZTogeA==?=", "X-Call-Request-Id": "=?base64?w7E=?="},
		},
		"no tool reached": {
			handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadRequest) }),
			want:    map[string]string{"X-Call-Request-Id": "req_c41"},
		},
		"nothing written": {
			handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				call.ExchangeFrom(r.Context()).SetOutcome(call.Outcome{Tool: "a", RequestID: "r"})
			}),
			want: map[string]string{"X-Call-Tool": "a", "X-Call-Request-Id": "r"},
		},
		"a stream that began before": {
			handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.(http.Flusher).Flush()
				tool(w, r)
			}),
			want: map[string]string{"X-Call-Request-Id": "req_c41"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := transport.OutcomeHeaders(tc.prefix)(transport.Headers()(tc.handler))
			got := serve(h, post(modern("a"))).Result().Header
			got.Del("Content-Type")
			if len(got) != len(tc.want) {
				t.Errorf("headers = %v, want %v", got, tc.want)
			}
			for name, v := range tc.want {
				if got.Get(name) != v {
					t.Errorf("%s = %q, want %q", name, got.Get(name), v)
				}
			}
		})
	}
}

func TestOutcomeHeadersPanics(t *testing.T) {
	t.Parallel()
	defer func() {
		if v, want := recover(), "portavoz/transport: the prefix of OutcomeHeaders is no header name"; v != want {
			t.Errorf("panic = %v, want %q", v, want)
		}
	}()
	transport.OutcomeHeaders("X Call")
}
