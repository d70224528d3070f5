package memory

import (
	"container/heap"
	"time"
)

// agenda knows which record of a shard expires next. Records of one lifetime
// expire in the order in which they got it: there is a queue for each lifetime,
// and a heap of the queues. Since programs know few lifetimes, hardly ever is
// there anything to sort.
type agenda struct {
	slab    *slab
	journal *journal
	queues  map[time.Duration]*queue // by lifetime
	order   order                    // of the queues that are not empty
}

// queue is the records of one lifetime, linked by earlier and later.
type queue struct {
	lifetime    time.Duration
	first, last ref
	next        time.Duration // when the first one expires
	place       int           // in the order
	writer      writer        // of its results
}

// emptyQueues is how many lifetimes are remembered although no record has them
// any more, so that queues need not be made again and again.
const emptyQueues = 8

// add lets a record expire that does not, yet, and returns its queue.
func (a *agenda) add(r *record, now, lifetime time.Duration) *queue {
	r.expires = after(now, lifetime)
	q := a.queues[lifetime]
	if q == nil {
		q = &queue{lifetime: lifetime}
		a.queues[lifetime] = q
	}
	r.lifetime, r.earlier = lifetime, q.last
	if q.last != 0 {
		a.slab.at(q.last).later = r.self
		q.last = r.self
		return q
	}
	q.first, q.last, q.next = r.self, r.self, r.expires
	heap.Push(&a.order, q)
	return q
}

// remove lets a record expire no more.
func (a *agenda) remove(r *record) {
	q := a.queues[r.lifetime]
	if r.later == 0 {
		q.last = r.earlier
	} else {
		a.slab.at(r.later).earlier = r.earlier
	}
	switch {
	case r.earlier != 0:
		a.slab.at(r.earlier).later = r.later
	case r.later != 0:
		q.first, q.next = r.later, a.slab.at(r.later).expires
		heap.Fix(&a.order, q.place)
	default:
		q.first = 0
		a.journal.close(&q.writer)
		heap.Remove(&a.order, q.place)
		if len(a.queues) > emptyQueues {
			delete(a.queues, q.lifetime)
		}
	}
	r.earlier, r.later = 0, 0
}

// move gives a record another lifetime, from now.
func (a *agenda) move(r *record, now, lifetime time.Duration) *queue {
	a.remove(r)
	return a.add(r, now, lifetime)
}

// next is when the first record expires; never, if there is none.
func (a *agenda) next() time.Duration {
	if len(a.order) == 0 {
		return never
	}
	return a.order[0].next
}

// first is the record that expires next. It panics if there is none.
func (a *agenda) first() *record { return a.slab.at(a.order[0].first) }

// order is a heap of queues for container/heap, by the time of their first
// record.
type order []*queue

func (o *order) Len() int           { return len(*o) }
func (o *order) Less(i, j int) bool { return (*o)[i].next < (*o)[j].next }

func (o *order) Swap(i, j int) {
	q := *o
	q[i], q[j] = q[j], q[i]
	q[i].place, q[j].place = i, j
}

func (o *order) Push(x any) {
	q, _ := x.(*queue)
	q.place = len(*o)
	*o = append(*o, q)
}

func (o *order) Pop() any {
	last := len(*o) - 1
	q := (*o)[last]
	(*o)[last] = nil
	*o = (*o)[:last]
	return q
}
