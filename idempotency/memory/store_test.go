package memory_test

import (
	"testing"

	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/memory"
	"github.com/portavoz/portavoz/idempotency/storetest"
)

func TestStore(t *testing.T) {
	t.Parallel()
	storetest.Run(t, open(memory.Config{}), storetest.InBubble())
}
func TestStoreReal(t *testing.T) {
	t.Parallel()
	storetest.Run(t, open(memory.Config{}))
}

func FuzzStore(f *testing.F) {
	storetest.Fuzz(f, open(memory.Config{}), storetest.InBubble())
}

func open(cfg memory.Config) func(t *testing.T) idempotency.Store {
	return func(t *testing.T) idempotency.Store {
		t.Helper()
		s, err := memory.Ephemeral(cfg)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		return s
	}
}
