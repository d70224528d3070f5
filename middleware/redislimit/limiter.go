package redislimit

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/call"
)

// Do sends one command to Redis and returns its answer: it is the Do method of
// any client. The command's name comes first; every argument is a string. The
// answer of the commands of this package is a string or a []byte. It is safe for
// concurrent use and returns soon after ctx has ended, which go-redis does if
// ContextTimeoutEnabled is set in its options.
type Do func(ctx context.Context, args ...any) (any, error)

// Away is what holds while Redis cannot be asked.
type Away int

// The policies.
const (
	// AwayLocal counts in this process, see [Config.Processes]. What is paid in
	// Redis is noted here as well, so that an outage gives nobody a fresh burst.
	AwayLocal Away = iota
	// AwayDeny fails, and the call is refused.
	AwayDeny
	// AwayAllow lets everything through, uncounted.
	AwayAllow
)

// Config tunes a [Limiter]. The zero value is right for one process.
type Config struct {
	// Prefix begins every key. Programs that share limits have the same prefix.
	// It holds no braces. Default: "portavoz:limit:".
	Prefix string
	// Timeout is how long a call waits for Redis. Default: 100 ms.
	Timeout time.Duration
	// Away is what holds while Redis cannot be asked. Default: [AwayLocal].
	Away Away
	// Pause is how long Redis is not asked again after it failed; one call asks
	// then, for all. Default: 1 s.
	Pause time.Duration
	// Processes is how many processes share the limits: with [AwayLocal] each has
	// its part of them. Default: 1.
	Processes int
	// Local counts for [AwayLocal]. Default: [middleware.NewLimiter].
	Local call.Limiter
	// Report is told when Redis begins to fail, and each time it still does after
	// a pause. It is quick, and safe for concurrent use. Default: nobody is told.
	Report func(error)
}

// Limiter is a [call.Limiter] in Redis. It is safe for concurrent use, holds no
// connection, and needs no closing.
type Limiter struct {
	do    Do
	cfg   Config
	start time.Time

	script  string // its name
	name    string // random; begins every ticket
	tickets atomic.Uint64

	// resting is until when Redis is not asked, since start; 0 while it answers.
	resting atomic.Int64
}

var _ call.Limiter = (*Limiter)(nil)

// New returns a limiter that speaks to Redis through do. It does not connect. All
// that is wrong with the configuration is reported together.
func New(do Do, cfg Config) (*Limiter, error) {
	var problems []error
	problem := func(wrong bool, text string) {
		if wrong {
			problems = append(problems, errors.New("portavoz/redislimit: "+text))
		}
	}
	problem(do == nil, "Do is nil")
	problem(strings.ContainsAny(cfg.Prefix, "{}"), "the prefix holds a brace")
	problem(cfg.Timeout < 0 || cfg.Pause < 0, "a duration is negative")
	problem(cfg.Away < AwayLocal || cfg.Away > AwayAllow, "there is no such policy for Away")
	problem(cfg.Processes < 0, "the number of processes is negative")
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	if cfg.Prefix == "" {
		cfg.Prefix = "portavoz:limit:"
	}
	if cfg.Timeout == 0 {
		cfg.Timeout = 100 * time.Millisecond
	}
	if cfg.Pause == 0 {
		cfg.Pause = time.Second
	}
	cfg.Processes = max(cfg.Processes, 1)
	if cfg.Local == nil {
		cfg.Local = middleware.NewLimiter(middleware.LimiterConfig{})
	}
	return &Limiter{do: do, cfg: cfg, start: time.Now(), script: scriptName(takeLua), name: rand.Text()[:8] + "."}, nil
}

// Take implements [call.Limiter]. It fails if ctx ends, and with [AwayDeny] if
// Redis does.
func (l *Limiter) Take(ctx context.Context, c call.Charge) (call.Verdict, error) {
	counts := false
	for i, b := range c.Buckets {
		if b.Limit.Unlimited() {
			continue
		}
		if max(b.Cost, 1) > b.Limit.Burst {
			return call.Verdict{Wait: call.Never, Bucket: i}, nil
		}
		counts = true
	}
	if !counts { // whether Redis is there or not
		return call.Verdict{}, nil
	}
	resting := l.resting.Load()
	if now := l.now(); resting != 0 && (now < resting || !l.resting.CompareAndSwap(resting, now+int64(l.cfg.Pause))) {
		return l.away(ctx, c, errResting)
	}
	v, err := l.ask(ctx, c)
	switch {
	case err == nil:
		if resting != 0 {
			l.resting.Store(0)
		}
		if v.Allowed() && l.cfg.Away == AwayLocal {
			_, _ = l.cfg.Local.Take(ctx, l.part(c)) // noted; Redis has decided
		}
		return v, nil
	case ctx.Err() != nil: // that is not the fault of Redis
		return call.Verdict{}, err
	}
	// Of those who find at once that Redis has gone, one tells.
	until := l.now() + int64(l.cfg.Pause)
	if first := l.resting.CompareAndSwap(0, until); (first || resting != 0) && l.cfg.Report != nil {
		l.cfg.Report(err)
	}
	return l.away(ctx, c, err)
}

var errResting = errors.New("it failed a moment ago and is not asked yet")

// away answers without Redis.
func (l *Limiter) away(ctx context.Context, c call.Charge, err error) (call.Verdict, error) {
	switch l.cfg.Away {
	case AwayAllow:
		return call.Verdict{}, nil
	case AwayDeny:
		return call.Verdict{}, fmt.Errorf("portavoz/redislimit: Redis is away: %w", err)
	default:
		return l.cfg.Local.Take(ctx, l.part(c))
	}
}

// part is what this process counts of a charge by itself. A call that costs more
// than its part of a burst takes all of that.
func (l *Limiter) part(c call.Charge) call.Charge {
	for i := range c.Buckets {
		b := &c.Buckets[i]
		b.Limit = b.Limit.Part(1 / float64(l.cfg.Processes))
		b.Cost = min(b.Cost, b.Limit.Burst)
	}
	return c
}

func (l *Limiter) now() int64 { return int64(time.Since(l.start)) }
