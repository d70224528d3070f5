package middleware

import (
	"container/list"
	"context"
	"sync"
	"time"
)

// OwnershipConfig bounds [NewOwnershipStore].
type OwnershipConfig struct {
	// TTL is how long a record stays owned after it was last resolved.
	// Default: 2 hours.
	TTL time.Duration
	// MaxConversations is how many conversations are remembered; the one that
	// resolved something longest ago is forgotten first. Default: 100,000.
	MaxConversations int
	// MaxRecords is how many records one conversation may own; resolving more
	// forgets the oldest. Default: 100.
	MaxRecords int
}

// NewOwnershipStore returns a store in memory. A restart forgets, and every
// process has its own: behind a load balancer without affinity, bring a shared
// one.
func NewOwnershipStore(cfg OwnershipConfig) OwnershipStore {
	if cfg.TTL <= 0 {
		cfg.TTL = 2 * time.Hour
	}
	if cfg.MaxConversations <= 0 {
		cfg.MaxConversations = 100_000
	}
	if cfg.MaxRecords <= 0 {
		cfg.MaxRecords = 100
	}
	return &memoryOwnership{cfg: cfg, byScope: map[string]*list.Element{}, recent: list.New()}
}

type memoryOwnership struct {
	cfg OwnershipConfig

	mu      sync.Mutex
	byScope map[string]*list.Element // of *conversation
	recent  *list.List               // most recently resolved first
}

var _ OwnershipStore = (*memoryOwnership)(nil)

type conversation struct {
	scope  string
	owned  []ownedRecord // in the order of resolving
	newest time.Time
}

type ownedRecord struct {
	ownedKey
	expires time.Time
}

func (m *memoryOwnership) Add(_ context.Context, scope, kind, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	m.forgetExpired(now)

	el, ok := m.byScope[scope]
	if !ok {
		if m.recent.Len() >= m.cfg.MaxConversations {
			m.forget(m.recent.Back())
		}
		el = m.recent.PushFront(&conversation{scope: scope})
		m.byScope[scope] = el
	}
	m.recent.MoveToFront(el)
	el.Value.(*conversation).add(ownedKey{kind, id}, now, m.cfg)
	return nil
}

func (m *memoryOwnership) Has(_ context.Context, scope, kind, id string) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	el, ok := m.byScope[scope]
	if !ok {
		return false, nil
	}
	now := time.Now()
	for _, r := range el.Value.(*conversation).owned {
		if r.ownedKey == (ownedKey{kind, id}) {
			return now.Before(r.expires), nil
		}
	}
	return false, nil
}

func (c *conversation) add(key ownedKey, now time.Time, cfg OwnershipConfig) {
	c.newest = now
	for i, r := range c.owned {
		if r.ownedKey == key {
			c.owned = append(c.owned[:i], c.owned[i+1:]...)
			break
		}
	}
	if len(c.owned) >= cfg.MaxRecords {
		c.owned = c.owned[1:]
	}
	c.owned = append(c.owned, ownedRecord{key, now.Add(cfg.TTL)})
}

// forgetExpired drops conversations from the end of the list, where the oldest
// are: each is dropped once, so the cost of a call stays constant on average.
func (m *memoryOwnership) forgetExpired(now time.Time) {
	for el := m.recent.Back(); el != nil; el = m.recent.Back() {
		if now.Sub(el.Value.(*conversation).newest) < m.cfg.TTL {
			return
		}
		m.forget(el)
	}
}

func (m *memoryOwnership) forget(el *list.Element) {
	delete(m.byScope, el.Value.(*conversation).scope)
	m.recent.Remove(el)
}
