package health

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/portavoz/portavoz/errors"
)

// Defaults of a [ServiceLevelConfig]. Availability and latency are what the
// gateway's contract asks for: 99.5 % a month, and a 95th percentile of 2 s,
// since above about 3 s a phone call has audible silence.
const (
	DefaultWindow       = time.Hour
	DefaultAvailability = 0.995
	DefaultLatency      = 2 * time.Second
	// DefaultMinCalls is the smallest number of calls in which one failure
	// still keeps an availability of 99.5 %.
	DefaultMinCalls = 200
)

// slots is into how many pieces the window is cut. It slides by one piece.
const slots = 60

// ServiceLevelConfig says what is promised. The zero value is the gateway's
// contract over the last hour.
type ServiceLevelConfig struct {
	// Window is how far back calls count, from one second to 31 days. It
	// slides in steps of a sixtieth. Default: [DefaultWindow].
	Window time.Duration
	// Availability is the smallest share of calls without a fault of the
	// server, from 0 to 1. Default: [DefaultAvailability].
	Availability float64
	// Latency is the greatest 95th percentile, one hour at most.
	// Default: [DefaultLatency].
	Latency time.Duration
	// MinCalls is the number of calls below which nothing is concluded.
	// Default: [DefaultMinCalls].
	MinCalls int
	// FailReadiness makes a missed target a failure of /readyz instead of a
	// warning. Think twice: a server out of rotation gets no calls that could
	// prove it well, so it stays out until the bad ones have left the window,
	// and a slow dependency takes all replicas out together. Default: warning.
	FailReadiness bool
	// Now is the clock by which the window slides. It is called from many
	// goroutines. Default: the monotonic clock of package time.
	Now func() time.Time
}

// ServiceLevel counts calls and their durations over a sliding window. It
// occupies about 130 KiB, however many calls there are, holds up to 2^32 calls
// per sixtieth of the window, and is safe for concurrent use.
//
// It sees one process and forgets with it: enough to notice trouble now, not
// to prove the availability of a month.
type ServiceLevel struct {
	cfg     ServiceLevelConfig
	elapsed func() time.Duration // since construction
	width   time.Duration        // of a slot
	rotate  sync.Mutex
	slots   [slots]slot
}

// slot holds the calls of one sixtieth of the window.
type slot struct {
	turn   atomic.Int64 // which sixtieth it holds; zero when never used
	faults atomic.Uint32
	counts [buckets]atomic.Uint32
}

// NewServiceLevel returns an empty record. The error joins one [*ConfigError]
// for every problem found.
func NewServiceLevel(cfg ServiceLevelConfig) (*ServiceLevel, error) {
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	if cfg.Window == 0 {
		cfg.Window = DefaultWindow
	}
	if cfg.Availability == 0 {
		cfg.Availability = DefaultAvailability
	}
	if cfg.Latency == 0 {
		cfg.Latency = DefaultLatency
	}
	if cfg.MinCalls == 0 {
		cfg.MinCalls = DefaultMinCalls
	}
	s := &ServiceLevel{cfg: cfg, width: cfg.Window / slots}
	if now := cfg.Now; now != nil {
		start := now()
		s.elapsed = func() time.Duration { return now().Sub(start) }
	} else {
		start := time.Now()
		s.elapsed = func() time.Duration { return time.Since(start) }
	}
	return s, nil
}

// ServerFault reports whether a call that ended with this error_type counts
// against the server's availability: SYSTEM, UNKNOWN, and what a gateway would
// read as UNKNOWN do. The other types are the server doing its work, and ""
// is success. Refusals for too many calls are SYSTEM and count too.
func ServerFault[T ~string](errorType T) bool {
	if errorType == "" {
		return false
	}
	t := errors.ParseType(string(errorType))
	return t == errors.TypeSystem || t == errors.TypeUnknown
}

// Record counts one finished call. It fits an observer of tool calls:
//
//	level.Record(event.Duration, health.ServerFault(event.ErrorType))
//
// A negative duration counts as zero. Record allocates nothing and takes no
// lock, except once per sixtieth of the window.
func (s *ServiceLevel) Record(duration time.Duration, serverFault bool) {
	turn := s.turn()
	current := &s.slots[turn%slots]
	if current.turn.Load() < turn {
		s.reuse(current, turn)
	}
	current.counts[bucketOf(duration, s.cfg.Latency)].Add(1)
	if serverFault {
		current.faults.Add(1)
	}
}

// turn numbers the sixtieths of the window since construction. The first one
// is such that a slot never used, whose turn is zero, counts as out of the
// window.
func (s *ServiceLevel) turn() int64 { return slots + int64(max(s.elapsed(), 0)/s.width) }

// reuse empties a slot whose calls have left the window. Only a Record that
// was suspended for a whole window can lose its call by it.
func (s *ServiceLevel) reuse(old *slot, turn int64) {
	s.rotate.Lock()
	defer s.rotate.Unlock()
	if old.turn.Load() >= turn {
		return
	}
	for i := range old.counts {
		old.counts[i].Store(0)
	}
	old.faults.Store(0)
	old.turn.Store(turn)
}

// Report is the service level over a window.
type Report struct {
	// Calls is how many calls ended.
	Calls uint64
	// ServerFaults is how many of them failed by the server's fault.
	ServerFaults uint64
	// Availability is the share of the others, from 0 to 1; 1 without calls.
	Availability float64
	// P50, P95 and P99 are the durations within which that percentage of the
	// calls ended (nearest rank); zero without calls. They are never too
	// small, and too great by 1/32 (3.2 %) at most, or, where that is more,
	// by 1/65536 of the target (31 µs for 2 s). The target itself is met
	// exactly: P95 is not above it if and only if the true percentile is not.
	// Beyond 32 times the target they read as that.
	P50, P95, P99 time.Duration
	// Conclusive says that there were enough calls to judge.
	Conclusive bool
	// AvailabilityMet and LatencyMet say that the targets were met, or that
	// the calls were too few to say otherwise.
	AvailabilityMet, LatencyMet bool
}

// Report sums up the window: the sixtieth under way and the 59 before it.
// Calls that are recorded meanwhile may be in it or not.
func (s *ServiceLevel) Report() Report {
	turn := s.turn()
	var r Report
	var h histogram
	for i := range s.slots {
		part := &s.slots[i]
		if part.turn.Load() <= turn-slots {
			continue // left the window
		}
		r.ServerFaults += uint64(part.faults.Load())
		for b := range part.counts {
			h[b] += uint64(part.counts[b].Load())
		}
	}
	r.Calls = h.total()
	r.ServerFaults = min(r.ServerFaults, r.Calls)
	r.Availability = 1
	if r.Calls > 0 {
		r.Availability = float64(r.Calls-r.ServerFaults) / float64(r.Calls)
	}
	r.P50 = h.percentile(50, r.Calls, s.cfg.Latency)
	r.P95 = h.percentile(95, r.Calls, s.cfg.Latency)
	r.P99 = h.percentile(99, r.Calls, s.cfg.Latency)
	r.Conclusive = r.Calls >= uint64(s.cfg.MinCalls)
	r.AvailabilityMet = !r.Conclusive || r.Availability >= s.cfg.Availability
	r.LatencyMet = !r.Conclusive || r.P95 <= s.cfg.Latency
	return r
}

func (s *ServiceLevel) status(r Report) status {
	if r.AvailabilityMet && r.LatencyMet {
		return pass
	}
	return s.breach()
}

// breach is what a missed target means.
func (s *ServiceLevel) breach() status {
	if s.cfg.FailReadiness {
		return fail
	}
	return warn
}
