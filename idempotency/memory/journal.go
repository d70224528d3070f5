package memory

import "strings"

// journal holds the results of a shard, written one after the other into
// blocks. What is written never changes: it may be read without the lock of the
// shard, even after it was erased. A block goes when the last of its results has
// gone.
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
	text string // as far as it is written
	live int    // bytes of results that are held
	open bool   // it is written into
}

// span is where a result is, if it is of any length.
type span struct{ block, at, size uint32 }

const (
	blockSize = 16 << 10       // the largest block for several results
	ownBlock  = blockSize >> 2 // a result from here on has a block to itself
)

// writer is where the records of one lifetime write.
type writer struct {
	text  *strings.Builder // of the block, and with its room: it is not cleared first
	block uint32           // or 0
	live  int              // bytes of results that are held
}

// result is what an operation is completed with. A long one is copied before,
// and not while the shard is locked; the block is made of the copy.
type result struct {
	bytes []byte
	own   string
}

func newResult(b []byte) result {
	if len(b) >= ownBlock {
		return result{own: string(b)}
	}
	return result{bytes: b}
}

func (r result) size() int { return max(len(r.bytes), len(r.own)) }

// put takes a result in.
func (j *journal) put(w *writer, r result) span {
	n := r.size()
	w.live += n
	if r.own != "" {
		return span{block: j.add(block{text: r.own, live: n}), size: uint32(n)}
	}
	if w.block != 0 && w.text.Cap()-w.text.Len() < n {
		j.close(w)
	}
	if w.block == 0 {
		w.text = new(strings.Builder)
		w.text.Grow(max(n, min(w.live, blockSize))) // as much again as there is
		w.block = j.add(block{open: true})
	}
	at := w.text.Len()
	_, _ = w.text.Write(r.bytes) // it never fails
	b := j.at(w.block)
	b.text = w.text.String()
	b.live += n
	return span{block: w.block, at: uint32(at), size: uint32(n)}
}

func (j *journal) read(s span) string {
	if s.size == 0 {
		return ""
	}
	return j.at(s.block).text[s.at : s.at+s.size]
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
		w.block, w.text = 0, nil
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
