package middleware

import (
	"slices"

	"github.com/portavoz/portavoz/errors"
)

// Failure returns the typed error with which the call failed, or nil. It is
// set by [Errors], so it is for what lies outside of it.
func (r *Record) Failure() *errors.Error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failure
}

func (r *Record) fail(e *errors.Error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failure = e
}

// mark notes how the call ends. The first note wins: it was made nearest to
// what happened, by a middleware further in.
func (r *Record) mark(o Outcome) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.outcome == "" {
		r.outcome = o
	}
}

// SetSize notes the final size of the result in UTF-16 code units, and whether
// something was left out to reach it. It is for a middleware that shapes
// results; [Log] measures what nobody noted. The size that is noted last counts, and
// what one has left out stays left out.
func (r *Record) SetSize(units int, truncated bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.size, r.truncated, r.measured = units, r.truncated || truncated, true
}

// setDropped notes how many content blocks were left out.
func (r *Record) setDropped(blocks int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.dropped = blocks
}

// addRedacted notes that places of a result were redacted.
func (r *Record) addRedacted(places int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.redacted += places
}

// setUnprotected notes that a write runs without an idempotency key.
func (r *Record) setUnprotected() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.noKey = true
}

// setTolerated notes which tolerances were used to make the arguments fit, each
// once.
func (r *Record) setTolerated(used []Tolerance) {
	used = slices.Compact(slices.Sorted(slices.Values(used)))
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tolerated = used
}

// setValid notes arguments that keep the schema, and isValid reports whether these
// are the same ones: a further Validate has nothing left to do.
func (r *Record) setValid(raw []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.valid = raw
}

func (r *Record) isValid(raw []byte) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return sameBytes(raw, r.valid)
}

// setBadResult notes how the result of a write breaks its schema.
func (r *Record) setBadResult(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.badResult = err
}
