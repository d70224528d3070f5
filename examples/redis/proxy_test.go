package main_test

import (
	"bytes"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// proxy stands between a client and Redis, and is the network that fails.
type proxy struct {
	addr   string
	target string

	mu     sync.Mutex
	conns  map[net.Conn]struct{} // both ends of each connection
	answer func() verdict        // of each piece that Redis sends
	gone   int                   // pieces lost
	freeze []byte                // what a client sends last
	frozen bool                  // clients are heard no more
	closed bool
}

// verdict says what becomes of a piece of an answer.
type verdict uint8

const (
	pass verdict = iota
	lose         // it vanishes, and the connection with it
	hold         // it vanishes with all that follows, and the connection seems to live
	skip         // it alone vanishes; no network does that, a client with a fault may
)

// startProxy starts a proxy that lets everything pass.
func startProxy(t testing.TB, target string) *proxy {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{addr: l.Addr().String(), target: target, conns: map[net.Conn]struct{}{}, answer: func() verdict { return pass }}
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
		p.mu.Lock()
		p.closed = true
		p.mu.Unlock()
		p.cut()
		all.Wait()
	})
	return p
}

// serve carries one connection until either end closes it.
func (p *proxy) serve(client net.Conn) {
	defer client.Close()
	redis, err := (&net.Dialer{Timeout: patience}).Dial("tcp", p.target)
	if err != nil {
		return
	}
	defer redis.Close()
	if !p.add(client, redis) {
		return
	}
	defer p.remove(client, redis)
	var both sync.WaitGroup
	both.Go(func() { carry(redis, client, p.question) })
	both.Go(func() { carry(client, redis, p.reply) })
	both.Wait()
}

// carry copies from one end to the other, as far as it may, and closes both.
func carry(dst, src net.Conn, judge func([]byte) verdict) {
	defer dst.Close()
	defer src.Close()
	buf := make([]byte, 64<<10)
	for held := false; ; {
		n, err := src.Read(buf)
		if n > 0 && !held {
			switch judge(buf[:n]) {
			case pass:
				if _, err := dst.Write(buf[:n]); err != nil {
					return
				}
			case lose:
				return
			case hold:
				held = true
			case skip:
			}
		}
		if err != nil {
			return
		}
	}
}

// question judges what a client sends.
func (p *proxy) question(piece []byte) verdict {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.frozen {
		return hold
	}
	p.frozen = p.freeze != nil && bytes.Contains(piece, p.freeze)
	return pass
}

// reply judges what Redis sends.
func (p *proxy) reply([]byte) verdict {
	p.mu.Lock()
	judge := p.answer
	p.mu.Unlock()
	v := judge()
	if v == lose {
		p.mu.Lock()
		p.gone++
		p.mu.Unlock()
	}
	return v
}

// onAnswers judges every piece that Redis sends from now on.
func (p *proxy) onAnswers(judge func() verdict) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answer, p.gone = judge, 0
}

// pass lets everything pass again.
func (p *proxy) pass() { p.onAnswers(func() verdict { return pass }) }

// loseAnswers loses the next n answers, with their connections.
func (p *proxy) loseAnswers(n int64) {
	var seen atomic.Int64
	p.onAnswers(func() verdict {
		if seen.Add(1) <= n {
			return lose
		}
		return pass
	})
}

// lost is how many answers were lost since that was last asked for.
func (p *proxy) lost() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.gone
}

// stall makes a network that takes everything and gives nothing back.
func (p *proxy) stall() { p.onAnswers(func() verdict { return hold }) }

// delay makes every answer late.
func (p *proxy) delay(d time.Duration) {
	p.onAnswers(func() verdict {
		<-time.After(d)
		return pass
	})
}

// freezeAfter lets clients send up to and including a piece that holds the
// text; nothing that they send later arrives.
func (p *proxy) freezeAfter(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.freeze = []byte(text)
}

func (p *proxy) isFrozen() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.frozen
}

// cut closes all connections. New ones are welcome.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
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
