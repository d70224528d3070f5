package memory

import (
	"context"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
)

const maxToken = 64 // bytes

// Claim implements [idempotency.Store]. A claim that makes no sense (a token
// that is empty or longer than 64 bytes, a duration that is not positive) is an
// error, and so is a context that has ended; nothing was claimed then.
func (s *Store) Claim(ctx context.Context, c idempotency.Claim) (idempotency.Answer, error) {
	if err := checkClaim(ctx, c); err != nil {
		return idempotency.Answer{}, err
	}
	by := s.owner(c.Token)
	for {
		answer, result, err := s.shard(c.Key).claim(c, by)
		switch {
		case err == nil:
			if answer.Status == idempotency.Completed && !answer.Dropped {
				answer.Result = []byte(result)
			}
			return answer, nil
		case !errors.Is(err, idempotency.ErrFull):
			return idempotency.Answer{}, err
		case !s.clearExpired():
			s.full.Add(1)
			return idempotency.Answer{}, err
		}
	}
}

func checkClaim(ctx context.Context, c idempotency.Claim) error {
	if c.Token == "" || len(c.Token) > maxToken {
		return errors.New("portavoz/memory: a token has 1 to 64 bytes")
	}
	return check(ctx, c.Lease, c.TTL)
}

// claim also returns the result that is kept, which is to be copied.
func (sh *shard) claim(c idempotency.Claim, by owner) (answer idempotency.Answer, result string, err error) {
	now, err := sh.enter()
	defer sh.leave()
	if err != nil {
		return answer, "", err
	}
	sh.reap(now)
	r := sh.find(c.Key, now)
	switch {
	case r == nil:
		if !sh.add(c, by, now) {
			return answer, "", idempotency.ErrFull
		}
		answer.Status = idempotency.Acquired
	case r.fingerprint != c.Fingerprint:
		answer.Status = idempotency.Conflict
	case r.acquirable(by, c.Takeover, now):
		r.acquire(by, c.Lease, now)
		sh.agenda.move(r, now, lifetime(c))
		answer.Status = idempotency.Acquired
	default:
		return r.answer(now), sh.journal.read(r.result), nil
	}
	return answer, "", nil
}

// check refuses what must not reach a record.
func check(ctx context.Context, durations ...time.Duration) error {
	for _, d := range durations {
		if d <= 0 {
			return errors.New("portavoz/memory: a duration is not positive")
		}
	}
	return ctx.Err()
}
