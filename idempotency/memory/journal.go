package memory

import "slices"

// journal holds the results of a shard, written one after the other into
// blocks, which never change where they are written. A block goes when the last
// of its results has gone.
//
// Each lifetime has blocks of its own, since records of one lifetime lose their
// results in the order in which they were written: no space is lost between
// results that live. The garbage collector meets the blocks, and not a million
// results.
type journal struct {
	blocks []block  // by number, which begins with 1
	unused []uint32 // numbers of blocks that have gone
}

type block struct {
	data []byte
	live int  // bytes of results that are held
	open bool // it is written into
}

// span is where a result is, if it is of any length.
type span struct{ block, at, size uint32 }

const (
	blockSize = 16 << 10       // the largest block for several results
	ownBlock  = blockSize >> 2 // a result from here on has a block to itself
)

// writer is where the records of one lifetime write.
type writer struct {
	block uint32 // or 0
	live  int    // bytes of results that are held
}

// put takes a result in. A long one must not be changed afterwards: it becomes a
// block of its own, so that no lock is held while it is copied.
func (j *journal) put(w *writer, result []byte) span {
	n := len(result)
	if n >= ownBlock {
		w.live += n
		return span{block: j.add(block{data: result, live: n}), size: uint32(n)}
	}
	if w.block != 0 {
		if data := j.at(w.block).data; cap(data)-len(data) < n {
			j.close(w)
		}
	}
	if w.block == 0 {
		size := max(n, min(w.live, blockSize)) // as much again as there is
		w.block = j.add(block{data: slices.Grow([]byte(nil), size), open: true})
	}
	w.live += n
	b := j.at(w.block)
	b.live += n
	b.data = append(b.data, result...)
	return span{block: w.block, at: uint32(len(b.data) - n), size: uint32(n)}
}

// read returns a result. It may be read, and not be changed, without the lock of
// the shard, even when it is erased meanwhile.
func (j *journal) read(s span) []byte {
	if s.size == 0 {
		return nil
	}
	return j.at(s.block).data[s.at : s.at+s.size]
}

// erase lets go of a result.
func (j *journal) erase(w *writer, s span) {
	w.live -= int(s.size)
	j.at(s.block).live -= int(s.size)
	j.sweep(s.block)
}

// close ends the block that is written into.
func (j *journal) close(w *writer) {
	if w.block != 0 {
		j.at(w.block).open = false
		j.sweep(w.block)
		w.block = 0
	}
}

func (j *journal) at(number uint32) *block { return &j.blocks[number-1] }

func (j *journal) add(b block) uint32 {
	if last := len(j.unused) - 1; last >= 0 {
		number := j.unused[last]
		j.unused = j.unused[:last]
		*j.at(number) = b
		return number
	}
	j.blocks = append(j.blocks, b)
	return uint32(len(j.blocks))
}

// sweep lets go of a block that nobody needs.
func (j *journal) sweep(number uint32) {
	if b := j.at(number); b.live == 0 && !b.open {
		*b = block{}
		j.unused = append(j.unused, number)
	}
}
