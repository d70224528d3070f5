package schema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/middleware/internal/schema"
)

func TestMeasure(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]schema.Size{
		`1`:                            {Values: 1},
		`{}`:                           {Depth: 1, Values: 2},
		`{"a":1,"b":[2,3]}`:            {Depth: 2, Values: 5, Members: 2},
		`{"a":1,"a":2}`:                {Depth: 1, Values: 3, Members: 2},
		`{"a:{,":"\"[{:,","b\\":"\\"}`: {Depth: 1, Values: 3, Members: 2},
		`123456789012345`:              {Values: 1},
		`1234567890123456`:             {Values: 1, Exact: true},
		`[12345678.12345678,1]`:        {Depth: 1, Values: 3, Exact: true},
		`[12345678,12345678]`:          {Depth: 1, Values: 3},
		`"1234567890123456"`:           {Values: 1},
		strings.Repeat("[", 9) + "1" + strings.Repeat("]", 9): {Depth: 9, Values: 10},
	} {
		if got := schema.Measure([]byte(raw)); got != want {
			t.Errorf("Measure(%s) = %+v, want %+v", raw, got, want)
		}
	}
}

// FuzzMeasure holds the measure to the decoded value.
func FuzzMeasure(f *testing.F) {
	f.Add(`{"a":[1,{"b":"\\\""},9007199254740993],"c":{}}`)
	f.Add(`{"a":1,"a":2}`)
	f.Add(`[`)
	f.Fuzz(func(t *testing.T, raw string) {
		got := schema.Measure([]byte(raw))
		v, err := schema.Decode([]byte(raw))
		if err != nil {
			return
		}
		values, depth := shape(v)
		if members := schema.Members(v); got.Members < members {
			t.Errorf("Members = %d, want %d at least", got.Members, members)
		} else if got.Members > members {
			return // a name occurs twice, and what it had first is gone
		}
		if got.Values < values || got.Depth != depth {
			t.Errorf("Measure(%q) = %+v, want %d values at least and depth %d", raw, got, values, depth)
		}
		if !got.Exact && !same(v, plain(t, raw)) {
			t.Errorf("%q needs exact numbers", raw)
		}
	})
}

func shape(v any) (values, depth int) {
	values = 1
	each := func(child any) {
		n, d := shape(child)
		values, depth = values+n, max(depth, d)
	}
	switch t := v.(type) {
	case []any:
		for _, child := range t {
			each(child)
		}
		depth++
	case map[string]any:
		for _, child := range t {
			each(child)
		}
		depth++
	}
	return values, depth
}

func plain(t *testing.T, raw string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(raw), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// same reports whether the numbers of b are those of a, to 15 digits.
func same(a, b any) bool {
	enum, err := json.Marshal(map[string]any{"const": b})
	if err != nil {
		return false
	}
	s, err := schema.Compile(enum)
	return err == nil && s.Valid(a)
}
