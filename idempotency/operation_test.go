package idempotency_test

import (
	"cmp"
	"context"
	"testing"
	"time"

	"github.com/portavoz/portavoz/idempotency"
)

// TestEffectKey: it is the same in every process and attempt, and another one
// for every step and operation.
func TestEffectKey(t *testing.T) {
	t.Parallel()
	if got := idempotency.EffectKey(t.Context(), "charge"); got != "" {
		t.Errorf("outside of an operation: %q, want none", got)
	}
	ask := func(op idempotency.Operation, steps ...string) (keys []string) {
		_, err := newEngine(t, newStore(t), idempotency.Config{}).Do(t.Context(), op, func(ctx context.Context) idempotency.Settlement {
			for _, step := range steps {
				keys = append(keys, idempotency.EffectKey(ctx, step))
			}
			return idempotency.Settlement{Verdict: idempotency.Keep}
		})
		if err != nil {
			t.Fatal(err)
		}
		return keys
	}
	keys := append(ask(operation("k"), "charge", "notify", ""), ask(operation("k2"), "charge")...)
	seen := map[string]bool{}
	for _, key := range keys {
		if len(key) != 64 || seen[key] {
			t.Errorf("key %q: want 64 digits, and none twice in %q", key, keys)
		}
		seen[key] = true
	}
	if again := ask(operation("k"), "charge"); again[0] != keys[0] {
		t.Errorf("in another process: %s, want %s", again[0], keys[0])
	}
	const pinned = "e53b34e4ce9d06bd" // retries go on over a new version of this package
	if keys[0][:16] != pinned {
		t.Errorf("got %s..., want %s...: the key of an effect must not change", keys[0][:16], pinned)
	}
}

func TestNewDigest(t *testing.T) {
	t.Parallel()
	tuples := [][]string{{}, {""}, {"", ""}, {"a|b", "c"}, {"a", "b|c"}, {"a", "b", "c"}, {"abc"}, {"ab", "c"}, {"a", "bc"}, {"\x01a"}}
	seen := map[idempotency.Digest][]string{}
	for _, tuple := range tuples {
		d := idempotency.NewDigest(tuple...)
		if other, ok := seen[d]; ok {
			t.Errorf("%q and %q have one digest", tuple, other)
		}
		seen[d] = tuple
	}
}

//nolint:paralleltest // counts allocations
func TestAllocations(t *testing.T) {
	parts := []string{"portavoz", "pagar_factura", "8e03978e-40d5-43e8-bc93-6894a57f9324"}
	text := []byte(`{"documento":"CC1032456789","fecha":"2026-09-03T09:00:00-05:00","lista":[1,2,{"b":"é","a":null}],"nota":"x\n"}`)
	for name, f := range map[string]func(){
		"NewDigest":   func() { idempotency.NewDigest(parts...) },
		"Fingerprint": func() { _, _ = idempotency.Fingerprint(text) },
	} {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s: %v allocations, want none", name, n)
		}
	}
}

// TestKeptFor: the operation's own TTL comes before that of the engine.
func TestKeptFor(t *testing.T) {
	t.Parallel()
	if got := idempotency.KeptFor(t.Context()); got != 0 {
		t.Errorf("outside of an operation: %v, want none", got)
	}
	engine := newEngine(t, newStore(t), idempotency.Config{TTL: 3 * time.Hour})
	for _, ttl := range []time.Duration{0, time.Minute, 5 * time.Hour} {
		op := operation("k" + ttl.String())
		op.TTL = ttl
		var got time.Duration
		_, err := engine.Do(t.Context(), op, func(ctx context.Context) idempotency.Settlement {
			got = idempotency.KeptFor(ctx)
			return idempotency.Settlement{Verdict: idempotency.Keep}
		})
		if want := cmp.Or(ttl, 3*time.Hour); err != nil || got != want {
			t.Errorf("a TTL of %v: got %v, %v; want %v", ttl, got, err, want)
		}
	}
}
