package whaapy

import (
	"cmp"
	"container/heap"
	"context"
	"sync"
	"time"
)

// NewClosed returns a [Closed] in memory: for one process. It remembers as many
// sessions as most says, by default, 0, 100,000 at some 150 bytes each. Beyond that the
// one that would end first is forgotten, and is open again for the rest of its time.
func NewClosed(most int) Closed {
	return &memoryClosed{most: cmp.Or(max(most, 0), 100_000), until: map[string]time.Time{}}
}

type memoryClosed struct {
	most int

	mu    sync.Mutex
	until map[string]time.Time
	ends  endings // one for each of until
}

var _ Closed = (*memoryClosed)(nil)

// Close implements [Closed]. It never fails.
func (m *memoryClosed) Close(_ context.Context, session string, until time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, known := m.until[session]; known {
		return nil
	}
	for now := time.Now(); len(m.ends) > 0 && (len(m.ends) >= m.most || !m.ends[0].until.After(now)); {
		first, _ := heap.Pop(&m.ends).(ending)
		delete(m.until, first.session)
	}
	m.until[session] = until
	heap.Push(&m.ends, ending{session, until})
	return nil
}

// IsClosed implements [Closed]. It never fails.
func (m *memoryClosed) IsClosed(_ context.Context, session string) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, closed := m.until[session]
	return closed, nil
}

// ending is when a session may be forgotten.
type ending struct {
	session string
	until   time.Time
}

// endings is a heap, the earliest on top.
type endings []ending

var _ heap.Interface = (*endings)(nil)

// Len implements [heap.Interface].
func (e *endings) Len() int { return len(*e) }

// Less implements [heap.Interface].
func (e *endings) Less(i, j int) bool { return (*e)[i].until.Before((*e)[j].until) }

// Swap implements [heap.Interface].
func (e *endings) Swap(i, j int) { (*e)[i], (*e)[j] = (*e)[j], (*e)[i] }

// Push implements [heap.Interface].
func (e *endings) Push(x any) {
	one, _ := x.(ending)
	*e = append(*e, one)
}

// Pop implements [heap.Interface].
func (e *endings) Pop() any {
	last := len(*e) - 1
	x := (*e)[last]
	*e = (*e)[:last]
	return x
}
