package document

import (
	"strconv"

	"github.com/portavoz/portavoz/paginate"
)

// SetText makes the value a string, whatever it was. Bytes of s that are not UTF-8
// become U+FFFD.
func (n *Node) SetText(s string) { n.setScalar(String, quote(s)) }

// SetInt makes the value a number, whatever it was.
func (n *Node) SetInt(i int) { n.setScalar(Number, strconv.Itoa(i)) }

// SetNull makes the value null, whatever it was.
func (n *Node) SetNull() { n.setScalar(Null, "null") }

// SetJSON makes the value that of another JSON text. If that is not valid, it is an
// error and nothing changes. What it adds to the depth is not looked at.
func (n *Node) SetJSON(raw []byte) error {
	other, err := Parse(raw)
	if err != nil {
		return err
	}
	value, before := other.root, n.Units()
	n.kind, n.raw, n.units, n.count, n.first = value.kind, value.raw, value.units, value.count, value.first
	n.changed, n.loose = false, value.loose
	for child := n.first; child != nil; child = child.next {
		child.parent = n
	}
	n.touch(n.Units() - before)
	return nil
}

// Put returns the member of an object with this name. If there is none it is added
// behind the member after, or at the end if after is nil, with the value null. It
// panics if n is no object or after is no member of it.
func (n *Node) Put(name string, after *Node) *Node {
	if n.Kind() != Object || after != nil && after.parent != n {
		panic("portavoz/document: Put needs an object and one of its members")
	}
	if member := n.Get(name); member != nil {
		return member
	}
	member := &Node{parent: n, name: quote(name), kind: Null, raw: "null", units: int32(len("null"))}
	switch {
	case n.first == nil:
		n.first, member.prev = member, member
	case after == nil || after.next == nil:
		last := n.last()
		last.next, member.prev, n.first.prev = member, last, member
	default:
		member.next, member.prev = after.next, after
		after.next.prev, after.next = member, member
	}
	n.count++
	n.change(member.cost() - max(2-n.Len(), 0))
	return member
}

// Remove takes an element or a member out of its parent. A node that was taken out
// is not to be used any more. It panics for the root.
func (n *Node) Remove() {
	parent := n.parent
	if parent == nil {
		panic("portavoz/document: Remove needs an element or a member")
	}
	switch {
	case n.next != nil && parent.first == n:
		parent.first, n.next.prev = n.next, n.prev
	case n.next != nil:
		n.prev.next, n.next.prev = n.next, n.prev
	case parent.first == n:
		parent.first = nil
	default: // the last of several
		n.prev.next, parent.first.prev = nil, n.prev
	}
	parent.count--
	parent.change(max(1-parent.Len(), 0) - n.cost())
	n.parent, n.next, n.prev = nil, nil, nil
}

// Truncate keeps the first k children and takes the others out, as Remove does. It
// does nothing if there are no more.
func (n *Node) Truncate(k int) {
	if k = max(k, 0); k >= n.Len() {
		return
	}
	saved := 0
	for cut := n.At(k); cut != nil; cut = cut.next {
		saved += cut.cost()
		cut.parent = nil
	}
	if k == 0 {
		n.first = nil
	} else {
		last := n.At(k - 1)
		last.next, n.first.prev = nil, last
	}
	n.count = int32(k)
	n.change(max(1-k, 0) - saved)
}

func (n *Node) setScalar(kind Kind, raw string) {
	before := n.Units()
	n.kind, n.raw, n.units = kind, raw, int32(min(paginate.UTF16Len(raw), maxSource))
	n.first, n.count, n.changed, n.loose = nil, 0, false, false
	n.touch(n.Units() - before)
}

// change notes that the children of n are not those of its source, and by how much
// they became larger, in UTF-16 code units.
func (n *Node) change(by int) {
	n.resize(by, true)
	n.touch(by)
}

// touch notes that the containers around n do not hold what their source says, and
// that the encoding that was made of the root is out of date.
func (n *Node) touch(by int) {
	top, known := n, n.units >= 0
	for top.parent != nil {
		top = top.parent
		known = top.resize(by, known)
	}
	top.stale = true
}

// resize notes that what a container holds became larger, and reports whether its
// own size is still known: white space that goes is not counted.
func (n *Node) resize(by int, known bool) bool {
	known = known && n.units >= 0 && (n.changed || !n.loose)
	if known {
		n.units = int32(min(max(int(n.units)+by, 0), maxSource))
	} else {
		n.units = -1
	}
	n.changed, n.raw = true, ""
	return known
}
