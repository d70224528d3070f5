package main

import (
	"context"
	"net/http"
	"net/http/httptrace"
	"sync"
	"time"
)

// underWay is how long a request is given to reach the handler before its
// connection is cut.
const underWay = 25 * time.Millisecond

// cutter closes the connection of a request after it was written.
type cutter struct {
	written chan struct{}
	cancel  context.CancelFunc
}

// newCut returns the request with a trace on it.
func newCut(req *http.Request) (*http.Request, *cutter) {
	ctx, cancel := context.WithCancel(req.Context())
	c := &cutter{written: make(chan struct{}), cancel: cancel}
	var once sync.Once
	trace := &httptrace.ClientTrace{WroteRequest: func(httptrace.WroteRequestInfo) { once.Do(func() { close(c.written) }) }}
	return req.WithContext(httptrace.WithClientTrace(ctx, trace)), c
}

// afterWritten cuts the connection, at the latest after the time of a request.
func (c *cutter) afterWritten(ctx context.Context, by *certifier) {
	defer c.cancel()
	limit := time.NewTimer(by.opt.timeout)
	defer limit.Stop()
	select {
	case <-c.written:
		by.sleep(ctx, underWay)
	case <-limit.C:
	case <-ctx.Done():
	}
}
