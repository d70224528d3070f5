package memory

// clearExpired removes an expired record of any shard, or reports that there is
// none.
func (s *Store) clearExpired() bool {
	now := int64(s.clock())
	for i := range s.expiries {
		if s.expiries[i].Load() <= now && s.shards[i].clearExpired() {
			return true
		}
	}
	return false
}

func (sh *shard) clearExpired() bool {
	now, err := sh.enter()
	defer sh.leave()
	return err == nil && sh.reap(now) > 0
}

// dropOldest gives up the oldest result of all, or reports that there is none.
func (s *Store) dropOldest() bool {
	for {
		oldest, at := -1, int64(never)
		for i := range s.results {
			if first := s.results[i].Load(); first < at {
				oldest, at = i, first
			}
		}
		if oldest < 0 {
			return false
		}
		if s.shards[oldest].dropOldest() {
			return true
		}
	}
}

// dropOldest gives up the oldest result of the shard, and with it the record if
// that has expired.
func (sh *shard) dropOldest() bool {
	now, err := sh.enter()
	defer sh.leave()
	if err != nil || sh.shelf.oldest == 0 {
		return false
	}
	switch r := sh.slab.at(sh.shelf.oldest); {
	case r.expires <= now:
		sh.expire(r)
	default:
		sh.drop(r)
		sh.dropped++
	}
	return true
}
