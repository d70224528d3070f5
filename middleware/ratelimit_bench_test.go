package middleware_test

import (
	"context"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/call"
)

// BenchmarkRateLimit counts calls of a million keys that were seen before, at 8
// goroutines on 2 processors. B/key is the heap that a key takes, all in; the
// keys themselves, which the limiter does not keep, are left out.
//
// "call" is the middleware around a handler that does nothing, inside of one
// that has made the call record.
func BenchmarkRateLimit(b *testing.B) {
	const keys = 1_000_000
	limit := call.Rate(100, time.Second, 1_000_000)
	names := make([]string, keys)
	for i := range names {
		names[i] = nth("credential-of-36-characters-", 10_000_000+i)
	}
	before := heap()
	l := middleware.NewLimiter(middleware.LimiterConfig{MaxBuckets: 2 * keys})
	for _, name := range names {
		take(b.Context(), b, l, name, limit)
	}
	perKey, ctx := float64(heap()-before)/keys, context.Background()
	parallel := func(b *testing.B, one func(random *rand.Rand)) {
		b.Helper()
		b.SetParallelism(max(8/runtime.GOMAXPROCS(0), 1))
		b.ReportAllocs()
		b.ResetTimer()
		b.RunParallel(func(pb *testing.PB) {
			random := rand.New(rand.NewPCG(rand.Uint64(), 1))
			for pb.Next() {
				one(random)
			}
		})
		b.ReportMetric(perKey, "B/key")
	}
	charge := func(key string) call.Charge {
		return call.Charge{Key: key, Buckets: [call.Buckets]call.Bucket{{Limit: limit, Cost: 1}}}
	}

	b.Run("keys", func(b *testing.B) {
		parallel(b, func(random *rand.Rand) {
			_, _ = l.Take(ctx, charge(names[random.IntN(keys)]))
		})
	})
	b.Run("hot key", func(b *testing.B) {
		parallel(b, func(*rand.Rand) { _, _ = l.Take(ctx, charge("asixto")) })
	})
	b.Run("three budgets", func(b *testing.B) {
		parallel(b, func(random *rand.Rand) {
			c := charge(names[random.IntN(keys/1000)])
			c.Buckets[call.OfConversation] = call.Bucket{Name: names[random.IntN(100)], Limit: limit, Cost: 1}
			c.Buckets[call.OfTool] = call.Bucket{Name: "abrir_caso_soporte", Limit: limit, Cost: 1}
			_, _ = l.Take(ctx, c)
		})
	})
	b.Run("call", func(b *testing.B) {
		h := middleware.RateLimit(limit, middleware.RateLimitConfig{
			Limiter: l,
			Key:     func(ctx context.Context, _ *middleware.Record) string { return ctx.Value(benchKey{}).(string) },
		})(func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, nil })
		var made context.Context
		_, _ = middleware.Metadata(call.Keys{})(func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			made = ctx
			return nil, nil
		})(context.Background(), request(nil))
		contexts := make([]context.Context, keys)
		for i, name := range names {
			contexts[i] = context.WithValue(made, benchKey{}, name)
		}
		req := request(nil)
		parallel(b, func(random *rand.Rand) {
			_, _ = h(contexts[random.IntN(keys)], req)
		})
	})
}

type benchKey struct{}

// heap is what is in use after a collection.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
