package idempotency

import (
	"context"
	"sync"
	"time"

	"github.com/portavoz/portavoz/errors"
)

// renewal extends the lease of a flight every third of it, until the store has
// taken the outcome: what runs, or has run and is known here, is not dead.
type renewal struct {
	engine *Engine
	flight *flight
	every  time.Duration
	lost   context.CancelFunc // ends the run

	mu      sync.Mutex
	timer   *time.Timer
	renewed time.Time          // when the last question that was answered well was asked
	cancel  context.CancelFunc // ends the question under way; nil if there is none
	stopped bool
}

func (e *Engine) renew(ctx context.Context, f *flight, lost context.CancelFunc) *renewal {
	r := &renewal{engine: e, flight: f, every: max(e.cfg.Lease/3, time.Millisecond), lost: lost, renewed: f.asked}
	if f.unprotected {
		return r // there is no lease
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.timer = time.AfterFunc(r.every, func() { r.extend(ctx) })
	return r
}

// stop ends it, and with it a question that is under way.
func (r *renewal) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stopped = true
	if r.timer != nil {
		r.timer.Stop()
	}
	if r.cancel != nil {
		r.cancel()
	}
}

// extend renews the lease once, and sees to the next time. A run whose operation
// was taken over has no business any more; one that another process may take
// over stops while the lease still lasts, at its second failure in a row.
func (r *renewal) extend(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, min(r.every/2, storeTimeout))
	defer cancel()
	asked, ok := r.begin(cancel)
	if !ok {
		return
	}
	err := r.engine.extend(ctx, r.flight)

	r.mu.Lock()
	defer r.mu.Unlock()
	r.cancel = nil
	switch {
	case r.stopped:
		return
	case errors.Is(err, ErrNotOwner):
		r.lost()
		return
	case err == nil:
		r.renewed = asked
	case r.engine.takesOver() && asked.Sub(r.renewed) >= 2*r.every:
		r.lost()
	}
	r.timer.Reset(r.every - min(time.Since(asked), r.every))
}

func (r *renewal) begin(cancel context.CancelFunc) (asked time.Time, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cancel = cancel
	return time.Now(), !r.stopped
}

func (e *Engine) extend(ctx context.Context, f *flight) (err error) {
	defer rescue(&err)
	return e.store.Extend(ctx, f.key, f.token, e.cfg.Lease)
}
