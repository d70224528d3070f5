package main_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"testing"
	"time"

	"github.com/portavoz/portavoz/idempotency"
)

// BenchmarkPairs is a claim and a completion with 500 bytes, beside what the same
// client does bare: SET NX and SET. Each runs with one caller and with 64, on a
// Redis on this machine that keeps nothing on disk.
func BenchmarkPairs(b *testing.B) {
	redis := startRedis(b)
	result := make([]byte, 500)
	for name, connect := range clients {
		do := connect(b, redis.addr)
		s := newStore(b, do)
		pairs := map[string]func(context.Context) error{
			"bare": func(ctx context.Context) error {
				key := "bare:" + rand.Text()
				if _, err := do(ctx, "SET", key, "claimed", "NX", "PX", "3600000"); err != nil {
					return err
				}
				_, err := do(ctx, "SET", key, string(result), "PX", "3600000")
				return err
			},
			"store": func(ctx context.Context) error {
				c := newClaim()
				if _, err := s.Claim(ctx, c); err != nil {
					return err
				}
				return s.Complete(ctx, c.Key, c.Token, result, c.TTL)
			},
		}
		for kind, pair := range pairs {
			for _, callers := range []int{1, 64} {
				b.Run(fmt.Sprintf("%s/%s/%d", name, kind, callers), func(b *testing.B) {
					measure(b, callers, "pairs/s", pair)
				})
			}
		}
	}
}

// BenchmarkReplay is a claim that finds 500 bytes, beside a bare GET.
func BenchmarkReplay(b *testing.B) {
	redis := startRedis(b)
	for name, connect := range clients {
		do := connect(b, redis.addr)
		s := newStore(b, do)
		c := newClaim()
		expect(b, s, c, idempotency.Acquired)
		complete(b, s, c, string(make([]byte, 500)))
		asks := map[string]func(context.Context) error{
			"bare":  func(ctx context.Context) error { _, err := do(ctx, "GET", keyOf(c)); return err },
			"store": func(ctx context.Context) error { _, err := s.Claim(ctx, c); return err },
		}
		for kind, ask := range asks {
			b.Run(fmt.Sprintf("%s/%s/64", name, kind), func(b *testing.B) { measure(b, 64, "replays/s", ask) })
		}
	}
}

// measure runs f in callers at a time, and reports how often a second.
func measure(b *testing.B, callers int, unit string, f func(context.Context) error) {
	b.Helper()
	b.ReportAllocs()
	turns := make(chan struct{}, callers)
	failed := make(chan error, callers)
	for range callers {
		go func() {
			var err error
			for range turns {
				if err == nil {
					err = f(b.Context())
				}
			}
			failed <- err
		}()
	}
	begin := time.Now()
	n := 0
	for b.Loop() {
		turns <- struct{}{}
		n++
	}
	close(turns)
	for range callers {
		if err := <-failed; err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n)/time.Since(begin).Seconds(), unit)
}
