package memory

import (
	"math"
	"sync"
	"time"

	"github.com/portavoz/portavoz/idempotency"
)

const (
	shardCount = 256 // one per value of a key's first byte
	reapAtOnce = 2   // more than a claim adds, so that the expired never pile up
	never      = time.Duration(math.MaxInt64)
)

// shard holds the records of its keys. Nobody ever holds the locks of two
// shards, nor waits for anything while holding one.
type shard struct {
	store  *Store
	number int

	mu      sync.Mutex
	closed  bool
	slab    slab
	index   index   // of all records
	agenda  agenda  // of all records
	shelf   shelf   // of those that hold a result
	journal journal // of the results
	expired uint64
	dropped uint64

	// What a call has freed and not given back to the budgets: until it leaves,
	// it may use that itself. Budgets are shared, and writing to them is dear.
	keysFreed, bytesFreed int64
}

// reset lets go of all records and their memory.
func (sh *shard) reset() {
	sh.slab, sh.journal = slab{}, journal{}
	sh.index = index{slab: &sh.slab, seed: sh.store.seeds[0]}
	sh.agenda = agenda{slab: &sh.slab, journal: &sh.journal, queues: map[time.Duration]*queue{}}
	sh.shelf = shelf{slab: &sh.slab, first: never}
}

// enter locks the shard. Leave unlocks it, and is to be called in any case.
func (sh *shard) enter() (now time.Duration, err error) {
	sh.mu.Lock()
	if sh.closed {
		return 0, idempotency.ErrClosed
	}
	return sh.store.clock(), nil
}

func (sh *shard) leave() {
	if sh.keysFreed > 0 {
		sh.store.keys.give(sh.keysFreed)
	}
	if sh.bytesFreed > 0 {
		sh.store.bytes.give(sh.bytesFreed)
	}
	sh.keysFreed, sh.bytesFreed = 0, 0
	sh.publish()
	sh.mu.Unlock()
}

// publish tells the store what it looks for when it needs room.
func (sh *shard) publish() {
	if at, next := &sh.store.expiries[sh.number], int64(sh.agenda.next()); at.Load() != next {
		at.Store(next)
	}
	if at, first := &sh.store.results[sh.number], int64(sh.shelf.first); at.Load() != first {
		at.Store(first)
	}
}

// find returns the record of a key, or nil. An expired one is removed.
func (sh *shard) find(key idempotency.Digest, now time.Duration) *record {
	r := sh.index.find(&key)
	if r != nil && r.expires <= now {
		sh.expire(r)
		return nil
	}
	return r
}

// add makes a record of a claim, if the budget has room.
func (sh *shard) add(c idempotency.Claim, by owner, now time.Duration) bool {
	switch {
	case sh.keysFreed > 0:
		sh.keysFreed--
	case !sh.store.keys.take(1):
		return false
	}
	r := sh.slab.take()
	r.key, r.fingerprint = c.Key, c.Fingerprint
	r.acquire(by, c.Lease, now)
	sh.index.add(r)
	sh.agenda.add(r, now, lifetime(c))
	return true
}

// remove makes the key free. A shard that was large and is empty gives its memory
// back.
func (sh *shard) remove(r *record) {
	sh.drop(r)
	sh.agenda.remove(r)
	sh.index.remove(r)
	sh.slab.give(r)
	if sh.index.count == 0 && len(sh.slab.chunks) > 1 {
		sh.reset()
	}
	sh.keysFreed++
}

func (sh *shard) expire(r *record) {
	sh.remove(r)
	sh.expired++
}

// reap removes expired records, not more than reapAtOnce, and says how many.
func (sh *shard) reap(now time.Duration) int {
	for n := range reapAtOnce {
		if sh.agenda.next() > now {
			return n
		}
		sh.expire(sh.agenda.first())
	}
	return reapAtOnce
}

// drop takes the result out of its record, if it holds one.
func (sh *shard) drop(r *record) {
	if r.result.size == 0 {
		return
	}
	sh.shelf.remove(r)
	sh.bytesFreed += int64(r.result.size)
	sh.journal.erase(&sh.agenda.queues[r.lifetime].writer, r.result)
	r.state, r.result = dropped, span{}
}

func (sh *shard) close() {
	sh.mu.Lock()
	defer sh.leave()
	sh.keysFreed += int64(sh.index.count)
	for next := sh.shelf.oldest; next != 0; {
		r := sh.slab.at(next)
		sh.bytesFreed += int64(r.result.size)
		next = r.newer
	}
	sh.closed = true
	sh.reset()
}

func (sh *shard) counters() (expired, dropped uint64) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	return sh.expired, sh.dropped
}
