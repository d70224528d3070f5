//nolint:errorlint // asks for this very error: whether it is wrapped is what is tested
package errors_test

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"io/fs"
	"testing"
	"time"

	"github.com/portavoz/portavoz/errors"
)

// reading is what From says, apart from the texts.
type reading struct {
	typ       errors.Type
	code      string
	retryable bool
	effect    errors.Effect
}

func read(e *errors.Error) reading {
	return reading{e.Type, e.Code, e.Retryable, e.Effect}
}

var (
	unavailable    = reading{errors.TypeSystem, errors.CodeUnavailable, true, errors.EffectNone}
	canceledBefore = reading{errors.TypeSystem, errors.CodeCanceled, true, errors.EffectNone}
	timeout        = reading{errors.TypeSystem, errors.CodeTimeout, true, errors.EffectUnknown}
	canceled       = reading{errors.TypeSystem, errors.CodeCanceled, true, errors.EffectUnknown}
	connectionLost = reading{errors.TypeSystem, errors.CodeConnectionLost, true, errors.EffectUnknown}
	outcomeUnknown = reading{errors.TypeUnknown, errors.CodeOutcomeUnknown, false, errors.EffectUnknown}
	unknown        = reading{errors.TypeUnknown, "", false, errors.EffectUnknown}
	notFound       = reading{errors.TypeNotFound, "", false, errors.EffectNone}
)

// canceledError is an error that only its Is method gives away, as the net
// package has them.
type canceledError struct{ error }

func (canceledError) Is(target error) bool { return target == context.Canceled }

func TestFromForeign(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		err  error
		want reading
	}{
		"plain":                     {errors.New("boom"), unknown},
		"deadline":                  {context.DeadlineExceeded, timeout},
		"deadline, wrapped":         {fmt.Errorf("billing: %w", context.DeadlineExceeded), timeout},
		"canceled":                  {context.Canceled, canceled},
		"canceled by behaviour":     {canceledError{errors.New("gave up")}, canceled},
		"no rows":                   {sql.ErrNoRows, unknown},
		"no file":                   {&fs.PathError{Op: "open", Path: "/x", Err: fs.ErrNotExist}, unknown},
		"end of a file":             {io.EOF, unknown},
		"half a file":               {io.ErrUnexpectedEOF, connectionLost},
		"a type as an error":        {errors.TypeNotFound, notFound},
		"a wrapped type":            {fmt.Errorf("load: %w", errors.TypeNotFound), notFound},
		"SYSTEM as an error":        {errors.TypeSystem, reading{typ: errors.TypeSystem}},
		"an odd type as an error":   {errors.Type("ODD"), unknown},
		"no effect":                 {errors.NoEffect(errors.New("boom")), reading{typ: errors.TypeUnknown, effect: errors.EffectNone}},
		"no effect, then a timeout": {errors.NoEffect(context.DeadlineExceeded), reading{errors.TypeSystem, errors.CodeTimeout, true, errors.EffectNone}},
		"no effect in the middle":   {fmt.Errorf("a: %w", errors.NoEffect(fmt.Errorf("b: %w", context.Canceled))), canceledBefore},
		"outcome unknown":           {errors.OutcomeUnknown(errors.New("boom")), outcomeUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := errors.From(tc.err)
			if read(got) != tc.want {
				t.Errorf("From(%v) = %+v, want %+v", tc.err, read(got), tc.want)
			}
			if got.Cause != tc.err {
				t.Errorf("Cause = %v, want the error itself", got.Cause)
			}
			if got.UserMessage != "" {
				t.Errorf("UserMessage = %q, want none: nobody wrote one for the person", got.UserMessage)
			}
			if again := errors.From(got); again != got {
				t.Errorf("From(From(err)) = %v, want the same pointer as From(err)", again)
			}
		})
	}
}

func TestFromNil(t *testing.T) {
	t.Parallel()
	if got := errors.From(nil); got != nil {
		t.Errorf("From(nil) = %v, want nil", got)
	}
	if got := errors.TypeOf(nil); got != "" {
		t.Errorf("TypeOf(nil) = %q, want none", got)
	}
	if got := errors.OutcomeUnknown(nil); got != nil {
		t.Errorf("OutcomeUnknown(nil) = %v, want nil", got)
	}
	if got := errors.NoEffect(nil); got != nil {
		t.Errorf("NoEffect(nil) = %v, want nil", got)
	}
	var typed *errors.Error
	for name, err := range map[string]error{
		"bare":    typed,
		"wrapped": fmt.Errorf("load: %w", typed),
		"joined":  errors.Join(typed),
	} {
		if got := errors.From(err); got == nil || read(got) != unknown {
			t.Errorf("From(%s nil *Error) = %v, want an UNKNOWN failure", name, got)
		}
	}
}

func TestFromOwn(t *testing.T) {
	t.Parallel()
	own := errors.Validation("La fecha ya pasó.",
		errors.WithCode("past_date"), errors.WithField("fecha"), errors.WithRetryAfter(time.Second),
		errors.WithNextQuestion("¿Qué otra fecha sirve?"), errors.WithDetails(map[string]any{"hoy": "2026-09-03"}),
		errors.WithCause(sql.ErrNoRows))
	if got := errors.From(own); got != own {
		t.Errorf("From(own) = %p, want the same pointer %p", got, own)
	}

	wrapped := fmt.Errorf("book the visit: %w", own)
	got := errors.From(wrapped)
	if got.Cause != wrapped {
		t.Errorf("Cause = %v, want the wrapping error", got.Cause)
	}
	if sent, want := string(got.AppendJSON(nil)), string(own.AppendJSON(nil)); sent != want {
		t.Errorf("wrapping changed what is sent:\n got %s\nwant %s", sent, want)
	}
	if !errors.Is(got, sql.ErrNoRows) {
		t.Error("the cause below is no longer in the chain")
	}
	if own.Cause != sql.ErrNoRows {
		t.Errorf("From changed the error it was given: Cause = %v", own.Cause)
	}
}

func TestFromChain(t *testing.T) {
	t.Parallel()
	const asked, failed = "No encontré la cita.", "No se pudo guardar la cita."
	boom := errors.New("boom")
	for name, tc := range map[string]struct {
		err      error
		want     reading
		sentence string
	}{
		"the outermost counts": {
			fmt.Errorf("x: %w", errors.NotFound(asked, errors.WithCause(errors.System(failed)))),
			notFound, asked,
		},
		"its cause does not": {
			errors.NotFound(asked, errors.WithCause(context.DeadlineExceeded)), notFound, asked,
		},
		"no effect above an error": {
			errors.NoEffect(errors.System(failed)), reading{typ: errors.TypeSystem, effect: errors.EffectNone}, failed,
		},
		"no effect in a written literal's cause": {
			&errors.Error{Type: errors.TypeSystem, Cause: errors.NoEffect(boom)}, reading{typ: errors.TypeSystem}, "",
		},
		"outcome unknown above": {
			fmt.Errorf("x: %w", errors.OutcomeUnknown(errors.NotFound(asked))), outcomeUnknown, "",
		},
		"outcome unknown below": {
			errors.System(failed, errors.WithRetryAfter(time.Second), errors.WithCause(fmt.Errorf("x: %w", errors.OutcomeUnknown(boom)))),
			outcomeUnknown, "",
		},
		"outcome unknown far below": {
			errors.Blocker(failed, errors.WithCause(errors.NotFound(asked, errors.WithCause(errors.Join(boom, errors.OutcomeUnknown(boom)))))),
			outcomeUnknown, "",
		},
		"outcome unknown above no effect": {errors.OutcomeUnknown(errors.NoEffect(boom)), outcomeUnknown, ""},
		"outcome unknown below no effect": {errors.NoEffect(errors.OutcomeUnknown(boom)), outcomeUnknown, ""},
		"outcome unknown against an explicit effect": {
			errors.System(failed, errors.WithCause(errors.OutcomeUnknown(boom)), errors.WithEffect(errors.EffectNone)),
			outcomeUnknown, "",
		},
		"outcome unknown keeps an UNKNOWN sentence": {
			errors.OutcomeUnknown(errors.Unknown("No sé si quedó guardada.", errors.WithCode("unsaved"))),
			outcomeUnknown, "No sé si quedó guardada.",
		},
		"text alone takes nothing over": {
			errors.NotFound(asked, errors.WithCause(fmt.Errorf("x: %v", errors.OutcomeUnknown(boom)))), notFound, asked,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := errors.From(tc.err)
			if read(got) != tc.want || got.UserMessage != tc.sentence {
				t.Errorf("From(%v) = %+v %q, want %+v %q", tc.err, read(got), got.UserMessage, tc.want, tc.sentence)
			}
			if error(got) != tc.err && got.Cause != tc.err {
				t.Errorf("Cause = %v, want the error itself", got.Cause)
			}
			if got.Retryable != (got.RetryAfter > 0) && tc.want == outcomeUnknown {
				t.Errorf("RetryAfter = %v of a failure that is not to be retried", got.RetryAfter)
			}
			if again := errors.From(got); again != got {
				t.Errorf("From(From(err)) = %v, want the same pointer as From(err)", again)
			}
		})
	}
}

// TestFromJoin has its members from the least to the most severe: of any two,
// in either order, the later one counts.
func TestFromJoin(t *testing.T) {
	t.Parallel()
	with := func(constructor func(string, ...errors.Option) *errors.Error, effect errors.Effect) *errors.Error {
		return constructor("Frase.", errors.WithEffect(effect), errors.WithCode(effect.String()))
	}
	var ladder []*errors.Error
	for _, effect := range []errors.Effect{errors.EffectNone, errors.EffectUnknown} {
		ladder = append(ladder,
			with(errors.NotFound, effect), with(errors.Validation, effect), with(errors.Permission, effect),
			with(errors.Blocker, effect), with(errors.System, effect), with(errors.Unknown, effect))
	}
	for i, mild := range ladder {
		for _, severe := range ladder[i+1:] {
			for _, joined := range []error{
				errors.Join(mild, severe),
				errors.Join(severe, mild),
				fmt.Errorf("a: %w, b: %w", severe, mild),
				fmt.Errorf("load: %w", errors.Join(mild, errors.Join(nil, fmt.Errorf("x: %w", severe)), mild)),
			} {
				got := errors.From(joined)
				if read(got) != read(severe) {
					t.Errorf("From(%q) = %+v, want %+v", joined, read(got), read(severe))
				}
				if got.Cause != joined {
					t.Errorf("From(%q).Cause = %v, want the whole join", joined, got.Cause)
				}
			}
		}
	}
}

func TestFromJoinMore(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		err  error
		want reading
	}{
		"the first among equals":         {errors.Join(context.Canceled, context.DeadlineExceeded), canceled},
		"a business failure and a plain": {errors.Join(errors.NotFound("Frase."), errors.New("close failed")), unknown},
		"a sentinel added with %w":       {fmt.Errorf("%w: %w", errors.New("sentinel"), errors.NotFound("Frase.")), unknown},
		"no effect covers all below":     {errors.NoEffect(errors.Join(context.Canceled, context.Canceled)), canceledBefore},
		"no effect covers its member": {
			errors.Join(errors.NoEffect(context.Canceled), context.DeadlineExceeded), timeout,
		},
		"outcome unknown in any member": {
			errors.Join(errors.New("boom"), errors.OutcomeUnknown(errors.NotFound("Frase."))), outcomeUnknown,
		},
		"a join of nothing":     {several{}, unknown},
		"a join of nils":        {several{nil, nil}, unknown},
		"a join with nil first": {several{nil, errors.NotFound("Frase.")}, notFound},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := errors.From(tc.err); read(got) != tc.want {
				t.Errorf("From(%v) = %+v, want %+v", tc.err, read(got), tc.want)
			}
			if got := errors.TypeOf(tc.err); got != tc.want.typ {
				t.Errorf("TypeOf = %q, want %q", got, tc.want.typ)
			}
		})
	}
}

// several is a join that, other than the standard one, may hold nil.
type several []error

func (several) Error() string     { return "several" }
func (s several) Unwrap() []error { return s }

// loop wraps itself.
type loop struct{ err error }

func (*loop) Error() string   { return "loop" }
func (l *loop) Unwrap() error { return l.err }

func TestFromUnbounded(t *testing.T) {
	t.Parallel()
	chain := new(loop)
	chain.err = chain
	tree := several{nil, nil, errors.NotFound("Frase.")}
	tree[0], tree[1] = tree, tree
	own := errors.NotFound("Frase.")
	own.Cause = &loop{err: own}
	wide := make(several, 100_000)
	for i := range wide {
		wide[i] = errors.NotFound("Frase.")
	}
	for name, tc := range map[string]struct {
		err error
		typ errors.Type
	}{
		"a chain that wraps itself":   {chain, errors.TypeUnknown},
		"a join that contains itself": {tree, errors.TypeUnknown},
		"a cause that wraps itself":   {own, errors.TypeNotFound},
		"a join of very many":         {wide, errors.TypeUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := errors.From(tc.err)
			if got.Type != tc.typ || got.Effect != errors.EffectUnknown {
				t.Errorf("got %s %v, want %s unknown", got.Type, got.Effect, tc.typ)
			}
			if again := errors.From(got); again.Type != got.Type || again.Effect != got.Effect {
				t.Errorf("a second From gave %s %v, want %s %v", again.Type, again.Effect, got.Type, got.Effect)
			}
		})
	}
}

// broken is a mistake of its author: a nil pointer in an error behaves like it.
type broken struct{}

func (broken) Error() string { panic("no text") }
func (broken) Unwrap() error { panic("no cause") }

func TestFromSurvivesMethodsThatPanic(t *testing.T) {
	t.Parallel()
	var missing *fs.PathError
	for name, err := range map[string]error{"nil pointer": missing, "every method": broken{}, "below": fmt.Errorf("visits: %w", broken{})} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := errors.From(err)
			if got := read(e); got != unknown {
				t.Errorf("From = %+v, want %+v", got, unknown)
			}
			if e.Error() == "" || errors.Is(e, fs.ErrNotExist) {
				t.Errorf("the text is %q, want something for the log", e.Error())
			}
		})
	}
}
