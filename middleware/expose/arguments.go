package expose

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
)

// argument is a member of the arguments object: where it lies in their JSON text, and
// where its value does, to which the member's end is the end, too.
type argument struct {
	name            []byte
	from, value, to int
	out             bool // the handler does not get it
}

// fewArguments is for how many arguments of a call there is room without allocating.
const fewArguments = 16

// errNoObject is for arguments that cannot be looked into.
var errNoObject = errors.New("the arguments are no object")

// splitArguments appends the members of the object that raw holds to list. It reads no further
// than the outermost level needs: raw is JSON that was decoded before, and whatever
// else it is, splitArguments ends and reports false.
func splitArguments(list []argument, raw []byte) ([]argument, bool) {
	i := skipSpace(raw, 0)
	if i >= len(raw) || raw[i] != '{' {
		return list, false
	}
	if i = skipSpace(raw, i+1); i < len(raw) && raw[i] == '}' {
		return list, true
	}
	for i < len(raw) {
		end := skipValue(raw, i)
		if end <= i+1 || raw[i] != '"' {
			return list, false
		}
		m := argument{name: nameIn(raw[i:end]), from: i}
		if i = skipSpace(raw, end); i >= len(raw) || raw[i] != ':' {
			return list, false
		}
		m.value = skipSpace(raw, i+1)
		if m.to = skipValue(raw, m.value); m.to <= m.value {
			return list, false
		}
		list = append(list, m)
		if i = skipSpace(raw, m.to); i >= len(raw) {
			return list, false
		}
		if raw[i] == '}' {
			return list, true
		}
		i = skipSpace(raw, i+1) // a comma
	}
	return list, false
}

// nameIn returns the name between its quotes, decoded if it has escapes.
func nameIn(quoted []byte) []byte {
	if slices.Contains(quoted, '\\') {
		var name string
		_ = json.Unmarshal(quoted, &name) // was decoded before
		return []byte(name)
	}
	return quoted[1 : len(quoted)-1]
}

func skipSpace(raw []byte, i int) int {
	for i < len(raw) && (raw[i] == ' ' || raw[i] == '\t' || raw[i] == '\n' || raw[i] == '\r') {
		i++
	}
	return i
}

// skipValue returns where the value at i ends.
func skipValue(raw []byte, i int) int {
	for depth := 0; i < len(raw); {
		switch raw[i] {
		case '"':
			i = skipText(raw, i)
		case '{', '[':
			depth++
			i++
		case '}', ']':
			if depth == 0 {
				return i
			}
			depth--
			i++
		case ',', ':', ' ', '\t', '\n', '\r':
			if depth == 0 {
				return i
			}
			i++
			continue
		default:
			i++
			continue
		}
		if depth == 0 {
			return i
		}
	}
	return i
}

// skipText returns where the text in quotes at i ends.
func skipText(raw []byte, i int) int {
	for i++; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(raw)
}

// rawOf returns the text of the arguments of a call, "{}" for none: what came from
// the client, or what the values that a program gave are in JSON.
func rawOf(params *mcp.CallToolParams) ([]byte, error) {
	raw := []byte(params.RawArguments)
	if len(raw) == 0 && params.Arguments != nil {
		var err error
		if raw, err = json.Marshal(params.Arguments); err != nil {
			return nil, err
		}
	}
	if i := skipSpace(raw, 0); len(raw)-i == 0 || string(raw[i:]) == "null" {
		return []byte("{}"), nil
	}
	return raw, nil
}

// keep leaves in the arguments of a call those members of list that are not out, in
// both of their forms. Raw is their text, and the values that the caller holds are left
// alone.
func keep(params *mcp.CallToolParams, raw []byte, list []argument) {
	kept := make([]byte, 1, len(raw))
	kept[0] = '{'
	values, ok := params.Arguments.(map[string]any)
	values = maps.Clone(values)
	for i := range list {
		m := &list[i]
		if m.out {
			delete(values, string(m.name))
			continue
		}
		if len(kept) > 1 {
			kept = append(kept, ',')
		}
		kept = append(kept, raw[m.from:m.to]...)
	}
	kept = append(kept, '}')
	params.RawArguments = kept
	if ok {
		params.Arguments = values
		return
	}
	params.Arguments = decoded(params.RawArguments)
}

// decoded returns the values of a text that was decoded before, as mcp-go has them.
func decoded(raw []byte) any {
	var v any
	_ = json.Unmarshal(raw, &v)
	return v
}
