package main_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/portavoz/portavoz/idempotency"
)

// TestLostAnswer: the server did it, and the client never learnt of it. Whoever
// asks again, the client library or its caller, gets the same answer as if
// nothing had happened.
func TestLostAnswer(t *testing.T) {
	t.Parallel()
	for name, connect := range clients {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			redis := startRedis(t)
			p := startProxy(t, redis.addr)
			s := newStore(t, connect(t, p.addr))
			c := newClaim()
			for _, warm := range []idempotency.Claim{newClaim(), newClaim()} { // connections and scripts are there
				expect(t, s, warm, idempotency.Acquired)
				complete(t, s, warm, "")
			}

			twice(t, p, "Claim", func() error {
				got, err := s.Claim(t.Context(), c)
				if err == nil && got.Status != idempotency.Acquired {
					t.Fatalf("the claim that was sent again = status %d, want acquired", got.Status)
				}
				return err
			})
			expect(t, s, rival(c), idempotency.InProgress)
			twice(t, p, "Complete", func() error { return s.Complete(t.Context(), c.Key, c.Token, []byte("done"), c.TTL) })
			if got := expect(t, s, rival(c), idempotency.Completed); string(got.Result) != "done" {
				t.Errorf("result = %q, want done", got.Result)
			}

			given := newClaim()
			expect(t, s, given, idempotency.Acquired)
			twice(t, p, "Abandon", func() error { return s.Abandon(t.Context(), given.Key, given.Token) })
			expect(t, s, rival(given), idempotency.Abandoned)

			freed := newClaim()
			expect(t, s, freed, idempotency.Acquired)
			twice(t, p, "Release", func() error {
				err := s.Release(t.Context(), freed.Key, freed.Token)
				if errors.Is(err, idempotency.ErrNotOwner) {
					return nil // it was released the first time
				}
				return err
			})
			expect(t, s, rival(freed), idempotency.Acquired)
		})
	}
}

// twice makes a call whose answer gets lost, and makes it again unless the
// client did so itself.
func twice(t *testing.T, p *proxy, step string, call func() error) {
	t.Helper()
	p.loseAnswers(1)
	err := call()
	if err != nil {
		err = call()
	}
	if err != nil {
		t.Fatalf("%s, sent again: %v", step, err)
	}
	if p.lost() != 1 {
		t.Fatalf("%d answers were lost, want 1", p.lost())
	}
}

// TestLateAnswer: a caller who gave up waiting can take back a claim of which he
// does not know whether it was made.
func TestLateAnswer(t *testing.T) {
	t.Parallel()
	for name, connect := range clients {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			redis := startRedis(t)
			p := startProxy(t, redis.addr)
			s, direct := newStore(t, connect(t, p.addr)), newStore(t, clients["go-redis"](t, redis.addr))
			expect(t, s, newClaim(), idempotency.Acquired)
			c := newClaim()
			p.delay(500 * time.Millisecond)
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			defer cancel()
			if got, err := s.Claim(ctx, c); err == nil {
				t.Fatalf("Claim = %+v, want the end of the context", got)
			}
			expect(t, direct, rival(c), idempotency.InProgress)
			p.pass()
			if err := s.Release(t.Context(), c.Key, c.Token); err != nil {
				t.Fatal(err)
			}
			expect(t, direct, rival(c), idempotency.Acquired)
		})
	}
}

// TestPowerCut: with an append-only file, a server that is killed has forgotten
// nothing that it acknowledged.
func TestPowerCut(t *testing.T) {
	t.Parallel()
	for _, fsync := range []string{"everysec", "always"} {
		t.Run(fsync, func(t *testing.T) {
			t.Parallel()
			redis := startRedis(t, "--appendonly", "yes", "--appendfsync", fsync)
			s := newStore(t, clients["redigo"](t, redis.addr)) // which does not try again by itself
			var mu sync.Mutex
			var claimed, completed []idempotency.Claim
			var acknowledged atomic.Int64
			var all sync.WaitGroup
			for range 8 {
				all.Go(func() {
					for {
						c := newClaim()
						if _, err := s.Claim(t.Context(), c); err != nil {
							return // it was killed
						}
						err := s.Complete(t.Context(), c.Key, c.Token, []byte(c.Token), c.TTL)
						mu.Lock()
						if err == nil {
							completed = append(completed, c)
						} else { // it may be completed all the same
							claimed = append(claimed, c)
						}
						mu.Unlock()
						acknowledged.Add(1)
					}
				})
			}
			eventually(t, "some operations", func() bool { return acknowledged.Load() > 500 })
			redis.kill(t)
			all.Wait()
			redis.restart(t)
			for _, c := range completed {
				if got := expect(t, s, rival(c), idempotency.Completed); string(got.Result) != c.Token {
					t.Fatalf("result = %q, want %q", got.Result, c.Token)
				}
			}
			for _, c := range claimed {
				if got, err := s.Claim(t.Context(), rival(c)); err != nil || got.Status == idempotency.Acquired {
					t.Fatalf("Claim = status %d, %v: the claim was forgotten", got.Status, err)
				}
			}
			t.Logf("%d completed and %d claimed operations survived", len(completed), len(claimed))
		})
	}
}

// TestTakeover: an owner that was cut off for longer than its lease finds out.
func TestTakeover(t *testing.T) {
	t.Parallel()
	redis := startRedis(t)
	p := startProxy(t, redis.addr)
	cutOff, other := newStore(t, clients["go-redis"](t, p.addr)), newStore(t, clients["go-redis"](t, redis.addr))
	first := newClaim()
	first.Lease = 200 * time.Millisecond
	expect(t, cutOff, first, idempotency.Acquired)
	p.stall()
	second := rival(first)
	eventually(t, "the lease ends", func() bool {
		got, err := other.Claim(t.Context(), second)
		return err == nil && got.Status == idempotency.Abandoned
	})
	second.Takeover = true
	expect(t, other, second, idempotency.Acquired)
	p.pass()
	p.cut()
	if err := cutOff.Complete(t.Context(), first.Key, first.Token, []byte("late"), time.Hour); !errors.Is(err, idempotency.ErrNotOwner) {
		t.Errorf("Complete by the first owner = %v, want ErrNotOwner", err)
	}
	complete(t, other, second, "in time")
	if got := expect(t, cutOff, rival(first), idempotency.Completed); string(got.Result) != "in time" {
		t.Errorf("result = %q, want that of the second owner", got.Result)
	}
}
