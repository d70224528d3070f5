package sqlstore

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
)

// record is the row of an operation, and the database's clock when it was read.
type record struct {
	fingerprint, token, result []byte
	state                      int64
	leaseUntil, expiresAt, now int64 // milliseconds since 1970
}

// find reads the record of an operation; nil if there is none.
func (s *Store) find(ctx context.Context, on asker, key idempotency.Digest) (*record, error) {
	r := new(record)
	err := on.QueryRowContext(ctx, s.say.find, key[:]).
		Scan(&r.fingerprint, &r.token, &r.state, &r.leaseUntil, &r.expiresAt, &r.result, &r.now)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return r, check(r, key)
}

// check refuses what this version did not write. It names the row, so that an
// operator who knows what happened can put it right, or delete it.
func check(r *record, key idempotency.Digest) error {
	if r.state < running || r.state > abandoned || len(r.fingerprint) != len(idempotency.Digest{}) {
		return fmt.Errorf("%w: operation %x", idempotency.ErrCorrupt, key)
	}
	return nil
}

// expired reports whether the record is none any more.
func (r *record) expired() bool { return r.expiresAt <= r.now }

// isOf reports whether the token owns the record, or was the last one to.
func (r *record) isOf(token string) bool { return !r.expired() && string(r.token) == token }

// answer is what a claim finds. It is Acquired if the claim may take the record.
func (r *record) answer(c idempotency.Claim) idempotency.Answer {
	switch {
	case r.expired():
		return idempotency.Answer{Status: idempotency.Acquired}
	case !bytes.Equal(r.fingerprint, c.Fingerprint[:]):
		return idempotency.Answer{Status: idempotency.Conflict}
	case r.state == kept:
		result := r.result
		if result == nil { // some drivers have only one word for empty and NULL
			result = []byte{}
		}
		return idempotency.Answer{Status: idempotency.Completed, Result: result, TTLLeft: r.left(r.expiresAt)}
	case r.state == dropped:
		return idempotency.Answer{Status: idempotency.Completed, Dropped: true, TTLLeft: r.left(r.expiresAt)}
	case r.state == running && string(r.token) == c.Token, c.Takeover && !r.isRunning():
		return idempotency.Answer{Status: idempotency.Acquired}
	case r.isRunning():
		return idempotency.Answer{Status: idempotency.InProgress, LeaseLeft: r.left(r.leaseUntil)}
	default:
		return idempotency.Answer{Status: idempotency.Abandoned}
	}
}

func (r *record) isRunning() bool { return r.state == running && r.leaseUntil > r.now }

func (r *record) left(until int64) time.Duration {
	return time.Duration(until-r.now) * time.Millisecond
}

// millis is a positive duration in whole milliseconds, rounded up.
func millis(d time.Duration) int64 {
	ms := d.Milliseconds()
	if d%time.Millisecond != 0 {
		ms++
	}
	return ms
}
