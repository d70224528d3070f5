package health_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"

	"github.com/portavoz/portavoz/health"
)

func healthy(context.Context) error { return nil }

func anybody(*http.Request) bool { return true }

func mustNew(t testing.TB, cfg health.Config) *health.Health {
	t.Helper()
	h, err := health.New(cfg)
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	return h
}

// started returns a Health that is past its start.
func started(t testing.TB, cfg health.Config) *health.Health {
	t.Helper()
	h := mustNew(t, cfg)
	h.Started()
	return h
}

func get(h http.Handler, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w
}

func wantAnswer(t *testing.T, h http.Handler, path string, code int, body string) {
	t.Helper()
	w := get(h, path)
	if w.Code != code {
		t.Errorf("%s: status = %d, want %d", path, w.Code, code)
	}
	if got := w.Body.String(); got != body+"\n" {
		t.Errorf("%s: body\n got %s\nwant %s", path, got, body)
	}
}

func TestLifecycle(t *testing.T) {
	t.Parallel()
	const passing = `{"status":"pass"}`
	h := mustNew(t, health.Config{})

	wantAnswer(t, h, "/livez", 200, passing)
	wantAnswer(t, h, "/startupz", 503, `{"status":"fail","notes":["starting"]}`)
	wantAnswer(t, h, "/readyz", 503, `{"status":"fail","notes":["starting"]}`)
	wantAnswer(t, h, "/salud", 503, `{"status":"fail","notes":["El servicio se está iniciando."]}`)

	for range 2 { // calling it again changes nothing
		h.Started()
		wantAnswer(t, h, "/livez", 200, passing)
		wantAnswer(t, h, "/startupz", 200, passing)
		wantAnswer(t, h, "/readyz", 200, passing)
		wantAnswer(t, h, "/salud", 200, `{"status":"pass","notes":["El servicio funciona con normalidad."]}`)
	}

	for range 2 {
		h.Drain()
		h.Started() // there is no way back
		wantAnswer(t, h, "/livez", 200, passing)
		wantAnswer(t, h, "/startupz", 200, passing)
		wantAnswer(t, h, "/readyz", 503, `{"status":"fail","notes":["draining"]}`)
		wantAnswer(t, h, "/salud", 503, `{"status":"fail","notes":["El servicio se está apagando y ya no recibe solicitudes nuevas."]}`)
	}
}

func TestDrainBeforeStarted(t *testing.T) {
	t.Parallel()
	h := mustNew(t, health.Config{})
	h.Drain()
	wantAnswer(t, h, "/readyz", 503, `{"status":"fail","notes":["draining"]}`)
	wantAnswer(t, h, "/startupz", 503, `{"status":"fail","notes":["starting"]}`)
}

func TestNoProbeRunsWhileStartingOrDraining(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		probe := newCounter(healthy)
		h := mustNew(t, health.Config{Checks: []health.Check{{Name: "db", CacheFor: 1, Probe: probe.run}}})
		get(h, "/readyz")
		get(h, "/salud")
		h.Started()
		get(h, "/livez")
		get(h, "/startupz")
		if got := probe.runs.Load(); got != 0 {
			t.Errorf("runs before the first reading of readiness = %d, want 0", got)
		}
		get(h, "/readyz")
		h.Drain()
		get(h, "/readyz")
		get(h, "/salud")
		if got := probe.runs.Load(); got != 1 {
			t.Errorf("runs after draining = %d, want 1", got)
		}
	})
}
