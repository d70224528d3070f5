package health

import (
	"math/bits"
	"time"
)

// The histogram is log-linear: each power of two is cut into 32 buckets of
// equal width, so that no bucket is wider than 1/32 of the values in it. It
// counts in units of 1/65536 of the target; as that is a power of two of them,
// the target is the upper edge of a bucket and comparing with it is exact. The
// constants are exponents of two.
const (
	subBits   = 5  // buckets in a power of two
	unitBits  = 16 // units in the target
	reachBits = 5  // targets in the whole range
	buckets   = (unitBits + reachBits - subBits + 1) << subBits
)

type histogram [buckets]uint64

// bucketOf returns the bucket whose upper edge is the first not below d. What
// lies beyond the range counts in the last bucket. The product fits an int64
// for targets up to an hour.
func bucketOf(d, target time.Duration) int {
	if d <= 0 {
		return 0
	}
	d = min(d, target<<reachBits)
	unit := uint64((d<<unitBits - 1) / target)
	shift := max(bits.Len64(unit)-subBits-1, 0)
	return shift<<subBits + int(unit>>shift)
}

// upperEdge returns the greatest duration of a bucket.
func upperEdge(bucket int, target time.Duration) time.Duration {
	shift := max(bucket>>subBits-1, 0)
	units := int64(bucket-shift<<subBits+1) << shift
	return time.Duration(units * int64(target) >> unitBits)
}

func (h *histogram) total() uint64 {
	var n uint64
	for _, count := range h {
		n += count
	}
	return n
}

// percentile returns the upper edge of the bucket that holds the call of
// nearest rank: the first duration within which p percent of n calls ended. It
// is zero without calls; n is the histogram's total.
func (h *histogram) percentile(p, n uint64, target time.Duration) time.Duration {
	if n == 0 {
		return 0
	}
	rank := (n*p + 99) / 100
	bucket := 0
	for seen := h[0]; seen < rank; seen += h[bucket] {
		bucket++
	}
	return upperEdge(bucket, target)
}
