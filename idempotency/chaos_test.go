package idempotency_test

import (
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/storetest"
)

// TestChaos is the chaos of storetest over the store in memory. PORTAVOZ_SEED
// replays one. With PORTAVOZ_LONG=1 there are ten million calls.
//
//nolint:paralleltest // counts goroutines
func TestChaos(t *testing.T) {
	seed, runs, calls := rand.Uint64(), 1, 50_000
	if os.Getenv("PORTAVOZ_LONG") == "1" {
		runs, calls = 20, 250_000
	}
	if text := os.Getenv("PORTAVOZ_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("PORTAVOZ_SEED: %v", err)
		}
	}
	stores := func(t *testing.T) idempotency.Store {
		t.Helper()
		return newStore(t)
	}
	before := runtime.NumGoroutine()
	for i := range runs {
		storetest.Chaos(t, stores, calls, storetest.Seed(seed+uint64(i)))
		for end := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before; runtime.Gosched() {
			if time.Now().After(end) { // not only one that is just ending
				t.Fatalf("%d goroutines, and %d before", runtime.NumGoroutine(), before)
			}
		}
	}
}
