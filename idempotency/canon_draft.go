package idempotency

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"slices"
)

const maxPlain = 256 // bytes of an object's text, before its digest stands for it

// draft is the rewritten text. It goes in and comes back by value, as a slice
// that is appended to, so that it may live on the stack.
type draft struct {
	text    []byte
	members []member // of the objects that are open, the innermost last
	open    []frame  // the arrays and objects that are open, the innermost last
}

// member is the place of an object's member in the rewritten text.
type member struct{ start, colon, end int }

// frame is an array or object that is being read.
type frame struct {
	end      byte // its closing bracket
	start    int  // where it begins in the rewritten text
	first    int  // its first among the members
	unsorted bool
}

func (d draft) name(m member) []byte { return d.text[m.start:m.colon] }

// close ends the innermost array or object.
func (d draft) close() draft {
	top := d.open[len(d.open)-1]
	d.open = d.open[:len(d.open)-1]
	if top.unsorted {
		d.text = d.sort(d.members[top.first:])
	}
	d.members = d.members[:top.first]
	d.text = append(d.text, top.end)
	if own := d.text[top.start:]; top.end == '}' && len(own) > maxPlain {
		digest := sha256.Sum256(own)
		d.text = append(append(d.text[:top.start], '#'), digest[:]...)
	}
	return d
}

// sort returns the text with the members of an object, which are its end, in the
// order of their names, and without those that a later one replaces.
func (d draft) sort(members []member) []byte {
	start, end := members[0].start, len(d.text)
	slices.SortFunc(members, func(a, b member) int {
		return cmp.Or(bytes.Compare(d.name(a), d.name(b)), cmp.Compare(a.start, b.start))
	})
	text := d.text
	for i, m := range members {
		if i+1 < len(members) && bytes.Equal(d.name(m), d.name(members[i+1])) {
			continue
		}
		text = append(text, d.text[m.start:m.end]...)
	}
	return text[:start+copy(text[start:], text[end:])]
}
