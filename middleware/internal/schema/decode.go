package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// maxExact is the longest number, in bytes, that is held to a schema as it is
// written. 40 is beyond every integer and money type of a database.
const maxExact = 40

// errRange says which value it is about no more than the log may.
var errRange = errors.New("a number is beyond float64")

// Decode reads one JSON value for [Schema.Check], as encoding/json does unless it
// has numbers with more digits than float64 keeps. Then a number is a
// [json.Number], as it is written, if it is not very long and has no exponent: an
// exact fraction of 1e-1000000 takes a validator seconds. A number beyond float64
// is an error, and so is anything after the value. Errors quote no value.
func Decode(raw []byte) (any, error) {
	var v any
	if !Measure(raw).Exact {
		err := json.Unmarshal(raw, &v)
		if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
			err = errRange
		}
		return v, err
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the JSON value")
	}
	return settle(v)
}

// settle replaces the numbers that Decode does not leave as written, in place.
func settle(v any) (any, error) {
	var err error
	switch t := v.(type) {
	case json.Number:
		if len(t) <= maxExact && !strings.ContainsAny(string(t), "eE") {
			return t, nil
		}
		f, err := t.Float64()
		if err != nil {
			return nil, errRange
		}
		return f, nil
	case []any:
		for i := range t {
			if t[i], err = settle(t[i]); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for name := range t {
			if t[name], err = settle(t[name]); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}
