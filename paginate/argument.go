package paginate

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/portavoz/portavoz/errors"
)

// argument is what was found under one name. NaN stands for what is no number.
type argument struct {
	given bool // neither absent nor null
	value float64
}

func number(f float64) argument { return argument{given: true, value: f} }

func pointed(f *float64) argument {
	if f == nil {
		return argument{}
	}
	return number(*f)
}

// or replaces an argument that was not given.
func (a argument) or(n int) argument {
	if !a.given {
		return number(float64(n))
	}
	return a
}

// atLeast says what keeps the argument from being a whole number from least on.
// Infinity counts as one: it is what a number too large for a float64 reads as.
func (a argument) atLeast(least int) error {
	switch f := a.value; {
	case math.IsNaN(f):
		return errors.New("no number")
	case f < float64(least):
		return fmt.Errorf("below %d", least)
	case f != math.Trunc(f):
		return errors.New("no whole number")
	}
	return nil
}

// read takes an argument from decoded JSON, or from what a Go program put there.
func (r Rules) read(v any) argument {
	switch v := v.(type) {
	case nil:
		return argument{}
	case float64:
		return number(v)
	case int:
		return number(float64(v))
	case json.Number:
		return number(parse(string(v)))
	case string:
		return number(r.parseString(v))
	}
	switch v := reflect.ValueOf(v); {
	case v.CanInt():
		return number(float64(v.Int()))
	case v.CanUint():
		return number(float64(v.Uint()))
	case v.CanFloat():
		return number(v.Float())
	}
	return number(math.NaN())
}

// readJSON takes an argument from one valid JSON value, or from none.
func (r Rules) readJSON(raw json.RawMessage) argument {
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return argument{}
	case raw[0] == '"':
		var s string
		if json.Unmarshal(raw, &s) != nil {
			return number(math.NaN())
		}
		return number(r.parseString(s))
	}
	return number(parse(string(raw)))
}

func (r Rules) parseString(s string) float64 {
	if !r.cfg.NumericStrings {
		return math.NaN()
	}
	return parse(strings.TrimSpace(s))
}

// parse reads a JSON number; anything else is NaN, what [strconv.ParseFloat]
// knows beside JSON's grammar (Inf, 0x1p4) included. What is too large is
// infinite, and what is too small is zero.
func parse(s string) float64 {
	if s == "" || (s[0] != '-' && (s[0] < '0' || s[0] > '9')) || !json.Valid([]byte(s)) {
		return math.NaN()
	}
	f, _ := strconv.ParseFloat(s, 64)
	return f
}
