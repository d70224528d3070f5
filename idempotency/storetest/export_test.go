package storetest

import (
	"testing"

	"github.com/portavoz/portavoz/idempotency"
)

// RunRule is [Run] with one rule only.
func RunRule(t *testing.T, name string, newStore func(t *testing.T) idempotency.Store, opts ...Option) {
	t.Helper()
	for _, r := range allRules() {
		if r.name == name {
			newSuite(newStore, opts).check(t, r.check)
			return
		}
	}
	t.Fatalf("no rule %q", name)
}
