package memory_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/memory"
)

func TestMaxBytesDropsTheOldest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const results = 600 // more than two per shard
		u := use(t, memory.Config{MaxBytes: 10 * results})
		var names []string
		for i := range results {
			names = append(names, numbered("a", i))
			u.done(names[i], 10)
			time.Sleep(time.Nanosecond)
		}
		u.held(true, names...)
		u.stats(memory.Stats{Keys: results, Bytes: 10 * results})
		for i := range results {
			u.done(numbered("b", i), 10)
			u.held(false, names[i])
			u.held(true, numbered("b", i))
			if i+1 < results {
				u.held(true, names[i+1])
			}
			time.Sleep(time.Nanosecond)
		}
		u.stats(memory.Stats{Keys: 2 * results, Bytes: 10 * results, Dropped: results})
	})
}

func TestMaxBytesIsExact(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		sizes   []int // in the order of completion
		dropped []int // indexes of those whose result is gone
		bytes   int64
	}{
		"just full":                        {sizes: []int{30, 30, 40}, bytes: 100},
		"one byte too much":                {sizes: []int{30, 30, 40, 1}, dropped: []int{0}, bytes: 71},
		"room for the newest only":         {sizes: []int{30, 30, 40, 100}, dropped: []int{0, 1, 2}, bytes: 100},
		"as much as two":                   {sizes: []int{30, 30, 40, 60}, dropped: []int{0, 1}, bytes: 100},
		"longer than all the room":         {sizes: []int{30, 30, 40, 101}, dropped: []int{3}, bytes: 100},
		"empty results take no room":       {sizes: []int{0, 100, 0, 0, 100, 0}, dropped: []int{1}, bytes: 100},
		"the first is longer than allowed": {sizes: []int{101, 1}, dropped: []int{0}, bytes: 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				u := use(t, memory.Config{MaxBytes: 100})
				for i, n := range test.sizes {
					u.done(numbered("a", i), n)
					time.Sleep(time.Nanosecond)
				}
				for i := range test.sizes {
					u.held(!slices.Contains(test.dropped, i), numbered("a", i))
				}
				u.stats(memory.Stats{Keys: int64(len(test.sizes)), Bytes: test.bytes, Dropped: uint64(len(test.dropped))})
			})
		})
	}
}

func TestBytesAreGivenBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		u := use(t, memory.Config{MaxBytes: 100})
		u.done("a", 60)
		u.claim("b", idempotency.Acquired)
		u.complete("b", nil) // no result, and none that was dropped
		u.stats(memory.Stats{Keys: 2, Bytes: 60})
		time.Sleep(time.Hour)
		u.claim("a", idempotency.Acquired) // it has expired, and its result went with it
		u.complete("a", make([]byte, 100))
		u.held(true, "a")
		u.claim("b", idempotency.Acquired)
		u.stats(memory.Stats{Keys: 2, Bytes: 100, Expired: 2})
	})
}

// An expired record is removed where a result has to go: that is no loss.
func TestExpiredResultsAreNotDropped(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		u := use(t, memory.Config{MaxBytes: 100})
		u.claim("waiting", idempotency.Acquired)
		u.done("old", 100)
		u.claim("waiting", idempotency.Acquired)
		time.Sleep(30 * time.Minute)
		u.claim("waiting", idempotency.Acquired) // sent again, lives on
		time.Sleep(30 * time.Minute)
		u.complete("waiting", make([]byte, 100))
		u.stats(memory.Stats{Keys: 1, Bytes: 100, Expired: 1})
	})
}

// Nor do they push out an older result that lives longer.
func TestExpiredResultsMakeRoomFirst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		u := use(t, memory.Config{MaxBytes: 100})
		u.done("old", 50)
		time.Sleep(time.Second)
		u.claim("short", idempotency.Acquired)
		if err := u.store.Complete(t.Context(), idempotency.NewDigest("short"), "short", make([]byte, 50), time.Minute); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		u.done("new", 50)
		u.held(true, "old", "new")
		u.stats(memory.Stats{Keys: 2, Bytes: 100, Expired: 1})
	})
}
