package call

import (
	"context"
	"math"
	"time"
)

// Limit is how much may be spent: Burst units at once, and one more each time
// Every has passed, up to Burst again. The zero Limit is no limit.
type Limit struct {
	// Every is the time in which one unit comes back. Zero or less is no limit.
	Every time.Duration
	// Burst is how many units there are after a long rest. Zero or less lets
	// nothing through.
	Burst int
}

// Rate returns the limit of n units in each period, with burst of them at once:
// Rate(20, time.Second, 40). It panics if one of the three is not positive.
func Rate(n int, period time.Duration, burst int) Limit {
	if n <= 0 || period <= 0 || burst <= 0 {
		panic("portavoz/call: Rate needs positive numbers")
	}
	every := period / time.Duration(n)
	if period%time.Duration(n) != 0 || every == 0 {
		every++ // never faster than what was asked for
	}
	return Limit{Every: every, Burst: burst}
}

// Unlimited reports whether l is no limit.
func (l Limit) Unlimited() bool { return l.Every <= 0 }

// Refill is how long it takes until all is back that was spent at most.
func (l Limit) Refill() time.Duration {
	if l.Unlimited() || l.Burst <= 0 {
		return 0
	}
	if int64(l.Burst) > math.MaxInt64/int64(l.Every) {
		return math.MaxInt64
	}
	return time.Duration(l.Burst) * l.Every
}

// Part returns the fraction f of l: it comes back at f times the rate, and its
// burst is rounded up. An f of 1 or more is all of it. It panics if f is not
// positive.
func (l Limit) Part(f float64) Limit {
	if !(f > 0) {
		panic("portavoz/call: a part of a limit needs a positive fraction")
	}
	if f >= 1 || l.Unlimited() {
		return l
	}
	every := math.Ceil(float64(l.Every) / f)
	if every >= math.MaxInt64 {
		return Limit{Every: math.MaxInt64, Burst: 1}
	}
	const noise = 1e-9 // of the multiplication: 0.1 of 70 is 7
	return Limit{Every: time.Duration(every), Burst: int(math.Ceil(float64(l.Burst)*f - noise))}
}

// A call is counted in up to three buckets of one key. These are their indexes
// in [Charge.Buckets]; the index is part of what a bucket is.
const (
	OfKey          = iota // all that the key spends
	OfConversation        // what one conversation of the key spends
	OfTool                // what the key spends on one tool
	Buckets
)

// Bucket is one account from which a call is paid.
type Bucket struct {
	// Name tells apart the buckets of one key and index: the conversation, or
	// the tool.
	Name string
	// Limit is what holds for the bucket now. It may differ from call to call:
	// units that are left are kept, as far as they fit, and what is full is full.
	// A bucket without a limit is left out.
	Limit Limit
	// Cost is how many units the call takes. Zero or less takes none and asks
	// whether one could be taken.
	Cost int
}

// Charge is what one call costs, and whom.
type Charge struct {
	// Key is who pays. Keys that differ share nothing.
	Key string
	// Buckets are all that have to have enough.
	Buckets [Buckets]Bucket
}

// Verdict is the answer to a [Charge].
type Verdict struct {
	// Wait is zero if the charge was paid. Else nothing was taken, and it is how
	// long until all buckets have enough, if nobody else spends meanwhile, or
	// Never.
	Wait time.Duration
	// Bucket is the index of the bucket that has to be waited for longest.
	Bucket int
}

// Never is the wait for a charge that costs more than a bucket can hold.
const Never = time.Duration(math.MaxInt64)

// Allowed reports whether the charge was paid.
func (v Verdict) Allowed() bool { return v.Wait <= 0 }

// Limiter counts what keys spend. It stands behind the rate limits of both
// halves of a server, in this process or beyond it.
//
// Take pays a charge from all of its buckets or from none, at once: of charges
// made at the same time no more are paid than the limits allow. Whoever finds a
// bucket that was not used for as long as its refill finds it full. A bucket may
// be forgotten then and not before: to forget who still owes is to give more than
// the limit.
//
// An error says that it could not be counted, and nothing may be taken for
// allowed. Implementations are safe for concurrent use, keep bounded memory, and
// return soon after ctx has ended.
type Limiter interface {
	Take(ctx context.Context, c Charge) (Verdict, error)
}
