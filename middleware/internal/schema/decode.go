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

// Decode reads one JSON value for [Schema.Check]. A number is a [json.Number]
// with its digits as written, or a float64 if it is long or has an exponent: an
// exact fraction of 1e-1000000 takes a validator seconds. A number beyond
// float64 is an error, and so is anything after the value.
func Decode(raw []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
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
		return t.Float64()
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
