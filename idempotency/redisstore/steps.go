package redisstore

import (
	"context"
	"math"
	"strconv"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
)

// Claim implements [idempotency.Store]. A claim that makes no sense (a token
// that is empty or longer than 64 bytes, a duration that is not positive) is an
// error, and so is a context that has ended; nothing was claimed then. A server
// at its memory limit is [idempotency.ErrFull].
func (s *Store) Claim(ctx context.Context, c idempotency.Claim) (idempotency.Answer, error) {
	if c.Token == "" || len(c.Token) > maxToken {
		return idempotency.Answer{}, errors.New("portavoz/redisstore: a token has 1 to 64 bytes")
	}
	if c.Lease <= 0 || c.TTL <= 0 {
		return idempotency.Answer{}, errDuration
	}
	takeover := "0"
	if c.Takeover {
		takeover = "1"
	}
	args := []string{string(c.Fingerprint[:]), c.Token, millis(c.Lease), millis(max(c.TTL, c.Lease)), takeover}
	var answer idempotency.Answer
	err := s.written(ctx, s.key(c.Key), func(do Do, key string) (wrote bool, err error) {
		r, err := s.run(ctx, do, s.claim, key, args...)
		if err != nil {
			return false, err
		}
		answer, err = r.claimed()
		return answer.Status == idempotency.Acquired, err
	})
	if err != nil {
		return idempotency.Answer{}, err
	}
	return answer, nil
}

// Complete implements [idempotency.Store]. A server at its memory limit is
// [idempotency.ErrFull]: nothing was completed, and it may be tried again.
func (s *Store) Complete(ctx context.Context, key idempotency.Digest, token string, result []byte, ttl time.Duration) error {
	if ttl <= 0 {
		return errDuration
	}
	state := "k"
	if result == nil {
		state = "d"
	}
	return s.written(ctx, s.key(key), func(do Do, key string) (wrote bool, err error) {
		r, err := s.run(ctx, do, s.complete, key, token, state, checksum(result), string(result), millis(ttl))
		if err != nil {
			return false, err
		}
		err = r.settled()
		return err == nil, err
	})
}

// Release implements [idempotency.Store].
func (s *Store) Release(ctx context.Context, key idempotency.Digest, token string) error {
	return s.settle(ctx, s.release, key, token)
}

// Abandon implements [idempotency.Store]. A server at its memory limit is
// [idempotency.ErrFull]; the end of the lease says the same later.
func (s *Store) Abandon(ctx context.Context, key idempotency.Digest, token string) error {
	return s.settle(ctx, s.abandon, key, token)
}

// Extend implements [idempotency.Store]. A server at its memory limit is
// [idempotency.ErrFull]; the lease was not extended.
func (s *Store) Extend(ctx context.Context, key idempotency.Digest, token string, lease time.Duration) error {
	if lease <= 0 {
		return errDuration
	}
	return s.settle(ctx, s.extend, key, token, millis(lease))
}

// settle takes a step that no replica is waited for. To lose it is safe: what is
// not released, not abandoned or not extended ends as abandoned.
func (s *Store) settle(ctx context.Context, step script, key idempotency.Digest, args ...string) error {
	r, err := s.run(ctx, s.do, step, s.key(key), args...)
	if err != nil {
		return err
	}
	return r.settled()
}

const (
	maxToken  = 64 // bytes
	maxMillis = math.MaxInt64 / int64(time.Millisecond)
)

var errDuration = errors.New("portavoz/redisstore: a duration is not positive")

// millis is a positive duration in whole milliseconds, rounded up.
func millis(d time.Duration) string {
	ms := d.Milliseconds()
	if d%time.Millisecond != 0 {
		ms++
	}
	return strconv.FormatInt(ms, 10)
}
