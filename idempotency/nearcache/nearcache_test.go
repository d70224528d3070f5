package nearcache_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/memory"
	"github.com/portavoz/portavoz/idempotency/nearcache"
	"github.com/portavoz/portavoz/idempotency/storetest"
)

// small is a cache whose counters are made in no time.
var small = nearcache.Config{MaxBytes: 1 << 20}

// remote counts the round trips to a store.
type remote struct {
	idempotency.Store
	claims atomic.Int64
}

func (r *remote) Claim(ctx context.Context, c idempotency.Claim) (idempotency.Answer, error) {
	r.claims.Add(1)
	return r.Store.Claim(ctx, c)
}

func newRemote(t testing.TB) *remote {
	t.Helper()
	store, err := memory.Ephemeral(memory.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return &remote{Store: store}
}

func newNear(t testing.TB, behind idempotency.Store, cfg nearcache.Config) *nearcache.Store {
	t.Helper()
	near, err := nearcache.New(behind, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(near.Close)
	return near
}

func claim(key string) idempotency.Claim {
	return idempotency.Claim{
		Key: idempotency.NewDigest(key), Fingerprint: idempotency.NewDigest("args"), Token: "t-" + key,
		Lease: time.Minute, TTL: time.Hour,
	}
}

// complete runs an operation to its end.
func complete(t testing.TB, store idempotency.Store, c idempotency.Claim, result string) {
	t.Helper()
	if answer, err := store.Claim(t.Context(), c); err != nil || answer.Status != idempotency.Acquired {
		t.Fatalf("claim: got %+v, %v; want it acquired", answer, err)
	}
	if err := store.Complete(t.Context(), c.Key, c.Token, []byte(result), c.TTL); err != nil {
		t.Fatalf("complete: %v", err)
	}
}

// until asks again until ok, since ristretto shows a set only after a while.
func until(t testing.TB, ok func() bool) {
	t.Helper()
	deadline := time.After(10 * time.Second)
	for !ok() {
		select {
		case <-deadline:
			t.Fatal("it did not come true within 10 s")
		case <-time.After(time.Millisecond):
		}
	}
}

func TestStoreContract(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) idempotency.Store {
		t.Helper()
		return newNear(t, newRemote(t).Store, nearcache.Config{})
	}, storetest.InBubble())
}

// TestChaos runs over a cache so small that it evicts all the time. With
// PORTAVOZ_LONG=1 there are ten million calls.
//
//nolint:paralleltest // as much as the processors take
func TestChaos(t *testing.T) {
	runs, calls := 1, 15_000
	if os.Getenv("PORTAVOZ_LONG") == "1" {
		runs, calls = 20, 250_000
	}
	for range runs {
		storetest.Chaos(t, func(t *testing.T) idempotency.Store {
			t.Helper()
			return newNear(t, newRemote(t).Store, nearcache.Config{MaxBytes: 64 << 10})
		}, calls)
	}
}

func TestAReplayCostsNoRoundTrip(t *testing.T) {
	t.Parallel()
	behind := newRemote(t)
	near := newNear(t, behind, nearcache.Config{})
	again := claim("k")
	complete(t, near, again, "resultado")
	again.Token = "other"
	until(t, func() bool {
		before := behind.claims.Load()
		answer, err := near.Claim(t.Context(), again)
		if err != nil || answer.Status != idempotency.Completed || string(answer.Result) != "resultado" {
			t.Fatalf("got %+v, %v; want the result", answer, err)
		}
		answer.Result[0] = '!' // the caller's own copy
		return behind.claims.Load() == before
	})
	other := again
	other.Fingerprint = idempotency.NewDigest("other args")
	if answer, err := near.Claim(t.Context(), other); err != nil || answer.Status != idempotency.Conflict {
		t.Errorf("other arguments got %+v, %v; want a conflict", answer, err)
	}
}

// Another process completed it: this one learns of it with its first claim.
func TestAResultOfAnotherProcessIsKept(t *testing.T) {
	t.Parallel()
	behind := newRemote(t)
	complete(t, behind, claim("k"), "resultado")
	near := newNear(t, behind, nearcache.Config{})
	again := claim("k")
	again.Token = "other"
	until(t, func() bool {
		before := behind.claims.Load()
		if answer, err := near.Claim(t.Context(), again); err != nil || string(answer.Result) != "resultado" {
			t.Fatalf("got %+v, %v; want the result", answer, err)
		}
		return behind.claims.Load() == before
	})
}

// Whatever ristretto loses under load, every operation stays done.
func TestAFloodForgetsNothing(t *testing.T) {
	t.Parallel()
	const workers, each = 8, 2_000
	behind := newRemote(t)
	near := newNear(t, behind, nearcache.Config{MaxBytes: 64 << 10})
	result := strings.Repeat("r", 200)
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			for i := range each {
				complete(t, near, claim(fmt.Sprintf("%d-%d", w, i)), result)
			}
			for i := range each {
				c := claim(fmt.Sprintf("%d-%d", w, i))
				c.Token = "other"
				if answer, err := near.Claim(t.Context(), c); err != nil || answer.Status != idempotency.Completed || string(answer.Result) != result {
					t.Errorf("%d-%d: got %+v, %v; want its result", w, i, answer, err)
					return
				}
			}
		})
	}
	group.Wait()
}

func TestCloseUnderLoad(t *testing.T) {
	t.Parallel()
	for range 20 {
		behind := newRemote(t)
		near := newNear(t, behind, small)
		var group sync.WaitGroup
		for w := range 4 {
			group.Go(func() {
				for i := range 100 {
					complete(t, near, claim(fmt.Sprintf("%d-%d", w, i)), "r")
				}
			})
		}
		near.Close()
		near.Close()
		group.Wait()
		c := claim("0-0")
		c.Token = "other"
		if answer, err := near.Claim(t.Context(), c); err != nil || answer.Status != idempotency.Completed {
			t.Errorf("after Close: got %+v, %v; want the store behind to answer", answer, err)
		}
	}
}

func TestNewReportsEveryProblem(t *testing.T) {
	t.Parallel()
	_, err := nearcache.New(nil, nearcache.Config{MaxBytes: -1, MaxAge: -1})
	if err == nil {
		t.Fatal("got no error")
	}
	for _, want := range []string{"store behind", "MaxBytes", "MaxAge"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not name %s", err, want)
		}
	}
}

func BenchmarkReplay(b *testing.B) {
	behind := newRemote(b)
	near := newNear(b, behind, nearcache.Config{})
	c := claim("k")
	complete(b, near, c, strings.Repeat("r", 500))
	c.Token = "other"
	b.ReportAllocs()
	for b.Loop() {
		if answer, err := near.Claim(b.Context(), c); err != nil || answer.Status != idempotency.Completed {
			b.Fatalf("got %+v, %v", answer, err)
		}
	}
	b.ReportMetric(float64(behind.claims.Load())/float64(b.N), "round-trips/op")
}

func Example() {
	store, err := memory.Ephemeral(memory.Config{}) // stands for one beyond a network
	if err != nil {
		fmt.Println(err)
		return
	}
	near, err := nearcache.New(store, nearcache.Config{MaxBytes: 16 << 20})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer near.Close()

	engine, err := idempotency.New(near, idempotency.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	op := idempotency.Operation{Name: "cobrar", Key: "k-1"}
	for range 2 {
		reply, err := engine.Do(context.Background(), op, func(context.Context) idempotency.Settlement {
			fmt.Println("cobrado")
			return idempotency.Settlement{Verdict: idempotency.Keep, Result: []byte("recibo 7")}
		})
		fmt.Println(string(reply.Result), err)
	}
	// Output:
	// cobrado
	// recibo 7 <nil>
	// recibo 7 <nil>
}

// joining is a store behind that takes part in runs, and waits.
type joining struct {
	*remote
	waits int
}

func (s *joining) Join(ctx context.Context, key idempotency.Digest, token string) (context.Context, idempotency.Conclude) {
	return ctx, func(ctx context.Context, run idempotency.Settlement, ttl time.Duration) (idempotency.Settlement, bool) {
		return run, s.Complete(ctx, key, token, run.Result, ttl) == nil
	}
}

func (s *joining) Wait(context.Context, idempotency.Digest, time.Duration) { s.waits++ }

// TestJoins: what the store behind can do besides, it can do through the cache.
func TestJoins(t *testing.T) {
	t.Parallel()
	behind := &joining{remote: newRemote(t)}
	near, c := newNear(t, behind, small), claim("joined")
	if _, err := near.Claim(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	_, conclude := near.Join(t.Context(), c.Key, c.Token)
	run := idempotency.Settlement{Verdict: idempotency.Keep, Result: []byte("done")}
	if stands, told := conclude(t.Context(), run, time.Hour); !told || stands.Verdict != idempotency.Keep {
		t.Errorf("conclude = %+v, %t; want what the store behind says", stands, told)
	}
	until(t, func() bool {
		before := behind.claims.Load()
		got, err := near.Claim(t.Context(), c)
		return err == nil && string(got.Result) == "done" && behind.claims.Load() == before
	})
	near.Wait(t.Context(), c.Key, time.Hour)
	if behind.waits != 1 {
		t.Errorf("%d waits behind, want 1", behind.waits)
	}
}

// TestJoinsNothing: a store that can do no more does no more through the cache.
func TestJoinsNothing(t *testing.T) {
	t.Parallel()
	near := newNear(t, newRemote(t), small)
	if ctx, conclude := near.Join(t.Context(), idempotency.Digest{}, "t"); ctx != t.Context() || conclude != nil {
		t.Error("Join joined something")
	}
	begin := time.Now()
	near.Wait(t.Context(), idempotency.Digest{}, 10*time.Millisecond)
	if passed := time.Since(begin); passed < 10*time.Millisecond {
		t.Errorf("Wait took %v, want 10 ms", passed)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	near.Wait(ended, idempotency.Digest{}, time.Hour)
}
