package storetest

import (
	"github.com/portavoz/portavoz/idempotency"
)

var leaseRules = []rule{
	{"an operation whose lease has ended is abandoned, and not free", func(k *kit) {
		c := k.lapsed()
		k.expect(rival(c), idempotency.Abandoned)
		k.expect(rival(c), idempotency.Abandoned)
	}},
	{"an owner whose lease has ended may still complete", func(k *kit) {
		c := k.lapsed()
		k.complete(c, []byte("late"))
		k.expectResult(c, []byte("late"))
	}},
	{"an owner whose lease has ended may still release", func(k *kit) {
		c := k.lapsed()
		k.release(c)
		k.expect(rival(c), idempotency.Acquired)
	}},
	{"an owner whose lease has ended may still abandon", func(k *kit) {
		c := k.lapsed()
		k.abandon(c)
		k.refuses(c, "Abandon")
	}},
	{"an owner whose lease has ended may still extend", func(k *kit) {
		c := k.lapsed()
		k.extend(c, longLease)
		k.expect(rival(c), idempotency.InProgress)
	}},
	{"an owner whose lease has ended may send the claim again", func(k *kit) {
		c := k.lapsed()
		k.expect(c, idempotency.Acquired)
		k.expect(rival(c), idempotency.InProgress)
	}},
	{"a lease that is extended runs from then on", func(k *kit) {
		c := newClaim()
		c.Lease = k.unit
		k.expect(c, idempotency.Acquired)
		k.extend(c, longLease)
		k.pass(2 * k.unit)
		got := k.expect(rival(c), idempotency.InProgress)
		if got.LeaseLeft > longLease {
			k.Errorf("LeaseLeft is %v after Extend by %v", got.LeaseLeft, longLease)
		}
	}},
	{"a lease may be extended to end sooner", func(k *kit) {
		c := k.acquired()
		k.extend(c, k.unit)
		k.pass(2 * k.unit)
		k.expect(rival(c), idempotency.Abandoned)
	}},
	{"a takeover has a lease of its own", func(k *kit) {
		c := takeover(k.lapsed())
		c.Lease = k.unit
		k.expect(c, idempotency.Acquired)
		k.pass(2 * k.unit)
		k.expect(rival(c), idempotency.Abandoned)
		k.complete(c, nil)
	}},
}

var fencingRules = []rule{
	{"a token that owns nothing changes nothing that is free", func(k *kit) {
		c := newClaim()
		k.refuses(c)
		k.expect(rival(c), idempotency.Acquired)
	}},
	{"a token that owns nothing changes nothing that is in progress", func(k *kit) {
		c := k.acquired()
		k.refuses(rival(c))
		k.expect(rival(c), idempotency.InProgress)
		k.complete(c, nil)
	}},
	{"a token that owns nothing changes nothing that is abandoned", func(k *kit) {
		c := k.abandoned()
		k.refuses(rival(c))
		k.expect(rival(c), idempotency.Abandoned)
	}},
	{"a token that owns nothing changes nothing whose lease has ended", func(k *kit) {
		c := k.lapsed()
		k.refuses(rival(c))
		k.expect(rival(c), idempotency.Abandoned)
		k.complete(c, nil)
	}},
	{"a token that owns nothing changes nothing that is completed", func(k *kit) {
		c := k.completed([]byte("done"))
		k.refuses(rival(c))
		k.expectResult(c, []byte("done"))
	}},
	{"after a takeover the stale owner changes nothing that is in progress", func(k *kit) {
		stale, owner := k.takenOver()
		k.refuses(stale)
		k.expect(rival(owner), idempotency.InProgress)
		k.complete(owner, []byte("the new owner's"))
		k.expectResult(owner, []byte("the new owner's"))
	}},
	{"after a takeover the stale owner's claim finds it in progress", func(k *kit) {
		stale, owner := k.takenOver()
		k.expect(stale, idempotency.InProgress)
		k.refuses(stale)
		k.complete(owner, nil)
	}},
	{"after a takeover the stale owner changes nothing that is completed", func(k *kit) {
		stale, owner := k.takenOver()
		k.complete(owner, []byte("the new owner's"))
		k.refuses(stale)
		k.expectResult(owner, []byte("the new owner's"))
	}},
	{"after a takeover the stale owner changes nothing that is abandoned", func(k *kit) {
		stale, owner := k.takenOver()
		k.abandon(owner)
		k.refuses(stale)
		k.expect(rival(owner), idempotency.Abandoned)
	}},
	{"after a takeover the stale owner changes nothing that is released", func(k *kit) {
		stale, owner := k.takenOver()
		k.release(owner)
		k.refuses(stale)
		next := rival(owner)
		k.expect(next, idempotency.Acquired)
		k.refuses(stale)
		k.refuses(owner)
		k.complete(next, nil)
	}},
}

// takenOver makes an operation that is in progress, and was taken over from an
// owner whose lease had ended.
func (k *kit) takenOver() (stale, owner idempotency.Claim) {
	k.Helper()
	stale = k.lapsed()
	owner = takeover(stale)
	k.expect(owner, idempotency.Acquired)
	return stale, owner
}
