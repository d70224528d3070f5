// Package errors says what went wrong twice: once for the person who is
// talking to an agent, in one short Spanish sentence, and once for the
// engineer who reads the log.
//
// A tool handler returns one of the constructors and nothing else is needed:
//
//	return nil, errors.NotFound("No encontré una cita con esos datos.")
//
// The package has three parts, in the order in which a call meets them.
//
//   - [Error] with its constructors ([NotFound], [Validation], ...): one of the
//     six types a gateway understands, a sentence for the person, and what a
//     program needs to react (code, field, retry-after, next question).
//   - [From], which turns any Go error into an [Error], and says whether it
//     proves that nothing happened. Retries and idempotency stand on that.
//   - [Messages], the table of the Spanish sentences that this module itself
//     says. Every one can be replaced.
//
// Two pitfalls. The text of a foreign error never reaches the person: it is
// kept as the cause, for the log, and whoever puts err.Error() into a user
// message defeats that. And an error speaks of the step that failed, not of the
// steps before it: a handler that has already had an effect says so with
// [OutcomeUnknown], or a NotFound of its second step reads as "nothing
// happened" and the first step is done twice.
//
// The package re-exports the standard errors package, so that one import
// serves a file. One thing is lost by that: go vet checks the target of
// errors.As only when it is called as the standard library's own function.
// Prefer [AsType], which the compiler checks.
package errors

import (
	"fmt"
	"maps"
	"strings"
	"time"
)

// Type is one of the six kinds of failure that a gateway understands. A Type
// is itself an error, so it serves as the target of [Is]:
//
//	if errors.Is(err, errors.TypeNotFound) { ... }
//
// Is looks through the whole chain, causes included. What the client will be
// told is [TypeOf].
//
//nolint:errname // it names a kind of failure; that it is an error serves Is
type Type string

// The six types, as they are written in error_type. Any other value is read as
// [TypeUnknown].
//
//nolint:errname // see Type
const (
	TypeBlocker    Type = "BLOCKER"    // a rule stops this path; the agent must take another
	TypeNotFound   Type = "NOT_FOUND"  // the record that was named does not exist
	TypeValidation Type = "VALIDATION" // an argument or the state of the record does not allow it
	TypePermission Type = "PERMISSION" // this caller or this person may not do it
	TypeSystem     Type = "SYSTEM"     // the server or something behind it failed, or is limiting
	TypeUnknown    Type = "UNKNOWN"    // nobody can say what happened
)

// Error returns the type as it is written on the wire.
func (t Type) Error() string { return string(t) }

// ParseType reads an error_type; anything but the six values is [TypeUnknown].
func ParseType(s string) Type {
	switch t := Type(s); t {
	case TypeBlocker, TypeNotFound, TypeValidation, TypePermission, TypeSystem:
		return t
	default:
		return TypeUnknown
	}
}

// effect is what a failure of type t proves by itself: the four types that
// speak of the request are found out before anything is done.
func (t Type) effect() Effect {
	switch t {
	case TypeBlocker, TypeNotFound, TypeValidation, TypePermission:
		return EffectNone
	default:
		return EffectUnknown
	}
}

// Error is a failure with one text for the person and another for the log.
//
// Make one with a constructor, or from any error with [From]. An Error is not
// changed after it has been returned and may be shared between goroutines.
type Error struct {
	// Type is the error_type that the gateway reads.
	Type Type
	// UserMessage is one short sentence in neutral Spanish, fit to be read
	// aloud. Empty means the table's sentence for Code or, failing that, Type.
	UserMessage string
	// Code is stable and for programs, such as "rate_limited". May be empty.
	Code string
	// Field names the argument at fault. May be empty.
	Field string
	// Retryable says that the same call may succeed later, unchanged.
	Retryable bool
	// NextQuestion is what the agent may ask the person to get further.
	NextQuestion string
	// RetryAfter is how long to wait before trying again; zero is unknown.
	RetryAfter time.Duration
	// Details is for the server's own trace. Gateways ignore it, but it is
	// sent: nothing internal belongs here. The names code, field, retryable,
	// retry_after_seconds and next_question are taken by the fields above and
	// are left out of what is sent.
	Details map[string]any
	// Cause is what went wrong underneath. It is logged and never sent.
	Cause error
	// Effect says whether the failure proves that nothing happened.
	Effect Effect
}

// Blocker says that a rule of the business stops this path ("esta línea tiene
// una orden en curso") and that the agent has to take another one. It proves
// that nothing happened.
func Blocker(userMessage string, opts ...Option) *Error {
	return newError(TypeBlocker, userMessage, opts)
}

// NotFound says that the record does not exist, or is not this person's. A
// search without results is not a failure: return an empty list. It proves
// that nothing happened.
func NotFound(userMessage string, opts ...Option) *Error {
	return newError(TypeNotFound, userMessage, opts)
}

// Validation says that an argument is wrong, or that the record's state does
// not allow the operation; name the field or the state in the message. It
// proves that nothing happened.
func Validation(userMessage string, opts ...Option) *Error {
	return newError(TypeValidation, userMessage, opts)
}

// Permission says that this caller or this person may not do it. It proves
// that nothing happened.
func Permission(userMessage string, opts ...Option) *Error {
	return newError(TypePermission, userMessage, opts)
}

// System says that the server, or something behind it, failed or is limiting.
// It proves nothing about the effect, unless the cause given with [WithCause]
// does (see [From]) or [WithEffect] says so.
func System(userMessage string, opts ...Option) *Error {
	return newError(TypeSystem, userMessage, opts)
}

// Unknown says that nobody can say what happened. It proves nothing about the
// effect.
func Unknown(userMessage string, opts ...Option) *Error {
	return newError(TypeUnknown, userMessage, opts)
}

func newError(t Type, userMessage string, opts []Option) *Error {
	e := &Error{Type: t, UserMessage: userMessage, Effect: t.effect()}
	for _, opt := range opts {
		opt(e)
	}
	return e
}

// Option completes an [Error] as it is made.
type Option func(*Error)

// WithCode sets the stable code for programs, in snake_case.
func WithCode(code string) Option { return func(e *Error) { e.Code = code } }

// WithField names the argument at fault.
func WithField(field string) Option { return func(e *Error) { e.Field = field } }

// WithRetryable says that the same call may succeed later, unchanged.
func WithRetryable() Option { return func(e *Error) { e.Retryable = true } }

// WithRetryAfter says how long to wait before trying again, and that trying
// again is worthwhile. Durations below zero count as zero.
func WithRetryAfter(d time.Duration) Option {
	return func(e *Error) { e.RetryAfter, e.Retryable = max(d, 0), true }
}

// WithNextQuestion gives the agent a question that would get it further.
func WithNextQuestion(question string) Option {
	return func(e *Error) { e.NextQuestion = question }
}

// WithDetails adds to [Error.Details]; a key given twice keeps the last value.
// The names that Details reserves have options of their own.
func WithDetails(details map[string]any) Option {
	return func(e *Error) {
		if e.Details == nil {
			e.Details = make(map[string]any, len(details))
		}
		maps.Copy(e.Details, details)
	}
}

// WithCause keeps the underlying error for the log. On a [System] or [Unknown]
// failure it also decides the effect: a refused connection proves that nothing
// happened.
func WithCause(err error) Option {
	return func(e *Error) {
		e.Cause = err
		if err != nil && (e.Type == TypeSystem || e.Type == TypeUnknown) {
			e.Effect = From(err).Effect
		}
	}
}

// WithEffect says what is known about the side effect, whatever the type and
// the cause suggest. Give it after [WithCause]. One thing it does not take
// back: an [OutcomeUnknown] in the cause.
func WithEffect(effect Effect) Option { return func(e *Error) { e.Effect = effect } }

// Error returns the text for the log: type, code, field, sentence and cause.
// The sentence is left out when the cause repeats it. It never goes to a
// client. A nil *Error reads "<nil>".
func (e *Error) Error() string {
	if e == nil {
		return "<nil>"
	}
	cause := ""
	if e.Cause != nil {
		cause = fmt.Sprint(e.Cause) // fmt survives an Error method that panics
	}
	var b strings.Builder
	b.WriteString(string(e.Type))
	if e.Code != "" {
		b.WriteString(" " + e.Code)
	}
	if e.Field != "" {
		b.WriteString(" [" + e.Field + "]")
	}
	if e.UserMessage != "" && !strings.Contains(cause, e.UserMessage) {
		b.WriteString(": " + e.UserMessage)
	}
	if cause != "" {
		b.WriteString(": " + cause)
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Cause
}

// Is reports whether target is the type of e, so that
// errors.Is(err, errors.TypeNotFound) holds.
func (e *Error) Is(target error) bool {
	t, ok := target.(Type)
	return ok && e != nil && t == e.Type
}
