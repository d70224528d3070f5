package memory

import (
	"context"
	"math"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
)

// Complete implements [idempotency.Store]. Expired and older results make room
// for this one; if it is longer than [Config.MaxBytes] by itself it is dropped.
func (s *Store) Complete(ctx context.Context, key idempotency.Digest, token string, body []byte, ttl time.Duration) error {
	if err := check(ctx, ttl); err != nil {
		return err
	}
	o := outcome{by: s.owner(token), ttl: ttl}
	switch {
	case body == nil:
		o.state = dropped
	case int64(len(body)) > s.longest():
		o.lose()
	default:
		o.state, o.result = kept, newResult(body)
	}
	for first := true; ; first = false {
		err := s.shard(key).complete(key, o)
		switch {
		case !errors.Is(err, errNoRoom):
			return err
		case first && s.clearExpired(), s.dropOldest():
			// Perhaps there is room now.
		default:
			o.lose()
		}
	}
}

// longest is the longest result that can be held.
func (s *Store) longest() int64 { return min(s.bytes.limit, math.MaxUint32) }

// errNoRoom: the result does not fit beside those that are held. Nothing was
// completed.
var errNoRoom = errors.New("portavoz/memory: no room for the result")

// outcome is what a record is completed with.
type outcome struct {
	by     owner
	ttl    time.Duration
	state  state // kept or dropped
	result result
	lost   bool // there is a result, and no room for it
}

func (o *outcome) lose() { o.state, o.result, o.lost = dropped, result{}, true }

func (sh *shard) complete(key idempotency.Digest, o outcome) error {
	now, err := sh.enter()
	defer sh.leave()
	if err != nil {
		return err
	}
	r := sh.find(key, now)
	switch {
	case r.is(kept, o.by), r.is(dropped, o.by):
		return nil
	case !r.is(owned, o.by):
		return idempotency.ErrNotOwner
	case !sh.store.bytes.take(int64(o.result.size())):
		return errNoRoom
	}
	r.state, r.since = o.state, now
	q := sh.agenda.move(r, now, o.ttl)
	if o.result.size() > 0 {
		r.result = sh.journal.put(&q.writer, o.result)
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
	return s.shard(key).release(key, s.owner(token))
}

func (sh *shard) release(key idempotency.Digest, by owner) error {
	now, err := sh.enter()
	defer sh.leave()
	if err != nil {
		return err
	}
	r := sh.find(key, now)
	if !r.is(owned, by) {
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
	return s.shard(key).abandon(key, s.owner(token))
}

func (sh *shard) abandon(key idempotency.Digest, by owner) error {
	now, err := sh.enter()
	defer sh.leave()
	if err != nil {
		return err
	}
	r := sh.find(key, now)
	if !r.is(owned, by) && !r.is(abandoned, by) {
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
	return s.shard(key).extend(key, s.owner(token), lease)
}

func (sh *shard) extend(key idempotency.Digest, by owner, lease time.Duration) error {
	now, err := sh.enter()
	defer sh.leave()
	if err != nil {
		return err
	}
	r := sh.find(key, now)
	if !r.is(owned, by) {
		return idempotency.ErrNotOwner
	}
	r.since = after(now, lease)
	if r.since > r.expires {
		sh.agenda.move(r, now, lease)
	}
	return nil
}
