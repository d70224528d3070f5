package document

// Equal reports whether two values are the same: whatever the order of members, the
// white space, and the escapes in strings. Numbers are the same if they are written
// the same.
func Equal(a, b *Node) bool {
	if a.Kind() != b.Kind() || a.Len() != b.Len() {
		return false
	}
	switch a.Kind() {
	case Array:
		for x, y := a.first, b.first; x != nil; x, y = x.next, y.next {
			if !Equal(x, y) {
				return false
			}
		}
		return true
	case Object:
		return equalMembers(a, b)
	case String:
		return a.raw == b.raw || a.Text() == b.Text()
	case Null:
		return true
	default:
		return a.raw == b.raw
	}
}

// equalMembers compares objects of as many members. One that has a name twice may
// lack a member of the other.
func equalMembers(a, b *Node) bool {
	ordered, ok := membersOf(a, b)
	if !ok || ordered {
		return ok
	}
	_, ok = membersOf(b, a)
	return ok
}

// membersOf reports whether each member of a is one of b, and whether they are in the
// same order. The next one in b is most often the one that is looked for.
func membersOf(a, b *Node) (ordered, ok bool) {
	at := b.first
	ordered = true
	for member := range a.Children() {
		name := member.Name()
		if at == nil || !at.named(name) {
			at, ordered = b.Get(name), false
		}
		if at == nil || !Equal(member, at) {
			return false, false
		}
		at = at.next
	}
	return ordered, true
}
