package health

import (
	"net/http"
	"sync/atomic"
)

// Config says what a [Health] looks at. The zero value is a server without
// dependencies whose details nobody may see.
type Config struct {
	// Checks decide about readiness, all of them run at the same time.
	// Default: none.
	Checks []Check
	// ServiceLevel is the record of how the calls went. Default: none.
	ServiceLevel *ServiceLevel
	// Details says whether the sender of a request may see the names, timings
	// and error texts of the checks and the figures of the service level. It
	// is called from many goroutines. On a listener that only operators reach,
	// return true. Default: nobody may.
	Details func(*http.Request) bool
}

// Health is the state of a server, and the handler that tells it. It is safe
// for concurrent use. Make one with [New].
type Health struct {
	checks   []*checker
	level    *ServiceLevel
	details  func(*http.Request) bool
	mux      *http.ServeMux
	started  atomic.Bool
	draining atomic.Bool
}

// New returns a Health that is starting. The error joins one [*ConfigError]
// for every problem found.
func New(cfg Config) (*Health, error) {
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	h := &Health{level: cfg.ServiceLevel, details: cfg.Details, mux: http.NewServeMux()}
	for _, c := range cfg.Checks {
		h.checks = append(h.checks, newChecker(c))
	}
	h.mux.HandleFunc("GET /livez", h.livez)
	h.mux.HandleFunc("GET /startupz", h.startupz)
	h.mux.HandleFunc("GET /readyz", h.readyz)
	h.mux.HandleFunc("GET /salud", h.salud)
	return h, nil
}

// Started says that the server can do its work: data loaded, listeners open.
// From here on /startupz passes and /readyz depends on the checks. Calling it
// again changes nothing.
func (h *Health) Started() { h.started.Store(true) }

// Drain says that the server is going away: /readyz and /salud fail from now
// on, so that nobody sends it new work, and reading them starts no probe.
// /livez goes on passing, or the orchestrator would kill what is still in
// flight. Balancers learn of it at their next probe: wait that long before
// http.Server.Shutdown closes the listener.
//
// There is no way back: a balancer that saw it may have forgotten this server
// already. To take a server out of rotation for a while, use a [Check] that
// fails for that long. Calling Drain again changes nothing.
func (h *Health) Drain() { h.draining.Store(true) }

// status is a verdict of the draft; a greater one is worse.
type status uint8

const (
	pass status = iota
	warn
	fail
)

// MarshalText writes the word that the draft prescribes.
func (s status) MarshalText() ([]byte, error) {
	return [...][]byte{[]byte("pass"), []byte("warn"), []byte("fail")}[s], nil
}

// state is what everybody may know. The first three are the statuses.
type state uint8

const (
	healthy     = state(pass)
	worried     = state(warn)
	unavailable = state(fail)
	starting    = unavailable + 1
	draining    = unavailable + 2
)

func (s state) status() status { return status(min(s, unavailable)) }

// label is for a program or an engineer; "" where the status says it all.
func (s state) label() string {
	switch s {
	case starting:
		return "starting"
	case draining:
		return "draining"
	default:
		return ""
	}
}

// sentence is for a person.
func (s state) sentence() string {
	switch s {
	case healthy:
		return "El servicio funciona con normalidad."
	case worried:
		return "El servicio funciona, pero algo necesita atención."
	case starting:
		return "El servicio se está iniciando."
	case draining:
		return "El servicio se está apagando y ya no recibe solicitudes nuevas."
	default:
		return "El servicio no está disponible por ahora."
	}
}
