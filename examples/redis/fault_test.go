package main_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/portavoz/portavoz/examples/internal/exampletest"
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
			p.delay(500 * time.Millisecond)
			var c idempotency.Claim
			exampletest.Eventually(t, "a claim that was made, and whose caller gave up", func() bool {
				c = newClaim()
				ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
				defer cancel()
				if got, err := s.Claim(ctx, c); err == nil {
					t.Fatalf("Claim = %+v, want the end of the context", got)
				}
				return redis.ask(t, "EXISTS", keyOf(c)) == ":1"
			})
			expect(t, direct, rival(c), idempotency.InProgress)
			p.pass()
			if err := s.Release(t.Context(), c.Key, c.Token); err != nil {
				t.Fatal(err)
			}
			expect(t, direct, rival(c), idempotency.Acquired)
		})
	}
}

// TestOutOfStep: a client whose connection is one answer behind hands out the
// answers to other people's questions. They are refused.
func TestOutOfStep(t *testing.T) {
	t.Parallel()
	redis := startRedis(t)
	network := startProxy(t, redis.addr)
	s := newStore(t, clients["rueidis"](t, network.addr)) // all callers share a connection
	var done [32]idempotency.Claim
	for i := range done {
		done[i] = newClaim()
		expect(t, s, done[i], idempotency.Acquired)
		complete(t, s, done[i], done[i].Token)
	}
	var answers atomic.Int64
	network.onAnswers(func() verdict {
		if answers.Add(1) == 1 {
			return skip
		}
		return pass
	})
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	var refused atomic.Int64
	var all sync.WaitGroup
	for _, c := range done {
		all.Go(func() {
			for ctx.Err() == nil {
				got, err := s.Claim(ctx, rival(c))
				switch {
				case err == nil && string(got.Result) != c.Token:
					t.Errorf("result = %q, want %q", got.Result, c.Token)
				case err != nil && strings.Contains(err.Error(), "out of step"):
					refused.Add(1)
				}
			}
		})
	}
	all.Wait()
	if refused.Load() == 0 {
		t.Error("no answer was refused: the client was in step")
	}
}

// TestPowerCut: a server that is killed, and comes back with its append-only file,
// has forgotten nothing that it acknowledged: if it syncs always, up to the last
// moment; if every second, up to two seconds before, for which it may put a write
// off until the disk is ready.
func TestPowerCut(t *testing.T) {
	t.Parallel()
	for fsync, calm := range map[string]time.Duration{"always": 0, "everysec": 3 * time.Second} {
		t.Run(fsync, func(t *testing.T) {
			t.Parallel()
			redis := startRedis(t, "--appendonly", "yes", "--appendfsync", fsync)
			s := newStore(t, clients["redigo"](t, redis.addr)) // which does not try again by itself
			work := record(t, s)
			exampletest.Eventually(t, "some operations", func() bool { return work.acknowledged.Load() > 500 })
			if calm > 0 {
				work.end()
				<-time.After(calm)
			}
			redis.kill(t)
			work.end()
			redis.restart(t)
			s = newStore(t, clients["redigo"](t, redis.addr)) // the other one has dead connections
			for _, c := range work.completed {
				if got := expect(t, s, rival(c), idempotency.Completed); string(got.Result) != c.Token {
					t.Fatalf("result = %q, want %q", got.Result, c.Token)
				}
			}
			for _, c := range work.claimed {
				if got, err := s.Claim(t.Context(), rival(c)); err != nil || got.Status == idempotency.Acquired {
					t.Fatalf("Claim = status %d, %v: the claim was forgotten", got.Status, err)
				}
			}
			t.Logf("%d completed and %d claimed operations survived", len(work.completed), len(work.claimed))
		})
	}
}

// work is what some callers do with a store until it fails or they are told to
// end.
type work struct {
	acknowledged atomic.Int64
	ended        atomic.Bool
	callers      sync.WaitGroup

	mu                 sync.Mutex
	claimed, completed []idempotency.Claim // what was acknowledged
}

func record(t *testing.T, s idempotency.Store) *work {
	t.Helper()
	w := new(work)
	for range 8 {
		w.callers.Go(func() {
			for !w.ended.Load() {
				c := newClaim()
				if _, err := s.Claim(t.Context(), c); err != nil {
					return
				}
				err := s.Complete(t.Context(), c.Key, c.Token, []byte(c.Token), c.TTL)
				w.mu.Lock()
				if err == nil {
					w.completed = append(w.completed, c)
				} else { // it may be completed all the same
					w.claimed = append(w.claimed, c)
				}
				w.mu.Unlock()
				w.acknowledged.Add(1)
			}
		})
	}
	return w
}

func (w *work) end() {
	w.ended.Store(true)
	w.callers.Wait()
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
	exampletest.Eventually(t, "the lease ends", func() bool {
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
