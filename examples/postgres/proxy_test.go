package main_test

import (
	"bytes"
	"net"
	"sync"
	"testing"
)

// proxy stands between a client and a database, and is the network that fails.
type proxy struct {
	addr   string
	target string

	mu      sync.Mutex
	conns   map[net.Conn]struct{} // both ends of each connection
	trigger []byte                // at the piece of a client that holds it, the network fails
	failure failure
	failed  bool
	gate    chan struct{} // opened by release
	closed  bool
}

// failure is what becomes of the piece with the trigger, and of all that follows.
type failure uint8

const (
	freeze failure = iota // it arrives; then nobody hears anything any more, of all connections
	cutOff                // it arrives; its connection is lost before the answer
	drop                  // it does not arrive; its connection is lost
	detain                // its connection is lost, and then it arrives, when it is released
)

// startProxy starts a proxy that lets everything pass.
func startProxy(t testing.TB, target string) *proxy {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{addr: l.Addr().String(), target: target, conns: map[net.Conn]struct{}{}, gate: make(chan struct{})}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			all.Go(func() { p.serve(client) })
		}
	})
	t.Cleanup(func() {
		l.Close()
		p.close()
		all.Wait()
	})
	return p
}

// serve carries one connection until either end closes it.
func (p *proxy) serve(client net.Conn) {
	defer client.Close()
	server, err := (&net.Dialer{Timeout: patience}).Dial("tcp", p.target)
	if err != nil {
		return
	}
	defer server.Close()
	if !p.add(client, server) {
		return
	}
	defer p.remove(client, server)
	var both sync.WaitGroup
	lost := make(chan struct{}) // closed when the client's end is lost
	both.Go(func() {
		defer server.Close()
		defer client.Close()
		p.carry(server, client, func(piece []byte) bool { return p.question(piece, client, lost) })
	})
	both.Go(func() {
		defer client.Close()
		p.carry(client, server, func([]byte) bool {
			select {
			case <-lost:
				return false
			default:
				return !p.isFrozen()
			}
		})
	})
	both.Wait()
}

// carry copies the pieces that may pass from one end to the other.
func (p *proxy) carry(dst, src net.Conn, pass func(piece []byte) bool) {
	buf := make([]byte, 64<<10)
	for {
		n, err := src.Read(buf)
		if n > 0 && pass(buf[:n]) {
			if _, err := dst.Write(buf[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// question judges what a client sends.
func (p *proxy) question(piece []byte, client net.Conn, lost chan struct{}) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failed || p.trigger == nil || !bytes.Contains(piece, p.trigger) {
		return !p.failed || p.failure != freeze
	}
	p.failed = true
	if p.failure == freeze {
		return true
	}
	close(lost)
	client.Close()
	if p.failure == detain {
		p.mu.Unlock()
		<-p.gate
		p.mu.Lock()
	}
	return p.failure != drop
}

// failAt lets the network fail at the next piece of a client that holds the text.
func (p *proxy) failAt(text string, how failure) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.trigger, p.failure, p.failed = []byte(text), how, false
}

// release lets what was detained arrive.
func (p *proxy) release() { close(p.gate) }

func (p *proxy) hasFailed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.failed
}

func (p *proxy) isFrozen() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.failed && p.failure == freeze
}

// close closes all connections, now and later.
func (p *proxy) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for conn := range p.conns {
		conn.Close()
	}
}

func (p *proxy) add(conns ...net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, conn := range conns {
		p.conns[conn] = struct{}{}
	}
	return !p.closed
}

func (p *proxy) remove(conns ...net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, conn := range conns {
		delete(p.conns, conn)
	}
}
