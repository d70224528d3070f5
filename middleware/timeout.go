package middleware

import (
	"context"
	"net/http"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/internal/stack"
)

// TimeoutOption tunes [Timeout].
type TimeoutOption func(*timeout)

// TimeoutFor gives one tool a deadline of its own. It panics if d is not
// positive.
func TimeoutFor(tool string, d time.Duration) TimeoutOption {
	mustBePositive(d)
	return func(t *timeout) { t.perTool[tool] = d }
}

// MaxAbandoned sets how many runs of one tool may go on after their deadline
// before the tool is refused. Default 100; zero or less refuses a tool as soon
// as one run is overdue. A write under [Idempotency] leaves at the deadline and
// goes on by itself: those count against the engine's MaxRunning.
func MaxAbandoned(n int) TimeoutOption {
	return func(t *timeout) { t.maxAbandoned = max(n, 1) }
}

// OnLate reports runs that end after their caller was answered: an event with
// [OutcomeLateResult] or [OutcomeLatePanic] each. Their results are dropped.
func OnLate(observers ...Observer) TimeoutOption {
	return func(t *timeout) { t.late = append(t.late, observers...) }
}

// Timeout bounds how long a client waits. The handler's context ends at the
// deadline; a handler that ignores its context is abandoned there, and the
// client gets a SYSTEM failure with code "timeout". What the handler did by
// then is unknown, and the failure says so.
//
// The handler runs in a goroutine of its own. A panic there comes up in the
// caller's, with its stack, and runtime.Goexit counts as one. Go cannot stop a
// goroutine: an abandoned run goes on until it returns by itself, which is why
// there is a limit to them, see [MaxAbandoned]. A tool at that limit is refused
// with code "busy" and without any effect.
//
// Gateways give up after 30 s, and on the phone two are long. It panics if d is
// not positive.
func Timeout(d time.Duration, opts ...TimeoutOption) server.ToolHandlerMiddleware {
	mustBePositive(d)
	t := &timeout{
		limit:        d,
		perTool:      map[string]time.Duration{},
		maxAbandoned: 100,
		abandoned:    map[string]int{},
	}
	for _, opt := range opts {
		opt(t)
	}
	return func(next server.ToolHandlerFunc) server.ToolHandlerFunc {
		return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return t.call(ctx, req, next)
		}
	}
}

func mustBePositive(d time.Duration) {
	if d <= 0 {
		panic("portavoz/middleware: Timeout needs a positive duration")
	}
}

type timeout struct {
	limit        time.Duration
	perTool      map[string]time.Duration // not changed after construction
	maxAbandoned int
	late         []Observer

	mu        sync.Mutex
	abandoned map[string]int // by tool; only tools with overdue runs
}

// run is one call of a handler. settled goes from false to true once: whoever
// does it, the handler's end or the deadline, answers the client.
type run struct {
	settled atomic.Bool
	done    chan struct{}
	res     *mcp.CallToolResult
	err     error
	panic   *PanicError
}

func (t *timeout) call(ctx context.Context, req mcp.CallToolRequest, next server.ToolHandlerFunc) (*mcp.CallToolResult, error) {
	ctx, rec := begin(ctx, &req)
	if t.overdue(rec.tool) >= t.maxAbandoned {
		rec.mark(OutcomeRefused)
		return nil, errors.System("", errors.WithCode(errors.CodeBusy),
			errors.WithRetryAfter(t.limitFor(rec.tool)), errors.WithEffect(errors.EffectNone))
	}
	ctx, cancel := context.WithTimeout(ctx, t.limitFor(rec.tool))
	defer cancel()

	rec.detach(&req)
	r := &run{done: make(chan struct{})}
	go t.run(rec.within(ctx), rec, req, next, r)
	select {
	case <-r.done:
	case <-ctx.Done():
		t.count(rec.tool, 1)
		if r.settled.CompareAndSwap(false, true) {
			return nil, errors.From(context.Cause(ctx))
		}
		t.count(rec.tool, -1) // it ended just now
		<-r.done
	}
	if r.panic != nil {
		if abort, ok := r.panic.Value.(error); ok && errors.Is(abort, http.ErrAbortHandler) {
			panic(abort)
		}
		panic(r.panic)
	}
	return r.res, r.err
}

// run calls the handler and settles the call, or reports that it was late.
func (t *timeout) run(ctx context.Context, rec *Record, req mcp.CallToolRequest, next server.ToolHandlerFunc, r *run) {
	stack.Grow()
	returned := false
	defer func() {
		if !returned {
			r.panic = &PanicError{Value: recover(), Stack: debug.Stack()}
		}
		if r.settled.CompareAndSwap(false, true) {
			close(r.done)
			return
		}
		t.count(rec.tool, -1)
		t.report(ctx, rec, r)
	}()
	r.res, r.err = next(ctx, req)
	returned = true
}

func (t *timeout) report(ctx context.Context, rec *Record, r *run) {
	if len(t.late) == 0 {
		return
	}
	ev := rec.event(ctx, nil, nil)
	ev.Outcome, ev.ErrorType, ev.ErrorCode, ev.Err = OutcomeLateResult, "", "", nil
	switch {
	case r.panic != nil:
		ev.Outcome, ev.Err = OutcomeLatePanic, r.panic
	case r.err != nil:
		ev.Err = errors.From(r.err)
	}
	notify(ctx, t.late, ev)
}

func (t *timeout) limitFor(tool string) time.Duration {
	if d, ok := t.perTool[tool]; ok {
		return d
	}
	return t.limit
}

func (t *timeout) overdue(tool string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.abandoned[tool]
}

func (t *timeout) count(tool string, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.abandoned[tool] += n; t.abandoned[tool] == 0 {
		delete(t.abandoned, tool)
	}
}
