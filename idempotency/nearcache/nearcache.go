// Package nearcache keeps completed results in the memory of this process, in
// front of an [idempotency.Store] that lies beyond a network: a replay then
// costs no round trip.
//
//	store, err := nearcache.New(redisstore.New(do), nearcache.Config{})
//
// It decides nothing. That a key was used is known to the store behind it alone;
// what the cache holds is the result of an operation that the store has taken as
// completed, which does not change any more. Losing an entry costs a round trip.
//
// Everything that the store behind guarantees holds. A result of which it does
// not say how long it lives (see [idempotency.Answer]) is not kept here.
//
// # Why ristretto is safe here, and only here
//
// Ristretto drops sets under load, shows a set late, evicts by frequency,
// discards the second of two quick sets of a key and, on a collision of its
// 64-bit hashes, refuses a key for good. Each of these is a miss here. What would
// not be a miss is the value of another key, which a crafted hash can produce:
// every entry carries its whole key, which is compared on a hit.
package nearcache

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"sync"
	"time"

	"github.com/dgraph-io/ristretto/v2"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
)

// Config bounds a [Store]. The zero value is the default.
type Config struct {
	// MaxBytes is what the results may take, their keeping included. Least used
	// ones go first. Default: 64 MiB.
	MaxBytes int64
	// MaxAge is how long a result is answered from here before the store is
	// asked again; never longer than the record lives. Default: 10 minutes.
	MaxAge time.Duration
}

// Store is a near cache in front of another store. It is safe for concurrent
// use. [Store.Close] ends its goroutines.
type Store struct {
	behind idempotency.Store
	maxAge time.Duration

	mu     sync.RWMutex // held for reading while the cache is in use: ristretto panics on use after Close
	cache  *ristretto.Cache[uint64, *entry]
	closed bool

	claims claims
}

var (
	_ idempotency.Store  = (*Store)(nil)
	_ idempotency.Joiner = (*Store)(nil)
	_ idempotency.Waiter = (*Store)(nil)
)

// entry is a completed operation. It is not changed after it was set.
type entry struct {
	key         idempotency.Digest
	fingerprint idempotency.Digest
	result      []byte
	expires     time.Time
}

// entryBytes is what an entry takes beside its result: itself, and ristretto's
// own share of about 60 bytes, which it adds to the cost by itself.
const entryBytes = 128

// New puts a near cache in front of a store. All that is wrong with the
// configuration is reported together.
func New(behind idempotency.Store, cfg Config) (*Store, error) {
	var problems []error
	if behind == nil {
		problems = append(problems, errors.New("portavoz/nearcache: the store behind is nil"))
	}
	if cfg.MaxBytes < 0 {
		problems = append(problems, errors.New("portavoz/nearcache: MaxBytes is negative"))
	}
	if cfg.MaxAge < 0 {
		problems = append(problems, errors.New("portavoz/nearcache: MaxAge is negative"))
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	if cfg.MaxBytes == 0 {
		cfg.MaxBytes = 64 << 20
	}
	if cfg.MaxAge == 0 {
		cfg.MaxAge = 10 * time.Minute
	}
	cache, err := ristretto.NewCache(&ristretto.Config[uint64, *entry]{
		// Ten counters for each entry of 500 bytes, as ristretto advises; four
		// bytes each.
		NumCounters: min(max(cfg.MaxBytes/50, 1_000), 10_000_000),
		MaxCost:     cfg.MaxBytes,
		BufferItems: 64,
	})
	if err != nil {
		return nil, fmt.Errorf("portavoz/nearcache: %w", err)
	}
	return &Store{behind: behind, maxAge: cfg.MaxAge, cache: cache}, nil
}

// Close ends the cache's goroutines; the store behind stays open and is asked
// for everything from then on. A second call does nothing.
func (s *Store) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.closed = true
		s.cache.Close()
	}
}

// Claim answers a completed operation from the cache, and everything else from
// the store behind.
func (s *Store) Claim(ctx context.Context, c idempotency.Claim) (idempotency.Answer, error) {
	if err := ctx.Err(); err != nil {
		return idempotency.Answer{}, err
	}
	if e := s.get(c.Key); e != nil {
		if e.fingerprint != c.Fingerprint {
			return idempotency.Answer{Status: idempotency.Conflict}, nil
		}
		return idempotency.Answer{
			Status: idempotency.Completed, Result: bytes.Clone(e.result), TTLLeft: time.Until(e.expires),
		}, nil
	}
	answer, err := s.behind.Claim(ctx, c)
	switch {
	case err != nil:
	case answer.Status == idempotency.Acquired:
		s.claims.add(c.Key, c.Token, c.Fingerprint)
	case answer.Status == idempotency.Completed && !answer.Dropped && answer.TTLLeft > 0:
		s.set(c.Key, c.Fingerprint, answer.Result, min(answer.TTLLeft, s.maxAge))
	}
	return answer, err
}

// Complete completes the operation in the store behind, and then remembers the
// result here.
func (s *Store) Complete(ctx context.Context, key idempotency.Digest, token string, result []byte, ttl time.Duration) error {
	switch err := s.behind.Complete(ctx, key, token, result, ttl); {
	case errors.Is(err, idempotency.ErrNotOwner):
		s.claims.take(key, token)
		return err
	case err != nil:
		return err // it will be sent again
	}
	s.completed(key, token, result, ttl)
	return nil
}

// completed remembers a result that the store behind has.
func (s *Store) completed(key idempotency.Digest, token string, result []byte, ttl time.Duration) {
	if fingerprint, ok := s.claims.take(key, token); ok && len(result) > 0 {
		s.set(key, fingerprint, result, min(ttl, s.maxAge))
	}
}

// Join implements [idempotency.Joiner], if the store behind does: otherwise there
// is nothing to join.
func (s *Store) Join(ctx context.Context, key idempotency.Digest, token string) (context.Context, idempotency.Conclude) {
	joiner, ok := s.behind.(idempotency.Joiner)
	if !ok {
		return ctx, nil
	}
	ctx, conclude := joiner.Join(ctx, key, token)
	if conclude == nil {
		return ctx, nil
	}
	return ctx, func(ctx context.Context, run idempotency.Settlement, ttl time.Duration) (idempotency.Settlement, bool) {
		stands, told := conclude(ctx, run, ttl)
		if told && stands.Verdict == idempotency.Keep {
			s.completed(key, token, stands.Result, ttl)
		}
		return stands, told
	}
}

// Wait implements [idempotency.Waiter] as the store behind does, or by the time
// alone.
func (s *Store) Wait(ctx context.Context, key idempotency.Digest, d time.Duration) {
	if waiter, ok := s.behind.(idempotency.Waiter); ok {
		waiter.Wait(ctx, key, d)
		return
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// Release frees the operation in the store behind.
func (s *Store) Release(ctx context.Context, key idempotency.Digest, token string) error {
	s.claims.take(key, token)
	return s.behind.Release(ctx, key, token)
}

// Abandon abandons the operation in the store behind.
func (s *Store) Abandon(ctx context.Context, key idempotency.Digest, token string) error {
	s.claims.take(key, token)
	return s.behind.Abandon(ctx, key, token)
}

// Extend extends the lease in the store behind.
func (s *Store) Extend(ctx context.Context, key idempotency.Digest, token string, lease time.Duration) error {
	return s.behind.Extend(ctx, key, token, lease)
}

// short is the key under which ristretto knows an entry: 64 bits of SHA-256.
func short(key idempotency.Digest) uint64 { return binary.LittleEndian.Uint64(key[:8]) }

func (s *Store) get(key idempotency.Digest) *entry {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return nil
	}
	e, ok := s.cache.Get(short(key))
	if !ok || e.key != key {
		return nil
	}
	if !time.Now().Before(e.expires) {
		s.cache.Del(short(key))
		return nil
	}
	return e
}

func (s *Store) set(key, fingerprint idempotency.Digest, result []byte, age time.Duration) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return
	}
	e := &entry{key: key, fingerprint: fingerprint, result: bytes.Clone(result), expires: time.Now().Add(age)}
	s.cache.Set(short(key), e, int64(len(result)+entryBytes))
}
