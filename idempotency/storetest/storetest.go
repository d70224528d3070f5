// Package storetest is the suite that every [idempotency.Store] must pass: the
// contract in the comment of that interface, rule by rule, and random operations
// held against a model of it.
//
//	func TestStore(t *testing.T) {
//		storetest.Run(t, func(t *testing.T) idempotency.Store { return newStore(t) })
//	}
//
//	func FuzzStore(f *testing.F) {
//		storetest.Fuzz(f, func(t *testing.T) idempotency.Store { return newStore(t) })
//	}
//
// What only one store has is left to its own tests: when it is full
// ([idempotency.ErrFull]), cannot read a record ([idempotency.ErrCorrupt]), is
// closed, and what a restart does to it.
//
// Every test takes a store of its own and keys that nobody used before, so that
// the stores may share one server. What they leave behind expires within ten
// minutes.
//
// A store that decides by a server's clock is tested in real time, with leases
// and lifetimes of some [Unit]: then the suite takes a few seconds. A slow
// machine does no harm: what must not have happened yet is asked of periods of
// minutes, or of ten units and, if that took longer, of twice as many; and where
// periods are random, the model knows which answers the passing time allows. A store that takes the time from package time
// of this process is tested [InBubble], in milliseconds.
package storetest

import (
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/portavoz/portavoz/idempotency"
)

// Run tests the stores that newStore makes, each rule in a subtest, in parallel.
// It returns when all have ended. newStore registers with the t that it is given
// what has to be closed, and does not call its Parallel or Run.
func Run(t *testing.T, newStore func(t *testing.T) idempotency.Store, opts ...Option) {
	t.Helper()
	s := newSuite(newStore, opts)
	t.Run("contract", func(t *testing.T) {
		for _, r := range allRules() {
			t.Run(r.name, func(t *testing.T) {
				t.Parallel()
				s.check(t, r.check)
			})
		}
	})
}

// An Option says how a store is to be tested.
type Option func(*suite)

// InBubble runs every test, newStore included, in a bubble of testing/synctest,
// where waiting takes no time. It is for stores that take the time from package
// time, in this process, and wait for nothing outside of it.
func InBubble() Option { return func(s *suite) { s.bubble = true } }

// Unit is the shortest period that tests wait for in real time. The suite is
// fastest where a few calls take less than ten of them. Default: 50 ms.
func Unit(d time.Duration) Option { return func(s *suite) { s.unit = d } }

// MayDropResults is for stores that hold no results, or give them up when they
// please: wherever a result is due, Dropped will do.
func MayDropResults() Option { return func(s *suite) { s.mayDrop = true } }

// Seed repeats the random operations of an earlier run, which has logged it.
func Seed(seed uint64) Option { return func(s *suite) { s.seed = seed } }

// rule is one sentence of the contract and its test.
type rule struct {
	name  string
	check func(*kit)
}

func allRules() []rule {
	return slices.Concat(claimRules, conflictRules, leaseRules, fencingRules, settleRules, lifetimeRules,
		resultRules, hostileRules, contextRules, raceRules, modelRules)
}

type suite struct {
	newStore func(t *testing.T) idempotency.Store
	unit     time.Duration
	bubble   bool
	mayDrop  bool
	seed     uint64
}

func newSuite(newStore func(t *testing.T) idempotency.Store, opts []Option) suite {
	s := suite{newStore: newStore, unit: 50 * time.Millisecond}
	s.seed = rand.Uint64() //nolint:gosec // it is to be logged, not secret
	for _, opt := range opts {
		opt(&s)
	}
	return s
}

// check runs one test with a new store.
func (s suite) check(t *testing.T, check func(*kit)) {
	t.Helper()
	run := func(t *testing.T) {
		t.Helper()
		check(&kit{T: t, suite: s, store: s.newStore(t)})
	}
	if s.bubble {
		synctest.Test(t, run)
	} else {
		run(t)
	}
}
