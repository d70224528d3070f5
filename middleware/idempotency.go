package middleware

import (
	"context"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
)

// IdempotencyOption tunes [Idempotency].
type IdempotencyOption func(*once)

// RequireKey refuses a write without a key. The default runs it unprotected, and
// the log line says so.
func RequireKey() IdempotencyOption { return func(o *once) { o.requireKey = true } }

// KeepFor remembers the keys of one tool for longer, or not as long, as the
// engine's TTL. It panics if ttl is not positive.
func KeepFor(tool string, ttl time.Duration) IdempotencyOption {
	if ttl <= 0 {
		panic("portavoz/middleware: KeepFor needs a positive duration")
	}
	return func(o *once) { o.ttl[tool] = ttl }
}

// Idempotency runs a write once per idempotency key (see [call.Meta]) and gives
// later calls the first one's result, marked with "portavoz/replayed" in _meta.
// A call that finds the same operation running waits for it.
//
// A key belongs to the caller's name, the tenant, the conversation and the tool,
// and to one set of arguments, compared as JSON values. What the handler reports
// decides what becomes of it:
//
//   - a success is kept, as the handler returned it: what shapes results lies
//     outside, and shapes a replay for the channel and era in which it is asked;
//   - a failure that proves that nothing happened frees the key: VALIDATION,
//     NOT_FOUND, PERMISSION, BLOCKER, a refused connection, [errors.NoEffect];
//   - any other failure, and a panic, leaves the outcome unknown. Later calls get
//     UNKNOWN and do not run, unless the engine has a Probe or is told to Rerun;
//   - a result that asks for another round, for more information or for a
//     confirmation is not kept.
//
// The handler runs apart from its connection, until the engine's RunLimit: put
// [Timeout] outside. A run whose client has been answered by then counts against
// the engine's MaxRunning, and not against [MaxAbandoned]. Tools declared read-only pass by, and so does a call that
// answers another round. A write whose key cannot be used is refused.
func Idempotency(engine *idempotency.Engine, opts ...IdempotencyOption) server.ToolHandlerMiddleware {
	if engine == nil {
		panic("portavoz/middleware: Idempotency needs an engine")
	}
	o := &once{engine: engine, ttl: map[string]time.Duration{}}
	for _, opt := range opts {
		opt(o)
	}
	return func(next server.ToolHandlerFunc) server.ToolHandlerFunc {
		return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			ctx, rec := begin(ctx, &req)
			if rec.ReadOnly(ctx) || len(req.Params.InputResponses) > 0 || req.Params.RequestState != "" {
				return next(ctx, req)
			}
			switch {
			case rec.meta.KeyError != nil:
				return nil, rec.refuse(errors.Validation("",
					errors.WithCode(errors.CodeInvalidKey), errors.WithCause(rec.meta.KeyError)))
			case rec.meta.IdempotencyKey != "":
				return o.call(ctx, rec, req, next)
			case o.requireKey:
				return nil, rec.refuse(errors.Validation("", errors.WithCode(errors.CodeKeyRequired)))
			}
			rec.setUnprotected()
			return next(ctx, req)
		}
	}
}

type once struct {
	engine     *idempotency.Engine
	requireKey bool
	ttl        map[string]time.Duration // not changed after construction
}

// live is what the handler returned, for the caller that ran it.
type live struct {
	res   *mcp.CallToolResult
	err   error
	panic *PanicError
	ended bool
}

func (o *once) call(ctx context.Context, rec *Record, req mcp.CallToolRequest, next server.ToolHandlerFunc) (*mcp.CallToolResult, error) {
	fingerprint, err := rec.fingerprint(&req)
	if err != nil {
		return nil, rec.refuse(errors.Validation("", errors.WithCause(err)))
	}
	op := idempotency.Operation{
		Scope:       []string{rec.caller.Name, rec.caller.Tenant, rec.meta.CompanyID, rec.meta.ConversationID},
		Name:        rec.tool,
		Key:         rec.meta.IdempotencyKey,
		Fingerprint: fingerprint,
		TTL:         o.ttl[rec.tool],
	}
	rec.detach(&req)
	own := new(live)
	reply, err := o.engine.Do(ctx, op, func(ctx context.Context) idempotency.Settlement {
		return own.run(rec.within(ctx), rec, req, next)
	})
	switch {
	case reply.Ran && own.ended: // runtime.Goexit leaves it unset
		return own.give()
	case err != nil:
		return nil, err
	}
	rec.mark(OutcomeReplayed)
	res, err := decodeResult(reply.Result)
	rec.setOwn(res)
	return res, err
}

// run calls the handler and says what becomes of the key.
func (l *live) run(ctx context.Context, rec *Record, req mcp.CallToolRequest, next server.ToolHandlerFunc) (s idempotency.Settlement) {
	defer func() {
		if v := recover(); v != nil {
			l.panic, l.ended = &PanicError{Value: v, Stack: debug.Stack()}, true
			s = idempotency.Settlement{Verdict: idempotency.Abandon, Err: panicked(l.panic)}
		}
	}()
	l.res, l.err = next(ctx, req)
	l.ended = true
	return l.settle(rec)
}

func (l *live) settle(rec *Record) idempotency.Settlement {
	if failure := failureOf(l.res, l.err); failure != nil {
		return settleFailure(failure)
	}
	if l.res == nil {
		return idempotency.Settlement{Verdict: idempotency.Abandon, Err: errors.System("", errors.WithCode(errors.CodeNoResult))}
	}
	sealed, err := sealSound(rec, l.res)
	if err != nil { // it has happened all the same
		return idempotency.Settlement{Verdict: idempotency.Keep, Err: errors.System("", errors.WithCode(errors.CodeBadResult), errors.WithCause(err))}
	}
	l.res = sealed
	if failure := failureOf(sealed, nil); failure != nil { // its data say so
		return settleFailure(failure)
	}
	if sealed.NeedsInput() {
		return idempotency.Settlement{Verdict: idempotency.Release, Err: errors.System("", errors.WithCode(errors.CodeInputRequired))}
	}
	s := idempotency.Settlement{Verdict: idempotency.Keep, Result: encodeResult(sealed)}
	if isUnfinished(sealed) {
		s.Verdict = idempotency.Release
	}
	return s
}

func settleFailure(failure *errors.Error) idempotency.Settlement {
	verdict := idempotency.Abandon
	switch {
	case failure.Effect == errors.EffectNone:
		verdict = idempotency.Release
	case failure.Code == errors.CodeDoneWithheld: // it has happened, and that is all that can be said
		verdict = idempotency.Keep
	}
	return idempotency.Settlement{Verdict: verdict, Err: failure}
}

// give returns to the caller what its handler returned, or panics as it did.
func (l *live) give() (*mcp.CallToolResult, error) {
	if l.panic != nil {
		if abort, ok := l.panic.Value.(error); ok && errors.Is(abort, http.ErrAbortHandler) {
			panic(abort)
		}
		panic(l.panic)
	}
	return l.res, l.err
}

// EffectKey returns a key for one step of the operation that runs in ctx, to be
// sent to the system in which the effect happens, such as a billing API. It is
// [idempotency.EffectKey], or in a job of [Deferred] one that belongs to the job and is
// the same whenever it is begun.
func EffectKey(ctx context.Context, step string) string {
	if r := jobFrom(ctx); r != nil {
		return r.effectKey(step)
	}
	return idempotency.EffectKey(ctx, step)
}
