package nearcache

import (
	"sync"

	"github.com/portavoz/portavoz/idempotency"
)

// maxClaims bounds how many runs are remembered at a time. A run beyond it costs
// its first replay a round trip.
const maxClaims = 100_000

// claims remembers the fingerprints of the operations that this process runs:
// Complete is not told them, and an entry needs one.
type claims struct {
	mu   sync.Mutex
	held map[idempotency.Digest]claim
}

type claim struct {
	token       string
	fingerprint idempotency.Digest
}

func (c *claims) add(key idempotency.Digest, token string, fingerprint idempotency.Digest) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held == nil {
		c.held = map[idempotency.Digest]claim{}
	}
	if _, known := c.held[key]; !known && len(c.held) >= maxClaims {
		for other := range c.held { // any one: the run may have ended unsettled
			delete(c.held, other)
			break
		}
	}
	c.held[key] = claim{token, fingerprint}
}

// take returns the fingerprint under which the token claimed, and forgets it.
func (c *claims) take(key idempotency.Digest, token string) (idempotency.Digest, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	held, ok := c.held[key]
	if !ok || held.token != token {
		return idempotency.Digest{}, false
	}
	delete(c.held, key)
	return held.fingerprint, true
}
