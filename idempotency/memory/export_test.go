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
	queued, open := 0, 0
	for i, q := range sh.agenda.order {
		if q.place != i || sh.agenda.queues[q.lifetime] != q || q.next < sh.agenda.next() || q.next != sh.slab.at(q.first).expires {
			return 0, 0, fmt.Errorf("queue %d is in disorder", i)
		}
		var earlier *record
		if q.writer.block != 0 {
			open++
		}
		live := 0
		for next := q.first; next != 0; {
			r := sh.slab.at(next)
			switch {
			case r.self != next || r.lifetime != q.lifetime:
				return 0, 0, fmt.Errorf("record %d is in the wrong queue", r.self)
			case earlier != nil && (r.earlier != earlier.self || r.expires < earlier.expires):
				return 0, 0, fmt.Errorf("record %d is in the wrong place of its queue", r.self)
			case sh.index.find(&r.key) != r:
				return 0, 0, fmt.Errorf("record %d is not in the index", r.self)
			case r.result.size > 0:
				holding++
			}
			live += int(r.result.size)
			earlier, next = r, r.later
			queued++
		}
		if earlier.self != q.last || q.writer.live != live {
			return 0, 0, fmt.Errorf("queue %d does not end with its last record, or has other results than it counts", i)
		}
	}
	var before *record
	for next := sh.shelf.oldest; next != 0; {
		r := sh.slab.at(next)
		if before != nil && (r.older != before.self || r.since < before.since) {
			return 0, 0, fmt.Errorf("record %d is in the wrong place on the shelf", r.self)
		}
		bytes += int64(r.result.size)
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
	return int64(sh.index.count), bytes, sh.journal.check(int(bytes), open)
}

func (j *journal) check(bytes, open int) error {
	unused := len(j.unused)
	for i, b := range j.blocks {
		bytes -= b.live
		switch {
		case b.open:
			open--
		case b.text == "":
			unused--
		case b.live == 0:
			return fmt.Errorf("block %d is of no use", i+1)
		}
	}
	if bytes != 0 || open != 0 || unused != 0 {
		return fmt.Errorf("the journal lacks %d bytes, %d open and %d unused blocks", bytes, open, unused)
	}
	return nil
}
