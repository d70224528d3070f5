package middleware

import "math/bits"

// bucketTable finds buckets by their ids, which are hashes. It is a hash table with
// open addressing: to find one bucket of a million takes one line of memory beside the
// bucket's own, where a map reads four or five that follow from each other. An entry
// takes 21 to 32 bytes. The zero value is an empty table.
type bucketTable struct {
	slots []bucketSlot // a quarter of them is free
	taken int          // slots with an id
	count int          // slots with a bucket
}

// bucketSlot is free without an id, which ends a search. Without a bucket alone it was
// in use, and does not.
type bucketSlot struct {
	id uint64
	b  *bucket
}

// at returns the slot of an id, or the free one that would be its slot.
func (t *bucketTable) at(id uint64) *bucketSlot {
	i, _ := bits.Mul64(id, uint64(len(t.slots))) // the ids of a shard differ in their high bits
	for {
		s := &t.slots[i]
		if s.id == id || s.id == 0 {
			return s
		}
		if i++; i == uint64(len(t.slots)) {
			i = 0
		}
	}
}

// find returns nil for a bucket that is not there.
func (t *bucketTable) find(id uint64) *bucket {
	if t.count == 0 {
		return nil
	}
	return t.at(id).b
}

// put adds a bucket, or replaces the one that has its id, which is not zero.
func (t *bucketTable) put(id uint64, b *bucket) {
	if t.taken >= len(t.slots)/4*3 {
		t.grow()
	}
	s := t.at(id)
	if s.id == 0 {
		t.taken++
	}
	if s.b == nil {
		t.count++
	}
	s.id, s.b = id, b
}

// remove takes a bucket out and returns it: nil if it is not there.
func (t *bucketTable) remove(id uint64) *bucket {
	b := t.find(id)
	if b != nil {
		t.at(id).b = nil
		t.count--
	}
	return b
}

// drop takes out the buckets of which unwanted is true.
func (t *bucketTable) drop(unwanted func(*bucket) bool) {
	for i := range t.slots {
		if s := &t.slots[i]; s.b != nil && unwanted(s.b) {
			s.b = nil
			t.count--
		}
	}
}

// grow makes half of the slots free, and forgets those that were in use.
func (t *bucketTable) grow() {
	before := t.slots
	t.slots, t.taken = make([]bucketSlot, 8+2*t.count), t.count
	for _, s := range before {
		if s.b != nil {
			*t.at(s.id) = s
		}
	}
}
