package nearcache

import (
	"testing"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/memory"
)

// What this process does not own any more is not remembered either.
func TestAFencedRunIsForgotten(t *testing.T) {
	t.Parallel()
	behind, err := memory.Ephemeral(memory.Config{})
	if err != nil {
		t.Fatal(err)
	}
	near, err := New(behind, Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(near.Close)
	c := idempotency.Claim{Key: idempotency.NewDigest("k"), Token: "t", Lease: time.Minute, TTL: time.Hour}
	if _, err := near.Claim(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if err := behind.Abandon(t.Context(), c.Key, c.Token); err != nil { // as after a takeover
		t.Fatal(err)
	}
	if err := near.Complete(t.Context(), c.Key, c.Token, []byte("r"), c.TTL); !errors.Is(err, idempotency.ErrNotOwner) {
		t.Fatalf("Complete = %v, want %v", err, idempotency.ErrNotOwner)
	}
	if n := len(near.claims.held); n != 0 {
		t.Errorf("%d claims are remembered, want none", n)
	}
}
