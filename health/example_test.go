package health_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/portavoz/portavoz/health"
)

// show prints what a monitor would get.
func show(h http.Handler, path string) {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	fmt.Print(path, " ", w.Code, " ", w.Body)
}

// In a server that has a mux already, health is one line of it.
func Example() {
	h, err := health.New(health.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", http.NotFoundHandler()) // the server's own endpoint
	mux.Handle("/health/", http.StripPrefix("/health", h))

	show(mux, "/health/readyz")
	h.Started() // data loaded, listeners open
	show(mux, "/health/readyz")
	h.Drain() // then wait a moment, then http.Server.Shutdown
	show(mux, "/health/readyz")
	show(mux, "/health/livez")
	// Output:
	// /health/readyz 503 {"status":"fail","notes":["starting"]}
	// /health/readyz 200 {"status":"pass"}
	// /health/readyz 503 {"status":"fail","notes":["draining"]}
	// /health/livez 200 {"status":"pass"}
}

// unreachable is a database that is down.
type unreachable struct{}

func (unreachable) Connect(context.Context) (driver.Conn, error) {
	return nil, errors.New("dial tcp 10.0.0.5:5432: connection refused")
}
func (unreachable) Driver() driver.Driver { return nil }

// PingContext is a probe as it is. A cache that the server can do without is
// informative. The reason of a failure shows only where Config.Details lets it.
func ExampleCheck() {
	db := sql.OpenDB(unreachable{})
	defer db.Close()
	h, err := health.New(health.Config{
		Checks: []health.Check{
			{Name: "database", Probe: db.PingContext},
			{Name: "cache", Informative: true, Timeout: 200 * time.Millisecond, Probe: func(context.Context) error { return nil }},
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	h.Started()
	show(h, "/readyz")
	show(h, "/salud")
	// Output:
	// /readyz 503 {"status":"fail"}
	// /salud 503 {"status":"fail","notes":["El servicio no está disponible por ahora."]}
}

// The observer of tool calls feeds the service level.
func ExampleServiceLevel() {
	level, err := health.NewServiceLevel(health.ServiceLevelConfig{})
	if err != nil {
		fmt.Println(err)
		return
	}
	observe := func(duration time.Duration, errorType string) {
		level.Record(duration, health.ServerFault(errorType))
	}
	for range 397 {
		observe(120*time.Millisecond, "")
	}
	observe(90*time.Millisecond, "NOT_FOUND") // the server did its work
	observe(30*time.Second, "SYSTEM")
	observe(30*time.Second, "UNKNOWN")

	r := level.Report()
	fmt.Printf("%d calls, %d the server's fault: %.1f %% available, target met: %v\n",
		r.Calls, r.ServerFaults, 100*r.Availability, r.AvailabilityMet)
	fmt.Printf("95 %% within %v, target met: %v\n", r.P95.Round(10*time.Millisecond), r.LatencyMet)
	// Output:
	// 400 calls, 2 the server's fault: 99.5 % available, target met: true
	// 95 % within 120ms, target met: true
}

// Wrong: a liveness route that asks a dependency. When the database is down,
// the orchestrator restarts every replica, again and again, and a server that
// could have answered "try later" answers nothing. Liveness asks the process
// only; the database belongs to readiness.
func Example_wrongLiveness() {
	db := sql.OpenDB(unreachable{})
	defer db.Close()

	wrong := http.NewServeMux()
	wrong.HandleFunc("/livez", func(w http.ResponseWriter, r *http.Request) {
		if db.PingContext(r.Context()) != nil {
			http.Error(w, "restart me", http.StatusServiceUnavailable)
			return
		}
		w.WriteHeader(http.StatusOK)
	})
	show(wrong, "/livez")

	right, err := health.New(health.Config{Checks: []health.Check{{Name: "database", Probe: db.PingContext}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	right.Started()
	show(right, "/livez")
	show(right, "/readyz")
	// Output:
	// /livez 503 restart me
	// /livez 200 {"status":"pass"}
	// /readyz 503 {"status":"fail"}
}
