package memory

// ref names a record of a shard; 0 names none. Links are refs because they take
// half the space of pointers, and because the garbage collector would follow
// every pointer of a million records each time it runs.
type ref uint32

// slab holds the records of a shard in chunks, so that they never move.
type slab struct {
	chunks []*chunk
	made   uint32 // records that were ever in use
	free   ref    // the first that is not; they are chained by later
}

// chunk fills 8 KiB.
type chunk [56]record

const perChunk = uint32(len(chunk{}))

func (s *slab) at(r ref) *record {
	i := uint32(r) - 1
	return &s.chunks[i/perChunk][i%perChunk]
}

// take returns an empty record.
func (s *slab) take() *record {
	if s.free != 0 {
		r := s.at(s.free)
		s.free, r.later = r.later, 0
		return r
	}
	if s.made == uint32(len(s.chunks))*perChunk {
		s.chunks = append(s.chunks, new(chunk))
	}
	s.made++
	r := s.at(ref(s.made))
	r.self = ref(s.made)
	return r
}

// give takes a record back.
func (s *slab) give(r *record) {
	*r = record{self: r.self, later: s.free}
	s.free = r.self
}
