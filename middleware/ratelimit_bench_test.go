package middleware_test

import (
	"context"
	"hash/maphash"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/call"
)

// BenchmarkRateLimit counts calls of a million keys that were seen before, at 8
// goroutines. B/key is the heap that a key takes, all in, at its worst: when every
// key has just moved to the young generation, whose table has grown as large as
// the old one. The keys themselves are not kept.
//
// A server has just read the request that brings a key, so each goroutine reads its
// next 64 keys before it asks for them. "nothing" is what that and the rest of the
// measuring takes. "call" is the middleware around a handler that does nothing, inside
// of one that has made the call record.
func BenchmarkRateLimit(b *testing.B) {
	const keys = 1_000_000
	limit := call.Rate(100, time.Second, 1_000_000)
	names := make([]string, keys)
	for i := range names {
		names[i] = nth("credential-of-36-characters-", 10_000_000+i)
	}
	before := heap()
	l := middleware.NewLimiter(middleware.LimiterConfig{MaxBuckets: 2 * keys})
	perKey := 0.0
	for range 3 {
		for _, name := range names {
			take(b.Context(), b, l, name, limit)
		}
		perKey = max(perKey, float64(heap()-before)/keys)
	}
	ctx := context.Background()
	seed := maphash.MakeSeed()
	parallel := func(b *testing.B, one func(name string)) {
		b.Helper()
		b.SetParallelism(max(8/runtime.GOMAXPROCS(0), 1))
		b.ReportAllocs()
		b.ResetTimer()
		b.RunParallel(func(pb *testing.PB) {
			random := rand.New(rand.NewPCG(rand.Uint64(), 1))
			var next [64]string
			for i := 0; pb.Next(); i++ {
				if i%len(next) == 0 {
					for j := range next {
						next[j] = names[random.IntN(keys)]
						maphash.String(seed, next[j])
					}
				}
				one(next[i%len(next)])
			}
		})
		b.ReportMetric(perKey, "B/key")
	}
	charge := func(key string) call.Charge {
		return call.Charge{Key: key, Buckets: [call.Buckets]call.Bucket{{Limit: limit, Cost: 1}}}
	}

	b.Run("nothing", func(b *testing.B) {
		parallel(b, func(string) {})
	})
	b.Run("keys", func(b *testing.B) {
		parallel(b, func(name string) { _, _ = l.Take(ctx, charge(name)) })
	})
	b.Run("hot key", func(b *testing.B) {
		parallel(b, func(string) { _, _ = l.Take(ctx, charge("asixto")) })
	})
	b.Run("three budgets", func(b *testing.B) {
		parallel(b, func(string) {
			c := charge(names[rand.IntN(keys/1000)])
			c.Buckets[call.OfConversation] = call.Bucket{Name: names[rand.IntN(100)], Limit: limit, Cost: 1}
			c.Buckets[call.OfTool] = call.Bucket{Name: "abrir_caso_soporte", Limit: limit, Cost: 1}
			_, _ = l.Take(ctx, c)
		})
	})
	b.Run("call", func(b *testing.B) {
		h := middleware.RateLimit(limit, middleware.RateLimitConfig{
			Limiter: l,
			Key:     func(context.Context, *middleware.Record) string { return names[rand.IntN(keys)] },
		})(nothing)
		_, _ = middleware.Metadata(call.Keys{})(func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			parallel(b, func(string) { _, _ = h(ctx, req) })
			return nil, nil
		})(ctx, request(nil))
	})
}

func nothing(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, nil }

// heap is what is in use after a collection.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
