package memory

import "time"

// shelf is the list of the records that hold results, in the order in which
// they were completed.
type shelf struct {
	slab           *slab
	oldest, newest ref
}

func (l *shelf) add(r *record) {
	r.older = l.newest
	if l.newest == 0 {
		l.oldest = r.self
	} else {
		l.slab.at(l.newest).newer = r.self
	}
	l.newest = r.self
}

func (l *shelf) remove(r *record) {
	if r.older == 0 {
		l.oldest = r.newer
	} else {
		l.slab.at(r.older).newer = r.newer
	}
	if r.newer == 0 {
		l.newest = r.older
	} else {
		l.slab.at(r.newer).older = r.older
	}
	r.older, r.newer = 0, 0
}

// first is when the oldest result was stored.
func (l *shelf) first() time.Duration {
	if l.oldest == 0 {
		return never
	}
	return l.slab.at(l.oldest).since
}
