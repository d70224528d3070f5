package main_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/redisstore"
	"github.com/portavoz/portavoz/idempotency/storetest"
)

func newStore(t testing.TB, do redisstore.Do, opts ...redisstore.Option) *redisstore.Store {
	t.Helper()
	store, err := redisstore.New(do, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// newClaim is a claim of an operation that nobody knows.
func newClaim() idempotency.Claim {
	return idempotency.Claim{
		Key: idempotency.NewDigest(rand.Text()), Fingerprint: idempotency.NewDigest("arguments"),
		Token: rand.Text(), Lease: time.Minute, TTL: time.Hour,
	}
}

// rival is the same claim by another owner.
func rival(c idempotency.Claim) idempotency.Claim {
	c.Token = rand.Text()
	return c
}

// expect claims, and wants this status.
func expect(t testing.TB, s idempotency.Store, c idempotency.Claim, want idempotency.Status) idempotency.Answer {
	t.Helper()
	got, err := s.Claim(t.Context(), c)
	if err != nil || got.Status != want {
		t.Fatalf("Claim = status %d, %v; want status %d", got.Status, err, want)
	}
	return got
}

func complete(t testing.TB, s idempotency.Store, c idempotency.Claim, result string) {
	t.Helper()
	if err := s.Complete(t.Context(), c.Key, c.Token, []byte(result), c.TTL); err != nil {
		t.Fatal(err)
	}
}

// keyOf is where the record of a claim is.
func keyOf(c idempotency.Claim) string { return fmt.Sprintf("portavoz:%x", c.Key) }

// TestStore: the contract of a store, through each client.
func TestStore(t *testing.T) {
	t.Parallel()
	needRedis(t)
	for name, connect := range clients {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			do := connect(t, startRedis(t).addr)
			storetest.Run(t, func(t *testing.T) idempotency.Store {
				t.Helper()
				return newStore(t, do)
			})
		})
	}
}

// TestRoundTrips: one command for each step, as soon as the server knows the
// scripts; one more for each of them after it forgot.
func TestRoundTrips(t *testing.T) {
	t.Parallel()
	for name, connect := range clients {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			redis := startRedis(t)
			s := newStore(t, connect(t, redis.addr))
			steps := func(first ...string) { // what each script takes when it runs first
				c, freed, given := newClaim(), newClaim(), newClaim()
				check := func(step string, want []string, f func()) {
					t.Helper()
					if got := redis.watch(t, f); !slices.Equal(got, want) {
						t.Errorf("%s took %v, want %v", step, got, want)
					}
				}
				later := []string{"EVALSHA"}
				check("a claim", first, func() { expect(t, s, c, idempotency.Acquired) })
				check("a claim that waits", later, func() { expect(t, s, rival(c), idempotency.InProgress) })
				check("an extension", first, func() { succeeds(t, s.Extend(t.Context(), c.Key, c.Token, time.Minute)) })
				check("a completion", first, func() { complete(t, s, c, "done") })
				check("a replay", later, func() { expect(t, s, rival(c), idempotency.Completed) })
				expect(t, s, freed, idempotency.Acquired)
				check("a release", first, func() { succeeds(t, s.Release(t.Context(), freed.Key, freed.Token)) })
				expect(t, s, given, idempotency.Acquired)
				check("an abandonment", first, func() { succeeds(t, s.Abandon(t.Context(), given.Key, given.Token)) })
			}
			redis.ask(t, "SCRIPT", "FLUSH")
			expect(t, s, newClaim(), idempotency.Acquired) // connects
			redis.ask(t, "SCRIPT", "FLUSH")
			steps("EVALSHA", "EVAL")
			steps("EVALSHA")
		})
	}
}

func succeeds(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
}

// TestKeys: one key for each operation, and it expires with the operation.
func TestKeys(t *testing.T) {
	t.Parallel()
	redis := startRedis(t)
	s := newStore(t, clients["go-redis"](t, redis.addr))
	c := newClaim()
	expect(t, s, c, idempotency.Acquired)
	complete(t, s, c, "done")
	if got := redis.ask(t, "DBSIZE"); got != ":1" {
		t.Errorf("DBSIZE = %s, want 1", got)
	}
	if got := redis.ask(t, "PTTL", keyOf(c)); got < ":3500000" || got > ":3600000" {
		t.Errorf("PTTL = %s, want an hour", got)
	}
	if left := expect(t, s, c, idempotency.Completed).TTLLeft; left < 59*time.Minute || left > time.Hour {
		t.Errorf("TTLLeft = %v, want an hour", left)
	}
	redis.ask(t, "PERSIST", keyOf(c))
	if left := expect(t, s, c, idempotency.Completed).TTLLeft; left != 0 {
		t.Errorf("TTLLeft = %v for a record that lives for ever, want nothing said", left)
	}
}

// TestFull: at the memory limit claims are refused, replays work, and what was
// claimed can be completed once there is room.
func TestFull(t *testing.T) {
	t.Parallel()
	for name, connect := range clients {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			redis := startRedis(t)
			s := newStore(t, connect(t, redis.addr))
			done, open := newClaim(), newClaim()
			expect(t, s, done, idempotency.Acquired)
			complete(t, s, done, "done")
			expect(t, s, open, idempotency.Acquired)

			redis.ask(t, "CONFIG", "SET", "maxmemory", "1")
			if got, err := s.Claim(t.Context(), newClaim()); !errors.Is(err, idempotency.ErrFull) || got.Status != 0 {
				t.Errorf("Claim = %+v, %v; want ErrFull", got, err)
			}
			if got := expect(t, s, rival(done), idempotency.Completed); string(got.Result) != "done" {
				t.Errorf("replay = %q, want done", got.Result)
			}
			if err := s.Complete(t.Context(), open.Key, open.Token, []byte("late"), time.Hour); !errors.Is(err, idempotency.ErrFull) {
				t.Errorf("Complete = %v, want ErrFull", err)
			}
			expect(t, s, rival(open), idempotency.InProgress)
			redis.ask(t, "CONFIG", "SET", "maxmemory", "0")
			complete(t, s, open, "late")
			expect(t, s, rival(open), idempotency.Completed)
		})
	}
}

// TestContext: a server that is silent keeps nobody beyond his deadline.
func TestContext(t *testing.T) {
	t.Parallel()
	for name, connect := range clients {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			redis := startRedis(t)
			p := startProxy(t, redis.addr)
			s := newStore(t, connect(t, p.addr))
			expect(t, s, newClaim(), idempotency.Acquired)
			p.stall()
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			defer cancel()
			begin := time.Now()
			_, err := s.Claim(ctx, newClaim())
			if passed := time.Since(begin); err == nil || passed > patience/10 {
				t.Errorf("Claim = %v after %v, want an error after 100 ms", err, passed)
			}
		})
	}
}

// TestCheck asks real servers.
func TestCheck(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		args []string
		want string // kinds
	}{
		"as it comes": {nil, "persistence"},
		"hardened":    {[]string{"--appendonly", "yes", "--maxmemory", "100mb"}, ""},
		"a cache":     {[]string{"--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru"}, "eviction persistence"},
		"volatile":    {[]string{"--appendonly", "yes", "--maxmemory-policy", "volatile-ttl"}, "eviction"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			redis := startRedis(t, tt.args...)
			for client, connect := range clients {
				warnings, err := redisstore.Check(t.Context(), connect(t, redis.addr))
				var kinds []string
				for _, w := range warnings {
					kinds = append(kinds, w.Kind)
				}
				if got := strings.Join(kinds, " "); err != nil || got != tt.want {
					t.Errorf("%s: Check = %v, %v; want %q", client, warnings, err, tt.want)
				}
			}
		})
	}
}
