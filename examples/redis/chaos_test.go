package main_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
)

// TestChaos lets 64 callers of three engines ("processes", one with each client)
// call a few keys over one Redis and a network that loses, delays and cuts, while
// runs fail before and after their effect. No key has two effects, and whoever is
// told of a success is told the same.
//
// The seed decides what runs and callers do; the rest is the machine's.
// PORTAVOZ_SEED replays one. PORTAVOZ_LONG=1 makes twenty times as many calls.
func TestChaos(t *testing.T) {
	t.Parallel()
	needRedis(t)
	seed, calls := rand.Uint64(), 5_000
	if os.Getenv("PORTAVOZ_LONG") == "1" {
		calls *= 20
	}
	if text := os.Getenv("PORTAVOZ_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("PORTAVOZ_SEED: %v", err)
		}
	}
	for name, probes := range map[string]bool{"abandoned stays abandoned": false, "a probe knows": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			t.Logf("PORTAVOZ_SEED=%d, %d calls", seed, calls)
			c := &chaos{seed: seed, calls: calls, keys: make([]truth, calls/10)}
			c.run(t, probes)
		})
	}
}

type chaos struct {
	seed  uint64
	calls int
	keys  []truth
}

// truth is what really happened under a key.
type truth struct {
	mu       sync.Mutex
	runs     int
	effects  int
	result   string // of the effect
	reported bool   // somebody was told of a success
}

// dice are thrown by the seed for one question; the same one gets the same.
func (c *chaos) dice(question ...int) *rand.Rand {
	h := c.seed
	for _, q := range question {
		h = (h ^ uint64(q)) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	return rand.New(rand.NewPCG(c.seed, h))
}

func (c *chaos) run(t *testing.T, probes bool) {
	t.Helper()
	redis := startRedis(t)
	cfg := idempotency.Config{Lease: time.Second}
	if probes {
		cfg.Probe = c.probe
	}
	var engines []*idempotency.Engine
	var networks []*proxy
	for _, connect := range clients {
		network := startProxy(t, redis.addr)
		engines = append(engines, newEngine(t, newStore(t, connect(t, network.addr)), cfg))
		network.onAnswers(disturb)
		networks = append(networks, network)
	}
	var callers sync.WaitGroup
	const workers = 64
	for w := range workers {
		callers.Go(func() {
			for i := w; i < c.calls; i += workers {
				c.call(t, engines, i)
				switch rand.N(400) { // the rest of the world
				case 0:
					networks[rand.N(len(networks))].cut()
				case 1:
					redis.ask(t, "SCRIPT", "FLUSH")
				}
			}
		})
	}
	callers.Wait()
	for _, network := range networks {
		network.pass()
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	defer cancel()
	for _, engine := range engines {
		if err := engine.Drain(ctx); err != nil {
			t.Errorf("Drain: %v", err)
		}
	}
	c.check(t, newEngine(t, newStore(t, clients["go-redis"](t, redis.addr)), cfg), probes)
}

func newEngine(t *testing.T, s idempotency.Store, cfg idempotency.Config) *idempotency.Engine {
	t.Helper()
	engine, err := idempotency.New(s, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return engine
}

// disturb is the network. What it holds, a client gives up after its timeout.
func disturb() verdict {
	switch n := rand.N(1000); {
	case n < 10:
		return lose
	case n < 11:
		return hold
	case n < 40:
		<-time.After(rand.N(30 * time.Millisecond))
	}
	return pass
}

func operation(key int) idempotency.Operation {
	return idempotency.Operation{Scope: []string{"asixto"}, Name: "cobrar", Key: strconv.Itoa(key)}
}

// call is what one caller does once.
func (c *chaos) call(t *testing.T, engines []*idempotency.Engine, i int) {
	t.Helper()
	r := c.dice(1, i)
	key := (i/10 + r.IntN(8)) % len(c.keys)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	if r.IntN(4) == 0 { // a client that leaves
		ctx, cancel = context.WithTimeout(t.Context(), time.Duration(r.IntN(60))*time.Millisecond)
	}
	defer cancel()
	reply, err := engines[r.IntN(len(engines))].Do(ctx, operation(key), func(ctx context.Context) idempotency.Settlement {
		return c.work(ctx, key)
	})
	if err != nil {
		return
	}
	k := &c.keys[key]
	k.mu.Lock()
	defer k.mu.Unlock()
	k.reported = true
	if k.effects == 0 || string(reply.Result) != k.result {
		t.Errorf("key %d: a caller got %q, and the effect was %q", key, reply.Result, k.result)
	}
}

// work is the handler: it fails before its effect, after it, or not at all.
func (c *chaos) work(ctx context.Context, key int) idempotency.Settlement {
	k := &c.keys[key]
	k.mu.Lock()
	k.runs++
	run := k.runs
	k.mu.Unlock()
	r := c.dice(2, key, run)
	before, after := r.IntN(100), r.IntN(100)
	<-time.After(time.Duration(r.IntN(5)) * time.Millisecond)
	switch {
	case before < 15:
		return idempotency.Settlement{Verdict: idempotency.Release, Err: errors.NotFound("")}
	case before < 17:
		return idempotency.Settlement{Err: errors.OutcomeUnknown(context.DeadlineExceeded)}
	case before < 19:
		panic("before the effect")
	}
	result := fmt.Sprintf("key %d, run %d", key, run)
	if !c.effect(ctx, key, result) {
		return idempotency.Settlement{Verdict: idempotency.Release, Err: errors.NoEffect(ctx.Err())}
	}
	switch {
	case after < 5:
		panic("after the effect")
	case after < 10:
		return idempotency.Settlement{Err: errors.OutcomeUnknown(context.DeadlineExceeded)}
	}
	return idempotency.Settlement{Verdict: idempotency.Keep, Result: []byte(result)}
}

// effect is what must not happen twice. A handler asks its context right before.
func (c *chaos) effect(ctx context.Context, key int, result string) bool {
	k := &c.keys[key]
	k.mu.Lock()
	defer k.mu.Unlock()
	if ctx.Err() != nil {
		return false
	}
	k.effects++
	k.result = result
	return true
}

// probe asks the system of record.
func (c *chaos) probe(_ context.Context, op idempotency.Operation) (result []byte, found bool, err error) {
	key, err := strconv.Atoi(op.Key)
	if err != nil {
		return nil, false, err
	}
	k := &c.keys[key]
	k.mu.Lock()
	defer k.mu.Unlock()
	return []byte(k.result), k.effects > 0, nil
}

// check asks for every key once more, when everything works again.
func (c *chaos) check(t *testing.T, engine *idempotency.Engine, probes bool) {
	t.Helper()
	effects, unknown := 0, 0
	var all sync.WaitGroup
	var mu sync.Mutex
	places := make(chan struct{}, 64) // all at once would not be answered in time
	for key := range c.keys {
		k := &c.keys[key]
		had := k.effects
		places <- struct{}{}
		all.Go(func() {
			defer func() { <-places }()
			reply, err := engine.Do(t.Context(), operation(key), func(ctx context.Context) idempotency.Settlement {
				c.effect(ctx, key, "the last run")
				return idempotency.Settlement{Verdict: idempotency.Keep, Result: []byte("the last run")}
			})
			mu.Lock()
			defer mu.Unlock()
			switch {
			case k.effects > 1:
				t.Errorf("key %d: %d effects after %d runs", key, k.effects, k.runs)
			case err == nil && string(reply.Result) != k.result:
				t.Errorf("key %d: at last it gives %q, and the effect was %q", key, reply.Result, k.result)
			case err != nil && (k.reported || probes):
				t.Errorf("key %d: at last it gives %v (a success was reported: %t)", key, err, k.reported)
			}
			effects += had
			if err != nil {
				unknown++
			}
		})
	}
	all.Wait()
	t.Logf("%d keys, %d effects, %d of unknown outcome", len(c.keys), effects, unknown)
}
