package memory

import "time"

// agenda is a heap of the records of a shard, the next one to expire first. It
// is not that of container/heap: times stand beside the refs, so that comparing
// does not fetch records from memory, and adding does not allocate. Each node
// has four children, which share a cache line.
type agenda struct {
	slab  *slab
	queue []appointment
}

type appointment struct {
	at     time.Duration
	record ref
}

const children = 4

func (a *agenda) add(r *record, at time.Duration) {
	r.expires = at
	a.queue = append(a.queue, appointment{})
	a.rise(len(a.queue)-1, appointment{at, r.self})
}

func (a *agenda) remove(r *record) {
	last := len(a.queue) - 1
	moved := a.queue[last]
	a.queue = a.queue[:last]
	if moved.record != r.self {
		a.settle(int(r.place), moved)
	}
}

// move lets a record expire at another time.
func (a *agenda) move(r *record, at time.Duration) {
	r.expires = at
	a.settle(int(r.place), appointment{at, r.self})
}

// next is when the first record expires.
func (a *agenda) next() time.Duration {
	if len(a.queue) == 0 {
		return never
	}
	return a.queue[0].at
}

// first is the record that expires next. It panics if there is none.
func (a *agenda) first() *record { return a.slab.at(a.queue[0].record) }

// settle finds the place of an appointment, from i, which is vacant.
func (a *agenda) settle(i int, p appointment) {
	if i > 0 && p.at < a.queue[(i-1)/children].at {
		a.rise(i, p)
	} else {
		a.sink(i, p)
	}
}

func (a *agenda) rise(i int, p appointment) {
	for i > 0 {
		parent := (i - 1) / children
		if a.queue[parent].at <= p.at {
			break
		}
		a.put(i, a.queue[parent])
		i = parent
	}
	a.put(i, p)
}

func (a *agenda) sink(i int, p appointment) {
	for {
		least := a.leastChild(i)
		if least == 0 || p.at <= a.queue[least].at {
			break
		}
		a.put(i, a.queue[least])
		i = least
	}
	a.put(i, p)
}

// leastChild is 0 if there are no children.
func (a *agenda) leastChild(i int) int {
	first := children*i + 1
	if first >= len(a.queue) {
		return 0
	}
	least := first
	for child := first + 1; child < min(first+children, len(a.queue)); child++ {
		if a.queue[child].at < a.queue[least].at {
			least = child
		}
	}
	return least
}

func (a *agenda) put(i int, p appointment) {
	a.queue[i] = p
	a.slab.at(p.record).place = uint32(i)
}
