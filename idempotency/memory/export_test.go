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
	for i, a := range sh.agenda.queue {
		r := sh.slab.at(a.record)
		switch {
		case i > 0 && a.at < sh.agenda.queue[(i-1)/children].at:
			return 0, 0, fmt.Errorf("appointment %d is before its parent", i)
		case r.place != uint32(i) || r.expires != a.at || r.self != a.record:
			return 0, 0, fmt.Errorf("appointment %d is not its record's", i)
		case sh.index.find(&r.key) != r:
			return 0, 0, fmt.Errorf("record %d is not in the index", r.self)
		case r.state == kept && r.text != "":
			holding++
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
	case sh.index.count != len(sh.agenda.queue):
		return 0, 0, fmt.Errorf("%d records in the index, %d in the agenda", sh.index.count, len(sh.agenda.queue))
	case before != nil && sh.shelf.newest != before.self:
		return 0, 0, fmt.Errorf("the newest result is not the last one")
	}
	return int64(sh.index.count), bytes, nil
}
