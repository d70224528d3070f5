package middleware

import (
	"time"

	"github.com/portavoz/portavoz/middleware/call"
)

// TakeAt is Take by a clock that said now when it was asked, which may have been
// before another call that has overtaken this one.
func TakeAt(l call.Limiter, c call.Charge, now time.Time) call.Verdict {
	return l.(*limiter).take(&c, now)
}

// BucketsOf is how many buckets a limiter made by NewLimiter holds.
func BucketsOf(l call.Limiter) int {
	n := 0
	for i := range l.(*limiter).shards {
		s := &l.(*limiter).shards[i]
		s.mu.Lock()
		n += s.buckets()
		s.mu.Unlock()
	}
	return n
}
