package memory_test

import (
	"fmt"
	"math/rand/v2"
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
	keySize    = 64
)

// BenchmarkClaimComplete measures the two calls that a new key takes. Time goes
// on by a tick with each, so that for every key that comes another one expires.
func BenchmarkClaimComplete(b *testing.B) {
	f := fill(b)
	next := atomic.Uint64{}
	next.Store(resident)
	f.measure(b, func(key func(i uint64) idempotency.Digest) {
		f.run(key(next.Add(1)))
	})
}

// BenchmarkReplay measures the claim of a key that is completed, which copies
// the result.
func BenchmarkReplay(b *testing.B) {
	f := fill(b)
	f.measure(b, func(key func(i uint64) idempotency.Digest) {
		a, err := f.store.Claim(b.Context(), claimBy(key(rand.Uint64N(resident))))
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
			a, err := f.store.Claim(b.Context(), claimBy(keys().digest(resident+uint64(i)%spare)))
			took[i] = time.Since(begin)
			if err != nil || a.Status == idempotency.Completed {
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
	now    atomic.Int64 // in ticks
	result []byte
	perKey float64 // bytes of the heap
}

func fill(b *testing.B) *filled {
	b.Helper()
	k := keys()
	before := heap()
	f := &filled{TB: b, result: make([]byte, resultSize)}
	start := time.Now()
	f.store = memory.New(memory.Config{MaxKeys: resident + spare, MaxBytes: 1 << 40}, func() time.Duration {
		_ = time.Since(start) // as a store's own clock does
		return time.Duration(f.now.Load())
	})
	for i := range uint64(resident) {
		f.run(k.digest(i))
	}
	f.perKey = float64(heap()-before) / resident
	return f
}

func claimBy(key idempotency.Digest) idempotency.Claim {
	return idempotency.Claim{Key: key, Fingerprint: key, Token: "4BOPXRZ4GAQJZFLIUKP7HHPTGK", Lease: 1000, TTL: resident}
}

// run claims and completes.
func (f *filled) run(key idempotency.Digest) {
	f.now.Add(1)
	c := claimBy(key)
	if a, err := f.store.Claim(f.Context(), c); err != nil || a.Status != idempotency.Acquired {
		f.Errorf("Claim = status %d, %v", a.Status, err)
	}
	if err := f.store.Complete(f.Context(), c.Key, c.Token, f.result, resident); err != nil {
		f.Errorf("Complete: %v", err)
	}
}

// measure shares the operations among goroutines. Keys are digests already, or
// are hashed as part of the operation.
func (f *filled) measure(b *testing.B, op func(key func(i uint64) idempotency.Digest)) {
	b.Helper()
	for _, digest := range []string{"given", "hashed"} {
		key := keys().digest
		if digest == "hashed" {
			key = keys().hash
		}
		for _, goroutines := range []int{1, 8, 64} {
			b.Run(fmt.Sprintf("digest=%s/goroutines=%d", digest, goroutines), func(b *testing.B) {
				b.ReportAllocs()
				b.ReportMetric(f.perKey, "B/entry")
				var all sync.WaitGroup
				for g := range goroutines {
					all.Go(func() {
						for i := g; i < b.N; i += goroutines { // not b.Loop, which is for one goroutine
							op(key)
						}
					})
				}
				all.Wait()
			})
		}
	}
}

// spare keys beyond those that are resident: a key that is used again has
// expired long ago.
const spare = resident / 2

// keyring is all keys, as texts one after the other and as digests.
type keyring struct {
	texts   string
	digests []idempotency.Digest
}

var keys = sync.OnceValue(func() keyring {
	var texts strings.Builder
	for i := range resident + spare {
		fmt.Fprintf(&texts, "%0*d", keySize, i)
	}
	k := keyring{texts: texts.String(), digests: make([]idempotency.Digest, resident+spare)}
	for i := range k.digests {
		k.digests[i] = k.hash(uint64(i))
	}
	return k
})

func (k keyring) digest(i uint64) idempotency.Digest { return k.digests[i%(resident+spare)] }

func (k keyring) hash(i uint64) idempotency.Digest {
	at := i % (resident + spare) * keySize
	return idempotency.NewDigest(k.texts[at : at+keySize])
}
