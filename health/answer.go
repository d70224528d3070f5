package health

import (
	"fmt"
	"time"
)

// answer is the response object of the draft, section 3.
type answer struct {
	Status status                 `json:"status"`
	Notes  []string               `json:"notes,omitempty"`
	Checks map[string][]component `json:"checks,omitempty"`
}

// component is the checks object of the draft, section 4.
type component struct {
	Type   string  `json:"componentType"`
	Value  float64 `json:"observedValue"`
	Unit   string  `json:"observedUnit"`
	Status status  `json:"status"`
	Time   string  `json:"time"`
	Output string  `json:"output,omitempty"`
}

func (c *checker) component(r result) []component {
	return []component{{
		Type: "component", Value: milliseconds(r.took), Unit: "ms",
		Status: c.status(r), Time: timestamp(r.at), Output: r.output,
	}}
}

// describe adds one entry per figure, all with names of our own: the draft
// predefines none of them.
func (s *ServiceLevel) describe(r Report, details map[string][]component) {
	now := timestamp(time.Now())
	add := func(name string, value float64, unit string, met bool, missed string) {
		c := component{Type: "system", Value: value, Unit: unit, Time: now}
		if !met {
			c.Status, c.Output = s.breach(), missed
		}
		details["serviceLevel:"+name] = []component{c}
	}
	add("calls", float64(r.Calls), "calls", true, "")
	add("serverFaults", float64(r.ServerFaults), "calls", true, "")
	add("availability", r.percent(), "percent", r.AvailabilityMet,
		fmt.Sprintf("below the target of %.6g percent", 100*s.cfg.Availability))
	add("p50", milliseconds(r.P50), "ms", true, "")
	add("p95", milliseconds(r.P95), "ms", r.LatencyMet, fmt.Sprintf("above the target of %v", s.cfg.Latency))
	add("p99", milliseconds(r.P99), "ms", true, "")
}

// percent is the availability, rounded down to three decimals: what missed a
// target must not look as if it had met it.
func (r Report) percent() float64 {
	if r.Calls == 0 {
		return 100
	}
	return float64((r.Calls-r.ServerFaults)*100_000/r.Calls) / 1000
}

func timestamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// milliseconds keeps three decimals.
func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
