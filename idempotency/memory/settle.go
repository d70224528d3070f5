package memory

import (
	"context"
	"hash/maphash"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
)

// Complete implements [idempotency.Store]. Expired and older results make room
// for this one; if it is longer than [Config.MaxBytes] by itself it is dropped.
func (s *Store) Complete(ctx context.Context, key idempotency.Digest, token string, result []byte, ttl time.Duration) error {
	if err := check(ctx, ttl); err != nil {
		return err
	}
	o := outcome{state: dropped, token: token, ttl: ttl, lost: int64(len(result)) > s.bytes.limit}
	if result != nil && !o.lost {
		o.state, o.result = kept, string(result)
	}
	for first := true; ; first = false {
		err := s.shard(key).complete(key, o)
		switch {
		case !errors.Is(err, errNoRoom):
			return err
		case first && s.clearExpired(), s.dropOldest():
			// Perhaps there is room now.
		default:
			o = outcome{state: dropped, token: token, ttl: ttl, lost: true}
		}
	}
}

// errNoRoom: the result does not fit beside those that are held. Nothing was
// completed.
var errNoRoom = errors.New("portavoz/memory: no room for the result")

// outcome is what a record is completed with.
type outcome struct {
	state  state // kept or dropped
	token  string
	result string
	ttl    time.Duration
	lost   bool // there is a result, and no room for it
}

func (sh *shard) complete(key idempotency.Digest, o outcome) error {
	now, err := sh.enter()
	defer sh.leave()
	if err != nil {
		return err
	}
	r := sh.find(key, now)
	switch {
	case r.completedBy(o.token, sh.store.seed):
		return nil
	case !r.ownedBy(o.token):
		return idempotency.ErrNotOwner
	case !sh.store.bytes.take(int64(len(o.result))):
		return errNoRoom
	}
	r.state, r.text, r.since = o.state, o.result, now
	r.owner = maphash.String(sh.store.seed, o.token)
	sh.agenda.move(r, now, o.ttl)
	if o.result != "" {
		sh.shelf.add(r)
	}
	if o.lost {
		sh.dropped++
	}
	return nil
}

// Release implements [idempotency.Store].
func (s *Store) Release(ctx context.Context, key idempotency.Digest, token string) error {
	if err := check(ctx); err != nil {
		return err
	}
	return s.shard(key).release(key, token)
}

func (sh *shard) release(key idempotency.Digest, token string) error {
	now, err := sh.enter()
	defer sh.leave()
	if err != nil {
		return err
	}
	r := sh.find(key, now)
	if !r.ownedBy(token) {
		return idempotency.ErrNotOwner
	}
	sh.remove(r)
	return nil
}

// Abandon implements [idempotency.Store].
func (s *Store) Abandon(ctx context.Context, key idempotency.Digest, token string) error {
	if err := check(ctx); err != nil {
		return err
	}
	return s.shard(key).abandon(key, token)
}

func (sh *shard) abandon(key idempotency.Digest, token string) error {
	now, err := sh.enter()
	defer sh.leave()
	if err != nil {
		return err
	}
	r := sh.find(key, now)
	if !r.ownedBy(token) && !r.abandonedBy(token) {
		return idempotency.ErrNotOwner
	}
	r.state = abandoned
	return nil
}

// Extend implements [idempotency.Store].
func (s *Store) Extend(ctx context.Context, key idempotency.Digest, token string, lease time.Duration) error {
	if err := check(ctx, lease); err != nil {
		return err
	}
	return s.shard(key).extend(key, token, lease)
}

func (sh *shard) extend(key idempotency.Digest, token string, lease time.Duration) error {
	now, err := sh.enter()
	defer sh.leave()
	if err != nil {
		return err
	}
	r := sh.find(key, now)
	if !r.ownedBy(token) {
		return idempotency.ErrNotOwner
	}
	r.since = after(now, lease)
	if r.since > r.expires {
		sh.agenda.move(r, now, lease)
	}
	return nil
}
