package memory

import (
	"hash/maphash"

	"github.com/portavoz/portavoz/idempotency"
)

// index finds records by key. It is a hash table with open addressing whose
// slots hold the hashes, so that hardly ever is a record fetched from memory that
// is not the one: not to look up, to remove, nor to grow. A map of keys takes up
// to 100 bytes a record; this takes 10 to 22.
type index struct {
	slab  *slab
	seed  maphash.Seed // so that nobody can choose keys that collide
	slots []slot       // a power of two of them, or none; a quarter is free
	count int
}

type slot struct {
	hash   uint32 // its low bits are where the search begins
	record ref    // or 0
}

func (x *index) hash(key *idempotency.Digest) uint32 {
	return uint32(maphash.Bytes(x.seed, key[:]))
}

func (x *index) mask() uint32 { return uint32(len(x.slots) - 1) }

func (x *index) find(key *idempotency.Digest) *record {
	if x.count == 0 {
		return nil
	}
	hash := x.hash(key)
	for i := hash & x.mask(); x.slots[i].record != 0; i = (i + 1) & x.mask() {
		if s := x.slots[i]; s.hash == hash {
			if r := x.slab.at(s.record); r.key == *key {
				return r
			}
		}
	}
	return nil
}

// add takes in a record whose key is not there.
func (x *index) add(r *record) {
	x.count++
	if x.count > len(x.slots)/4*3 {
		x.grow()
	}
	x.place(slot{x.hash(&r.key), r.self})
}

func (x *index) place(s slot) {
	i := s.hash & x.mask()
	for x.slots[i].record != 0 {
		i = (i + 1) & x.mask()
	}
	x.slots[i] = s
}

func (x *index) grow() {
	before := x.slots
	x.slots = make([]slot, max(8, 2*len(before)))
	for _, s := range before {
		if s.record != 0 {
			x.place(s)
		}
	}
}

// remove takes out a record that is there.
func (x *index) remove(r *record) {
	x.count--
	i := x.hash(&r.key) & x.mask()
	for x.slots[i].record != r.self {
		i = (i + 1) & x.mask()
	}
	// Whatever has passed over the slot on its way moves up into it.
	for j := (i + 1) & x.mask(); x.slots[j].record != 0; j = (j + 1) & x.mask() {
		begin := x.slots[j].hash & x.mask()
		if (j-begin)&x.mask() >= (j-i)&x.mask() {
			x.slots[i] = x.slots[j]
			i = j
		}
	}
	x.slots[i] = slot{}
}
