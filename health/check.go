package health

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Defaults of a [Check].
const (
	// DefaultTimeout is shorter than the second after which a Kubernetes probe
	// gives up unless told otherwise, so that the answer still arrives.
	DefaultTimeout = 800 * time.Millisecond
	// DefaultCacheFor is shorter than the ten seconds between two Kubernetes
	// probes, so that each of them sees a fresh result.
	DefaultCacheFor = 5 * time.Second
)

// maxOutput bounds the error text shown, in characters: a dependency may
// answer with a whole page.
const maxOutput = 300

// Check is a question to something the server needs, such as its database.
//
// A check runs when somebody reads /readyz or /salud, at most once at a time:
// readers that come while it runs wait for the same run. A probe that ignores
// its context occupies one goroutine until it returns, never more; in the
// meantime the check has failed and readers learn so at once. A panic or
// [runtime.Goexit] in a probe is a failure of the check.
type Check struct {
	// Name is unique, 1 to 64 of a-z, 0-9, '.', '_' and '-'. Required.
	Name string
	// Informative makes a failure a warning, with HTTP status 200: for what
	// the server can do without. Default: a failure makes the server not ready.
	Informative bool
	// Timeout is how long the probe may take; after it the check has failed,
	// whatever the probe returns later. Default: [DefaultTimeout].
	Timeout time.Duration
	// CacheFor is how long a result, good or bad, is told again before the
	// probe is asked again. Default: [DefaultCacheFor].
	CacheFor time.Duration
	// Probe returns nil when all is well. Its context ends after Timeout and
	// carries nothing of the request. [database/sql.DB.PingContext] fits.
	// Required.
	Probe func(ctx context.Context) error
}

// checker runs a Check, once at a time.
type checker struct {
	Check
	mu  sync.Mutex
	run *run // the newest; nil before the first
}

// run is one execution of a probe.
type run struct {
	deadline time.Time
	expired  <-chan struct{} // closed at the deadline, or after done
	done     chan struct{}   // closed once result is there
	result   result
}

type result struct {
	ok     bool
	output string // why not ok
	at     time.Time
	took   time.Duration
}

func newChecker(c Check) *checker {
	if c.Timeout == 0 {
		c.Timeout = DefaultTimeout
	}
	if c.CacheFor == 0 {
		c.CacheFor = DefaultCacheFor
	}
	return &checker{Check: c}
}

// current returns the run whose result counts now: the one under way, the last
// one while its result is fresh, or a new one.
func (c *checker) current() *run {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.run != nil {
		select {
		case <-c.run.done:
			if time.Since(c.run.result.at) < c.CacheFor {
				return c.run
			}
		default:
			return c.run
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), c.Timeout)
	deadline, _ := ctx.Deadline()
	c.run = &run{deadline: deadline, expired: ctx.Done(), done: make(chan struct{})}
	go c.execute(ctx, cancel, c.run)
	return c.run
}

func (c *checker) execute(ctx context.Context, cancel context.CancelFunc, r *run) {
	start := time.Now()
	got := result{output: "the probe ended its goroutine"}
	defer func() {
		if ctx.Err() != nil {
			got = c.timedOut(r, "")
		} else {
			got.at, got.took = time.Now(), time.Since(start)
		}
		r.result = got
		close(r.done)
		cancel()
	}()
	defer func() {
		if v := recover(); v != nil {
			got.output = shorten(fmt.Sprintf("panic: %v", v))
		}
	}()
	if err := c.Probe(ctx); err != nil {
		got.output = shorten(err.Error())
		return
	}
	got = result{ok: true}
}

// wait returns the result of r, not later than its deadline.
func (c *checker) wait(reader context.Context, r *run) result {
	select {
	case <-r.done:
		return r.result
	case <-r.expired:
		select {
		case <-r.done: // expired because it was done
			return r.result
		default:
			return c.timedOut(r, "; the probe is still running")
		}
	case <-reader.Done():
		return result{output: "the reader left", at: time.Now()}
	}
}

// timedOut is the result of a run that met its deadline. It dates from the
// deadline, so that a probe that returns late is soon asked again.
func (c *checker) timedOut(r *run, remark string) result {
	return result{
		output: fmt.Sprintf("no answer within %v%s", c.Timeout, remark),
		at:     r.deadline,
		took:   c.Timeout,
	}
}

func (c *checker) status(r result) status {
	switch {
	case r.ok:
		return pass
	case c.Informative:
		return warn
	default:
		return fail
	}
}

func shorten(s string) string {
	if len(s) <= maxOutput {
		return s
	}
	if runes := []rune(s); len(runes) > maxOutput {
		return string(runes[:maxOutput-1]) + "…"
	}
	return s
}
