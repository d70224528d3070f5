package middleware

import (
	"math"
	"sync"
)

// oneTry is what a further try costs. Shares are counted in thousandths of it, so
// that ten tenths are a whole.
const oneTry = 1000

// retryBudget is the share of further tries that calls earn for each other. It is
// safe for concurrent use.
type retryBudget struct {
	share, most int

	mu    sync.Mutex
	saved int
}

// newRetryBudget returns a full one.
func newRetryBudget(share float64, burst int) *retryBudget {
	return &retryBudget{share: int(math.Ceil(share * oneTry)), most: burst * oneTry, saved: burst * oneTry}
}

// earn adds the share of one call.
func (b *retryBudget) earn() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.saved = min(b.saved+b.share, b.most)
}

// spend takes one further try if there is one.
func (b *retryBudget) spend() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.saved < oneTry {
		return false
	}
	b.saved -= oneTry
	return true
}
