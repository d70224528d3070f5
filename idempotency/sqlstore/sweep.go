package sqlstore

import "context"

// sweepBatch is how many rows one statement of Sweep removes: few enough that
// nobody waits for it.
const sweepBatch = 500

// Sweep removes records that have expired, in batches, until there are no more
// or ctx ends, and says how many. An expired record does no harm, and is replaced
// where its key is used again: Sweep is for the room that they take. Call it every
// few minutes or once a night; several processes may at once.
func (s *Store) Sweep(ctx context.Context) (removed int64, err error) {
	for {
		var n int64
		err := s.repeat(ctx, func(on asker) (err error) {
			n, err = s.exec(ctx, on, s.say.sweep, sweepBatch)
			return err
		})
		removed += n
		if err != nil || n < sweepBatch {
			return removed, err
		}
	}
}
