package exampletest

import (
	"bytes"
	"context"
	"net/http"
	"sync"
	"testing"
	"time"
)

// Output is a buffer that a process writes while the test reads.
type Output struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

// Write implements [io.Writer].
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.Write(p)
}

// String is what was written so far.
func (o *Output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.String()
}

// Eventually asks again until it gets yes, and ends the test without it.
func Eventually(t testing.TB, what string, yes func() bool) {
	t.Helper()
	if !InTime(t, what, yes) {
		t.FailNow()
	}
}

// InTime asks again until it gets yes, and says whether it did. There is nothing to wait on
// in another process; the ticker only keeps the question cheap.
func InTime(t testing.TB, what string, yes func() bool) bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), Patience)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !yes() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Errorf("not within %v: %s", Patience, what)
			return false
		}
	}
	return true
}

// Status is the status of the answer to a GET, or 0.
func Status(t testing.TB, url string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	if err != nil {
		t.Error(err)
		return 0
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Error(err)
		return 0
	}
	defer res.Body.Close()
	return res.StatusCode
}
