package memory

import (
	"hash/maphash"
	"math"
	"time"

	"github.com/portavoz/portavoz/idempotency"
)

// record is one operation, in 144 bytes. What a look-up reads stands in front.
// Times are those of the store's clock.
type record struct {
	key   idempotency.Digest
	next  ref // in its bucket of the index
	state state
	text  string // the owner's token; once completed, the result

	fingerprint  idempotency.Digest
	since        time.Duration // the end of the lease; once completed, when that was
	owner        uint64        // once completed, the hash of the owner's token
	self         ref
	older, newer ref // on the shelf

	earlier, later ref // in its queue of the agenda, which writes what follows
	queue          *queue
	expires        time.Duration
}

type state uint8

const (
	owned     state = iota // or abandoned, if the lease has ended
	abandoned              // by its owner
	kept                   // completed, with its result
	dropped                // completed, without
)

// running reports whether the owner's lease has not ended.
func (r *record) running(now time.Duration) bool { return r.state == owned && now < r.since }

// ownedBy reports whether the record exists and the token may move it on.
func (r *record) ownedBy(token string) bool {
	return r != nil && r.state == owned && r.text == token
}

// abandonedBy reports whether it was this token's owner who gave it up.
func (r *record) abandonedBy(token string) bool {
	return r != nil && r.state == abandoned && r.text == token
}

// completedBy reports whether it was this token's owner who completed it. All
// that depends on it is which answer a second completion gets, so that a hash
// stands for the token.
func (r *record) completedBy(token string, seed maphash.Seed) bool {
	return r != nil && (r.state == kept || r.state == dropped) && r.owner == maphash.String(seed, token)
}

// acquirable reports whether the claim may have the record, which exists.
func (r *record) acquirable(c idempotency.Claim, now time.Duration) bool {
	switch {
	case r.ownedBy(c.Token):
		return true
	case r.state == owned, r.state == abandoned:
		return c.Takeover && !r.running(now)
	default:
		return false
	}
}

// acquire makes the claim's token the owner.
func (r *record) acquire(c idempotency.Claim, now time.Duration) {
	r.state, r.text, r.since = owned, c.Token, after(now, c.Lease)
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
