package storetest

import (
	"slices"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
)

var settleRules = []rule{
	{"completing twice is no error, and changes nothing", func(k *kit) {
		c := k.completed([]byte("first"))
		k.complete(c, []byte("second"))
		k.expectResult(c, []byte("first"))
		k.complete(c, nil)
		k.expectResult(c, []byte("first"))
	}},
	{"completing twice does not bring a result that was dropped", func(k *kit) {
		c := k.completed(nil)
		k.complete(c, []byte("second"))
		k.expectResult(c, nil)
	}},
	{"who has completed cannot take it back", func(k *kit) {
		c := k.completed([]byte("done"))
		k.refuses(c, "Complete")
		k.expectResult(c, []byte("done"))
	}},
	{"what is released is free", func(k *kit) {
		c := k.acquired()
		k.release(c)
		next := rival(c)
		k.expect(next, idempotency.Acquired)
		k.complete(next, []byte("the next one's"))
		k.expectResult(next, []byte("the next one's"))
	}},
	{"who has released owns it no more", func(k *kit) {
		c := k.acquired()
		k.release(c)
		k.refuses(c)
		next := rival(c)
		k.expect(next, idempotency.Acquired)
		k.refuses(c)
		k.complete(next, nil)
	}},
	{"what is abandoned is so at once, and stays so", func(k *kit) {
		c := k.abandoned()
		k.expect(rival(c), idempotency.Abandoned)
		k.expect(c, idempotency.Abandoned)
		k.expect(rival(c), idempotency.Abandoned)
	}},
	{"abandoning twice is no error", func(k *kit) {
		c := k.abandoned()
		k.abandon(c)
		k.expect(rival(c), idempotency.Abandoned)
	}},
	{"who has abandoned owns it no more", func(k *kit) {
		c := k.abandoned()
		k.refuses(c, "Abandon")
		k.expect(rival(c), idempotency.Abandoned)
	}},
	{"who took over may abandon as well", func(k *kit) {
		stale, owner := k.takenOver()
		k.abandon(owner)
		k.expect(rival(owner), idempotency.Abandoned)
		k.refuses(stale)
		k.expect(takeover(owner), idempotency.Acquired)
	}},
}

var lifetimeRules = []rule{
	{"a completed operation is free when its ttl is over", func(k *kit) {
		c := k.acquired()
		begin := time.Now()
		k.succeeds("Complete", k.store.Complete(k.Context(), c.Key, c.Token, []byte("old"), 2*k.unit))
		next := k.awaitFree(c, begin, 2*k.unit, idempotency.Completed)
		k.refuses(c)
		k.complete(next, []byte("new"))
		k.expectResult(next, []byte("new"))
	}},
	{"the ttl of a completed operation counts from its completion", func(k *kit) {
		c, _ := k.brief(func(c idempotency.Claim) error {
			return k.store.Complete(k.Context(), c.Key, c.Token, []byte("done"), longTTL)
		})
		k.pass(c.TTL + k.unit)
		k.expectResult(c, []byte("done"))
	}},
	{"a completed operation says how long it still lives, or nothing", func(k *kit) {
		c := k.acquired()
		k.succeeds("Complete", k.store.Complete(k.Context(), c.Key, c.Token, []byte("done"), longTTL/2))
		got := k.expect(rival(c), idempotency.Completed)
		if got.TTLLeft != 0 && (got.TTLLeft > longTTL/2 || got.TTLLeft < longTTL/4) {
			k.Errorf("TTLLeft is %v just after a completion for %v", got.TTLLeft, longTTL/2)
		}
	}},
	{"completing twice does not prolong the ttl", func(k *kit) {
		c, begin := k.brief(func(c idempotency.Claim) error {
			return errors.Join(k.store.Complete(k.Context(), c.Key, c.Token, []byte("done"), c.TTL),
				k.store.Complete(k.Context(), c.Key, c.Token, []byte("done"), longTTL))
		})
		k.awaitFree(c, begin, c.TTL, idempotency.Completed)
	}},
	{"an abandoned operation is free when the ttl of its claim is over, not before", func(k *kit) {
		c, begin := k.brief(func(c idempotency.Claim) error { return k.store.Abandon(k.Context(), c.Key, c.Token) })
		k.awaitFree(c, begin, c.TTL, idempotency.Abandoned)
		k.refuses(c)
	}},
	{"an operation whose lease has ended is free when the ttl of its claim is over, not before", func(k *kit) {
		c := newClaim()
		c.Lease, c.TTL = k.unit, 4*k.unit
		begin := time.Now()
		k.expect(c, idempotency.Acquired)
		k.awaitFree(c, begin, c.TTL, idempotency.InProgress, idempotency.Abandoned)
		k.refuses(c)
	}},
	{"a takeover counts the ttl anew", func(k *kit) {
		c, _ := k.brief(func(c idempotency.Claim) error { return k.store.Abandon(k.Context(), c.Key, c.Token) })
		next := takeover(c)
		next.Lease, next.TTL = longLease, longTTL
		k.expect(next, idempotency.Acquired)
		k.pass(c.TTL + k.unit)
		k.expect(rival(c), idempotency.InProgress)
	}},
	{"an expired record has no owner and no arguments", func(k *kit) {
		c := newClaim()
		c.Lease, c.TTL = k.unit, 2*k.unit
		k.expect(c, idempotency.Acquired)
		k.pass(3 * k.unit)
		k.refuses(c)
		other := newClaim()
		other.Key = c.Key
		k.expect(other, idempotency.Acquired)
		k.refuses(c)
	}},
	{"a record lives at least as long as its lease is extended", func(k *kit) {
		c, _ := k.brief(func(c idempotency.Claim) error { return k.store.Extend(k.Context(), c.Key, c.Token, longLease) })
		k.pass(c.TTL + k.unit)
		k.expect(rival(c), idempotency.InProgress)
		k.complete(c, nil)
	}},
	{"extending the lease does not shorten the life of a record", func(k *kit) {
		c := k.acquired()
		k.extend(c, k.unit)
		k.pass(3 * k.unit)
		k.expect(rival(c), idempotency.Abandoned)
	}},
}

// brief makes an operation whose record lives for ten units, and does something
// before they are over. On a machine that was too slow for that, the operation was
// free by then, and what it came to shows nothing: it begins anew with twice the
// time.
func (k *kit) brief(do func(idempotency.Claim) error) (c idempotency.Claim, begin time.Time) {
	k.Helper()
	for ttl := 10 * k.unit; ; ttl *= 2 {
		c, begin = newClaim(), time.Now()
		c.Lease, c.TTL = k.unit, ttl
		k.expect(c, idempotency.Acquired)
		err := do(c)
		switch {
		case time.Since(begin) >= ttl-clockGrain:
			continue
		case err != nil:
			k.Fatalf("%v, before its ttl was over", err)
		}
		return c, begin
	}
}

// awaitFree claims until the operation is free, which it must not be before the
// ttl that began at begin is over, and has to be then. Until then only these
// statuses are right.
func (k *kit) awaitFree(c idempotency.Claim, begin time.Time, ttl time.Duration, until ...idempotency.Status) idempotency.Claim {
	k.Helper()
	next := rival(c)
	next.Lease, next.TTL = longLease, longTTL
	for entered := time.Now(); ; {
		waited := time.Since(entered)
		got, err := k.store.Claim(k.Context(), next)
		passed := time.Since(begin)
		switch {
		case err != nil:
			k.Fatalf("Claim: %v", err)
		case got.Status == idempotency.Acquired && passed < ttl-clockGrain:
			k.Fatalf("free after %v, its ttl is %v", passed, ttl)
		case got.Status == idempotency.Acquired:
			return next
		case waited > ttl+patience:
			k.Fatalf("%s after %v, its ttl is %v", describe(got), waited, ttl)
		case !slices.Contains(until, got.Status):
			k.Fatalf("%s before its ttl is over", describe(got))
		}
		k.pass(k.unit / 4)
	}
}
