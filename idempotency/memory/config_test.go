package memory_test

import (
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/memory"
)

func TestEphemeralDefaults(t *testing.T) {
	t.Parallel()
	keys, bytes := open(t, memory.Config{}).Limits()
	if keys != 1_000_000 || bytes != 256<<20 {
		t.Errorf("the budgets are %d keys and %d bytes, want 1,000,000 and 256 MiB", keys, bytes)
	}
}

func TestEphemeralRefuses(t *testing.T) {
	t.Parallel()
	store, err := memory.Ephemeral(memory.Config{MaxKeys: -1, MaxBytes: -1})
	if store != nil || err == nil {
		t.Fatalf("Ephemeral = %v, %v, want an error", store, err)
	}
	if _, typed := errors.AsType[*idempotency.ConfigError](err); !typed {
		t.Errorf("error %v is no ConfigError", err)
	}
	for _, want := range []string{"MaxKeys: is negative", "MaxBytes: is negative"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q does not say %q", err, want)
		}
	}
}

func TestClaimRefuses(t *testing.T) {
	t.Parallel()
	tests := map[string]func(c *idempotency.Claim){
		"no token":          func(c *idempotency.Claim) { c.Token = "" },
		"a token too long":  func(c *idempotency.Claim) { c.Token = strings.Repeat("x", 65) },
		"no lease":          func(c *idempotency.Claim) { c.Lease = 0 },
		"a negative lease":  func(c *idempotency.Claim) { c.Lease = -1 },
		"no ttl":            func(c *idempotency.Claim) { c.TTL = 0 },
		"a negative ttl":    func(c *idempotency.Claim) { c.TTL = math.MinInt64 },
		"nothing but a key": func(c *idempotency.Claim) { *c = idempotency.Claim{Key: c.Key} },
	}
	for name, spoil := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := use(t, memory.Config{})
			c := claimOf("a")
			spoil(&c)
			if got, err := u.store.Claim(t.Context(), c); err == nil || got.Status != 0 {
				t.Errorf("Claim = status %d, %v, want an error", got.Status, err)
			}
			u.stats(memory.Stats{})
		})
	}
}

func TestSettlementRefusesDurations(t *testing.T) {
	t.Parallel()
	u := use(t, memory.Config{})
	u.claim("a", idempotency.Acquired)
	key := idempotency.NewDigest("a")
	for _, d := range []time.Duration{0, -time.Second} {
		if err := u.store.Complete(t.Context(), key, "a", nil, d); err == nil || errors.Is(err, idempotency.ErrNotOwner) {
			t.Errorf("Complete with a ttl of %v: %v, want an error about it", d, err)
		}
		if err := u.store.Extend(t.Context(), key, "a", d); err == nil || errors.Is(err, idempotency.ErrNotOwner) {
			t.Errorf("Extend by %v: %v, want an error about it", d, err)
		}
	}
	u.claim("a", idempotency.Acquired) // it still owns
}

func TestTimeDoesNotOverflow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		u := use(t, memory.Config{})
		c := claimOf("a")
		c.Lease, c.TTL = math.MaxInt64, math.MaxInt64
		time.Sleep(time.Hour)
		if got, err := u.store.Claim(t.Context(), c); err != nil || got.Status != idempotency.Acquired {
			t.Fatalf("Claim = status %d, %v", got.Status, err)
		}
		if err := u.store.Extend(t.Context(), c.Key, c.Token, math.MaxInt64); err != nil {
			t.Fatal(err)
		}
		c.Token = "b"
		if got, err := u.store.Claim(t.Context(), c); err != nil || got.Status != idempotency.InProgress {
			t.Errorf("Claim after a lease for ever = status %d, %v, want in progress", got.Status, err)
		}
		if err := u.store.Complete(t.Context(), c.Key, "a", []byte("x"), math.MaxInt64); err != nil {
			t.Fatal(err)
		}
		time.Sleep(100 * 365 * 24 * time.Hour)
		u.claim("a", idempotency.Completed)
	})
}

func TestTTLLeft(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		u := use(t, memory.Config{})
		u.done("a", 1)
		u.claim("b", idempotency.Acquired)
		u.complete("b", nil)
		time.Sleep(time.Minute)
		for _, name := range []string{"a", "b"} {
			if got := u.claim(name, idempotency.Completed).TTLLeft; got != 59*time.Minute {
				t.Errorf("%s lives for another %v, want 59m", name, got)
			}
		}
	})
}

// A lease that is longer than the ttl breaks the contract. It must not free what
// runs.
func TestLeaseLongerThanTTL(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		u := use(t, memory.Config{})
		c := claimOf("a")
		c.Lease, c.TTL = time.Hour, time.Second
		if _, err := u.store.Claim(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		c.Token = "b"
		if got, err := u.store.Claim(t.Context(), c); err != nil || got.Status != idempotency.InProgress {
			t.Errorf("Claim = status %d, %v, want in progress", got.Status, err)
		}
	})
}

func TestClose(t *testing.T) {
	t.Parallel()
	u := use(t, memory.Config{})
	u.done("a", 10)
	u.claim("b", idempotency.Acquired)
	for range 2 {
		if err := u.store.Close(); err != nil {
			t.Fatalf("Close: %v", err)
		}
	}
	u.stats(memory.Stats{})
	u.refused("a", idempotency.ErrClosed)
	u.refused("c", idempotency.ErrClosed)
	key := idempotency.NewDigest("b")
	for method, err := range map[string]error{
		"Complete": u.store.Complete(t.Context(), key, "b", []byte("x"), time.Hour),
		"Release":  u.store.Release(t.Context(), key, "b"),
		"Abandon":  u.store.Abandon(t.Context(), key, "b"),
		"Extend":   u.store.Extend(t.Context(), key, "b", time.Hour),
	} {
		if !errors.Is(err, idempotency.ErrClosed) {
			t.Errorf("%s after Close: %v, want ErrClosed", method, err)
		}
	}
	u.stats(memory.Stats{})
}
