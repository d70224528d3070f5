package middleware

import (
	"context"
	"hash/maphash"
	"math/bits"
	"sync"
	"sync/atomic"
	"time"

	"github.com/portavoz/portavoz/middleware/call"
)

// LimiterConfig bounds [NewLimiter].
type LimiterConfig struct {
	// MaxBuckets is about how many buckets that owe something are kept apart. One
	// takes at most 140 bytes or so. Default: 1,000,000.
	MaxBuckets int
}

// NewLimiter returns a limiter in memory: token buckets (golang.org/x/time/rate)
// of this process. A restart forgets them, and of several processes each gives
// the whole limit; package redislimit counts for all of them together.
//
// A bucket that owes nothing is like one that was never used. Two generations
// of buckets are kept: what is used moves to the young one, and when the longest
// refill among the limits of the old one has passed, the old one is dropped and
// the young one grows old. So a bucket that still owes is never forgotten, and
// one that was not used for two such periods always is, as soon as anything is
// counted.
//
// At MaxBuckets those that owe nothing are looked for and dropped at once, at
// most once a second. If all owe, newcomers share overflow buckets, under the
// slowest of their limits, until there is room: a flood of strangers is slowed down
// together, and nobody who is known notices.
//
// Keys are kept as 64-bit hashes with a secret seed: among a million of them, two
// share a bucket with a probability of 3 in 100 million, and nobody can choose to.
func NewLimiter(cfg LimiterConfig) call.Limiter {
	if cfg.MaxBuckets <= 0 {
		cfg.MaxBuckets = 1_000_000
	}
	l := &limiter{seed: maphash.MakeSeed(), start: time.Now(), room: max(cfg.MaxBuckets/limiterShards, 1)}
	l.due.Store(int64(shortestGeneration))
	return l
}

const (
	limiterShards      = 64
	shortestGeneration = time.Second // also the pause between two sweeps
)

// limiter keeps all buckets of a key in one shard, whose lock makes paying from
// several of them one step.
type limiter struct {
	seed  maphash.Seed
	start time.Time
	room  int // buckets in a shard

	due      atomic.Int64 // when the old generation owes nothing, since start
	rotating sync.Mutex
	shards   [limiterShards]limiterShard
}

var _ call.Limiter = (*limiter)(nil)

// Take implements [call.Limiter]. It never fails.
func (l *limiter) Take(_ context.Context, c call.Charge) (call.Verdict, error) {
	return l.take(&c, time.Now()), nil
}

func (l *limiter) take(c *call.Charge, now time.Time) call.Verdict {
	key := maphash.String(l.seed, c.Key)
	shard := &l.shards[key%limiterShards]
	var ids [call.Buckets]uint64
	for i := range c.Buckets {
		ids[i] = l.bucketID(key, i, c.Buckets[i].Name)
	}
	shard.mu.Lock()
	v := shard.take(c, &ids, now, l.room)
	shard.mu.Unlock()

	if since := now.Sub(l.start); int64(since) >= l.due.Load() {
		l.rotate(since)
	}
	return v
}

// bucketID is never zero.
func (l *limiter) bucketID(key uint64, index int, name string) uint64 {
	id := key + uint64(index)*0x9E3779B97F4A7C15
	if name != "" {
		id ^= bits.RotateLeft64(maphash.String(l.seed, name), 1+index)
	}
	return max(id, 1)
}

// rotate drops the old generation. The next time is counted from the end: until
// then buckets were still added to what is old now.
func (l *limiter) rotate(since time.Duration) {
	if !l.rotating.TryLock() {
		return
	}
	defer l.rotating.Unlock()
	if int64(since) < l.due.Load() {
		return // somebody else has just done it
	}
	longest := shortestGeneration
	for i := range l.shards {
		longest = max(longest, l.shards[i].rotate())
	}
	now := time.Since(l.start)
	l.due.Store(int64(now + min(longest, call.Never-now)))
}
