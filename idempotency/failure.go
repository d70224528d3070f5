package idempotency

import (
	"fmt"

	"github.com/portavoz/portavoz/errors"
)

// A key belongs to one set of arguments; the agent has to take a new one.
func errConflict() *errors.Error {
	return errors.Validation("", errors.WithCode(errors.CodeKeyReused))
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

// An earlier run stopped without saying how it ended.
func errAbandoned(cause error) *errors.Error {
	return errors.Unknown("", errors.WithCode(errors.CodeOutcomeUnknown), errors.WithCause(cause))
}

// The operation is done, and its result is not held.
func errDropped() *errors.Error {
	return errors.Blocker("", errors.WithCode(errors.CodeAlreadyDone))
}

// The function panicked, or ended its goroutine (value is nil then).
func errPanic(value any, stack []byte) *errors.Error {
	return errors.System("", errors.WithCode(errors.CodePanic),
		errors.WithCause(fmt.Errorf("panic in a protected run: %v\n%s", value, stack)),
		errors.WithEffect(errors.EffectUnknown))
}
