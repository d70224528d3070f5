package health_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/portavoz/portavoz/health"
)

func TestMethodsAndPaths(t *testing.T) {
	t.Parallel()
	h := started(t, health.Config{})
	tests := map[string]struct {
		method, path string
		code         int
	}{
		"get":              {"GET", "/readyz", 200},
		"head":             {"HEAD", "/readyz", 200},
		"query is ignored": {"GET", "/readyz?verbose=1", 200},
		"post":             {"POST", "/readyz", 405},
		"delete":           {"DELETE", "/salud", 405},
		"options":          {"OPTIONS", "/livez", 405},
		"root":             {"GET", "/", 404},
		"below a route":    {"GET", "/livez/x", 404},
		"upper case":       {"GET", "/LIVEZ", 404},
		"trailing slash":   {"GET", "/livez/", 404},
		"the MCP endpoint": {"POST", "/mcp", 404},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest(tt.method, tt.path, strings.NewReader("ignored")))
			if w.Code != tt.code {
				t.Errorf("status = %d, want %d", w.Code, tt.code)
			}
			if got := w.Header().Get("Cache-Control"); got != "no-store" {
				t.Errorf("Cache-Control = %q, want no-store", got)
			}
			if got := w.Header().Get("Allow"); tt.code == 405 && got != "GET, HEAD" {
				t.Errorf("Allow = %q, want GET, HEAD", got)
			}
		})
	}
}

func TestHeaders(t *testing.T) {
	t.Parallel()
	h := started(t, health.Config{})
	const body = `{"status":"pass"}` + "\n"
	for method, wantBody := range map[string]string{http.MethodGet: body, http.MethodHead: ""} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest(method, "/livez", nil))
			for header, want := range map[string]string{
				"Content-Type":           "application/health+json",
				"Content-Length":         strconv.Itoa(len(body)),
				"Cache-Control":          "no-store",
				"X-Content-Type-Options": "nosniff",
			} {
				if got := w.Header().Get(header); got != want {
					t.Errorf("%s = %q, want %q", header, got, want)
				}
			}
			if got := w.Body.String(); got != wantBody {
				t.Errorf("body = %q, want %q", got, wantBody)
			}
		})
	}
}

// checksOf returns three checks of which db takes 12 ms, cache fails after
// 1.5 ms, and queue does what the caller says.
func checksOf(queue func(context.Context) error) []health.Check {
	return []health.Check{
		{Name: "queue", Probe: queue},
		{Name: "db", Probe: func(context.Context) error {
			time.Sleep(12 * time.Millisecond)
			return nil
		}},
		{Name: "cache", Informative: true, Probe: func(context.Context) error {
			time.Sleep(1500 * time.Microsecond)
			return errors.New("dial tcp 10.0.0.7:6379: password <hunter2>")
		}},
	}
}

func TestDetails(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		queue  func(context.Context) error
		code   int
		status string
		nota   string
		detail string
	}{
		"a warning": {
			healthy, 200, "warn", "El servicio funciona, pero algo necesita atención.",
			`"queue:responseTime":[{"componentType":"component","observedValue":0,"observedUnit":"ms","status":"pass","time":"2000-01-01T00:00:00Z"}]`,
		},
		"a failure": {
			func(context.Context) error { return errors.New("no broker") },
			503, "fail", "El servicio no está disponible por ahora.",
			`"queue:responseTime":[{"componentType":"component","observedValue":0,"observedUnit":"ms","status":"fail","time":"2000-01-01T00:00:00Z","output":"no broker"}]`,
		},
	}
	const others = `"cache:responseTime":[{"componentType":"component","observedValue":1.5,"observedUnit":"ms","status":"warn","time":"2000-01-01T00:00:00Z","output":"dial tcp 10.0.0.7:6379: password \u003chunter2\u003e"}],` +
		`"db:responseTime":[{"componentType":"component","observedValue":12,"observedUnit":"ms","status":"pass","time":"2000-01-01T00:00:00Z"}],`
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				stranger := started(t, health.Config{Checks: checksOf(tt.queue)})
				wantAnswer(t, stranger, "/readyz", tt.code, `{"status":"`+tt.status+`"}`)
				wantAnswer(t, stranger, "/salud", tt.code, `{"status":"`+tt.status+`","notes":["`+tt.nota+`"]}`)
			})
			synctest.Test(t, func(t *testing.T) {
				operator := started(t, health.Config{Checks: checksOf(tt.queue), Details: anybody})
				checks := `"checks":{` + others + tt.detail + `}}`
				wantAnswer(t, operator, "/readyz", tt.code, `{"status":"`+tt.status+`",`+checks)
				wantAnswer(t, operator, "/salud", tt.code, `{"status":"`+tt.status+`","notes":["`+tt.nota+`"],`+checks)
				wantAnswer(t, operator, "/livez", 200, `{"status":"pass"}`)
				wantAnswer(t, operator, "/startupz", 200, `{"status":"pass"}`)
			})
		})
	}
}

func TestDetailsAreDecidedPerRequest(t *testing.T) {
	t.Parallel()
	h := started(t, health.Config{
		Checks:  []health.Check{{Name: "db", Probe: healthy}},
		Details: func(r *http.Request) bool { return r.Header.Get("X-Operator") == "yes" },
	})
	for header, want := range map[string]bool{"yes": true, "no": false, "": false} {
		r := httptest.NewRequest(http.MethodGet, "/readyz", nil)
		r.Header.Set("X-Operator", header)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if got := strings.Contains(w.Body.String(), "db"); got != want {
			t.Errorf("X-Operator %q: details shown = %v, want %v", header, got, want)
		}
	}
}

func TestDetailsOfServiceLevel(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		level := mustLevel(t, health.ServiceLevelConfig{})
		h := started(t, health.Config{ServiceLevel: level, Details: anybody})
		entry := func(name, value, unit, verdict string) string {
			return `"serviceLevel:` + name + `":[{"componentType":"system","observedValue":` + value +
				`,"observedUnit":"` + unit + `",` + verdict + `}]`
		}
		const ok = `"status":"pass","time":"2000-01-01T00:00:00Z"`
		body := func(status string, entries ...string) string {
			return `{"status":"` + status + `","checks":{` + strings.Join(entries, ",") + `}}`
		}

		wantAnswer(t, h, "/readyz", 200, body("pass",
			entry("availability", "100", "percent", ok), entry("calls", "0", "calls", ok), entry("p50", "0", "ms", ok),
			entry("p95", "0", "ms", ok), entry("p99", "0", "ms", ok), entry("serverFaults", "0", "calls", ok)))

		for range 989 {
			level.Record(2*time.Second, false)
		}
		for range 11 {
			level.Record(8*time.Second, true)
		}
		wantAnswer(t, h, "/readyz", 200, body("warn",
			entry("availability", "98.9", "percent", `"status":"warn","time":"2000-01-01T00:00:00Z","output":"below the target of 99.5 percent"`),
			entry("calls", "1000", "calls", ok), entry("p50", "2000", "ms", ok),
			entry("p95", "2000", "ms", ok), entry("p99", "8000", "ms", ok), entry("serverFaults", "11", "calls", ok)))

		for range 100 {
			level.Record(8*time.Second, false)
		}
		wantAnswer(t, h, "/readyz", 200, body("warn",
			entry("availability", "99", "percent", `"status":"warn","time":"2000-01-01T00:00:00Z","output":"below the target of 99.5 percent"`),
			entry("calls", "1100", "calls", ok), entry("p50", "2000", "ms", ok),
			entry("p95", "8000", "ms", `"status":"warn","time":"2000-01-01T00:00:00Z","output":"above the target of 2s"`),
			entry("p99", "8000", "ms", ok), entry("serverFaults", "11", "calls", ok)))
	})
}

func TestBehindRealServer(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.Handle("/internal/", http.StripPrefix("/internal", started(t, health.Config{})))
	server := httptest.NewServer(mux)
	defer server.Close()
	resp, err := server.Client().Head(server.URL + "/internal/readyz")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK || resp.ContentLength != int64(len(`{"status":"pass"}`)+1) {
		t.Errorf("HEAD: %d with length %d, want 200 with length 18", resp.StatusCode, resp.ContentLength)
	}
}
