package memory_test

import (
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/memory"
)

// However many records expire together, a call removes three at most: two of
// its shard, and its own.
func TestExpireTogether(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const keys = 1500
		u := use(t, memory.Config{})
		for i := range keys {
			u.done(numbered("old", i), 1)
		}
		time.Sleep(time.Hour)
		u.stats(memory.Stats{Keys: keys, Bytes: keys})
		calls, before := 0, uint64(0)
		for before < keys {
			u.claim(numbered("new", calls), idempotency.Acquired)
			calls++
			now := u.store.Stats().Expired
			if now-before > 3 {
				t.Fatalf("one call removed %d records", now-before)
			}
			before = now
		}
		if calls > 2*keys {
			t.Errorf("it took %d calls to remove %d records", calls, keys)
		}
		u.stats(memory.Stats{Keys: int64(calls), Expired: keys})
	})
}

// TestMemory is alone with the heap: tests that are parallel run after it.
func TestMemory(t *testing.T) { //nolint:paralleltest // it measures the heap of the process
	const keys, size, limit = 50_000, 500, 750
	var now time.Duration
	empty := heap()
	store := memory.New(memory.Config{}, func() time.Duration { return now })
	u := user{t, store}
	for i := range keys {
		u.done(numbered("", i), size)
	}
	if got := (heap() - empty) / keys; got > limit {
		t.Errorf("an entry with a result of %d bytes takes %d, want %d at most", size, got, limit)
	}
	now += time.Hour
	for i := range keys {
		u.claim(numbered("", i), idempotency.Acquired)
		u.release(numbered("", i))
	}
	u.stats(memory.Stats{Expired: keys})
	if got := heap() - empty; got > 4<<20 { // of 30 MB; each shard keeps 8 KiB
		t.Errorf("after all have expired, %d bytes are in use", got)
	}
	for i := range 1000 {
		u.done(numbered("", i), 1000)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	if got := heap() - empty; got > 1<<20 {
		t.Errorf("after Close, %d bytes are in use", got)
	}
	runtime.KeepAlive(store)
}

// Results that are dropped take no memory, in however many sizes they came.
func TestMemoryOfDroppedResults(t *testing.T) { //nolint:paralleltest // it measures the heap of the process
	const keys, limit, perKey = 20_000, 1 << 20, 250
	empty := heap()
	u := use(t, memory.Config{MaxBytes: limit})
	for i := range keys {
		u.done(numbered("", i), 1+i%2000)
	}
	if got := u.store.Stats(); got.Bytes > limit || got.Dropped < keys*9/10 {
		t.Errorf("too few results are dropped: %+v", got)
	}
	if got := heap() - empty; got > keys*perKey+3*limit {
		t.Errorf("%d keys, and results of %d bytes at most, take %d", keys, limit, got)
	}
	runtime.KeepAlive(u.store)
}

// heap is how many bytes are in use once the garbage is collected.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
