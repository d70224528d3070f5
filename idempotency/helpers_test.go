package idempotency_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/memory"
)

// newStore returns a store that keeps every rule of the contract.
func newStore(tb testing.TB) idempotency.Store {
	tb.Helper()
	store, err := memory.Ephemeral(memory.Config{})
	if err != nil {
		tb.Fatalf("store: %v", err)
	}
	return store
}

// newEngine returns an engine that has to come to rest by the end of the test.
func newEngine(tb testing.TB, store idempotency.Store, cfg idempotency.Config) *idempotency.Engine {
	tb.Helper()
	engine, err := idempotency.New(store, cfg)
	if err != nil {
		tb.Fatalf("New: %v", err)
	}
	tb.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Hour)
		defer cancel()
		if err := engine.Drain(ctx); err != nil {
			tb.Errorf("Drain: %v", err)
		}
	})
	return engine
}

func operation(key string) idempotency.Operation {
	return idempotency.Operation{
		Scope:       []string{"gateway", "comp_1"},
		Name:        "pagar_factura",
		Key:         key,
		Fingerprint: idempotency.NewDigest("arguments"),
	}
}

// other is the same operation with other arguments.
func other(op idempotency.Operation) idempotency.Operation {
	op.Fingerprint = idempotency.NewDigest("other arguments")
	return op
}

type runFunc = func(context.Context) idempotency.Settlement

// work is a function to be run, and counts how often it was.
type work struct {
	mu   sync.Mutex
	runs int
}

// count returns a function that counts and then does what it is told.
func (w *work) count(next runFunc) runFunc {
	return func(ctx context.Context) idempotency.Settlement {
		w.mu.Lock()
		w.runs++
		w.mu.Unlock()
		return next(ctx)
	}
}

func (w *work) total() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.runs
}

func keep(result string) runFunc {
	return func(context.Context) idempotency.Settlement {
		return idempotency.Settlement{Verdict: idempotency.Keep, Result: []byte(result)}
	}
}

// fails ends with an error and what it proves.
func fails(err error) runFunc {
	return func(context.Context) idempotency.Settlement {
		failure := errors.From(err)
		s := idempotency.Settlement{Verdict: idempotency.Abandon, Err: failure}
		if failure.Effect == errors.EffectNone {
			s.Verdict = idempotency.Release
		}
		return s
	}
}

func panics(context.Context) idempotency.Settlement { panic("boom") }

// never is for a call that must not run anything.
func never(tb testing.TB) runFunc {
	tb.Helper()
	return func(context.Context) idempotency.Settlement {
		tb.Error("the function ran, want it not to")
		return idempotency.Settlement{}
	}
}

// want checks what a caller got.
func want(tb testing.TB, reply idempotency.Reply, err error, result string, ran bool) {
	tb.Helper()
	if err != nil || string(reply.Result) != result || reply.Ran != ran {
		tb.Errorf("got %q, ran %v, %v; want %q, ran %v", reply.Result, reply.Ran, err, result, ran)
	}
}

// wantError checks the code of a failure, and whether it proves that nothing
// happened.
func wantError(tb testing.TB, err error, typ errors.Type, code string, effect errors.Effect) {
	tb.Helper()
	got := errors.From(err)
	if got == nil || got.Type != typ || got.Code != code || got.Effect != effect {
		tb.Errorf("got %v (effect %v), want %s %s (effect %v)", err, effectOf(got), typ, code, effect)
	}
}

func effectOf(e *errors.Error) any {
	if e == nil {
		return nil
	}
	return e.Effect
}

// The methods of a store, as its faults name them.
const (
	claim    = "Claim"
	complete = "Complete"
	release  = "Release"
	abandon  = "Abandon"
	extend   = "Extend"
)

var errDown = errors.New("the store is away")

// faulty stands between an engine and its store. Both hooks may be nil, and are
// called at the same time by several goroutines.
type faulty struct {
	store idempotency.Store
	// before decides whether the store is asked at all.
	before func(ctx context.Context, method string) error
	// after decides whether its answer arrives.
	after func(ctx context.Context, method string) error
}

var _ idempotency.Store = (*faulty)(nil)

func (s *faulty) do(ctx context.Context, method string, ask func() error) error {
	if s.before != nil {
		if err := s.before(ctx, method); err != nil {
			return err
		}
	}
	err := ask()
	if s.after != nil {
		if lost := s.after(ctx, method); lost != nil {
			return lost
		}
	}
	return err
}

func (s *faulty) Claim(ctx context.Context, c idempotency.Claim) (answer idempotency.Answer, err error) {
	err = s.do(ctx, claim, func() (err error) {
		answer, err = s.store.Claim(ctx, c)
		return err
	})
	if err != nil {
		answer = idempotency.Answer{}
	}
	return answer, err
}

func (s *faulty) Complete(ctx context.Context, key idempotency.Digest, token string, result []byte, ttl time.Duration) error {
	return s.do(ctx, complete, func() error { return s.store.Complete(ctx, key, token, result, ttl) })
}

func (s *faulty) Release(ctx context.Context, key idempotency.Digest, token string) error {
	return s.do(ctx, release, func() error { return s.store.Release(ctx, key, token) })
}

func (s *faulty) Abandon(ctx context.Context, key idempotency.Digest, token string) error {
	return s.do(ctx, abandon, func() error { return s.store.Abandon(ctx, key, token) })
}

func (s *faulty) Extend(ctx context.Context, key idempotency.Digest, token string, lease time.Duration) error {
	return s.do(ctx, extend, func() error { return s.store.Extend(ctx, key, token, lease) })
}

// failing returns a hook by which the first n calls of a method fail; n below
// zero is all of them.
func failing(method string, n int, err error) func(context.Context, string) error {
	var mu sync.Mutex
	return func(_ context.Context, called string) error {
		mu.Lock()
		defer mu.Unlock()
		if called != method || n == 0 {
			return nil
		}
		n--
		return err
	}
}

// hanging returns a hook by which a method gives no answer before its context
// ends.
func hanging(method string) func(context.Context, string) error {
	return func(ctx context.Context, called string) error {
		if called != method {
			return nil
		}
		<-ctx.Done()
		return ctx.Err()
	}
}

// incidents collects what an engine reports.
type incidents struct {
	mu   sync.Mutex
	kind []string
}

func (i *incidents) report(incident idempotency.Incident) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.kind = append(i.kind, incident.Kind)
}

func (i *incidents) kinds() []string {
	i.mu.Lock()
	defer i.mu.Unlock()
	return append([]string{}, i.kind...)
}
