package middleware

import (
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/portavoz/portavoz/middleware/call"
)

// bucket is a token bucket. It takes 80 bytes, and there may be a million.
type bucket struct{ rate.Limiter }

func newBucket(limit call.Limit) *bucket {
	return &bucket{*rate.NewLimiter(rate.Every(limit.Every), limit.Burst)}
}

// limiterShard is the part of a [limiter] that one lock guards.
type limiterShard struct {
	mu         sync.Mutex
	young, old bucketTable   // a bucket is in one of them
	longest    time.Duration // the longest refill of a young bucket
	overflow   [call.Buckets]*bucket
	latest     time.Time // the latest instant that the buckets have seen
	swept      time.Time
	_          [48]byte // apart from the next shard's lock in the processor's cache
}

// take pays a charge, or says how long to wait.
func (s *limiterShard) take(c *call.Charge, ids *[call.Buckets]uint64, now time.Time, room int) call.Verdict {
	if now.Before(s.latest) {
		now = s.latest // seen by two processors at once; time that steps back would give units
	}
	s.latest = now
	var (
		found [call.Buckets]*bucket
		v     call.Verdict
		open  = s.hasRoom(now, room)
	)
	for i := range c.Buckets {
		b := &c.Buckets[i]
		if b.Limit.Unlimited() {
			continue
		}
		cost := max(b.Cost, 1)
		if cost > b.Limit.Burst {
			return call.Verdict{Wait: call.Never, Bucket: i}
		}
		found[i] = s.find(ids[i], i, b.Limit, now, open)
		if found[i] == nil {
			continue // full
		}
		if wait := found[i].wait(cost, now); wait > v.Wait {
			v = call.Verdict{Wait: wait, Bucket: i}
		}
	}
	if !v.Allowed() {
		return v
	}
	for i := range c.Buckets {
		b := &c.Buckets[i]
		if b.Limit.Unlimited() || b.Cost <= 0 {
			continue
		}
		if found[i] == nil {
			found[i] = newBucket(b.Limit)
			s.young.put(ids[i], found[i])
			s.longest = max(s.longest, b.Limit.Refill())
		}
		found[i].AllowN(now, b.Cost) // as wait said, under the same lock
	}
	return v
}

// find returns the bucket, young and under the limit that holds now. A bucket
// that nobody has used is nil, or the overflow's where there is no room for it.
func (s *limiterShard) find(id uint64, index int, limit call.Limit, now time.Time, open bool) *bucket {
	b := s.young.find(id)
	if b == nil {
		if b = s.old.remove(id); b != nil {
			s.young.put(id, b)
		}
	}
	switch {
	case b != nil:
		s.longest = max(s.longest, limit.Refill())
		if !b.hold(limit, now) {
			b = newBucket(limit)
			s.young.put(id, b)
		}
		return b
	case open:
		return nil
	}
	shared := s.overflow[index]
	if shared == nil || shared.owesNothing(now) {
		shared = newBucket(limit)
		s.overflow[index] = shared
	}
	shared.tighten(limit, now)
	return shared
}

// tighten puts a bucket that several share under the slowest of their limits, so that
// none gets more than his for another's sake.
func (b *bucket) tighten(limit call.Limit, now time.Time) {
	b.SetLimitAt(now, min(b.Limit(), rate.Every(limit.Every)))
	b.SetBurstAt(now, min(b.Burst(), limit.Burst))
}

// hold puts a bucket under the limit that holds now. It reports false if there
// was another one and the bucket owes nothing: it is worth a new one then, whose
// burst may be larger.
func (b *bucket) hold(limit call.Limit, now time.Time) bool {
	every := rate.Every(limit.Every)
	if b.Limit() == every && b.Burst() == limit.Burst {
		return true
	}
	if b.owesNothing(now) {
		return false
	}
	b.SetLimitAt(now, every)
	b.SetBurstAt(now, limit.Burst)
	return true
}

func (b *bucket) owesNothing(now time.Time) bool {
	return b.TokensAt(now) >= float64(b.Burst())
}

// wait is how long until the bucket has enough, computed as AllowN does it, to
// the nanosecond below: it is zero if, and only if, AllowN would take the cost
// now. To ask first and take later is right under the shard's lock alone. (Reserve
// and Cancel would be wrong under any: a reservation that others have built on is
// not given back.)
func (b *bucket) wait(cost int, now time.Time) time.Duration {
	missing := float64(cost) - b.TokensAt(now)
	if missing <= 0 {
		return 0
	}
	wait := missing / float64(b.Limit()) * float64(time.Second)
	return time.Duration(min(wait, float64(call.Never/2)))
}

// hasRoom reports whether a bucket may be added. A shard that is full drops first
// the buckets that owe nothing. That comes before a call looks at any: one that
// was found full, and is about to be paid from, must stay.
func (s *limiterShard) hasRoom(now time.Time, room int) bool {
	if s.buckets() < room {
		return true
	}
	if now.Sub(s.swept) < shortestGeneration {
		return false
	}
	s.swept = now
	idle := func(b *bucket) bool { return b.owesNothing(now) }
	s.young.drop(idle)
	s.old.drop(idle)
	return s.buckets() < room
}

func (s *limiterShard) buckets() int { return s.young.count + s.old.count }

// rotate drops the old generation and begins a new one. It returns the longest
// refill of what is old now.
func (s *limiterShard) rotate() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	longest := s.longest
	s.young, s.old, s.longest = bucketTable{}, s.young, 0
	return longest
}
