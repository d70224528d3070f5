package storetest

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
)

const crowd = 64 // goroutines

// together runs a function in a crowd of goroutines that begin at once.
func together(f func(i int)) {
	var all sync.WaitGroup
	begin := make(chan struct{})
	for i := range crowd {
		all.Go(func() {
			<-begin
			f(i)
		})
	}
	close(begin)
	all.Wait()
}

var raceRules = []rule{
	{"of many claims at once one is acquired", func(k *kit) {
		for range 16 {
			k.oneOfMany(newClaim(), rival)
		}
	}},
	{"of many takeovers at once one is acquired", func(k *kit) {
		for range 16 {
			k.oneOfMany(k.abandoned(), takeover)
		}
	}},
	{"a claim that is sent many times at once is acquired every time", func(k *kit) {
		c := newClaim()
		together(func(int) {
			if got, err := k.store.Claim(k.Context(), c); err != nil || got.Status != idempotency.Acquired {
				k.Errorf("Claim: %s, %v, want acquired", describe(got), err)
			}
		})
		k.complete(c, nil)
	}},
	{"of many releases at once one frees", func(k *kit) {
		c := k.acquired()
		var freed atomic.Int32
		together(func(int) {
			switch err := k.store.Release(k.Context(), c.Key, c.Token); {
			case err == nil:
				freed.Add(1)
			case !errors.Is(err, idempotency.ErrNotOwner):
				k.Errorf("Release: %v", err)
			}
		})
		if n := freed.Load(); n != 1 {
			k.Errorf("%d releases succeeded, want 1", n)
		}
		k.expect(rival(c), idempotency.Acquired)
	}},
	{"of many completions at once one counts", func(k *kit) {
		c := k.acquired()
		var given [crowd][]byte
		together(func(i int) {
			given[i] = fmt.Appendf(nil, "result %d", i)
			if err := k.store.Complete(k.Context(), c.Key, c.Token, given[i], longTTL); err != nil {
				k.Errorf("Complete: %v", err)
			}
		})
		first := k.expect(rival(c), idempotency.Completed)
		if !first.Dropped && !slices.ContainsFunc(given[:], func(b []byte) bool { return bytes.Equal(b, first.Result) }) {
			k.Errorf("the result is %s, which nobody gave", excerpt(first.Result))
		}
		if !first.Dropped {
			k.expectResult(c, first.Result)
		}
	}},
	{"an operation has one owner at a time", func(k *kit) {
		operations := make([]contested, 4)
		for i := range operations {
			operations[i].claim = newClaim()
		}
		together(func(i int) {
			for n := range 32 {
				k.contest(&operations[(i+n)%len(operations)], n%3 == 0)
			}
		})
	}},
}

// oneOfMany claims the operation as a crowd, and wants one to acquire it, and
// that one to own it.
func (k *kit) oneOfMany(c idempotency.Claim, as func(idempotency.Claim) idempotency.Claim) {
	k.Helper()
	var owners [crowd]idempotency.Claim
	var acquired atomic.Int32
	together(func(int) {
		claim := as(c)
		switch got, err := k.store.Claim(k.Context(), claim); {
		case err != nil:
			k.Errorf("Claim: %v", err)
		case got.Status == idempotency.Acquired:
			owners[acquired.Add(1)-1] = claim
		case got.Status != idempotency.InProgress:
			k.Errorf("Claim: %s, want acquired or in progress", describe(got))
		}
	})
	if n := acquired.Load(); n != 1 {
		k.Fatalf("%d of %d claims were acquired, want 1", n, crowd)
	}
	k.complete(owners[0], []byte("the owner's"))
	k.expectResult(owners[0], []byte("the owner's"))
}

// contested is an operation that many try to own.
type contested struct {
	claim  idempotency.Claim
	owners atomic.Int32
}

// contest tries to own the operation once, and gives it up again.
func (k *kit) contest(o *contested, abandon bool) {
	c := o.claim
	c.Token, c.Takeover = rand.Text(), true
	got, err := k.store.Claim(k.Context(), c)
	if err != nil || (got.Status != idempotency.Acquired && got.Status != idempotency.InProgress) {
		k.Errorf("Claim: %s, %v, want acquired or in progress", describe(got), err)
	}
	if err != nil || got.Status != idempotency.Acquired {
		return
	}
	if n := o.owners.Add(1); n != 1 {
		k.Errorf("%d own the operation", n)
	}
	if err := k.store.Extend(k.Context(), c.Key, c.Token, longLease); err != nil {
		k.Errorf("Extend by the owner: %v", err)
	}
	o.owners.Add(-1)
	giveUp := k.store.Release
	if abandon {
		giveUp = k.store.Abandon
	}
	if err := giveUp(k.Context(), c.Key, c.Token); err != nil {
		k.Errorf("giving up by the owner: %v", err)
	}
}
