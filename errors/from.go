//nolint:errorlint // unwraps by hand, so that a cycle ends
package errors

import "fmt"

// maxErrors bounds how many errors of one tree are looked at, so that a cycle
// ends. Real chains have fewer than ten.
const maxErrors = 1024

// From turns any error into an [Error], and says whether it proves that nothing
// happened. Nil stays nil; nothing else gives nil, not even a nil *Error inside
// a non-nil error.
//
// An *Error comes back as it is, the same pointer. One that is wrapped keeps
// all that is sent, and the wrapping error becomes its Cause, for the log. The
// outermost of a chain counts: its author knew of those below. A [Type] used as
// an error counts as the constructor of that type with an empty sentence.
//
// A foreign error becomes the Cause, and its text goes no further. What it is
// follows from its behaviour and not from its text:
//
//	what failed                                     result                  effect
//	opening a connection, looking up a name         SYSTEM unavailable      none
//	the same, given up by the caller                SYSTEM canceled         none
//	a connection refused                            SYSTEM unavailable      none
//	a deadline, or anything with Timeout() true     SYSTEM timeout          unknown
//	a canceled context                              SYSTEM canceled         unknown
//	a connection reset or closed before the answer  SYSTEM connection_lost  unknown
//	anything else                                   UNKNOWN                 unknown
//
// The SYSTEM ones are retryable. That a row or a file does not exist
// (sql.ErrNoRows, fs.ErrNotExist) is not NOT_FOUND by itself: it may as well
// mean that the server is broken, and only the handler can tell.
//
// Where several errors are joined, the most severe one counts: one whose effect
// is unknown before one that had none; then UNKNOWN, SYSTEM, BLOCKER,
// PERMISSION, VALIDATION, NOT_FOUND; then the first. An error wrapped with a
// second %w is joined: a sentinel added that way makes the whole UNKNOWN.
//
// [OutcomeUnknown] anywhere in the tree, causes included, wins over everything.
// The sentence of an *Error is then kept only if it was UNKNOWN to begin with,
// as any other speaks of a failure that nobody has seen.
//
// From knows the error and not its history. An HTTP client that followed a
// redirect, a library that retried, or a handler whose first step succeeded may
// report a refused connection although something was done: their caller wraps
// with OutcomeUnknown.
//
// At most 1024 errors of a tree are looked at; the effect of a larger one is
// unknown. An error with a method that panics, such as a nil pointer, is UNKNOWN.
// From is safe for concurrent use.
func From(err error) (e *Error) {
	if err == nil {
		return nil
	}
	defer func() {
		if recover() != nil {
			e = &Error{Type: TypeUnknown, Cause: opaque{err}}
		}
	}()
	return classify(err)
}

// opaque is an error that cannot be unwrapped without a panic.
type opaque struct{ err error }

func (o opaque) Error() string { return fmt.Sprint(o.err) }

func classify(err error) *Error {
	w := walk{left: maxErrors}
	e := w.branch(err, 0)
	if w.cut {
		e.Effect = EffectUnknown
	}
	if w.outcomeUnknown {
		e = unresolved(e)
	}
	if own, ok := err.(*Error); ok && own != nil &&
		own.Type == e.Type && own.Code == e.Code && own.Effect == e.Effect {
		return own
	}
	made := e
	made.Cause = err
	return &made
}

// TypeOf returns the error_type that the client is told for err, always one of
// the six; for nil it is empty.
func TypeOf(err error) Type {
	if err == nil {
		return ""
	}
	return ParseType(string(From(err).Type))
}

// unresolved is what becomes of e when the outcome is unknown.
func unresolved(e Error) Error {
	if e.Type != TypeUnknown {
		e = Error{Type: TypeUnknown}
	}
	e.Code, e.Effect = CodeOutcomeUnknown, EffectUnknown
	e.Retryable, e.RetryAfter = false, 0
	return e
}

// walk is one pass over an error tree.
type walk struct {
	left           int  // errors that may still be looked at
	cut            bool // the tree was larger than that
	outcomeUnknown bool // OutcomeUnknown was met
}

// branch returns what err and the errors below it amount to, given the evidence
// from above. The Cause of the result means nothing.
func (w *walk) branch(err error, seen evidence) Error {
	for err != nil {
		if w.left == 0 {
			w.cut = true
			break
		}
		w.left--
		switch x := err.(type) {
		case *Error:
			if x == nil {
				return seen.verdict()
			}
			w.branch(x.Cause, 0) // for an OutcomeUnknown; the rest is x's to say
			return seen.claim(*x)
		case Type:
			t := ParseType(string(x))
			return seen.claim(Error{Type: t, Effect: t.effect()})
		case *marked:
			if x.effect == EffectNone {
				seen |= saidNoEffect
			} else {
				w.outcomeUnknown = true
			}
		default:
			seen = seen.and(err)
		}
		switch x := err.(type) {
		case interface{ Unwrap() []error }:
			return w.worst(x.Unwrap(), seen)
		case interface{ Unwrap() error }:
			err = x.Unwrap()
		default:
			err = nil
		}
	}
	return seen.verdict()
}

// worst returns the most severe of joined errors, the first among equals.
func (w *walk) worst(errs []error, seen evidence) Error {
	var worst Error
	rank := -1
	for _, err := range errs {
		if err == nil {
			continue
		}
		e := w.branch(err, seen)
		if r := severity(e); r > rank {
			worst, rank = e, r
		}
	}
	if rank < 0 {
		return seen.verdict()
	}
	return worst
}

// severity orders failures: what is not known to be harmless first.
func severity(e Error) int {
	var rank int
	switch e.Type {
	case TypeNotFound:
		rank = 0
	case TypeValidation:
		rank = 1
	case TypePermission:
		rank = 2
	case TypeBlocker:
		rank = 3
	case TypeSystem:
		rank = 4
	default:
		rank = 5
	}
	if e.Effect != EffectNone {
		rank += 6
	}
	return rank
}
