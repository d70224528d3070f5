package health

import (
	"encoding/json"
	"net/http"
	"strconv"
)

// ServeHTTP answers GET and HEAD on /livez, /startupz, /readyz and /salud;
// other methods are 405 and other paths 404. To mount it below a prefix, use
// [http.StripPrefix].
func (h *Health) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	h.mux.ServeHTTP(w, r)
}

func (h *Health) livez(w http.ResponseWriter, r *http.Request) {
	send(w, r, answer{Status: pass})
}

func (h *Health) startupz(w http.ResponseWriter, r *http.Request) {
	if h.started.Load() {
		send(w, r, answer{Status: pass})
		return
	}
	send(w, r, answer{Status: fail, Notes: []string{starting.label()}})
}

func (h *Health) readyz(w http.ResponseWriter, r *http.Request) {
	s, checks := h.assess(r)
	a := answer{Status: s.status(), Checks: checks}
	if label := s.label(); label != "" {
		a.Notes = []string{label}
	}
	send(w, r, a)
}

func (h *Health) salud(w http.ResponseWriter, r *http.Request) {
	s, checks := h.assess(r)
	send(w, r, answer{Status: s.status(), Notes: []string{s.sentence()}, Checks: checks})
}

// assess asks every check and the service level. The map is nil unless the
// sender of r may see details.
func (h *Health) assess(r *http.Request) (state, map[string][]component) {
	switch {
	case h.draining.Load():
		return draining, nil
	case !h.started.Load():
		return starting, nil
	}
	var details map[string][]component
	if h.details != nil && h.details(r) {
		details = make(map[string][]component)
	}
	runs := make([]*run, len(h.checks))
	for i, c := range h.checks {
		runs[i] = c.current() // all are under way before the first is waited for
	}
	worst := pass
	for i, c := range h.checks {
		got := c.wait(r.Context(), runs[i])
		worst = max(worst, c.status(got))
		if details != nil {
			details[c.Name+":responseTime"] = c.component(got)
		}
	}
	if h.level != nil {
		report := h.level.Report()
		worst = max(worst, h.level.status(report))
		if details != nil {
			h.level.describe(report, details)
		}
	}
	return state(worst), details
}

func send(w http.ResponseWriter, r *http.Request, a answer) {
	body, _ := json.Marshal(a) // nothing in an answer can fail to encode
	body = append(body, '\n')
	w.Header().Set("Content-Type", "application/health+json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	code := http.StatusOK
	if a.Status == fail {
		code = http.StatusServiceUnavailable
	}
	w.WriteHeader(code)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // the reader may be gone; nothing is left to do
	}
}
