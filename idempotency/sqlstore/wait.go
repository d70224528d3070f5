package sqlstore

import (
	"context"
	"encoding/hex"
	"sync"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/internal/sqltable"
)

// WithNotify makes a PostgreSQL store NOTIFY the channel whenever an operation is
// completed, released or abandoned, so that whoever waits for it in another
// process need not wait for his next look. You listen, in a connection of your
// own, and hand what arrives to [Store.Wake]; with pgx:
//
//	_, err := conn.Exec(ctx, `LISTEN "portavoz"`)
//	for err == nil {
//		var n *pgconn.Notification
//		if n, err = conn.WaitForNotification(ctx); err == nil {
//			store.Wake(n.Payload)
//		}
//	}
//
// A notification that is lost costs the time until the next look, a second at
// most. PostgreSQL lets transactions that notify commit one at a time. Default:
// nobody is notified.
func WithNotify(channel string) Option { return func(o *options) { o.channel = channel } }

// notification is the end of a statement that says that its row has changed.
func notification(d Dialect, channel string) (string, error) {
	if channel == "" {
		return "", nil
	}
	if problem := sqltable.Wrong(channel, sqltable.MaxName); problem != "" {
		return "", errors.New("portavoz/sqlstore: the name of the channel " + problem)
	}
	if d != PostgreSQL {
		return "", errors.New("portavoz/sqlstore: only PostgreSQL has a channel to notify")
	}
	return ` RETURNING pg_notify(` + sqltable.Quoted(channel, "'") + `, encode(operation, 'hex'))`, nil
}

// waiting are those who wait for an operation in this process.
type waiting struct {
	notified bool // somebody may call Wake

	mu sync.Mutex
	on map[idempotency.Digest]*bell
}

// bell is rung once, for everybody who waits for one operation.
type bell struct {
	rung  chan struct{}
	heard int // by how many
}

// Wait implements [idempotency.Waiter]. Nothing is held meanwhile.
func (s *Store) Wait(ctx context.Context, key idempotency.Digest, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	rung, leave := s.waiting.join(key)
	defer leave()
	select {
	case <-rung:
	case <-timer.C:
	case <-ctx.Done():
	}
}

// Wake ends the waits of this process for an operation. The payload is that of a
// notification; any other text does nothing.
func (s *Store) Wake(payload string) {
	var key idempotency.Digest
	if len(payload) != hex.EncodedLen(len(key)) {
		return
	}
	if _, err := hex.Decode(key[:], []byte(payload)); err != nil {
		return
	}
	s.waiting.mu.Lock()
	defer s.waiting.mu.Unlock()
	if b := s.waiting.on[key]; b != nil {
		close(b.rung)
		delete(s.waiting.on, key)
	}
}

func (w *waiting) join(key idempotency.Digest) (rung <-chan struct{}, leave func()) {
	if !w.notified {
		return nil, func() {}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	b := w.on[key]
	if b == nil {
		if w.on == nil {
			w.on = map[idempotency.Digest]*bell{}
		}
		b = &bell{rung: make(chan struct{})}
		w.on[key] = b
	}
	b.heard++
	return b.rung, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if b.heard--; b.heard == 0 && w.on[key] == b {
			delete(w.on, key)
		}
	}
}
