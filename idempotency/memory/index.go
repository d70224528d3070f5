package memory

import (
	"hash/maphash"
	"math/bits"

	"github.com/portavoz/portavoz/idempotency"
)

// index finds records by key. It is a chained hash table that grows by two
// buckets for each record (linear hashing), so that no call ever pays for moving
// all of them, and that takes 8 bytes a record: a map takes up to 100.
type index struct {
	slab  *slab
	seed  maphash.Seed // so that nobody can choose keys that share a bucket
	heads []ref
	count int
}

const bucketsPerRecord = 2

// bucket is where the key belongs: the low bits of its hash, as many as it takes
// to count the buckets, or one bit less if that bucket is not there yet.
func (x *index) bucket(key *idempotency.Digest) uint64 {
	hash := maphash.Bytes(x.seed, key[:])
	mask := uint64(1)<<bits.Len(uint(len(x.heads)-1)) - 1
	if b := hash & mask; b < uint64(len(x.heads)) {
		return b
	}
	return hash & (mask >> 1)
}

func (x *index) find(key *idempotency.Digest) *record {
	if x.count == 0 {
		return nil
	}
	for next := x.heads[x.bucket(key)]; next != 0; {
		r := x.slab.at(next)
		if r.key == *key {
			return r
		}
		next = r.next
	}
	return nil
}

// add takes in a record whose key is not there.
func (x *index) add(r *record) {
	x.count++
	for len(x.heads) < bucketsPerRecord*x.count {
		x.split()
	}
	x.push(r)
}

func (x *index) push(r *record) {
	head := &x.heads[x.bucket(&r.key)]
	r.next, *head = *head, r.self
}

// split adds a bucket and moves what belongs there, all of it from one other.
func (x *index) split() {
	added := uint(len(x.heads))
	x.heads = append(x.heads, 0)
	if added == 0 {
		return
	}
	from := &x.heads[added&^(1<<(bits.Len(added)-1))]
	next := *from
	*from = 0
	for next != 0 {
		r := x.slab.at(next)
		next = r.next
		x.push(r)
	}
}

// remove takes out a record that is there.
func (x *index) remove(r *record) {
	link := &x.heads[x.bucket(&r.key)]
	for *link != r.self {
		link = &x.slab.at(*link).next
	}
	*link, r.next = r.next, 0
	x.count--
}
