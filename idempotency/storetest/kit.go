package storetest

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
)

// Periods that do not end during a test.
const (
	longLease = 5 * time.Minute
	longTTL   = 10 * time.Minute
)

// How a store's clock may differ from that of this process.
const (
	clockGrain = 2 * time.Millisecond // a store may count in milliseconds, and round
	patience   = 5 * time.Second      // how late it may be
)

// kit is what a rule has at hand: a store, and questions to it that end the test
// when the answer is wrong.
type kit struct {
	*testing.T
	suite
	store idempotency.Store
}

// newClaim is a claim of an operation that nobody knows.
func newClaim() idempotency.Claim {
	return idempotency.Claim{
		Key: idempotency.NewDigest("key", rand.Text()), Fingerprint: idempotency.NewDigest("arguments", rand.Text()),
		Token: rand.Text(), Lease: longLease, TTL: longTTL,
	}
}

// rival is the same claim by another owner.
func rival(c idempotency.Claim) idempotency.Claim {
	c.Token, c.Takeover = rand.Text(), false
	return c
}

// takeover is the same claim by another owner, who takes what is abandoned.
func takeover(c idempotency.Claim) idempotency.Claim {
	c = rival(c)
	c.Takeover = true
	return c
}

// expect claims, and wants this status.
func (k *kit) expect(c idempotency.Claim, want idempotency.Status) idempotency.Answer {
	k.Helper()
	got, err := k.store.Claim(k.Context(), c)
	if err != nil {
		k.Fatalf("Claim: %v, want %s", err, status(want))
	}
	if problem := malformed(got); problem != "" {
		k.Fatalf("Claim: %s: %s", describe(got), problem)
	}
	if got.Status != want {
		k.Fatalf("Claim: %s, want %s", describe(got), status(want))
	}
	return got
}

// acquired makes an operation that is in progress.
func (k *kit) acquired() idempotency.Claim {
	k.Helper()
	c := newClaim()
	k.expect(c, idempotency.Acquired)
	return c
}

// lapsed makes an operation whose owner's lease has ended.
func (k *kit) lapsed() idempotency.Claim {
	k.Helper()
	c := newClaim()
	c.Lease = k.unit
	k.expect(c, idempotency.Acquired)
	k.pass(2 * k.unit)
	c.Lease = longLease
	return c
}

// abandoned makes an operation that its owner has abandoned.
func (k *kit) abandoned() idempotency.Claim {
	k.Helper()
	c := k.acquired()
	k.abandon(c)
	return c
}

// completed makes an operation that is done.
func (k *kit) completed(result []byte) idempotency.Claim {
	k.Helper()
	c := k.acquired()
	k.complete(c, result)
	return c
}

// expectResult wants the operation to be completed with that result.
func (k *kit) expectResult(c idempotency.Claim, want []byte) {
	k.Helper()
	got := k.expect(rival(c), idempotency.Completed)
	if problem := k.differs(got, want); problem != "" {
		k.Fatal(problem)
	}
}

// differs says what is wrong with the answer for an operation that was completed
// with that result.
func (k *kit) differs(got idempotency.Answer, want []byte) string {
	switch {
	case got.Dropped && (want == nil || k.mayDrop):
		return ""
	case got.Dropped != (want == nil):
		return fmt.Sprintf("Dropped is %t for a result that was given as %s", got.Dropped, excerpt(want))
	case !bytes.Equal(got.Result, want):
		return fmt.Sprintf("the result is %s, want %s", excerpt(got.Result), excerpt(want))
	}
	return ""
}

func (k *kit) complete(c idempotency.Claim, result []byte) {
	k.Helper()
	k.succeeds("Complete", k.store.Complete(k.Context(), c.Key, c.Token, result, longTTL))
}

func (k *kit) release(c idempotency.Claim) {
	k.Helper()
	k.succeeds("Release", k.store.Release(k.Context(), c.Key, c.Token))
}

func (k *kit) abandon(c idempotency.Claim) {
	k.Helper()
	k.succeeds("Abandon", k.store.Abandon(k.Context(), c.Key, c.Token))
}

func (k *kit) extend(c idempotency.Claim, lease time.Duration) {
	k.Helper()
	k.succeeds("Extend", k.store.Extend(k.Context(), c.Key, c.Token, lease))
}

func (k *kit) succeeds(method string, err error) {
	k.Helper()
	if err != nil {
		k.Fatalf("%s: %v", method, err)
	}
}

// settlements are the methods that only an owner may call.
var settlements = []struct {
	method string
	call   func(ctx context.Context, s idempotency.Store, c idempotency.Claim) error
}{
	{"Complete", func(ctx context.Context, s idempotency.Store, c idempotency.Claim) error {
		return s.Complete(ctx, c.Key, c.Token, []byte("not the owner's"), c.TTL)
	}},
	{"Release", func(ctx context.Context, s idempotency.Store, c idempotency.Claim) error {
		return s.Release(ctx, c.Key, c.Token)
	}},
	{"Abandon", func(ctx context.Context, s idempotency.Store, c idempotency.Claim) error {
		return s.Abandon(ctx, c.Key, c.Token)
	}},
	{"Extend", func(ctx context.Context, s idempotency.Store, c idempotency.Claim) error {
		return s.Extend(ctx, c.Key, c.Token, c.Lease)
	}},
}

// refuses wants every settlement with the claim's token to be refused, but for
// the methods named.
func (k *kit) refuses(c idempotency.Claim, except ...string) {
	k.Helper()
	for _, s := range settlements {
		if slices.Contains(except, s.method) {
			continue
		}
		if err := s.call(k.Context(), k.store, c); !errors.Is(err, idempotency.ErrNotOwner) {
			k.Fatalf("%s by a token that does not own the operation: %v, want ErrNotOwner", s.method, err)
		}
	}
}

// pass lets time go by.
func (k *kit) pass(d time.Duration) { <-time.After(d) }

// malformed says what no answer may be.
func malformed(a idempotency.Answer) string {
	switch {
	case a.Status != idempotency.Completed && (a.Result != nil || a.Dropped):
		return "only a completed operation has a result"
	case a.Dropped && a.Result != nil:
		return "a result that is dropped cannot be there"
	case a.Status != idempotency.Completed && a.TTLLeft != 0:
		return "only a completed operation says how long it lives"
	case a.TTLLeft < 0:
		return "a record whose time is over is free"
	case a.Status != idempotency.InProgress && a.LeaseLeft != 0:
		return "only an operation in progress has a lease"
	case a.Status == idempotency.InProgress && a.LeaseLeft <= 0:
		return "a lease that has ended is not in progress"
	}
	return ""
}

func describe(a idempotency.Answer) string {
	switch a.Status {
	case idempotency.Completed:
		return fmt.Sprintf("completed with %s (dropped: %t, ttl left: %v)", excerpt(a.Result), a.Dropped, a.TTLLeft)
	case idempotency.InProgress:
		return fmt.Sprintf("in progress for %v", a.LeaseLeft)
	default:
		return status(a.Status)
	}
}

func status(s idempotency.Status) string {
	switch s {
	case idempotency.Acquired:
		return "acquired"
	case idempotency.InProgress:
		return "in progress"
	case idempotency.Completed:
		return "completed"
	case idempotency.Abandoned:
		return "abandoned"
	case idempotency.Conflict:
		return "conflict"
	default:
		return fmt.Sprintf("the unknown status %d", s)
	}
}

// excerpt is a result as it fits on a line.
func excerpt(b []byte) string {
	if b == nil {
		return "nil"
	}
	if len(b) > 32 {
		return fmt.Sprintf("%q... (%d bytes)", b[:32], len(b))
	}
	return fmt.Sprintf("%q", b)
}
