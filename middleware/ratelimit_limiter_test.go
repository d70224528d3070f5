package middleware_test

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/call"
)

// take pays one unit from the key's own budget.
func take(ctx context.Context, t testing.TB, l call.Limiter, key string, limit call.Limit) bool {
	t.Helper()
	v, err := l.Take(ctx, call.Charge{Key: key, Buckets: [call.Buckets]call.Bucket{{Limit: limit, Cost: 1}}})
	if err != nil {
		t.Fatalf("the limiter failed: %v", err)
	}
	return v.Allowed()
}

func nth(prefix string, n int) string { return prefix + strconv.Itoa(n) }

// TestLimiterForgetsNobodyWhoOwes: 1,000 keys have spent all, others come in
// their crowds, and the limits of both change meanwhile.
func TestLimiterForgetsNobodyWhoOwes(t *testing.T) {
	t.Parallel()
	flood := 50_000
	if os.Getenv("PORTAVOZ_LONG") != "" {
		flood = 1_000_000
	}
	synctest.Test(t, func(t *testing.T) {
		const debtors = 1000
		var (
			l      = middleware.NewLimiter(middleware.LimiterConfig{MaxBuckets: 4 * flood})
			ctx    = t.Context()
			slow   = call.Rate(1, time.Hour, 60)
			fast   = call.Rate(100, time.Second, 100)
			begun  = time.Now()
			resets = 0
		)
		for i := range debtors {
			for range slow.Burst {
				take(ctx, t, l, nth("debtor", i), slow)
			}
		}
		// Two hours of strangers: 2 units come back to each debtor, and no more.
		for i := range flood {
			if i%(flood/100) == 0 {
				time.Sleep(72 * time.Second)
			}
			switch { // the limits change at run time: 50 minutes in, and back
			case i == flood*4/10:
				slow, fast = call.Rate(1, time.Hour, 30), call.Rate(50, time.Second, 10)
			case i == flood*6/10:
				slow, fast = call.Rate(1, time.Hour, 60), call.Rate(100, time.Second, 100)
			}
			take(ctx, t, l, nth("stranger", i), fast)
			if i%5 == 0 { // some of the debtors try all the time, some never
				take(ctx, t, l, nth("debtor", i%(debtors/2)), slow)
			}
		}
		if got := time.Since(begun); got != 2*time.Hour {
			t.Fatalf("the flood took %v", got)
		}
		for i := range debtors {
			got := 0
			for take(ctx, t, l, nth("debtor", i), slow) {
				got++
			}
			if got > 2 {
				resets++
			}
		}
		if resets != 0 {
			t.Errorf("%d of %d debtors had their debt forgotten", resets, debtors)
		}
	})
}

// TestLimiterForgetsTheIdle: what owes nothing goes, as soon as somebody calls.
func TestLimiterForgetsTheIdle(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := middleware.NewLimiter(middleware.LimiterConfig{})
		limit := call.Rate(10, time.Second, 100) // full after 10 s
		for i := range 10_000 {
			take(t.Context(), t, l, nth("k", i), limit)
		}
		if got := middleware.BucketsOf(l); got != 10_000 {
			t.Fatalf("%d buckets, want 10,000", got)
		}
		for range 3 {
			time.Sleep(limit.Refill())
			take(t.Context(), t, l, "one", limit)
		}
		if got := middleware.BucketsOf(l); got != 1 {
			t.Errorf("%d buckets after two periods of rest, want the one that is used", got)
		}
	})
}

// TestLimiterIsFlatUnderATrickle: memory follows what came in two periods, not
// what ever came.
func TestLimiterIsFlatUnderATrickle(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := middleware.NewLimiter(middleware.LimiterConfig{})
		limit := call.Rate(10, time.Second, 20) // full after 2 s
		most := 0
		for i := range 20_000 { // 1,000 new keys a second
			time.Sleep(time.Millisecond)
			take(t.Context(), t, l, nth("k", i), limit)
			if i%500 == 0 {
				most = max(most, middleware.BucketsOf(l))
			}
		}
		if most < 1000 || most > 4010 {
			t.Errorf("%d buckets at most, want what came in two periods, 4,000", most)
		}
	})
}

// TestLimiterAtItsCap: strangers share, whoever is known keeps what is his, and
// those who owe nothing make room.
func TestLimiterAtItsCap(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const room = 6400
		l := middleware.NewLimiter(middleware.LimiterConfig{MaxBuckets: room})
		slow := call.Rate(1, time.Hour, 10)
		known := func(i int) string { return nth("known", i) }
		for i := range 1000 {
			for range slow.Burst - 1 {
				take(t.Context(), t, l, known(i), slow)
			}
		}
		allowed := 0
		for i := range 50_000 {
			if take(t.Context(), t, l, nth("stranger", i), slow) {
				allowed++
			}
		}
		if got := middleware.BucketsOf(l); got != room {
			t.Errorf("%d buckets, want %d", got, room)
		}
		// Each newcomer for whom there was room, and the overflow of 64 shards.
		if want := (room - 1000) + 64*slow.Burst; allowed != want {
			t.Errorf("%d strangers got through, want %d", allowed, want)
		}
		for i := range 1000 {
			if !take(t.Context(), t, l, known(i), slow) || take(t.Context(), t, l, known(i), slow) {
				t.Fatalf("%s did not have the one unit that was left", known(i))
			}
		}
		time.Sleep(time.Hour) // strangers owe nothing now, the known owe 9
		for i := range 100 {
			for range slow.Burst {
				if !take(t.Context(), t, l, nth("new", i), slow) {
					t.Fatal("a newcomer found no room where others owe nothing")
				}
			}
		}
	})
}

// TestLimiterAtItsCapKeepsTheSlowest: strangers who share a bucket have limits of their
// own, and none gets more than his for the others' sake.
func TestLimiterAtItsCapKeepsTheSlowest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := middleware.NewLimiter(middleware.LimiterConfig{MaxBuckets: 1}) // one bucket in each shard
		slow, fast := call.Rate(1, time.Hour, 2), call.Rate(100, time.Second, 100)
		for i := range 5000 { // so many that each shard has one who owes
			take(t.Context(), t, l, nth("known", i), call.Rate(1, 24*time.Hour, 2))
		}
		of := func(tool string, limit call.Limit) bool {
			c := call.Charge{Key: "stranger"}
			c.Buckets[call.OfTool] = call.Bucket{Name: tool, Limit: limit, Cost: 1}
			v, err := l.Take(t.Context(), c)
			return err == nil && v.Allowed()
		}
		passed := map[string]int{}
		for range 1000 { // ten seconds
			for tool, limit := range map[string]call.Limit{"lenta": slow, "rapida": fast} {
				if of(tool, limit) {
					passed[tool]++
				}
			}
			time.Sleep(10 * time.Millisecond)
		}
		if passed["lenta"] > slow.Burst || passed["lenta"]+passed["rapida"] == 0 {
			t.Errorf("%v calls got through, want %d of the slow tool at most", passed, slow.Burst)
		}
		time.Sleep(2 * time.Hour) // the bucket that they share owes nothing now
		rested := 0
		for range 200 {
			if of("rapida", fast) {
				rested++
			}
		}
		if rested != fast.Burst {
			t.Errorf("after a rest %d calls of the fast tool got through, want %d", rested, fast.Burst)
		}
	})
}

// TestLimiterCleansBeforeItLooks: a bucket that is full when the shard makes room
// is paid from by the same call, and that must not be lost.
func TestLimiterCleansBeforeItLooks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := middleware.NewLimiter(middleware.LimiterConfig{MaxBuckets: 1}) // one bucket in each shard
		limit := call.Rate(1, time.Hour, 5)
		take(t.Context(), t, l, "asixto", limit)
		time.Sleep(time.Hour)
		c := call.Charge{Key: "asixto"}
		c.Buckets[call.OfKey] = call.Bucket{Limit: limit, Cost: 3}
		c.Buckets[call.OfConversation] = call.Bucket{Name: "cnv", Limit: limit, Cost: 1}
		if v, _ := l.Take(t.Context(), c); !v.Allowed() {
			t.Fatalf("got %+v, want it paid", v)
		}
		left := 0
		for take(t.Context(), t, l, "asixto", limit) {
			left++
		}
		if left != 2 {
			t.Errorf("%d units are left, want 2", left)
		}
	})
}

// TestLimiterConcurrently: of calls at the same instant no more get through than
// the burst, from all budgets together.
func TestLimiterConcurrently(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := middleware.NewLimiter(middleware.LimiterConfig{})
		limit := call.Rate(1, time.Hour, 500)
		var allowed, refused atomic.Int64
		var group sync.WaitGroup
		for g := range 8 {
			group.Go(func() {
				for i := range 500 {
					c := call.Charge{Key: "asixto"}
					c.Buckets[call.OfKey] = call.Bucket{Limit: limit, Cost: 1}
					c.Buckets[call.OfConversation] = call.Bucket{Name: nth("cnv", (g+i)%4), Limit: limit.Part(0.5), Cost: 1}
					c.Buckets[call.OfTool] = call.Bucket{Name: "t", Limit: call.Rate(1, time.Hour, 450), Cost: 1}
					if v, _ := l.Take(t.Context(), c); v.Allowed() {
						allowed.Add(1)
					} else {
						refused.Add(1)
					}
				}
			})
		}
		group.Wait()
		if allowed.Load() != 450 || refused.Load() != 4000-450 {
			t.Errorf("%d allowed and %d refused, want 450 and %d", allowed.Load(), refused.Load(), 4000-450)
		}
		for i := range 50 { // what the refused did not pay is there
			if !take(t.Context(), t, l, "asixto", limit) {
				t.Fatalf("the key had %d units left, want 50", i)
			}
		}
	})
}

// TestLimiterChangesUnderLoad: while eight callers spend, the limit jumps between a
// large one and a small one. Nobody is given a unit for that, and after a rest there is
// all that the large one gives.
func TestLimiterChangesUnderLoad(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const large, small = 500, 40
		l := middleware.NewLimiter(middleware.LimiterConfig{})
		var burst, allowed atomic.Int64
		var callers, changes sync.WaitGroup
		burst.Store(large)
		ended := make(chan struct{})
		changes.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-ended:
					return
				default:
					burst.Store([...]int64{large, small}[i%2])
				}
			}
		})
		for range 8 {
			callers.Go(func() {
				for range 500 {
					if take(t.Context(), t, l, "asixto", call.Rate(1, time.Hour, int(burst.Load()))) {
						allowed.Add(1)
					}
				}
			})
		}
		callers.Wait()
		close(ended)
		changes.Wait()
		if got := allowed.Load(); got < small || got > large {
			t.Errorf("%d calls were allowed, want %d to %d", got, small, large)
		}
		for _, burst := range []int{small, large} {
			if take(t.Context(), t, l, "asixto", call.Rate(1, time.Hour, burst)) {
				t.Errorf("under a burst of %d there was a unit left or given anew", burst)
			}
		}
		time.Sleep(large * time.Hour)
		full := 0
		for take(t.Context(), t, l, "asixto", call.Rate(1, time.Hour, large)) {
			full++
		}
		if full != large {
			t.Errorf("after a rest %d calls were allowed, want %d", full, large)
		}
	})
}

// TestLimiterGivesNothingForTimeThatStepsBack: calls that overtake each other are
// not counted by two clocks.
func TestLimiterGivesNothingForTimeThatStepsBack(t *testing.T) {
	t.Parallel()
	l := middleware.NewLimiter(middleware.LimiterConfig{})
	c := call.Charge{Key: "k", Buckets: [call.Buckets]call.Bucket{{Limit: call.Rate(1000, time.Second, 10), Cost: 1}}}
	now, allowed := time.Now(), 0
	for i := range 1000 {
		if middleware.TakeAt(l, c, now.Add(-time.Duration(i%2)*time.Millisecond)).Allowed() {
			allowed++
		}
	}
	if allowed != 10 {
		t.Errorf("%d calls were allowed in no time, want the burst of 10", allowed)
	}
}

func TestLimiterAsksWithoutTaking(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := middleware.NewLimiter(middleware.LimiterConfig{})
		limit := call.Rate(1, time.Second, 2)
		ask := call.Charge{Key: "k", Buckets: [call.Buckets]call.Bucket{{Limit: limit}}}
		for range 2 {
			for range 10 {
				if v, _ := l.Take(t.Context(), ask); !v.Allowed() {
					t.Fatal("asking took something")
				}
			}
			take(t.Context(), t, l, "k", limit)
		}
		if v, _ := l.Take(t.Context(), ask); v.Wait != time.Second {
			t.Errorf("got %v, want to wait a second", v.Wait)
		}
	})
}

// modelBucket is a token bucket in exact arithmetic.
type modelBucket struct {
	tokens *big.Rat
	burst  int64
	every  time.Duration
	at     time.Time
}

func (m *modelBucket) see(limit call.Limit, now time.Time) {
	came := big.NewRat(int64(now.Sub(m.at)), int64(m.every))
	m.tokens.Add(m.tokens, came)
	full := m.cut()
	m.at, m.every, m.burst = now, limit.Every, int64(limit.Burst)
	if full {
		m.tokens.SetInt64(m.burst)
	}
	m.cut()
}

// cut drops what does not fit, and reports whether the bucket is full.
func (m *modelBucket) cut() bool {
	burst := big.NewRat(m.burst, 1)
	if m.tokens.Cmp(burst) < 0 {
		return false
	}
	m.tokens.Set(burst)
	return true
}

// wait is in nanoseconds, rounded down as the limiter does it.
func (m *modelBucket) wait(cost int) time.Duration {
	missing := new(big.Rat).Sub(big.NewRat(int64(cost), 1), m.tokens)
	if missing.Sign() <= 0 {
		return 0
	}
	missing.Mul(missing, big.NewRat(int64(m.every), 1))
	return time.Duration(new(big.Int).Quo(missing.Num(), missing.Denom()).Int64())
}

// TestLimiterAgreesWithTheModel: random keys, conversations, tools, costs,
// limits and pauses, with generations that come and go.
func TestLimiterAgreesWithTheModel(t *testing.T) {
	t.Parallel()
	for seed := range uint64(8) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { compareWithModel(t, rand.New(rand.NewPCG(seed, 1))) })
		})
	}
}

func compareWithModel(t *testing.T, random *rand.Rand) {
	t.Helper()
	limits := []call.Limit{
		call.Rate(20, time.Second, 40), call.Rate(1, time.Second, 3), call.Rate(7, time.Second, 10),
		call.Rate(1, time.Minute, 5), call.Rate(100, time.Second, 100), call.Rate(20, time.Second, 7), {},
	}
	pauses := []time.Duration{0, 0, 0, time.Millisecond, 37 * time.Millisecond, time.Second, 70 * time.Second}
	l, model := middleware.NewLimiter(middleware.LimiterConfig{}), map[string]*modelBucket{}
	byName := map[string]call.Limit{}
	for range 5_000 {
		time.Sleep(pauses[random.IntN(len(pauses))])
		c := call.Charge{Key: nth("k", random.IntN(3))}
		names := [...]string{"", nth("c", random.IntN(3)), nth("t", random.IntN(2))}
		for i := range c.Buckets {
			id := fmt.Sprint(c.Key, i, names[i])
			if _, known := byName[id]; !known || random.IntN(200) == 0 {
				byName[id] = limits[random.IntN(len(limits))]
			}
			c.Buckets[i] = call.Bucket{Name: names[i], Limit: byName[id], Cost: 1 + random.IntN(3)*random.IntN(2)}
		}
		got, err := l.Take(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		want := modelTake(model, c, time.Now())
		longest := slices.Max(want[:])
		// Floating point may be off by a nanosecond where it rounds.
		near := func(a, b time.Duration) bool { return max(a-b, b-a) <= 1 }
		if got.Allowed() != (longest == 0) || !near(got.Wait, longest) || !got.Allowed() && !near(got.Wait, want[got.Bucket]) {
			t.Fatalf("%+v: got %+v, want to wait for the longest of %v", c, got, want)
		}
	}
}

// modelTake is what call.Limiter promises, word by word. It returns the wait for
// each bucket.
func modelTake(model map[string]*modelBucket, c call.Charge, now time.Time) (waits [call.Buckets]time.Duration) {
	id := func(i int) string { return fmt.Sprint(c.Key, i, c.Buckets[i].Name) }
	for i, b := range c.Buckets {
		if b.Limit.Unlimited() {
			continue
		}
		m := model[id(i)]
		if m == nil {
			m = &modelBucket{big.NewRat(int64(b.Limit.Burst), 1), int64(b.Limit.Burst), b.Limit.Every, now}
			model[id(i)] = m
		}
		m.see(b.Limit, now)
		waits[i] = m.wait(b.Cost)
	}
	for i, b := range c.Buckets {
		if slices.Max(waits[:]) == 0 && !b.Limit.Unlimited() {
			m := model[id(i)]
			m.tokens.Sub(m.tokens, big.NewRat(int64(b.Cost), 1))
		}
	}
	return waits
}
