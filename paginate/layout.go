package paginate

import (
	"encoding/json"
	"strconv"
)

// layout is what stands around the results and the numbers of an encoded page.
type layout struct {
	head                 string // up to the first result
	total, limit, offset string
	next                 string // empty if the page has no such member
}

// newLayout panics if two names are the same once they are encoded.
func newLayout(names Names) *layout {
	names = names.orDefault()
	seen := make(map[string]bool, 5)
	member := func(name string) string {
		raw, _ := json.Marshal(name) // a string always encodes
		if seen[string(raw)] {
			panic("portavoz/paginate: two members of a page are named " + name)
		}
		seen[string(raw)] = true
		return string(raw) + ":"
	}
	l := &layout{
		head:   "{" + member(names.Results) + "[",
		total:  "]," + member(names.Total),
		limit:  "," + member(names.Limit),
		offset: "," + member(names.Offset),
	}
	if names.Next != "" {
		l.next = "," + member(names.Next)
	}
	return l
}

// appendTail appends an encoded page from its last result on.
func appendTail[T any](l *layout, dst []byte, p Page[T]) []byte {
	dst = strconv.AppendInt(append(dst, l.total...), int64(p.Total), 10)
	dst = strconv.AppendInt(append(dst, l.limit...), int64(p.Limit), 10)
	dst = strconv.AppendInt(append(dst, l.offset...), int64(p.Offset), 10)
	if next, more := p.Next(); more && l.next != "" {
		dst = strconv.AppendInt(append(dst, l.next...), int64(next), 10)
	}
	return append(dst, '}')
}
