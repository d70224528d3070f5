package middleware

import (
	"sync"
	"time"
)

// loopVerdict is what a loopMemory says of a call.
type loopVerdict uint8

const (
	loopAdmitted loopVerdict = iota
	loopTooManyCalls
	loopTooManyEqual
)

// loopMemory remembers the calls that count, by conversation and tool, in two
// generations: what is used moves to the young one, and when it is time, or the
// young one is full, the old one goes and the young one takes its place. An entry
// that goes for time has no call left in its window. It is safe for concurrent
// use.
type loopMemory struct {
	half   int           // most entries of one generation
	window time.Duration // the longest that a call counts
	base   time.Time     // times are kept as durations since then: 8 bytes, and monotonic

	mu      sync.Mutex
	young   map[uint64]loopCalls
	old     map[uint64]loopCalls
	rotated time.Duration
}

// loopCalls are the admitted calls of one tool in one conversation, oldest first.
type loopCalls []loopCall

type loopCall struct {
	at        time.Duration
	arguments uint64
}

func newLoopMemory(most int, window time.Duration) *loopMemory {
	return &loopMemory{
		half: max(most/2, 1), window: window, base: time.Now(),
		young: map[uint64]loopCalls{}, old: map[uint64]loopCalls{},
	}
}

// admit counts a call if the limits leave room for it.
func (m *loopMemory) admit(key, arguments uint64, limits LoopLimits) loopVerdict {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Since(m.base)
	calls, verdict := m.find(key, now).admit(now, arguments, limits)
	m.young[key] = calls
	return verdict
}

// find takes the calls of a key out of the old generation and makes room for it in
// the young one.
func (m *loopMemory) find(key uint64, now time.Duration) loopCalls {
	if now-m.rotated >= m.window {
		m.rotate(now)
	}
	if calls, ok := m.young[key]; ok {
		return calls
	}
	calls := m.old[key]
	delete(m.old, key)
	if len(m.young) >= m.half {
		m.rotate(now)
	}
	return calls
}

func (m *loopMemory) rotate(now time.Duration) {
	m.old, m.young, m.rotated = m.young, map[uint64]loopCalls{}, now
}

func (c loopCalls) admit(now time.Duration, arguments uint64, limits LoopLimits) (loopCalls, loopVerdict) {
	past := 0
	for past < len(c) && now-c[past].at >= limits.Window {
		past++
	}
	c = append(c[:0], c[past:]...)
	equal := 0
	for _, call := range c {
		if call.arguments == arguments {
			equal++
		}
	}
	switch {
	case equal >= limits.Equal:
		return c, loopTooManyEqual
	case len(c) >= limits.Calls:
		return c, loopTooManyCalls
	}
	return append(c, loopCall{now, arguments}), loopAdmitted
}
