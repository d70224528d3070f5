package idempotency

import (
	"context"
	"sync/atomic"
	"time"
)

type runKey struct{}

// run is what a context knows of the run that it belongs to.
type run struct {
	key  Digest
	ttl  time.Duration
	once atomic.Bool // see ForbidRepeat
}

func runIn(ctx context.Context) *run {
	r, _ := ctx.Value(runKey{}).(*run)
	return r
}

// within reports whether ctx is that of a run of this very operation.
func within(ctx context.Context, key Digest) bool {
	r := runIn(ctx)
	return r != nil && r.key == key
}

// ForbidRepeat notes that the run in ctx has begun what there is once in a run, and
// not once in a try: a store does so when it hands out the transaction that it
// shares with the run, see [Joiner]. What a first try did there would be done again
// by a second, and count twice, although a failure of the run undoes it. Outside of
// a run it does nothing.
func ForbidRepeat(ctx context.Context) {
	if r := runIn(ctx); r != nil {
		r.once.Store(true)
	}
}

// MayRepeat reports whether nothing has called [ForbidRepeat] in the run in ctx. A
// middleware that calls the function of a run again asks first. Outside of a run it
// is true.
func MayRepeat(ctx context.Context) bool {
	r := runIn(ctx)
	return r == nil || !r.once.Load()
}
