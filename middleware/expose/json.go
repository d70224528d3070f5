package expose

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// object is a JSON object as encoding/json decodes it, with numbers as written.
type object = map[string]any

func decode(raw []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	err := dec.Decode(&v)
	return v, err
}

// encode encodes what came out of decode, which never fails. It writes "<" as it is:
// demands are also shown in descriptions.
func encode(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic("portavoz/expose: encode: " + err.Error())
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// members is an object whose members keep their order.
type members []member

type member struct {
	name  string
	value any
}

// MarshalJSON implements [json.Marshaler].
func (m members) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, one := range m {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(encode(one.name))
		b.WriteByte(':')
		value, err := json.Marshal(one.value)
		if err != nil {
			return nil, err
		}
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// quoted is a text in quotes, for a finding.
func quoted(s string) string { return strconv.Quote(s) }

// union returns what is in any of the sorted lists, sorted.
func union(lists ...[]string) []string {
	all := slices.Concat(lists...)
	slices.Sort(all)
	return slices.Compact(all)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
