package expose

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
)

// span is where a member of an object lies in its JSON text: from where to where,
// where its name ends, and where its value begins.
type span struct{ from, name, value, to int }

// errNoObject is for arguments that cannot be looked into.
var errNoObject = errors.New("the arguments are no object")

// scan calls see for each member of the object that raw holds, with its name, until
// see returns false. It reads no further than the outermost level needs: raw is JSON
// that was decoded before, and whatever else it is, scan ends and reports false.
func scan(raw []byte, see func(name []byte, s span) bool) bool {
	i := skipSpace(raw, 0)
	if i >= len(raw) || raw[i] != '{' {
		return false
	}
	if i = skipSpace(raw, i+1); i < len(raw) && raw[i] == '}' {
		return true
	}
	for i < len(raw) {
		s := span{from: i}
		if s.name = skipValue(raw, i); s.name <= i+1 || raw[i] != '"' {
			return false
		}
		if i = skipSpace(raw, s.name); i >= len(raw) || raw[i] != ':' {
			return false
		}
		s.value = skipSpace(raw, i+1)
		if s.to = skipValue(raw, s.value); s.to <= s.value {
			return false
		}
		if !see(nameIn(raw[s.from:s.name]), s) {
			return true
		}
		if i = skipSpace(raw, s.to); i >= len(raw) {
			return false
		}
		if raw[i] == '}' {
			return true
		}
		i = skipSpace(raw, i+1) // a comma
	}
	return false
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

// keep leaves in the arguments of a call the members that wanted reports true for, in
// both of their forms. Raw is their text, and the values that the caller holds are
// left alone.
func keep(params *mcp.CallToolParams, raw []byte, wanted func(name []byte, s span) bool) {
	kept := make([]byte, 1, len(raw))
	kept[0] = '{'
	values, ok := params.Arguments.(map[string]any)
	values = maps.Clone(values)
	scan(raw, func(name []byte, s span) bool {
		if !wanted(name, s) {
			delete(values, string(name))
			return true
		}
		if len(kept) > 1 {
			kept = append(kept, ',')
		}
		kept = append(kept, raw[s.from:s.to]...)
		return true
	})
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
