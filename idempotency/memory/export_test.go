package memory

import (
	"fmt"
	"time"
)

// New is Ephemeral with a clock of the test's.
func New(cfg Config, clock func() time.Duration) *Store {
	cfg, err := cfg.withDefaults()
	if err != nil {
		panic(err)
	}
	return newStore(cfg, clock)
}

// Limits are the budgets.
func (s *Store) Limits() (keys, bytes int64) { return s.keys.limit, s.bytes.limit }

// Check says what is wrong with the structures of a store that nobody uses.
func (s *Store) Check() error {
	var keys, bytes int64
	for i := range s.shards {
		k, b, err := s.shards[i].check()
		if err != nil {
			return fmt.Errorf("shard %d: %w", i, err)
		}
		keys, bytes = keys+k, bytes+b
	}
	if got := s.Stats(); got.Keys != keys || got.Bytes != bytes {
		return fmt.Errorf("counted %d keys and %d bytes, held are %d and %d", got.Keys, got.Bytes, keys, bytes)
	}
	return nil
}

func (sh *shard) check() (keys, bytes int64, err error) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if next := sh.store.expiries[sh.number].Load(); next != int64(sh.agenda.next()) {
		return 0, 0, fmt.Errorf("the next expiry is published as %d", next)
	}
	if first := sh.store.results[sh.number].Load(); first != int64(sh.shelf.first) {
		return 0, 0, fmt.Errorf("the oldest result is published as %d", first)
	}
	holding := 0
	queued := 0
	for i, q := range sh.agenda.order {
		if q.place != i || sh.agenda.queues[q.lifetime] != q || q.next < sh.agenda.next() || q.next != sh.slab.at(q.first).expires {
			return 0, 0, fmt.Errorf("queue %d is in disorder", i)
		}
		var earlier *record
		for next := q.first; next != 0; {
			r := sh.slab.at(next)
			switch {
			case r.self != next || r.queue != q:
				return 0, 0, fmt.Errorf("record %d is in the wrong queue", r.self)
			case earlier != nil && (r.earlier != earlier.self || r.expires < earlier.expires):
				return 0, 0, fmt.Errorf("record %d is in the wrong place of its queue", r.self)
			case sh.index.find(&r.key) != r:
				return 0, 0, fmt.Errorf("record %d is not in the index", r.self)
			case r.state == kept && r.text != "":
				holding++
			}
			earlier, next = r, r.later
			queued++
		}
		if earlier.self != q.last {
			return 0, 0, fmt.Errorf("queue %d does not end with its last record", i)
		}
	}
	var before *record
	for next := sh.shelf.oldest; next != 0; {
		r := sh.slab.at(next)
		if before != nil && (r.older != before.self || r.since < before.since) {
			return 0, 0, fmt.Errorf("record %d is in the wrong place on the shelf", r.self)
		}
		bytes += int64(len(r.text))
		holding--
		before, next = r, r.newer
	}
	switch {
	case holding != 0:
		return 0, 0, fmt.Errorf("%d results are not on the shelf", holding)
	case sh.index.count != queued:
		return 0, 0, fmt.Errorf("%d records in the index, %d in the agenda", sh.index.count, queued)
	case before != nil && sh.shelf.newest != before.self:
		return 0, 0, fmt.Errorf("the newest result is not the last one")
	}
	return int64(sh.index.count), bytes, nil
}
