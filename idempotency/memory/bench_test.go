package memory_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/memory"
)

// Every benchmark has so many keys in the store, each with such a result.
const (
	resident   = 1_000_000
	resultSize = 500
)

// BenchmarkClaimComplete measures the two calls that a new key takes. Time goes
// on with them, so that for every key that comes another one expires.
func BenchmarkClaimComplete(b *testing.B) {
	f := fill(b)
	f.measure(b, func(i uint64) { f.run(b.Context(), i) })
}

// BenchmarkReplay measures the claim of a key that is completed, which copies
// the result.
func BenchmarkReplay(b *testing.B) {
	f := fill(b)
	f.measure(b, func(uint64) {
		a, err := f.store.Claim(b.Context(), claimBy(spread(rand.Uint64N(resident))))
		if err != nil || len(a.Result) != resultSize {
			b.Errorf("Claim = status %d, %d bytes, %v", a.Status, len(a.Result), err)
		}
	})
}

// BenchmarkExpireTogether measures claims of new keys when all others have just
// expired, until those are removed.
func BenchmarkExpireTogether(b *testing.B) {
	const claims = resident * 3 / 4
	took := make([]time.Duration, claims)
	for b.Loop() {
		b.StopTimer()
		f := fill(b)
		f.now.Add(2 * resident)
		b.StartTimer()
		for i := range took {
			begin := time.Now()
			a, err := f.store.Claim(b.Context(), claimBy(spread(resident+uint64(i))))
			took[i] = time.Since(begin)
			if err != nil || a.Status != idempotency.Acquired {
				b.Fatalf("Claim = status %d, %v", a.Status, err)
			}
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[claims/2]), "median-ns")
	b.ReportMetric(float64(took[claims-claims/10_000]), "p99.99-ns")
	b.ReportMetric(float64(took[claims-1]), "worst-ns")
}

// filled is a store with all keys in it.
type filled struct {
	testing.TB
	store  *memory.Store
	result []byte
	keys   uint64        // so far
	perKey float64       // bytes of the heap
	gc     time.Duration // of one garbage collection

	_   [64]byte     // what is written to often has a cache line to itself
	now atomic.Int64 // in keys
}

func fill(b *testing.B) *filled {
	b.Helper()
	before := heap()
	f := &filled{TB: b, result: make([]byte, resultSize)}
	start := time.Now()
	f.store = memory.New(memory.Config{MaxKeys: 2 * resident, MaxBytes: 1 << 40}, func() time.Duration {
		_ = time.Since(start) // as a store's own clock does
		return time.Duration(f.now.Load())
	})
	for f.keys < resident {
		f.run(b.Context(), f.keys)
		f.keys++
	}
	f.perKey = float64(heap()-before) / resident
	begin := time.Now()
	runtime.GC()
	f.gc = time.Since(begin)
	return f
}

func claimBy(key idempotency.Digest) idempotency.Claim {
	return idempotency.Claim{Key: key, Fingerprint: key, Token: "4BOPXRZ4GAQJZFLIUKP7HHPTGK", Lease: 1000, TTL: resident}
}

// run claims and completes a key.
func (f *filled) run(ctx context.Context, i uint64) {
	if i%64 == 0 {
		f.now.Add(64)
	}
	c := claimBy(spread(i))
	if a, err := f.store.Claim(ctx, c); err != nil || a.Status != idempotency.Acquired {
		f.Errorf("Claim = status %d, %v", a.Status, err)
	}
	if err := f.store.Complete(ctx, c.Key, c.Token, f.result, resident); err != nil {
		f.Errorf("Complete: %v", err)
	}
}

// measure shares the operations among goroutines. The key is a digest already,
// or a text of 64 bytes that is hashed as part of the operation.
func (f *filled) measure(b *testing.B, op func(i uint64)) {
	b.Helper()
	text := strings.Repeat("k", 64)
	for _, digest := range []string{"given", "hashed"} {
		for _, goroutines := range []int{1, 8, 64} {
			b.Run(fmt.Sprintf("digest=%s/goroutines=%d", digest, goroutines), func(b *testing.B) {
				b.ReportAllocs()
				b.ReportMetric(f.perKey, "B/entry")
				b.ReportMetric(float64(f.gc.Milliseconds()), "ms/GC")
				var all sync.WaitGroup
				for g := range goroutines {
					all.Go(func() {
						for i := g; i < b.N; i += goroutines { // b.Loop is for one goroutine
							if digest == "hashed" {
								_ = idempotency.NewDigest(text)
							}
							op(f.keys + uint64(i))
						}
					})
				}
				all.Wait()
				f.keys += uint64(b.N)
			})
		}
	}
}

// spread is a digest as good as any, made in a few nanoseconds: in a program the
// key comes with the request, and is not fetched from a table of a million.
func spread(i uint64) (d idempotency.Digest) {
	for word := range uint64(4) {
		z := (4*i + word + 1) * 0x9e3779b97f4a7c15 // splitmix64
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		binary.LittleEndian.PutUint64(d[8*word:], z^z>>31)
	}
	return d
}
