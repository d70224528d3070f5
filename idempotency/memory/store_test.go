package memory_test

import (
	"testing"

	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/memory"
	"github.com/portavoz/portavoz/idempotency/storetest"
)

// The suite runs in bubbles, each of which also sees to it that the store leaves
// no goroutine behind.
func TestStore(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		cfg  memory.Config
		opts []storetest.Option
	}{
		"as it comes":         {},
		"with little room":    {cfg: memory.Config{MaxKeys: 100, MaxBytes: 300}, opts: []storetest.Option{storetest.MayDropResults()}},
		"without any results": {cfg: memory.Config{MaxBytes: 1}, opts: []storetest.Option{storetest.MayDropResults()}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storetest.Run(t, maker(test.cfg), append(test.opts, storetest.InBubble())...)
		})
	}
}

func FuzzStore(f *testing.F) {
	storetest.Fuzz(f, maker(memory.Config{}), storetest.InBubble())
}

// maker makes stores whose structures are checked in the end.
func maker(cfg memory.Config) func(t *testing.T) idempotency.Store {
	return func(t *testing.T) idempotency.Store {
		t.Helper()
		s := open(t, cfg)
		t.Cleanup(func() {
			if err := s.Check(); err != nil {
				t.Error(err)
			}
		})
		return s
	}
}

func open(t *testing.T, cfg memory.Config) *memory.Store {
	t.Helper()
	s, err := memory.Ephemeral(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
