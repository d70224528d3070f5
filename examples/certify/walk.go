package main

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// place is a value within a result.
type place struct {
	pointer string // JSON Pointer from the result on
	key     string // of the member, or of the list that it is in
	value   any
	in      []map[string]any // the objects around it, the nearest last
}

// sibling returns another member of the object that a value is a member of.
func (p place) sibling(key string) any {
	if len(p.in) == 0 {
		return nil
	}
	return p.in[len(p.in)-1][key]
}

// places are all values of a result, the whole data and the text blocks
// included, in a stable order.
func (a answer) places() []place {
	var all []place
	if a.structured != nil {
		var data any
		if decode(a.structured, &data) == nil {
			collect(&all, place{pointer: "/structuredContent", value: data})
		}
	}
	for i, b := range a.content {
		if b.Type == "text" {
			all = append(all, place{pointer: "/content/" + strconv.Itoa(i) + "/text", value: b.Text})
		}
	}
	if a.fault != nil {
		all = append(all, place{pointer: "/error/message", value: a.fault.Message})
	}
	return all
}

func collect(all *[]place, p place) {
	*all = append(*all, p)
	switch v := p.value.(type) {
	case map[string]any:
		in := append(slices.Clone(p.in), v)
		for _, key := range slices.Sorted(maps.Keys(v)) {
			collect(all, place{pointer: p.pointer + "/" + escape(key), key: key, value: v[key], in: in})
		}
	case []any:
		for i, item := range v {
			collect(all, place{pointer: p.pointer + "/" + strconv.Itoa(i), key: p.key, value: item, in: p.in})
		}
	}
}

// escape is a step of a JSON Pointer.
func escape(step string) string {
	return strings.ReplaceAll(strings.ReplaceAll(step, "~", "~0"), "/", "~1")
}

// general is a pointer with every index replaced: items of a list share a flaw.
func general(pointer string) string {
	steps := strings.Split(pointer, "/")
	for i, step := range steps {
		if _, err := strconv.Atoi(step); err == nil {
			steps[i] = "*"
		}
	}
	return strings.Join(steps, "/")
}

// scalar is the text of a string or a number, "" of anything else.
func scalar(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}
