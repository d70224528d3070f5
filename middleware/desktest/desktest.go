// Package desktest holds implementations of [middleware.Jobs] and
// [middleware.Approvals] to what those interfaces promise.
//
//	func TestMyJobs(t *testing.T) {
//		desktest.Jobs(t, func(t *testing.T) middleware.Jobs { return newMyJobs(t) }, time.Sleep)
//	}
//
// Each rule is a subtest with jobs, or approvals, of its own or shared: what they hold
// already does not matter, as long as nobody else takes from it. Time passes by the
// function that is given, which for a clock in a testing/synctest bubble is time.Sleep
// as well.
package desktest

import (
	"crypto/rand"
	"sync"
	"testing"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
)

// Durations for what must last longer than a test, and for what ends at once.
const (
	long  = time.Hour
	short = time.Millisecond
	later = 30 * time.Millisecond
)

// digest is one that nothing else has.
func digest() idempotency.Digest { return idempotency.NewDigest(rand.Text()) }

// want asserts that an error is the one that is wanted, nil included.
func want(t *testing.T, what string, got, want error) {
	t.Helper()
	if !errors.Is(got, want) || want == nil && got != nil {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// atOnce calls a function from several goroutines at the same time.
func atOnce(n int, f func(i int)) {
	var all sync.WaitGroup
	begin := make(chan struct{})
	for i := range n {
		all.Go(func() {
			<-begin
			f(i)
		})
	}
	close(begin)
	all.Wait()
}
