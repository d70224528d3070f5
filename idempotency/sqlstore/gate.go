package sqlstore

import "context"

// gate lets one at a time write to a database in which one at a time may. Who
// waits here holds no connection and gets his turn; who waits in SQLite sleeps,
// looks again, and may find another one there each time. A nil gate is open.
type gate chan struct{}

// enter waits for its turn, or until ctx ends.
func (g gate) enter(ctx context.Context) error {
	if g == nil {
		return nil
	}
	select {
	case g <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (g gate) leave() {
	if g != nil {
		<-g
	}
}
