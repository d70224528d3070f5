package memory

import "time"

// shelf is the list of the records that hold results, in the order in which
// they were completed.
type shelf struct {
	slab           *slab
	oldest, newest ref
	first          time.Duration // when the oldest was completed; never, if there is none
}

func (l *shelf) add(r *record) {
	r.older = l.newest
	if l.newest == 0 {
		l.oldest, l.first = r.self, r.since
	} else {
		l.slab.at(l.newest).newer = r.self
	}
	l.newest = r.self
}

func (l *shelf) remove(r *record) {
	if r.newer == 0 {
		l.newest = r.older
	} else {
		l.slab.at(r.newer).older = r.older
	}
	switch {
	case r.older != 0:
		l.slab.at(r.older).newer = r.newer
	case r.newer != 0:
		l.oldest, l.first = r.newer, l.slab.at(r.newer).since
	default:
		l.oldest, l.first = 0, never
	}
	r.older, r.newer = 0, 0
}
