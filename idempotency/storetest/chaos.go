package storetest

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
)

// Chaos lets 64 callers of two engines ("processes") over one store do at random
// what callers do, so many calls in all, while the store fails before and after
// each question and runs fail before and after their effect. However that goes, no
// key has two effects, whoever is told of a success is told the same, and nothing
// is left running. It does so twice, the second time with a probe that knows.
//
// The seed, see [Seed], decides who does what and what fails; the schedule is the
// machine's. Everything runs in a bubble of testing/synctest, as with [InBubble];
// [MayDropResults] and [Unit] change nothing.
func Chaos(t *testing.T, newStore func(t *testing.T) idempotency.Store, calls int, opts ...Option) {
	t.Helper()
	s := newSuite(newStore, opts)
	for name, takesOver := range map[string]bool{"abandoned stays abandoned": false, "a probe knows": true} {
		t.Run(name, func(t *testing.T) {
			t.Logf("to repeat this, pass storetest.Seed(%d); %d calls", s.seed, calls)
			synctest.Test(t, func(t *testing.T) { newChaos(s.seed, calls, takesOver).run(t, s.newStore(t)) })
		})
	}
}

// chaos is one run of it.
type chaos struct {
	seed      uint64
	calls     int
	takesOver bool
	keys      []truth
	healed    atomic.Bool
	questions atomic.Uint64 // to the store

	mu       sync.Mutex
	outcomes map[string]int // how calls ended
}

// truth is what really happened under a key.
type truth struct {
	mu       sync.Mutex
	runs     uint64
	effects  int
	result   []byte // of the effect
	reported bool   // somebody was told of a success
}

const (
	chaosLease  = time.Second
	chaosLimit  = 64 // bytes of a result that is kept
	callsPerKey = 12
)

func newChaos(seed uint64, calls int, takesOver bool) *chaos {
	return &chaos{seed: seed, calls: calls, takesOver: takesOver, keys: make([]truth, calls/callsPerKey), outcomes: map[string]int{}}
}

// dice are thrown by the seed for one question; the same one gets the same.
func (c *chaos) dice(question ...uint64) *rand.Rand {
	h := c.seed
	for _, q := range question {
		h = (h ^ q) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	return rand.New(rand.NewPCG(c.seed, h)) //nolint:gosec // it has to be repeatable
}

func (c *chaos) run(t *testing.T, store idempotency.Store) {
	t.Helper()
	cfg := idempotency.Config{Lease: chaosLease, MaxResult: chaosLimit}
	if c.takesOver {
		cfg.Probe = c.probe
	}
	engines := make([]*idempotency.Engine, 2)
	for i := range engines {
		engines[i] = newEngine(t, &disturbed{store: store, chaos: c, engine: uint64(i)}, cfg)
	}
	var callers sync.WaitGroup
	const workers = 64
	for w := range workers {
		callers.Go(func() {
			for i := w; i < c.calls; i += workers {
				c.call(t, engines, uint64(i))
			}
		})
	}
	callers.Wait()
	c.healed.Store(true)
	for _, engine := range engines {
		if err := engine.Drain(t.Context()); err != nil {
			t.Errorf("Drain: %v", err)
		}
	}
	c.check(t, newEngine(t, store, cfg))
}

// call is what one caller does once.
func (c *chaos) call(t *testing.T, engines []*idempotency.Engine, i uint64) {
	t.Helper()
	r := c.dice(1, i)
	key := (int(i)/callsPerKey + r.IntN(8)) % len(c.keys)
	op := chaosOperation(key)
	if r.IntN(50) == 0 {
		op.Fingerprint = idempotency.NewDigest("other arguments")
	}
	ctx := t.Context()
	if r.IntN(4) == 0 { // a client that leaves
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(r.IntN(60))*time.Millisecond)
		defer cancel()
	}
	reply, err := engines[r.IntN(2)].Do(ctx, op, func(ctx context.Context) idempotency.Settlement { return c.work(ctx, key) })
	code := "success"
	if err != nil {
		code = errors.From(err).Code
	}
	c.count(code)
	if err != nil {
		return
	}
	k := &c.keys[key]
	k.mu.Lock()
	defer k.mu.Unlock()
	k.reported = true
	if k.effects == 0 || !bytes.Equal(reply.Result, k.result) {
		t.Errorf("key %d: a caller got %q, and the effect was %q", key, reply.Result, k.result)
	}
}

func (c *chaos) count(code string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.outcomes[code]++
}

// work is the handler: it fails before its effect, after it, or not at all.
func (c *chaos) work(ctx context.Context, key int) idempotency.Settlement {
	k := &c.keys[key]
	k.mu.Lock()
	k.runs++
	run := k.runs
	k.mu.Unlock()

	r := c.dice(2, uint64(key), run)
	pause := time.Duration(r.IntN(20)) * time.Millisecond
	if r.IntN(20) == 0 {
		pause = time.Duration(r.IntN(4)) * chaosLease
	}
	<-time.After(pause)
	before, after := r.IntN(100), r.IntN(100)
	switch {
	case before < 15:
		return idempotency.Settlement{Verdict: idempotency.Release, Err: errors.NotFound("")}
	case before < 18:
		return idempotency.Settlement{Err: context.DeadlineExceeded}
	case before < 20:
		panic("portavoz/storetest: before the effect")
	}
	result := fmt.Appendf(nil, "key %d, run %d", key, run)
	if after < 4 {
		result = append(result, make([]byte, chaosLimit)...)
	}
	if !c.effect(ctx, key, result) {
		return idempotency.Settlement{Err: ctx.Err()}
	}
	<-time.After(time.Duration(r.IntN(3)) * time.Millisecond)
	switch {
	case after < 8:
		panic("portavoz/storetest: after the effect")
	case after < 12:
		runtime.Goexit()
	case after < 16: // the deadline of what was sent
		return idempotency.Settlement{Err: errors.OutcomeUnknown(context.DeadlineExceeded)}
	case after < 20: // shaping refuses the result
		return idempotency.Settlement{Verdict: idempotency.Keep, Err: errors.System("", errors.WithCode(errors.CodeBadResult))}
	}
	return idempotency.Settlement{Verdict: idempotency.Keep, Result: result}
}

// effect is what must not happen twice. A handler asks its context right before.
func (c *chaos) effect(ctx context.Context, key int, result []byte) bool {
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
	return k.result, k.effects > 0, nil
}

// check asks for every key once more, when everything works again.
func (c *chaos) check(t *testing.T, engine *idempotency.Engine) {
	t.Helper()
	effects, unknown := 0, 0
	for key := range c.keys {
		k := &c.keys[key]
		had, reported := k.effects, k.reported
		reply, err := engine.Do(t.Context(), chaosOperation(key), func(ctx context.Context) idempotency.Settlement {
			c.effect(ctx, key, []byte("the last run"))
			return idempotency.Settlement{Verdict: idempotency.Keep, Result: []byte("the last run")}
		})
		code := ""
		if err != nil {
			code = errors.From(err).Code
		}
		known := code == "" || code == errors.CodeAlreadyDone || code == errors.CodeKeyReused
		switch {
		case k.effects > 1:
			t.Errorf("key %d: %d effects after %d runs", key, k.effects, k.runs)
		case code == "" && !bytes.Equal(reply.Result, k.result):
			t.Errorf("key %d: at last it gives %q, and the effect was %q", key, reply.Result, k.result)
		case reported && had == 1 && !known:
			t.Errorf("key %d: a success was reported, and now it gives %v", key, err)
		case c.takesOver && !known:
			t.Errorf("key %d: the probe knows, and it gives %v", key, err)
		}
		effects += had
		if !known {
			unknown++
		}
	}
	t.Logf("%d keys, %d effects, %d of unknown outcome, %v of the clock", len(c.keys), effects, unknown, time.Since(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)))
	for code, n := range c.outcomes {
		t.Logf("%8d %s", n, code)
	}
}
