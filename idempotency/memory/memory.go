// Package memory is the embedded [idempotency.Store]: it remembers operations in
// the memory of this process, and nowhere else.
//
// That is enough to answer a retry, a duplicate and a second click, as long as
// one process serves them all and lives. It is not enough for a write that must
// not happen twice, since a restart forgets: the retry of a payment that was
// made just before a deployment runs the payment again. Hence the name of the
// constructor, [Ephemeral]. For writes whose repetition costs something use a
// store that outlives the process, such as redisstore, or hand
// [idempotency.EffectKey] to a system that remembers by itself.
//
// # Budgets
//
// Two budgets bound the memory. Neither is ever exceeded.
//
// Keys: an unexpired key is never forgotten, so that at [Config.MaxKeys] a claim
// of a new key is refused with [idempotency.ErrFull], before its effect.
// Whatever was claimed can still be completed.
//
// Bytes of results: at [Config.MaxBytes] the oldest results go first. Their keys
// stay, and a later claim finds them completed and Dropped; nothing runs again.
//
// A key takes about 180 bytes beside its result: a million of them with results
// of 500 bytes, 680 MB in all. No pointer leads to a key or to a result, so that
// the garbage collector has next to nothing to do with them. Each different TTL
// takes another 100 bytes where it is in use, which does not count as long as
// tools have theirs and calls have not.
//
// # Expiry
//
// No goroutine runs. Each claim removes at most two expired records beside its
// own, so that no call pays for a million that expire together; a store that
// nobody calls keeps its memory until it is closed. Expired records do not stand
// in the way: their keys are free at once, and a store that is full looks for
// one to remove before it refuses a claim. Time is that of package time, and
// monotonic: setting the machine's clock changes nothing.
package memory

import (
	"hash/maphash"
	"sync/atomic"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
)

// Config bounds a [Store]. The zero value is that of the defaults.
type Config struct {
	// MaxKeys is how many operations are remembered; those that run and those
	// that are abandoned count as well. Default: 1,000,000.
	MaxKeys int
	// MaxBytes is how long the results may be together, in bytes. One that is
	// longer by itself is never held. Default: 256 MiB.
	MaxBytes int64
}

func (c Config) withDefaults() (Config, error) {
	var problems []error
	if c.MaxKeys < 0 {
		problems = append(problems, &idempotency.ConfigError{Field: "MaxKeys", Reason: "is negative"})
	}
	if c.MaxBytes < 0 {
		problems = append(problems, &idempotency.ConfigError{Field: "MaxBytes", Reason: "is negative"})
	}
	if c.MaxKeys == 0 {
		c.MaxKeys = 1_000_000
	}
	if c.MaxBytes == 0 {
		c.MaxBytes = 256 << 20
	}
	return c, errors.Join(problems...)
}

// Store is an [idempotency.Store] in this process. It is safe for concurrent
// use.
type Store struct {
	clock  func() time.Duration // since the store was made
	seeds  [2]maphash.Seed
	keys   budget
	bytes  budget
	full   atomic.Uint64 // claims refused
	shards [shardCount]shard

	// What the shards publish of themselves: when their next record expires, and
	// when their oldest result was stored; never if they have none.
	expiries [shardCount]atomic.Int64
	results  [shardCount]atomic.Int64
}

var _ idempotency.Store = (*Store)(nil)

// Ephemeral returns a store that lasts as long as this process: a restart
// forgets what was done, see the package comment. All that is wrong with the
// configuration is reported together, as an [*idempotency.ConfigError] each.
func Ephemeral(cfg Config) (*Store, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	start := time.Now()
	return newStore(cfg, func() time.Duration { return time.Since(start) }), nil
}

func newStore(cfg Config, clock func() time.Duration) *Store {
	s := &Store{clock: clock, seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}}
	s.keys.limit, s.bytes.limit = int64(cfg.MaxKeys), cfg.MaxBytes
	for i := range s.shards {
		sh := &s.shards[i]
		sh.store, sh.number = s, i
		sh.reset()
		sh.publish()
	}
	return s
}

func (s *Store) shard(key idempotency.Digest) *shard { return &s.shards[key[0]] }

// Close forgets everything. From then on every method answers
// [idempotency.ErrClosed]. It never fails, and may be called twice.
func (s *Store) Close() error {
	for i := range s.shards {
		s.shards[i].close()
	}
	return nil
}

// Stats are the figures of a [Store]. Those of the shards are read one after
// the other: under load they are close to each other in time and not of one
// instant.
type Stats struct {
	// Keys is how many records are in memory, expired ones that are not yet
	// removed included. It is never above [Config.MaxKeys].
	Keys int64
	// Bytes is how long the results in memory are together. It is never above
	// [Config.MaxBytes].
	Bytes int64
	// Refused counts the claims that found the store full.
	Refused uint64
	// Expired counts the records that were removed because their time was over.
	Expired uint64
	// Dropped counts the results that were given up for lack of room while their
	// keys stayed.
	Dropped uint64
}

// Stats returns the figures. It is cheap enough to be read every second.
func (s *Store) Stats() Stats {
	stats := Stats{Keys: s.keys.used.Load(), Bytes: s.bytes.used.Load(), Refused: s.full.Load()}
	for i := range s.shards {
		expired, dropped := s.shards[i].counters()
		stats.Expired += expired
		stats.Dropped += dropped
	}
	return stats
}
