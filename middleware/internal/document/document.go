// Package document holds a JSON value as a tree that remembers what it was made
// from: the order of members, numbers as they were written (9007199254740993,
// 1.50, 1e400) and strings byte for byte. What is not changed is encoded by
// copying it from the source, so that an unchanged document encodes to its
// source and costs nothing, and a change rewrites no more than the containers
// around it.
//
// # Members of one name
//
// RFC 8259 leaves open what a name means that an object has twice. Here the last
// one counts, as for encoding/json and JavaScript: [Node.Get] finds it. The others
// stay where they are, and a walk over the members meets them all.
//
// # Concurrency
//
// A document belongs to one goroutine at a time, also while it is only read: sizes
// and the encoding are kept once they are known.
package document

import (
	"bytes"
	"encoding/json"
)

var _ json.Marshaler = (*Document)(nil)

// MaxDepth is how deep arrays and objects may lie in each other. Results of tools
// have less than ten levels; encoding/json gives up at 10,000.
const MaxDepth = 500

// Document is a JSON value. Make one with [Parse].
type Document struct {
	root    *Node
	source  []byte
	encoded []byte // of a changed document, unless the root is stale
}

// Root returns the whole value. It is the same node for as long as the document
// lives.
func (d *Document) Root() *Node { return d.root }

// JSON returns the encoding: the source itself, without the white space around it,
// if nothing was changed, else bytes that are made once and stay as they are. The
// caller must not write into them. Containers that were changed are written without
// white space.
func (d *Document) JSON() []byte {
	if !d.root.stale && d.encoded == nil {
		return d.source
	}
	if d.root.stale {
		d.encoded = d.root.append(make([]byte, 0, d.root.bytes()))
		d.root.stale = false
	}
	return d.encoded
}

// MarshalJSON returns [Document.JSON], so that a document is right wherever a value
// is encoded with encoding/json.
func (d *Document) MarshalJSON() ([]byte, error) { return d.JSON(), nil }

// Compact returns the encoding without white space between its parts: the same bytes
// as JSON does if there is none. The caller must not write into them.
func (d *Document) Compact() []byte {
	if !d.root.isSpaced() {
		return d.JSON()
	}
	var b bytes.Buffer
	b.Grow(len(d.JSON()))
	_ = json.Compact(&b, d.JSON()) // it is JSON
	return b.Bytes()
}

// Tighten leaves out of the encoding, from now on, the white space between its parts.
// It encodes nothing.
func (d *Document) Tighten() {
	if d.root.isSpaced() {
		d.root.tighten()
		d.root.stale = true
	}
}

// Units returns the size of the encoding in UTF-16 code units. It encodes nothing.
func (d *Document) Units() int { return d.root.Units() }
