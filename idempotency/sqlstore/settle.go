package sqlstore

import (
	"context"
	"time"

	"github.com/portavoz/portavoz/idempotency"
)

// Complete implements [idempotency.Store].
func (s *Store) Complete(ctx context.Context, key idempotency.Digest, token string, result []byte, ttl time.Duration) error {
	if ttl <= 0 {
		return errDuration
	}
	return s.settle(ctx, s.say.complete, key, token, []int64{kept, dropped}, completion(result), result, millis(ttl))
}

// completion is the state of an operation that is done.
func completion(result []byte) int64 {
	if result == nil {
		return dropped
	}
	return kept
}

// Release implements [idempotency.Store].
func (s *Store) Release(ctx context.Context, key idempotency.Digest, token string) error {
	return s.settle(ctx, s.say.release, key, token, nil)
}

// Abandon implements [idempotency.Store]. If what it is told of is a commit that
// has failed, it finds out whether it was made, and abandons nothing that was.
func (s *Store) Abandon(ctx context.Context, key idempotency.Digest, token string) error {
	if j := jointIn(ctx); j.isOf(s, key, token) {
		if was, err := j.decide(ctx); was {
			return err
		}
	}
	return s.settle(ctx, s.say.abandon, key, token, []int64{abandoned})
}

// Extend implements [idempotency.Store].
func (s *Store) Extend(ctx context.Context, key idempotency.Digest, token string, lease time.Duration) error {
	if lease <= 0 {
		return errDuration
	}
	ms := millis(lease)
	return s.settle(ctx, s.say.extend, key, token, []int64{running}, ms, ms, ms)
}

// settle changes the record if the token owns it. If it does not, it may be that
// the record is as it should be already: the step was taken before, and its
// answer was lost, or the database does not count a row that got the value that
// it had. Args are the parameters of the statement before those of ofOwner.
func (s *Store) settle(ctx context.Context, statement string, key idempotency.Digest, token string, done []int64, args ...any) error {
	args = append(args, key[:], []byte(token))
	return s.repeat(ctx, func(on asker) error {
		rows, err := s.exec(ctx, on, statement, args...)
		if err != nil || rows > 0 {
			return err
		}
		return s.isDone(ctx, on, key, token, done)
	})
}

// isDone is nil if the record is the token's and in one of these states.
func (s *Store) isDone(ctx context.Context, on asker, key idempotency.Digest, token string, done []int64) error {
	r, err := s.find(ctx, on, key)
	if err != nil {
		return err
	}
	for _, state := range done {
		if r != nil && r.isOf(token) && r.state == state {
			return nil
		}
	}
	return idempotency.ErrNotOwner
}
