package middleware

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
)

const (
	// maxTries is what gateways accept: one try, and two more.
	maxTries = 3
	// maxRetryAfter is the longest RetryAfter that is waited for: people on the
	// phone hear the silence.
	maxRetryAfter = 2 * time.Second
)

// RetryConfig tunes [Retry]. The zero value is right for most servers.
type RetryConfig struct {
	// Delay is the longest wait before the second try; before the third it is
	// twice as long. Each wait lasts between half of that and all of it, at
	// random, so that calls that failed together do not come back together. At
	// most a minute. Default: 100 ms.
	Delay time.Duration
	// Budget is how many further tries each call earns for all of them: with 0.1,
	// an outage in which everything fails makes a tenth more calls, and not three
	// times as many. At most 1, rounded up to thousandths. Default: 0.1.
	Budget float64
	// Burst is how many further tries may be saved up, and how many there are at
	// the start. Default: 10.
	Burst int
	// ForwardsKey names tools that write and that send [EffectKey] to the system
	// in which the effect happens, with every request that has an effect, so that
	// trying again is safe there. It holds for calls under [Idempotency] that came
	// with a key; without one there is nothing to send. Default: none.
	ForwardsKey []string
}

// Retry tries again, at most twice, what failed for a moment only: a SYSTEM
// failure that is retryable (see [errors.Error]) or whose cause is, such as a
// connection refused or lost, or a dependency's deadline; see [errors.From]. It
// makes no difference whether the handler returned it as an error or as a result.
//
// A tool that is declared read-only may be tried again after any such failure.
// One that writes is only if the failure proves that nothing happened, or if the
// tool is named in ForwardsKey. Nothing else is repeated: no UNKNOWN, no other
// type, no panic, nothing that was cancelled, and nothing once the call itself
// has ended.
//
// It never waits past the call's deadline: if the wait and another try as long
// as the last do not fit, the failure is returned at once. A RetryAfter of the
// failure comes on top of the wait; one of more than 2 s is left to the caller.
//
// Retry knows the failure and not its history. A handler of several steps whose
// first one has done something wraps what a later one returns with
// [errors.OutcomeUnknown], or a connection that was refused to the second repeats the
// first. A run that has begun the transaction of its store, see [idempotency.Joiner],
// is not repeated: there is one of it for all tries.
//
// If an earlier try may have had an effect, the failure that is returned says so,
// whatever the last try proves. A further try gets its arguments decoded anew, so
// that a handler may change its own; those of a call that was made in Go, without
// RawArguments, are the same.
//
// It belongs nearest to the handler. One Retry has one budget: give a tool whose
// dependency is its own a Retry of its own with [Wrap]. Of several in one call,
// those of calls that a handler makes through the server included, the innermost alone
// tries again, or three tries would become nine. It panics if a field of
// cfg is out of range.
func Retry(cfg RetryConfig) server.ToolHandlerMiddleware {
	r := newRetry(cfg)
	return func(next server.ToolHandlerFunc) server.ToolHandlerFunc {
		return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return r.call(ctx, req, next)
		}
	}
}

type retry struct {
	delay       time.Duration
	budget      *retryBudget
	forwardsKey []string
}

func newRetry(cfg RetryConfig) *retry {
	var problems []error
	for _, field := range [...]struct {
		name string
		ok   bool
	}{
		{"Delay is not between 0 and a minute", cfg.Delay >= 0 && cfg.Delay <= time.Minute},
		{"Budget is not between 0 and 1", cfg.Budget >= 0 && cfg.Budget <= 1},
		{"Burst is negative", cfg.Burst >= 0},
	} {
		if !field.ok {
			problems = append(problems, errors.New(field.name))
		}
	}
	if err := errors.Join(problems...); err != nil {
		panic("portavoz/middleware: Retry: " + err.Error())
	}
	if cfg.Delay == 0 {
		cfg.Delay = 100 * time.Millisecond
	}
	if cfg.Budget == 0 {
		cfg.Budget = 0.1
	}
	if cfg.Burst == 0 {
		cfg.Burst = 10
	}
	return &retry{delay: cfg.Delay, budget: newRetryBudget(cfg.Budget, cfg.Burst), forwardsKey: slices.Clone(cfg.ForwardsKey)}
}

func (r *retry) call(ctx context.Context, req mcp.CallToolRequest, next server.ToolHandlerFunc) (*mcp.CallToolResult, error) {
	ctx, rec := begin(ctx, &req)
	r.budget.earn()
	var doubt error // the first failure that may have had an effect
	for try := 1; ; try++ {
		rec.setTries(try, r)
		start := time.Now()
		res, err := next(ctx, req)
		failure := failureOf(res, err)
		if failure == nil {
			return res, err
		}
		wait := r.wait(try, failure)
		if try == maxTries || !rec.isTriedBy(r) || !r.isSafe(ctx, rec, failure) || !fits(ctx, wait+time.Since(start)) ||
			!r.budget.spend() || !sleep(ctx, wait) {
			return settleRetry(res, err, failure, doubt)
		}
		if doubt == nil && failure.Effect != errors.EffectNone && !rec.ReadOnly(ctx) {
			doubt = failure
		}
		req = freshArguments(req)
	}
}

// trier is a Retry in one of the calls that lead to each other.
type trier struct {
	rec *Record
	by  *retry
}

// setTries notes how often a [Retry] has run the handler, and for the calls that led to
// this one that it is the innermost.
func (r *Record) setTries(n int, by *retry) {
	r.mu.Lock()
	r.tries = n
	r.mu.Unlock()
	for o := r; o != nil; o = o.outer {
		o.mu.Lock()
		o.tried = trier{r, by}
		o.mu.Unlock()
	}
}

// isTriedBy reports whether no other [Retry] lies further in.
func (r *Record) isTriedBy(by *retry) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.tried == trier{r, by}
}

// isSafe reports whether another try may help and cannot harm.
func (r *retry) isSafe(ctx context.Context, rec *Record, failure *errors.Error) bool {
	if ctx.Err() != nil || !isTransient(failure) || !idempotency.MayRepeat(ctx) {
		return false
	}
	return failure.Effect == errors.EffectNone || rec.ReadOnly(ctx) ||
		slices.Contains(r.forwardsKey, rec.tool) && EffectKey(ctx, "") != ""
}

// isTransient reports whether the same call may succeed in a moment: the failure
// says so, or what caused it does. What was cancelled was cancelled by somebody,
// and a panic is a mistake in the handler.
func isTransient(e *errors.Error) bool {
	if e.Type != errors.TypeSystem || e.Code == errors.CodeCanceled || e.Code == errors.CodePanic {
		return false
	}
	if e.Retryable {
		return e.RetryAfter <= maxRetryAfter
	}
	cause := e.Cause
	for range 16 { // typed errors in typed errors, below which is the evidence
		typed, ok := errors.AsType[*errors.Error](cause)
		if !ok {
			break
		}
		cause = typed.Cause
	}
	evidence := errors.From(cause)
	return evidence != nil && evidence.Retryable && evidence.Code != errors.CodeCanceled
}

// wait is how long to wait after the given try, which failed.
func (r *retry) wait(try int, failure *errors.Error) time.Duration {
	most := r.delay << (try - 1)
	return failure.RetryAfter + most - rand.N(most/2+1) //nolint:gosec // it spreads calls and hides nothing
}

// fits reports whether d is over before the call's deadline.
func fits(ctx context.Context, d time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return !ok || d < time.Until(deadline)
}

// sleep reports whether the wait was over before the call was.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// settleRetry is what a call returns that failed in the end. With a doubt, a
// failure that proves that nothing happened speaks of the last try only.
func settleRetry(res *mcp.CallToolResult, err error, failure *errors.Error, doubt error) (*mcp.CallToolResult, error) {
	if doubt == nil || failure.Effect != errors.EffectNone {
		return res, err
	}
	return nil, errors.OutcomeUnknown(fmt.Errorf("%w; an earlier try: %w", failure, doubt))
}

// freshArguments gives the request arguments that it shares with no earlier try.
func freshArguments(req mcp.CallToolRequest) mcp.CallToolRequest {
	if len(req.Params.RawArguments) == 0 {
		return req
	}
	var arguments any
	if json.Unmarshal(req.Params.RawArguments, &arguments) == nil {
		req.Params.Arguments = arguments
	}
	return req
}
