package middleware

import (
	"context"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware/call"
)

// Outcome says in one word how a call ended.
type Outcome string

// The outcomes. Which of a failure's they are decides where to look: at the
// business, at a limit or policy of this server, or at what is broken.
const (
	OutcomeOK            Outcome = "ok"
	OutcomeBusinessError Outcome = "business_error" // the handler answered NOT_FOUND, VALIDATION, PERMISSION or BLOCKER
	OutcomeError         Outcome = "error"          // SYSTEM or UNKNOWN
	OutcomeRefused       Outcome = "refused"        // a middleware answered, the handler did not run
	OutcomeReplayed      Outcome = "replayed"       // an earlier result was given again
	OutcomeTimeout       Outcome = "timeout"        // the deadline passed before the handler returned
	OutcomeCanceled      Outcome = "canceled"       // the client went away
	OutcomePanic         Outcome = "panic"
	OutcomeInputRequired Outcome = "input_required" // the handler asked for another round
	OutcomePending       Outcome = "pending"        // a person has to agree first, the handler did not run
	// The two below are events of their own, after the call was answered with
	// OutcomeTimeout or OutcomeCanceled.
	OutcomeLateResult Outcome = "late_result"
	OutcomeLatePanic  Outcome = "late_panic"
)

// Event is what is known about one finished call. It holds no arguments, no
// results and no credentials.
type Event struct {
	Tool           string
	RequestID      string // given by the gateway, or made here; never empty
	ConversationID string
	CompanyID      string
	Channel        call.Channel
	Caller         string // principal name
	Start          time.Time
	Duration       time.Duration
	Outcome        Outcome
	ErrorType      errors.Type // "" on success
	ErrorCode      string
	// Characters is the size that counts against a gateway's limit: the larger
	// of all text blocks together and the JSON of structuredContent, in UTF-16
	// code units.
	Characters int
	Truncated  bool // something was left out to fit
	Dropped    int  // content blocks that were left out, being no text: see [MediaPolicy]
	Redacted   int  // places from which [Redact] took something out
	// Unprotected says that a write ran without an idempotency key, where
	// [Idempotency] stands. A retry of it would have run it again.
	Unprotected bool
	// Tries is how often the handler was run for this call, where [Retry] stands;
	// 0 if it was not.
	Tries int
	// Tolerated lists the tolerances of [Validate] that the arguments needed, sorted,
	// each once.
	Tolerated []Tolerance
	// BadResult is how the result breaks the tool's outputSchema that was delivered
	// all the same, since it is that of a write; see [ValidateConfig]. It names
	// places and rules, and no values.
	BadResult error
	Era       string // "modern" (2026-07-28 and later) or "legacy"
	// Err is the typed failure with its cause. It is for the log: its text may
	// hold internals.
	Err error
}

// ServerFault reports whether a failure is the server's and counts against its
// service level: SYSTEM and UNKNOWN do, unless the server refused on purpose
// or the client went away.
func (e Event) ServerFault() bool {
	if e.Outcome == OutcomeRefused || e.Outcome == OutcomeCanceled {
		return false
	}
	return e.ErrorType == errors.TypeSystem || e.ErrorType == errors.TypeUnknown
}

// Observer receives an [Event]. It runs on the call's path, after the result
// is known, and has to be quick and safe for concurrent use. A panic in it is
// dropped: it must not undo a call that has happened.
type Observer func(context.Context, Event)

// Observe reports every call to the observers, in order: also calls that
// panic, which it does not stop. It belongs outside of everything it should
// see; nil observers are left out.
func Observe(observers ...Observer) server.ToolHandlerMiddleware {
	return func(next server.ToolHandlerFunc) server.ToolHandlerFunc {
		return func(ctx context.Context, req mcp.CallToolRequest) (res *mcp.CallToolResult, err error) {
			ctx, rec := begin(ctx, &req)
			returned := false
			defer func() {
				if !returned { // a panic or runtime.Goexit passes through
					rec.mark(OutcomePanic)
				}
				ev := rec.event(ctx, res, err)
				rec.exchange.SetOutcome(call.Outcome{
					Tool: ev.Tool, RequestID: ev.RequestID,
					Outcome: string(ev.Outcome), ErrorType: string(ev.ErrorType),
				})
				notify(ctx, observers, ev)
			}()
			res, err = next(ctx, req)
			if sealed, sealErr := rec.seal(res); sealErr == nil {
				res = sealed // encoded once, here, and measured below
			}
			returned = true
			return res, err
		}
	}
}

func notify(ctx context.Context, observers []Observer, ev Event) {
	for _, observe := range observers {
		if observe != nil {
			notifyOne(ctx, observe, ev)
		}
	}
}

func notifyOne(ctx context.Context, observe Observer, ev Event) {
	defer func() { _ = recover() }()
	observe(ctx, ev)
}

// event is the record as it stands, with what the result and the error add.
func (r *Record) event(ctx context.Context, res *mcp.CallToolResult, err error) Event {
	r.mu.Lock()
	outcome, failure := r.outcome, r.failure
	size, truncated, measured := r.size, r.truncated, r.measured
	unprotected, dropped, redacted := r.noKey, r.dropped, r.redacted
	tries, tolerated, badResult := r.tries, r.tolerated, r.badResult
	r.mu.Unlock()

	if failure == nil {
		failure = failureOf(res, err)
	}
	if !measured && res != nil {
		size = sizeOf(res)
	}
	ev := Event{
		Tool:           r.tool,
		RequestID:      r.meta.RequestID,
		ConversationID: r.meta.ConversationID,
		CompanyID:      r.meta.CompanyID,
		Channel:        r.meta.Channel,
		Caller:         r.caller.Name,
		Start:          r.start,
		Duration:       time.Since(r.start),
		Outcome:        outcome,
		Characters:     size,
		Truncated:      truncated,
		Dropped:        dropped,
		Redacted:       redacted,
		Unprotected:    unprotected,
		Tries:          tries,
		Tolerated:      tolerated,
		BadResult:      badResult,
		Era:            "legacy",
	}
	if r.protocol != nil && r.protocol.Modern {
		ev.Era = "modern"
	}
	if failure != nil {
		ev.ErrorType, ev.ErrorCode, ev.Err = failure.Type, failure.Code, failure
	}
	if ev.Outcome == "" {
		ev.Outcome = outcomeOf(ctx, res, failure)
	}
	if ev.Outcome == OutcomePanic && failure == nil {
		ev.ErrorType, ev.ErrorCode = errors.TypeSystem, errors.CodePanic
	}
	return ev
}

// outcomeOf is for calls on which no middleware left a word.
func outcomeOf(ctx context.Context, res *mcp.CallToolResult, failure *errors.Error) Outcome {
	switch {
	case failure == nil && res.NeedsInput():
		return OutcomeInputRequired
	case failure == nil:
		return OutcomeOK
	case failure.Code == errors.CodeCanceled && ctx.Err() != nil:
		return OutcomeCanceled
	case failure.Code == errors.CodeTimeout:
		return OutcomeTimeout
	case failure.Code == errors.CodePanic:
		return OutcomePanic
	case failure.Type == errors.TypeSystem || failure.Type == errors.TypeUnknown:
		return OutcomeError
	default:
		return OutcomeBusinessError
	}
}
