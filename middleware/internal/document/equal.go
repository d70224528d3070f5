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

// equalMembers looks for the members of a in b, where the next one is most often
// the one that was looked for.
func equalMembers(a, b *Node) bool {
	at := b.first
	for member := range a.Children() {
		name := member.Name()
		if at == nil || !at.named(name) {
			at = b.Get(name)
		}
		if at == nil || !Equal(member, at) {
			return false
		}
		at = at.next
	}
	return true
}
