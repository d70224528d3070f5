package storetest

import (
	"github.com/portavoz/portavoz/idempotency"
)

var claimRules = []rule{
	{"a claim of a free operation is acquired", func(k *kit) {
		k.expect(newClaim(), idempotency.Acquired)
	}},
	{"a claim that is sent again is acquired again", func(k *kit) {
		c := k.acquired()
		k.expect(c, idempotency.Acquired)
		k.expect(rival(c), idempotency.InProgress)
		k.complete(c, nil)
	}},
	{"a claim that is sent again counts from the second time", func(k *kit) {
		c := newClaim()
		first := c
		first.Lease, first.TTL = k.unit, 10*k.unit
		k.expect(first, idempotency.Acquired)
		k.expect(c, idempotency.Acquired)
		k.pass(11 * k.unit)
		k.expect(rival(c), idempotency.InProgress)
	}},
	{"another token finds an operation in progress, and how long its lease runs", func(k *kit) {
		c := k.acquired()
		got := k.expect(rival(c), idempotency.InProgress)
		if got.LeaseLeft > longLease || got.LeaseLeft < longLease/2 {
			k.Errorf("LeaseLeft is %v just after a claim with a lease of %v", got.LeaseLeft, longLease)
		}
	}},
	{"a claim that finds it in progress changes nothing", func(k *kit) {
		c := k.acquired()
		r := rival(c)
		k.expect(r, idempotency.InProgress)
		k.refuses(r)
		k.complete(c, []byte("the owner's"))
		k.expectResult(c, []byte("the owner's"))
	}},
	{"the same token may own several operations", func(k *kit) {
		a, b := newClaim(), newClaim()
		b.Token = a.Token
		k.expect(a, idempotency.Acquired)
		k.expect(b, idempotency.Acquired)
		k.complete(a, []byte("a"))
		k.expect(rival(b), idempotency.InProgress)
		k.release(b)
		k.expectResult(a, []byte("a"))
	}},
	{"a claim of a completed operation is never acquired", func(k *kit) {
		c := k.completed([]byte("done"))
		k.expect(c, idempotency.Completed)
		k.expect(takeover(c), idempotency.Completed)
		k.expectResult(c, []byte("done"))
	}},
	{"a takeover leaves a running operation alone", func(k *kit) {
		c := k.acquired()
		k.expect(takeover(c), idempotency.InProgress)
		k.complete(c, nil)
	}},
	{"a takeover acquires an operation that its owner abandoned", func(k *kit) {
		c := takeover(k.abandoned())
		k.expect(c, idempotency.Acquired)
		k.expect(takeover(c), idempotency.InProgress)
		k.complete(c, []byte("at last"))
		k.expectResult(c, []byte("at last"))
	}},
	{"a takeover acquires an operation whose lease has ended", func(k *kit) {
		c := takeover(k.lapsed())
		k.expect(c, idempotency.Acquired)
		k.expect(takeover(c), idempotency.InProgress)
		k.complete(c, []byte("at last"))
		k.expectResult(c, []byte("at last"))
	}},
	{"a takeover that is sent again is acquired again", func(k *kit) {
		c := takeover(k.abandoned())
		k.expect(c, idempotency.Acquired)
		k.expect(c, idempotency.Acquired)
		k.release(c)
		k.expect(rival(c), idempotency.Acquired)
	}},
}

var conflictRules = []rule{
	{"other arguments are a conflict while it is in progress", func(k *kit) {
		k.conflicts(k.acquired())
	}},
	{"other arguments are a conflict once it is completed", func(k *kit) {
		c := k.completed([]byte("done"))
		k.conflicts(c)
		k.expectResult(c, []byte("done"))
	}},
	{"other arguments are a conflict once it is completed without a result", func(k *kit) {
		c := k.completed(nil)
		k.conflicts(c)
		k.expectResult(c, nil)
	}},
	{"other arguments are a conflict once it is abandoned", func(k *kit) {
		c := k.abandoned()
		k.conflicts(c)
		k.expect(rival(c), idempotency.Abandoned)
	}},
	{"other arguments are a conflict once its lease has ended", func(k *kit) {
		c := k.lapsed()
		k.conflicts(c)
		k.expect(rival(c), idempotency.Abandoned)
		k.complete(c, nil)
	}},
	{"other arguments are a conflict once it was taken over", func(k *kit) {
		c := takeover(k.abandoned())
		k.expect(c, idempotency.Acquired)
		k.conflicts(c)
		k.complete(c, nil)
	}},
	{"other arguments are welcome once it is released", func(k *kit) {
		c := k.acquired()
		k.release(c)
		other := newClaim()
		other.Key = c.Key
		k.expect(other, idempotency.Acquired)
		k.conflicts(other)
	}},
}

// conflicts wants every kind of claim with other arguments to be a conflict.
func (k *kit) conflicts(c idempotency.Claim) {
	k.Helper()
	c.Fingerprint = newClaim().Fingerprint
	k.expect(c, idempotency.Conflict)
	k.expect(rival(c), idempotency.Conflict)
	k.expect(takeover(c), idempotency.Conflict)
}
