package memory_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/memory"
)

// user is a store and questions to it that end the test when they fail. Each
// operation is claimed by a token of the same name.
type user struct {
	*testing.T
	store *memory.Store
}

func use(t *testing.T, cfg memory.Config) user {
	t.Helper()
	return user{t, open(t, cfg)}
}

// claimOf is the first claim of an operation.
func claimOf(name string) idempotency.Claim {
	return idempotency.Claim{
		Key: idempotency.NewDigest(name), Fingerprint: idempotency.NewDigest("arguments"), Token: name,
		Lease: time.Minute, TTL: time.Hour,
	}
}

func numbered(prefix string, i int) string { return prefix + strconv.Itoa(i) }

func (u user) claim(name string, want idempotency.Status) idempotency.Answer {
	u.Helper()
	got, err := u.store.Claim(u.Context(), claimOf(name))
	if err != nil || got.Status != want {
		u.Fatalf("Claim(%s) = status %d, %v, want status %d", name, got.Status, err, want)
	}
	return got
}

func (u user) refused(name string, want error) {
	u.Helper()
	if got, err := u.store.Claim(u.Context(), claimOf(name)); !errors.Is(err, want) || got.Status != 0 {
		u.Fatalf("Claim(%s) = status %d, %v, want %v", name, got.Status, err, want)
	}
}

func (u user) complete(name string, result []byte) {
	u.Helper()
	if err := u.store.Complete(u.Context(), idempotency.NewDigest(name), name, result, time.Hour); err != nil {
		u.Fatalf("Complete(%s): %v", name, err)
	}
}

// done claims and completes an operation with a result of n bytes.
func (u user) done(name string, n int) {
	u.Helper()
	u.claim(name, idempotency.Acquired)
	u.complete(name, make([]byte, n))
}

func (u user) release(name string) {
	u.Helper()
	if err := u.store.Release(u.Context(), idempotency.NewDigest(name), name); err != nil {
		u.Fatalf("Release(%s): %v", name, err)
	}
}

// held wants the results of operations to be held, or dropped.
func (u user) held(want bool, names ...string) {
	u.Helper()
	for _, name := range names {
		if got := u.claim(name, idempotency.Completed); got.Dropped == want {
			u.Errorf("the result of %s: dropped is %t", name, got.Dropped)
		}
	}
}

func (u user) stats(want memory.Stats) {
	u.Helper()
	if got := u.store.Stats(); got != want {
		u.Errorf("Stats() = %+v, want %+v", got, want)
	}
	if err := u.store.Check(); err != nil {
		u.Error(err)
	}
}
