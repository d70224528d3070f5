package middleware

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/portavoz/portavoz/middleware/call"
)

// TestBucketTableIsLikeAMap: it finds what a map finds, also of ids that all look for
// the same slot, that go round the end, and that come back after they were removed.
func TestBucketTableIsLikeAMap(t *testing.T) {
	t.Parallel()
	for name, id := range map[string]func(n uint64) uint64{
		"spread":       func(n uint64) uint64 { return n * 0x9E3779B97F4A7C15 },
		"in one place": func(n uint64) uint64 { return n },
		"at the end":   func(n uint64) uint64 { return math.MaxUint64 - n },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(1, 2))
			var table bucketTable
			want := map[uint64]*bucket{}
			for step := range 5_000 {
				n := id(1 + random.Uint64N(1+uint64(step)%300)) // few ids and many, in turn
				switch random.IntN(6) {
				case 0, 1, 2:
					b := newBucket(call.Limit{Every: time.Second, Burst: 1})
					table.put(n, b)
					want[n] = b
				case 3, 4:
					if got := table.remove(n); got != want[n] {
						t.Fatalf("step %d: removed %p, want %p", step, got, want[n])
					}
					delete(want, n)
				}
				if got := table.find(n); got != want[n] {
					t.Fatalf("step %d: found %p, want %p", step, got, want[n])
				}
				if step%500 == 0 {
					drop := map[*bucket]bool{}
					for id, b := range want {
						if drop[b] = random.IntN(2) == 0; drop[b] {
							delete(want, id)
						}
					}
					table.drop(func(b *bucket) bool { return drop[b] })
				}
				if table.count != len(want) || table.taken < table.count || 4*table.taken > 3*len(table.slots) {
					t.Fatalf("step %d: %d buckets in %d of %d slots, want %d", step, table.count, table.taken, len(table.slots), len(want))
				}
			}
			for id, b := range want {
				if got := table.find(id); got != b {
					t.Errorf("found %p, want %p", got, b)
				}
			}
		})
	}
}
