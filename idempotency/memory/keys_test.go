package memory_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/memory"
)

func TestMaxKeys(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		u := use(t, memory.Config{MaxKeys: 4})
		u.claim("running", idempotency.Acquired)
		u.claim("abandoned", idempotency.Acquired)
		if err := u.store.Abandon(t.Context(), idempotency.NewDigest("abandoned"), "abandoned"); err != nil {
			t.Fatal(err)
		}
		u.done("done", 3)
		u.done("empty", 0)
		u.refused("new", idempotency.ErrFull)
		u.refused("new", idempotency.ErrFull)
		u.stats(memory.Stats{Keys: 4, Bytes: 3, Refused: 2})

		// What is known already is served as before.
		u.claim("running", idempotency.Acquired)
		u.claim("abandoned", idempotency.Abandoned)
		u.held(true, "done", "empty")
		takeover := claimOf("abandoned")
		takeover.Token, takeover.Takeover = "second", true
		if got, err := u.store.Claim(t.Context(), takeover); err != nil || got.Status != idempotency.Acquired {
			t.Errorf("takeover in a full store: status %d, %v", got.Status, err)
		}
		u.complete("running", []byte("it fits"))
		u.held(true, "running")
		u.refused("new", idempotency.ErrFull)
	})
}

func TestMaxKeysAfterRelease(t *testing.T) {
	t.Parallel()
	u := use(t, memory.Config{MaxKeys: 1})
	for i := range 10 {
		u.claim(numbered("a", i), idempotency.Acquired)
		u.refused("new", idempotency.ErrFull)
		u.release(numbered("a", i))
	}
	u.stats(memory.Stats{Refused: 10})
}

// A record of any shard makes room as soon as it has expired, and not before.
func TestMaxKeysAfterExpiry(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const keys = 300 // more than there are shards
		u := use(t, memory.Config{MaxKeys: keys})
		for i := range keys {
			u.done(numbered("old", i), 1)
			time.Sleep(time.Second)
		}
		time.Sleep(time.Hour - keys*time.Second - time.Millisecond)
		for i := range keys {
			u.refused(numbered("new", i), idempotency.ErrFull)
			time.Sleep(time.Millisecond)
			u.claim(numbered("new", i), idempotency.Acquired)
			u.refused("one more", idempotency.ErrFull)
			time.Sleep(time.Second - time.Millisecond)
		}
		u.stats(memory.Stats{Keys: keys, Refused: 2 * keys, Expired: keys})
	})
}

func TestMaxKeysUnderConcurrency(t *testing.T) {
	t.Parallel()
	const keys, goroutines = 100, 64
	u := use(t, memory.Config{MaxKeys: keys})
	var acquired, refused atomic.Int64
	var all sync.WaitGroup
	for g := range goroutines {
		all.Go(func() {
			for i := range 2 * keys / goroutines * 10 {
				got, err := u.store.Claim(t.Context(), claimOf(numbered(numbered("", g)+"/", i)))
				switch {
				case errors.Is(err, idempotency.ErrFull):
					refused.Add(1)
				case err != nil || got.Status != idempotency.Acquired:
					t.Errorf("Claim = status %d, %v", got.Status, err)
				default:
					acquired.Add(1)
				}
			}
		})
	}
	all.Wait()
	if acquired.Load() != keys {
		t.Errorf("%d claims were acquired, want %d", acquired.Load(), keys)
	}
	u.stats(memory.Stats{Keys: keys, Refused: uint64(refused.Load())})
}
