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
	// long an abandoned one stays abandoned. Default: 7 days.
	TTL time.Duration
	// Lease is how long a run may go without a sign of life before other
	// processes count it as dead. It is renewed every third of that. Default:
	// 30 seconds.
	Lease time.Duration
	// RunLimit is the longest that a run may take. It goes on for that long even
	// if its client has left. Default: 5 minutes.
	RunLimit time.Duration
	// MaxResult is the longest result that is kept, in bytes. A longer one
	// completes the key without it. Default: 256 KiB.
	MaxResult int
	// MaxUnsettled is how many finished runs may wait for the store to take
	// their outcome. Beyond it new operations are refused. Default: 10,000.
	MaxUnsettled int
	// Probe asks the system of record how an abandoned operation ended. With
	// found it returns the result, which is then kept; without, it proves that
	// the effect did not happen, and the operation runs. An error leaves it
	// abandoned. Default: none, and the answer is UNKNOWN.
	Probe func(ctx context.Context, op Operation) (result []byte, found bool, err error)
	// Rerun runs an abandoned operation again. Only for effects that may happen
	// twice, or that are protected by [EffectKey] further down. Default: false.
	Rerun bool
	// DangerouslyRunWithoutStore runs an operation unprotected when the store
	// cannot be asked. Default: false, the operation is refused.
	DangerouslyRunWithoutStore bool
	// Report receives what nobody waits for, see [Incident]. It must be quick
	// and safe for concurrent use. Default: nobody is told.
	Report func(Incident)
}

// Incident is something that an operator should know of although no caller
// fails by it.
type Incident struct {
	// Kind is one of the Incident constants.
	Kind string
	// Operation is the one concerned.
	Operation Operation
	// Err is the store's error, or nil.
	Err error
}

// The kinds of [Incident].
const (
	// IncidentUnsettled: the store did not take an outcome; it is tried again in
	// the background, and this process remembers it meanwhile.
	IncidentUnsettled = "unsettled"
	// IncidentLost: it was tried for an hour, or until the engine was drained, in
	// vain. Other processes will find the operation abandoned.
	IncidentLost = "lost"
	// IncidentFenced: the operation was taken over while this run was still
	// going on. Its outcome was refused; the effect may have happened twice.
	IncidentFenced = "fenced"
	// IncidentUnprotected: it ran although the store could not be asked, see
	// DangerouslyRunWithoutStore.
	IncidentUnprotected = "unprotected"
	// IncidentTooLarge: the result was longer than MaxResult and was not kept.
	IncidentTooLarge = "too_large"
)

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
			problems = append(problems, errors.New("portavoz/idempotency: "+d.name+" is negative"))
		}
	}
	for _, n := range []struct {
		name   string
		value  *int
		preset int
	}{
		{"MaxResult", &c.MaxResult, 256 << 10},
		{"MaxUnsettled", &c.MaxUnsettled, 10_000},
	} {
		switch {
		case *n.value == 0:
			*n.value = n.preset
		case *n.value < 0:
			problems = append(problems, errors.New("portavoz/idempotency: "+n.name+" is negative"))
		}
	}
	if c.TTL > 0 && c.Lease > 0 && c.Lease >= c.TTL {
		problems = append(problems, errors.New("portavoz/idempotency: Lease must be shorter than TTL"))
	}
	if c.Probe != nil && c.Rerun {
		problems = append(problems, errors.New("portavoz/idempotency: Probe and Rerun exclude each other"))
	}
	return c, errors.Join(problems...)
}
