package memory

import "sync/atomic"

// budget counts what is in use and never lets it above the limit.
// Every call writes to it: it has cache lines to itself.
type budget struct {
	limit int64
	_     [56]byte
	used  atomic.Int64
	_     [56]byte
}

// take reports whether n more fit, and counts them if they do.
func (b *budget) take(n int64) bool {
	for {
		used := b.used.Load()
		if n > b.limit-used {
			return false
		}
		if b.used.CompareAndSwap(used, used+n) {
			return true
		}
	}
}

func (b *budget) give(n int64) { b.used.Add(-n) }
