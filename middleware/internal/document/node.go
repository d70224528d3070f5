package document

import (
	"iter"

	"github.com/portavoz/portavoz/paginate"
)

// Kind is what a JSON value is.
type Kind uint8

// The kinds of RFC 8259.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// String returns the name that JSON Schema has for the kind.
func (k Kind) String() string {
	return [...]string{"null", "boolean", "number", "string", "array", "object"}[k]
}

// Node is a value inside of a document: the root, an element of an array, or a
// member of an object together with its name. A nil node is what a search did not
// find: it reads as null with the literal "".
type Node struct {
	parent *Node
	first  *Node // child
	next   *Node // sibling; nil after the last one
	prev   *Node // sibling; the last one for the first
	raw    string
	name   string // as it was written, in quotes
	units  int32  // of raw; unknown (-1) for a container that was changed
	count  int32  // of children
	kind   Kind
	// changed is set for a container whose raw is not what it holds any more. A
	// scalar's raw is always true.
	changed bool
	// loose is set for a container with white space in it. Some of that goes once it
	// is changed.
	loose bool
	// stale is set for a root that was changed since it was encoded.
	stale bool
}

// Kind returns what the value is.
func (n *Node) Kind() Kind {
	if n == nil {
		return Null
	}
	return n.kind
}

// Parent returns the array or object that holds the node, nil for the root.
func (n *Node) Parent() *Node {
	if n == nil {
		return nil
	}
	return n.parent
}

// Name returns the name of a member, decoded, and "" for anything else.
func (n *Node) Name() string {
	if n == nil || n.name == "" {
		return ""
	}
	return unquote(n.name)
}

// Text returns the content of a string, and "" for anything else. Half a surrogate
// pair reads as U+FFFD; bytes that are not UTF-8 stay as they are.
func (n *Node) Text() string {
	if n.Kind() != String {
		return ""
	}
	return unquote(n.raw)
}

// Literal returns a number, true, false, null or a string in quotes as it was
// written, and "" for an array or object.
func (n *Node) Literal() string {
	if n == nil || n.kind == Array || n.kind == Object {
		return ""
	}
	return n.raw
}

// Len returns how many elements or members there are: 0 for a scalar.
func (n *Node) Len() int {
	if n == nil {
		return 0
	}
	return int(n.count)
}

// Children iterates over the elements of an array or the members of an object, in
// order. The loop may change the child that it is at, or remove it.
func (n *Node) Children() iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		if n == nil {
			return
		}
		for child := n.first; child != nil; {
			next := child.next
			if !yield(child) {
				return
			}
			child = next
		}
	}
}

// At returns the child at index i, counted from 0, nil if there is none. It walks
// there; use Children to see them all.
func (n *Node) At(i int) *Node {
	if i < 0 || i >= n.Len() {
		return nil
	}
	child := n.first
	for ; i > 0; i-- {
		child = child.next
	}
	return child
}

// Get returns the member with this name, nil if there is none or n is no object.
func (n *Node) Get(name string) *Node {
	if n.Kind() != Object {
		return nil
	}
	for child := n.last(); child != nil; child = child.previous() {
		if child.named(name) {
			return child
		}
	}
	return nil
}

// Units returns the size of the node's value, without the name of a member, in
// UTF-16 code units.
func (n *Node) Units() int {
	if n.units >= 0 {
		return int(n.units)
	}
	units := len(`[]`)
	for child := n.first; child != nil; child = child.next {
		units += child.cost()
	}
	units -= min(n.Len(), 1) // no comma before the first
	n.units = int32(min(units, maxSource))
	return units
}

// cost is what a child takes in its parent, with its name and a comma.
func (n *Node) cost() int {
	units := n.Units() + 1
	if n.name != "" {
		units += paginate.UTF16Len(n.name) + 1
	}
	return units
}

// Holds reports whether a node is part of the document, and was not taken out, alone
// or with what it lies in.
func (d *Document) Holds(n *Node) bool {
	for n.Parent() != nil {
		n = n.parent
	}
	return n == d.root
}

// TextUnits returns what [Node.Units] will be once [Node.SetText] has set this text.
func TextUnits(s string) int { return paginate.UTF16Len(quote(s)) }

// named compares without decoding where the name has no escapes.
func (n *Node) named(name string) bool {
	if raw := n.name; len(raw) == len(name)+2 && raw[1:len(raw)-1] == name {
		return true
	}
	return hasEscape(n.name) && unquote(n.name) == name
}

func (n *Node) last() *Node {
	if n.first == nil {
		return nil
	}
	return n.first.prev
}

// previous returns the sibling before n, nil for the first.
func (n *Node) previous() *Node {
	if n.prev.next == nil {
		return nil
	}
	return n.prev
}
