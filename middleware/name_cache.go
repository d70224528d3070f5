package middleware

import (
	"maps"
	"strings"
	"sync"
	"sync/atomic"
)

// nameCache remembers what the names of members say, so that each is read once. The
// zero value is ready; it is safe for concurrent use. Reading it takes no lock.
type nameCache[T any] struct {
	mu    sync.Mutex
	known atomic.Pointer[map[string]T]
}

// Names may be data: what is remembered is bounded, and long ones are not.
const (
	maxKnownNames = 512
	maxNameBytes  = 64
)

// of returns what read says of the name, which depends on nothing else.
func (c *nameCache[T]) of(name string, read func(string) T) T {
	known := c.known.Load()
	if known != nil {
		if said, ok := (*known)[name]; ok {
			return said
		}
	}
	said := read(name)
	if len(name) > maxNameBytes || known != nil && len(*known) >= maxKnownNames {
		return said
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	grown := make(map[string]T)
	if known := c.known.Load(); known != nil {
		maps.Copy(grown, *known)
	}
	grown[strings.Clone(name)] = said
	c.known.Store(&grown)
	return said
}
