package idempotency

import (
	"context"
	"time"

	"github.com/portavoz/portavoz/errors"
)

// Digest names one operation, or fingerprints its arguments: 32 bytes of
// SHA-256. See [NewDigest].
type Digest [32]byte

// Status is what a store knows about an operation at the moment of a claim.
type Status uint8

// The statuses. The zero value is none of them, so that an answer that was never
// filled in does not read as a permission to run.
const (
	// Acquired: the operation was free, or abandoned and taken over; the claim's
	// token owns it now. The same claim made twice (a reply was lost on the way)
	// is acquired both times, and its Lease and TTL count from the second.
	Acquired Status = 1 + iota
	// InProgress: another token owns it and its lease has not ended.
	InProgress
	// Completed: it is done. The result is in the answer unless Dropped is set.
	Completed
	// Abandoned: an owner stopped without saying how it ended, or its lease
	// ended. Whether the effect happened is unknown. It stays so, for the whole
	// TTL, until somebody takes it over.
	Abandoned
	// Conflict: the key is known with another fingerprint. It says nothing about
	// the operation's state.
	Conflict
)

// Claim asks for an operation.
type Claim struct {
	Key Digest
	// Fingerprint is the digest of the arguments; a key belongs to one.
	Fingerprint Digest
	// Token names the owner-to-be. It is text of at most 64 bytes, and a fresh
	// one for every attempt to run.
	Token string
	// Lease is how long the owner may go without a sign of life. It is shorter
	// than TTL, and it never frees the operation.
	Lease time.Duration
	// TTL is how long the record lives, from now, whatever becomes of it.
	TTL time.Duration
	// Takeover also acquires an abandoned operation.
	Takeover bool
}

// Answer is what a claim found.
type Answer struct {
	Status Status
	// Result is what Complete was given. Only when Completed, and the caller's
	// own copy.
	Result []byte
	// Dropped says that it is Completed and the result is not held any more, or
	// never was.
	Dropped bool
	// TTLLeft is how long the record still lives. Only when Completed; zero if the
	// store does not say.
	TTLLeft time.Duration
	// LeaseLeft is how long the owner's lease still runs. Only when InProgress.
	LeaseLeft time.Duration
}

// Store remembers operations. Every method is one atomic step, is safe for
// concurrent use, and honours its context; a store shared by processes decides
// by its own clock and never by the callers'.
//
// A record goes from free to owned, and from owned to completed, released (free
// again) or abandoned. Only the token that owns it moves it on: any other, and a
// token whose operation was taken over, gets [ErrNotOwner] and changes nothing.
// An owner whose lease ended still owns as long as nobody took over, since what
// it reports is better than not knowing.
//
// A store never answers that an operation is free because it lost, evicted or
// cannot read the record: it returns an error, and the caller runs nothing.
// Nothing unexpired is forgotten. What a store cannot promise (a restart, a
// failover) its documentation says.
//
// Implementations must pass storetest.Run.
type Store interface {
	// Claim takes the operation if it may, and otherwise says why not. Errors:
	// [ErrFull] when there is no room for another key (nothing was claimed),
	// [ErrCorrupt] when the record cannot be read. After any other error it is
	// not known whether the claim was made; the same claim may be sent again.
	Claim(ctx context.Context, c Claim) (Answer, error)
	// Complete keeps the result for ttl from now. A nil result, or one that the
	// store will not hold, completes all the same; later claims find it Dropped.
	// An empty one that is not nil is a result. Completing twice with the same
	// token is not an error, and changes nothing.
	Complete(ctx context.Context, key Digest, token string, result []byte, ttl time.Duration) error
	// Release frees the operation: it is proven that nothing happened. Releasing
	// what the token has already released is [ErrNotOwner].
	Release(ctx context.Context, key Digest, token string) error
	// Abandon says that nobody will report how the operation ended. The token owns
	// it no more; abandoning twice is not an error.
	Abandon(ctx context.Context, key Digest, token string) error
	// Extend lets the lease run for that long from now, and the record live at
	// least as long.
	Extend(ctx context.Context, key Digest, token string, lease time.Duration) error
}

// The errors of a store, for [errors.Is].
var (
	// ErrNotOwner: the token does not own the operation (any more).
	ErrNotOwner = errors.New("portavoz/idempotency: the token does not own this operation")
	// ErrFull: there is no room for another key. Nothing was claimed.
	ErrFull = errors.New("portavoz/idempotency: the store has no room for another key")
	// ErrCorrupt: the record is damaged, or of a version that is not known here.
	ErrCorrupt = errors.New("portavoz/idempotency: the record cannot be read")
	// ErrClosed: the store was closed.
	ErrClosed = errors.New("portavoz/idempotency: the store is closed")
)
