package sqlstore

import (
	"context"
	"database/sql"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
)

const maxToken = 64 // bytes

// maxRaces bounds how often a claim begins anew because another one came between
// its two statements. Each time, that other one has got somewhere.
const maxRaces = 100

// What a claim or a settlement may be refused for before the database is asked.
var (
	errToken    = errors.New("portavoz/sqlstore: a token has 1 to 64 bytes")
	errDuration = errors.New("portavoz/sqlstore: a duration is not positive")
	errRaces    = errors.New("portavoz/sqlstore: too many others claim and free the same operation")
)

// Claim implements [idempotency.Store]. A claim that makes no sense (a token
// that is empty or longer than 64 bytes, a duration that is not positive) is an
// error; nothing was claimed then.
func (s *Store) Claim(ctx context.Context, c idempotency.Claim) (answer idempotency.Answer, err error) {
	if c.Token == "" || len(c.Token) > maxToken {
		return idempotency.Answer{}, errToken
	}
	if c.Lease <= 0 || c.TTL <= 0 {
		return idempotency.Answer{}, errDuration
	}
	c.TTL = max(c.TTL, c.Lease)
	err = s.repeat(ctx, func(on asker) error {
		answer, err = s.tryClaim(ctx, on, c)
		return err
	})
	if err != nil {
		return idempotency.Answer{}, err
	}
	return answer, nil
}

func (s *Store) tryClaim(ctx context.Context, on asker, c idempotency.Claim) (idempotency.Answer, error) {
	for range maxRaces {
		r, acquired, err := s.findOrInsert(ctx, on, c)
		switch {
		case err != nil:
			return idempotency.Answer{}, err
		case acquired:
			return idempotency.Answer{Status: idempotency.Acquired}, nil
		case r == nil:
			continue
		}
		answer := r.answer(c)
		if answer.Status != idempotency.Acquired {
			return answer, nil
		}
		taken, err := s.take(ctx, on, r, c)
		if err != nil || taken {
			return answer, err
		}
	}
	return idempotency.Answer{}, errRaces
}

// findOrInsert reads the record, or makes one for the claim. It is neither if
// somebody else's came or went meanwhile.
func (s *Store) findOrInsert(ctx context.Context, on asker, c idempotency.Claim) (r *record, inserted bool, err error) {
	if s.say.claim != "" {
		return s.inOne(ctx, on, c)
	}
	r, err = s.find(ctx, on, c.Key)
	if err != nil || r != nil {
		return r, false, err
	}
	rows, err := s.exec(ctx, on, s.say.insert, c.Key[:], c.Fingerprint[:], []byte(c.Token), millis(c.Lease), millis(c.TTL))
	return nil, rows > 0, err
}

// inOne is findOrInsert in one statement.
func (s *Store) inOne(ctx context.Context, on asker, c idempotency.Claim) (r *record, inserted bool, err error) {
	var (
		n                        int64
		state, leaseUntil, until sql.NullInt64
	)
	r = new(record)
	err = on.QueryRowContext(ctx, s.say.claim,
		c.Key[:], c.Fingerprint[:], []byte(c.Token), millis(c.Lease), millis(c.TTL)).
		Scan(&n, &r.fingerprint, &r.token, &state, &leaseUntil, &until, &r.result, &r.now)
	if err != nil || n > 0 || !state.Valid {
		return nil, err == nil && n > 0, err
	}
	r.state, r.leaseUntil, r.expiresAt = state.Int64, leaseUntil.Int64, until.Int64
	return r, false, check(r, c.Key)
}

// take makes the record the claim's, unless it has changed since it was read.
func (s *Store) take(ctx context.Context, on asker, r *record, c idempotency.Claim) (bool, error) {
	args := []any{
		c.Fingerprint[:], []byte(c.Token), millis(c.Lease), millis(c.TTL), c.Key[:], r.token, r.state,
	}
	statement := s.say.take
	if r.state == running && r.isOf(c.Token) { // then the lease may have moved on
		statement, args = s.say.renew, append(args, c.Fingerprint[:])
	} else {
		args = append(args, r.leaseUntil, r.expiresAt)
	}
	rows, err := s.exec(ctx, on, statement, args...)
	return rows > 0, err
}

// exec runs a statement by itself and says how many rows it has changed.
func (s *Store) exec(ctx context.Context, on asker, statement string, args ...any) (int64, error) {
	if err := s.writing.enter(ctx); err != nil {
		return 0, err
	}
	defer s.writing.leave()
	return changed(on.ExecContext(ctx, statement, args...))
}
