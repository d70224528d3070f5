package middleware

import "github.com/portavoz/portavoz/middleware/call"

// BucketsOf is how many buckets a limiter made by NewLimiter holds.
func BucketsOf(l call.Limiter) int {
	n := 0
	for i := range l.(*limiter).shards {
		s := &l.(*limiter).shards[i]
		s.mu.Lock()
		n += len(s.young) + len(s.old)
		s.mu.Unlock()
	}
	return n
}
