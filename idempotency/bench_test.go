package idempotency_test

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/memory"
)

// trivial is a store that costs next to nothing, so that what is measured is the
// engine.
type trivial struct {
	status idempotency.Status
	result []byte
}

func (s trivial) Claim(context.Context, idempotency.Claim) (idempotency.Answer, error) {
	return idempotency.Answer{Status: s.status, Result: s.result}, nil
}

func (trivial) Complete(context.Context, idempotency.Digest, string, []byte, time.Duration) error {
	return nil
}
func (trivial) Release(context.Context, idempotency.Digest, string) error { return nil }
func (trivial) Abandon(context.Context, idempotency.Digest, string) error { return nil }
func (trivial) Extend(context.Context, idempotency.Digest, string, time.Duration) error {
	return nil
}

// roomy returns a store that no benchmark fills.
func roomy(b *testing.B) idempotency.Store {
	b.Helper()
	store, err := memory.Ephemeral(memory.Config{MaxKeys: 1 << 30, MaxBytes: 1 << 30})
	if err != nil {
		b.Fatal(err)
	}
	return store
}

func BenchmarkEngineDo(b *testing.B) {
	result := make([]byte, 500)
	run := func(context.Context) idempotency.Settlement {
		return idempotency.Settlement{Verdict: idempotency.Keep, Result: result}
	}
	for _, bc := range []struct {
		name  string
		store func() idempotency.Store
	}{
		{"replay", func() idempotency.Store { return trivial{idempotency.Completed, result} }},
		{"first", func() idempotency.Store { return trivial{status: idempotency.Acquired} }},
		{"first/memory", func() idempotency.Store { return roomy(b) }},
	} {
		for _, goroutines := range []int{1, 8, 64} {
			b.Run(fmt.Sprintf("%s/%d", bc.name, goroutines), func(b *testing.B) {
				engine := newEngine(b, bc.store(), idempotency.Config{})
				op := operation("")
				b.ReportAllocs()
				parallel(b, goroutines, func(n uint64) {
					op := op
					op.Key = strconv.FormatUint(n, 36)
					if _, err := engine.Do(context.Background(), op, run); err != nil {
						b.Error(err)
					}
				})
			})
		}
	}
}

var benchmarked atomic.Uint64 // numbers that have been used, so that no key comes twice

// parallel calls f b.N times from so many goroutines, each time with another
// number.
func parallel(b *testing.B, goroutines int, f func(n uint64)) {
	b.Helper()
	var left atomic.Int64
	left.Store(int64(b.N))
	var all sync.WaitGroup
	b.ResetTimer()
	for range goroutines {
		all.Go(func() {
			for left.Add(-1) >= 0 {
				f(benchmarked.Add(1))
			}
		})
	}
	all.Wait()
}
