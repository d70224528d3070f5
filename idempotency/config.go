package idempotency

import (
	"context"
	"time"

	"github.com/portavoz/portavoz/errors"
)

// Config tunes an [Engine]. The zero value is safe: nothing runs twice unless
// somebody proved that it did not happen.
type Config struct {
	// TTL is how long a key is remembered after its operation completed, and how
	// long after its start one that never completed stays abandoned. Default: 7
	// days.
	TTL time.Duration
	// Lease is how long a run may go without a sign of life before other
	// processes count it as dead. It is renewed every third of that. Default:
	// 30 seconds.
	Lease time.Duration
	// RunLimit is when a run's context ends. It goes on for that long even if its
	// client has left. A function that ignores its context keeps the operation in
	// progress until it returns. Default: 5 minutes.
	RunLimit time.Duration
	// MaxResult is the longest result that is kept, in bytes. A longer one
	// completes the key without it. Default: 256 KiB.
	MaxResult int
	// MaxRunning is how many operations may be under way in this process, those
	// included whose callers have left. Beyond it others are refused, replays too.
	// It bounds what a system that answers nobody can pile up. Default: 10,000.
	MaxRunning int
	// MaxUnsettled is how many finished runs, and claims whose answer was lost,
	// may wait for the store. Beyond it operations are refused, apart from those
	// that run already. Default: 10,000.
	MaxUnsettled int
	// Probe asks the system of record how an abandoned operation ended. With
	// found it returns the result, which is then kept; without, it proves that
	// the effect did not happen and never will, and the operation runs. An error
	// leaves it abandoned. It runs under the context of a run, see [EffectKey].
	//
	// The owner may be alive and only cut off from the store. Its context ends
	// before its lease does, so that a handler that asks its context right before
	// the effect is safe; what it has already sent, the probe has to know of.
	// Default: none, and the answer is UNKNOWN.
	Probe func(ctx context.Context, op Operation) (result []byte, found bool, err error)
	// Rerun runs an abandoned operation again. Only for effects that may happen
	// twice, that are protected by [EffectKey] further down, or that are committed
	// in one transaction with the key, see package sqlstore. Default: false.
	Rerun bool
	// DangerouslyRunWithoutStore runs an operation although the store cannot be
	// asked. This process still runs it once at a time, remembers it until the
	// store has been told, or for an hour; others know nothing of it. Default:
	// false, the operation is refused.
	DangerouslyRunWithoutStore bool
	// Report receives what nobody waits for, see [Incident]. It must be quick
	// and safe for concurrent use; a panic in it goes no further. Default: nobody
	// is told.
	Report func(Incident)
}

// Incident is something that an operator should know of, and that no caller may
// be there to be told.
type Incident struct {
	// Kind is one of the Incident constants.
	Kind string
	// Operation is the one concerned.
	Operation Operation
	// Err is the store's or the run's error, or nil.
	Err error
}

// The kinds of [Incident].
const (
	// IncidentUnsettled: the store did not take an outcome; it is tried again in
	// the background, and this process remembers it meanwhile.
	IncidentUnsettled = "unsettled"
	// IncidentLost: it was tried for an hour, until the store was closed, or until
	// Drain gave up, in vain. Whoever asks will find the operation abandoned.
	IncidentLost = "lost"
	// IncidentFenced: the operation was taken over while this run was still
	// going on. Its outcome was refused; the effect may have happened twice.
	IncidentFenced = "fenced"
	// IncidentUnprotected: it ran although the store could not be asked, see
	// DangerouslyRunWithoutStore.
	IncidentUnprotected = "unprotected"
	// IncidentAbandoned: a run stopped, and whether its effect happened is not
	// known; Err is what it ended with, the stack of a panic included.
	IncidentAbandoned = "abandoned"
	// IncidentTooLarge: the result was longer than MaxResult and was not kept.
	IncidentTooLarge = "too_large"
	// IncidentStreamed: the answer went to its client as it was made and was not
	// kept, see [Handler].
	IncidentStreamed = "streamed"
)

// ConfigError is one mistake in a configuration. A constructor reports all of
// its mistakes at once, joined; [errors.As] finds the first.
type ConfigError struct {
	// Field is the field or argument at fault, such as "TTL".
	Field string
	// Reason says what is wrong with it.
	Reason string
}

// Error implements error.
func (e *ConfigError) Error() string { return "portavoz/idempotency: " + e.Field + ": " + e.Reason }

func (c Config) withDefaults() (Config, error) {
	var problems []error
	for _, d := range []struct {
		name   string
		value  *time.Duration
		preset time.Duration
	}{
		{"TTL", &c.TTL, 7 * 24 * time.Hour},
		{"Lease", &c.Lease, 30 * time.Second},
		{"RunLimit", &c.RunLimit, 5 * time.Minute},
	} {
		switch {
		case *d.value == 0:
			*d.value = d.preset
		case *d.value < 0:
			problems = append(problems, &ConfigError{d.name, "is negative"})
		}
	}
	for _, n := range []struct {
		name   string
		value  *int
		preset int
	}{
		{"MaxResult", &c.MaxResult, 256 << 10},
		{"MaxRunning", &c.MaxRunning, 10_000},
		{"MaxUnsettled", &c.MaxUnsettled, 10_000},
	} {
		switch {
		case *n.value == 0:
			*n.value = n.preset
		case *n.value < 0:
			problems = append(problems, &ConfigError{n.name, "is negative"})
		}
	}
	if c.TTL > 0 && c.Lease > 0 && c.Lease >= c.TTL {
		problems = append(problems, &ConfigError{"Lease", "is not shorter than TTL"})
	}
	if c.Probe != nil && c.Rerun {
		problems = append(problems, &ConfigError{"Probe", "excludes Rerun"})
	}
	return c, errors.Join(problems...)
}
