package memory_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/memory"
)

// TestManyKeys runs random operations on thousands of keys, so that tables grow,
// and shards become large and empty again, against a plain map.
func TestManyKeys(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	var now time.Duration
	store := memory.New(memory.Config{}, func() time.Duration { return now })
	expires := map[string]time.Duration{}  // of the keys that were completed
	resultOf := func(name string) string { // of 0 to 400 bytes, or 2 to 8 KB
		n, _ := strconv.Atoi(name)
		return strings.Repeat(name+",", n%80*(1+n%100/99*20))
	}
	const keys = 15_000
	for wave := range 2 {
		for range keys {
			name := numbered("", random.IntN(keys))
			c := claimOf(name)
			got, err := store.Claim(t.Context(), c)
			want := idempotency.Acquired
			if expires[name] > now {
				want = idempotency.Completed
			}
			if err != nil || got.Status != want || (want == idempotency.Completed && string(got.Result) != resultOf(name)) {
				t.Fatalf("Claim(%s) = status %d, %.40q, %v, want status %d", name, got.Status, got.Result, err, want)
			}
			switch {
			case want == idempotency.Completed:
			case random.IntN(4) == 0:
				if err := store.Release(t.Context(), c.Key, name); err != nil {
					t.Fatalf("Release(%s): %v", name, err)
				}
			default:
				ttl := time.Duration(1 + random.IntN(keys))
				if err := store.Complete(t.Context(), c.Key, name, []byte(resultOf(name)), ttl); err != nil {
					t.Fatalf("Complete(%s): %v", name, err)
				}
				expires[name] = now + ttl
			}
			now++
		}
		if err := store.Check(); err != nil {
			t.Fatalf("wave %d: %v", wave, err)
		}
		now += 2 * keys // all expire, and are removed by and by
	}
}

// TestChaos runs the life of operations from many goroutines in a store with
// little room: no operation has two owners, no budget is exceeded at any time,
// and no result is another one's.
func TestChaos(t *testing.T) {
	t.Parallel()
	cfg := memory.Config{MaxKeys: 200, MaxBytes: 20_000}
	var now atomic.Int64
	store := memory.New(cfg, func() time.Duration { return time.Duration(now.Load()) })
	c := chaos{T: t, store: store, now: &now, owners: make([]atomic.Int32, 300)}

	watching, stop := context.WithCancel(t.Context())
	var watcher, all sync.WaitGroup
	watcher.Go(func() { c.watch(watching, cfg) })
	for range 64 {
		all.Go(func() {
			for range 500 {
				c.run(rand.IntN(len(c.owners)))
			}
		})
	}
	all.Wait()
	stop()
	watcher.Wait()
	if err := store.Check(); err != nil {
		t.Error(err)
	}
	if got := store.Stats(); got.Refused == 0 || got.Expired == 0 || got.Dropped == 0 {
		t.Errorf("nothing was tight enough: %+v", got)
	}
}

type chaos struct {
	*testing.T
	store  *memory.Store
	now    *atomic.Int64
	owners []atomic.Int32 // of each operation
}

func (c *chaos) watch(ctx context.Context, cfg memory.Config) {
	for ctx.Err() == nil {
		got := c.store.Stats()
		if got.Keys < 0 || got.Keys > int64(cfg.MaxKeys) || got.Bytes < 0 || got.Bytes > cfg.MaxBytes {
			c.Errorf("a budget is exceeded: %+v", got)
			return
		}
	}
}

// run claims one operation and ends it in a random way. A lease lasts longer
// than the whole test, and a completed operation a short time.
func (c *chaos) run(i int) {
	claim := idempotency.Claim{
		Key: idempotency.NewDigest("chaos", numbered("", i)), Fingerprint: idempotency.NewDigest(numbered("", i)),
		Token: strconv.FormatUint(rand.Uint64(), 10), Lease: time.Hour, TTL: 2 * time.Hour, Takeover: true,
	}
	want := bytes.Repeat(fmt.Appendf(nil, "%d,", i), 1+i%20*(1+i%5*20)) // of 2 bytes to 6 KB
	c.now.Add(1)
	got, err := c.store.Claim(c.Context(), claim)
	switch {
	case errors.Is(err, idempotency.ErrFull):
		return
	case err != nil:
		c.Errorf("Claim: %v", err)
		return
	case got.Status == idempotency.Completed && !got.Dropped && !bytes.Equal(got.Result, want):
		c.Errorf("operation %d has the result %.40q", i, got.Result)
	}
	if got.Status != idempotency.Acquired {
		return
	}
	if n := c.owners[i].Add(1); n != 1 {
		c.Errorf("operation %d has %d owners", i, n)
	}
	c.owners[i].Add(-1)
	switch rand.IntN(6) {
	case 0:
		err = c.store.Release(c.Context(), claim.Key, claim.Token)
	case 1:
		err = c.store.Abandon(c.Context(), claim.Key, claim.Token)
	case 2:
		err = c.store.Complete(c.Context(), claim.Key, claim.Token, nil, 100)
	default:
		result := slices.Clone(want)
		err = c.store.Complete(c.Context(), claim.Key, claim.Token, result, time.Duration(100+rand.IntN(1000)))
		clear(result)
	}
	if err != nil {
		c.Errorf("the owner of operation %d: %v", i, err)
	}
}

func TestCloseUnderLoad(t *testing.T) {
	t.Parallel()
	for range 20 {
		u := use(t, memory.Config{MaxKeys: 500, MaxBytes: 1000})
		var all sync.WaitGroup
		for g := range 8 {
			all.Go(func() {
				for i := range 200 {
					c := claimOf(numbered(numbered("", g%4)+"/", i))
					_, claimed := u.store.Claim(t.Context(), c)
					completed := u.store.Complete(t.Context(), c.Key, c.Token, []byte("result"), time.Hour)
					for _, err := range []error{claimed, completed} {
						if err != nil && !errors.Is(err, idempotency.ErrClosed) && !errors.Is(err, idempotency.ErrFull) &&
							!errors.Is(err, idempotency.ErrNotOwner) {
							t.Errorf("while closing: %v", err)
						}
					}
				}
			})
		}
		all.Go(func() { _ = u.store.Close() })
		all.Wait()
		got := u.store.Stats()
		if got.Keys != 0 || got.Bytes != 0 {
			t.Fatalf("after Close: %+v", got)
		}
	}
}
