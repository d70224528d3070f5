package idempotency

import (
	"context"
	"fmt"

	"github.com/portavoz/portavoz/errors"
)

// A key belongs to one set of arguments; the agent has to take a new one.
func errConflict() *errors.Error {
	return errors.Validation("", errors.WithCode(errors.CodeKeyReused))
}

// What an operator reads in the log as the cause of a refusal.
var (
	errDraining  = errors.New("portavoz/idempotency: the engine was drained")
	errUnsettled = errors.New("portavoz/idempotency: the store has not taken an earlier outcome yet")
	errStatus    = errors.New("portavoz/idempotency: the store gave an unknown status")
	errGoexit    = errors.New("portavoz/idempotency: the store ended the goroutine")
	errNotKept   = errors.New("portavoz/idempotency: the answer went to its own client only")
	errConclude  = errors.New("portavoz/idempotency: the store ended the goroutine that was to conclude a run")
	errWithin    = errors.New("portavoz/idempotency: the operation waits for itself")
)

// The caller has to give a key.
func errNoKey() *errors.Error {
	return errors.Validation("", errors.WithCode(errors.CodeKeyRequired))
}

// The caller left before anything was run.
func errNotStarted(ctx context.Context) *errors.Error {
	return errors.From(errors.NoEffect(ctx.Err()))
}

// The operation runs, and this caller has stopped waiting for it.
func errInProgress(cause error) *errors.Error {
	return errors.System("", errors.WithCode(errors.CodeInProgress), errors.WithRetryable(),
		errors.WithCause(cause), errors.WithEffect(errors.EffectUnknown))
}

// The store could not be asked, so nothing was run.
func errStore(cause error) *errors.Error {
	return errors.System("", errors.WithCode(errors.CodeStore), errors.WithRetryable(),
		errors.WithCause(cause), errors.WithEffect(errors.EffectNone))
}

// The store takes no more keys, so nothing was run.
func errFull(cause error) *errors.Error {
	return errors.System("", errors.WithCode(errors.CodeStoreFull), errors.WithRetryable(),
		errors.WithCause(cause), errors.WithEffect(errors.EffectNone))
}

// Too many operations are under way, so nothing was run.
func errBusy() *errors.Error {
	return errors.System("", errors.WithCode(errors.CodeBusy), errors.WithRetryable(), errors.WithEffect(errors.EffectNone))
}

// An earlier run stopped without saying how it ended. That a probe could not
// reach anybody does not change it.
func errAbandoned(cause error) *errors.Error {
	return errors.Unknown("", errors.WithCode(errors.CodeOutcomeUnknown),
		errors.WithCause(cause), errors.WithEffect(errors.EffectUnknown))
}

// The operation is done, and its result is not held.
func errDropped() *errors.Error {
	return errors.Blocker("", errors.WithCode(errors.CodeAlreadyDone))
}

// The function panicked, or ended its goroutine.
func errPanic(p *panicError) *errors.Error {
	return errors.System("", errors.WithCode(errors.CodePanic),
		errors.WithCause(p), errors.WithEffect(errors.EffectUnknown))
}

// panicError is a panic, caught, for the log.
type panicError struct {
	value any // nil for runtime.Goexit
	stack []byte
}

// Error implements error.
func (p *panicError) Error() string {
	if p.value == nil {
		return fmt.Sprintf("runtime.Goexit in a protected run\n%s", p.stack)
	}
	return fmt.Sprintf("panic in a protected run: %v\n%s", p.value, p.stack)
}

// Unwrap returns the value if it is an error.
func (p *panicError) Unwrap() error {
	err, _ := p.value.(error)
	return err
}
