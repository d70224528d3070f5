package memory

import (
	"hash/maphash"
	"math"
	"time"

	"github.com/portavoz/portavoz/idempotency"
)

// record is one operation, in 144 bytes and without pointers, so that the
// garbage collector passes it by. What a look-up reads stands in front. Times
// are those of the store's clock.
type record struct {
	key     idempotency.Digest
	owner   owner // or who has abandoned or completed it
	state   state
	expires time.Duration // written by the agenda

	fingerprint    idempotency.Digest
	since          time.Duration // the end of the lease; once completed, when that was
	result         span          // in the journal; once completed
	self           ref
	older, newer   ref           // on the shelf
	earlier, later ref           // in its queue of the agenda
	lifetime       time.Duration // which names the queue
}

type state uint8

const (
	owned     state = iota // or abandoned, if the lease has ended
	abandoned              // by its owner
	kept                   // completed, with its result
	dropped                // completed, without
)

// owner stands for a token: 128 bits of hashes with secret seeds, so that a
// record need not hold up to 64 bytes of text.
type owner [2]uint64

func (s *Store) owner(token string) owner {
	return owner{maphash.String(s.seeds[0], token), maphash.String(s.seeds[1], token)}
}

// is reports whether the record exists and it was this owner who brought it to
// the state.
func (r *record) is(s state, by owner) bool { return r != nil && r.state == s && r.owner == by }

// running reports whether the owner's lease has not ended.
func (r *record) running(now time.Duration) bool { return r.state == owned && now < r.since }

// acquirable reports whether the claim may have the record, which exists.
func (r *record) acquirable(by owner, takeover bool, now time.Duration) bool {
	switch {
	case r.is(owned, by):
		return true
	case r.state == owned, r.state == abandoned:
		return takeover && !r.running(now)
	default:
		return false
	}
}

// acquire makes the claim's token the owner.
func (r *record) acquire(by owner, lease, now time.Duration) {
	r.state, r.owner, r.since = owned, by, after(now, lease)
}

// lifetime is how long the record of a claim lives. It ends no sooner than the
// lease, even if the claim says so.
func lifetime(c idempotency.Claim) time.Duration { return max(c.TTL, c.Lease) }

// answer is what a claim finds that does not acquire the record. The result is
// left to the caller, who copies it without holding a lock.
func (r *record) answer(now time.Duration) idempotency.Answer {
	switch {
	case r.state == kept, r.state == dropped:
		return idempotency.Answer{Status: idempotency.Completed, Dropped: r.state == dropped, TTLLeft: r.expires - now}
	case r.running(now):
		return idempotency.Answer{Status: idempotency.InProgress, LeaseLeft: r.since - now}
	default:
		return idempotency.Answer{Status: idempotency.Abandoned}
	}
}

// after adds without ever reaching the past: a record that is to be kept for
// ever is not free at once.
func after(now, d time.Duration) time.Duration {
	if d > math.MaxInt64-now {
		return math.MaxInt64
	}
	return now + d
}
