package middleware

import (
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/portavoz/portavoz/errors"
)

// Tolerance is a mistake that models make in arguments, and that can be corrected
// without guessing. Nothing is corrected that the schema allows as it is, and what
// is corrected has to satisfy the whole schema, or the call is refused. An
// idempotency key is bound to the corrected arguments: "10" and 10 are one operation.
type Tolerance string

// The tolerances.
const (
	// NullAsAbsent leaves out a null that the schema does not allow.
	NullAsAbsent Tolerance = "null_as_absent"
	// EmptyAsAbsent leaves out "", "null" and 0 where the schema does not allow
	// them: a limit of 0 that has to be 1 at least, "" for one of three words. Where a
	// handler has a default for what is absent, that takes the place of a 0 that was
	// meant, as of a quantity.
	EmptyAsAbsent Tolerance = "empty_as_absent"
	// TextAsNumber reads "10" as 10 where a number is wanted and a text is not. The
	// digits stay as they are written: no thousands separators, no signs of plus.
	TextAsNumber Tolerance = "text_as_number"
	// TextAsBoolean reads "true" and "false" where only a boolean is wanted.
	TextAsBoolean Tolerance = "text_as_boolean"
	// TextAsJSON reads a text that holds a JSON object or array where one is wanted
	// and a text is not, the arguments as a whole included. It is the mistake that
	// models make most.
	TextAsJSON Tolerance = "text_as_json"
)

var tolerances = [...]Tolerance{NullAsAbsent, EmptyAsAbsent, TextAsNumber, TextAsBoolean, TextAsJSON}

// AllTolerances returns every tolerance there is.
func AllTolerances() []Tolerance { return slices.Clone(tolerances[:]) }

func checkTolerances(list []Tolerance) error {
	var problems []error
	for _, t := range list {
		if !slices.Contains(tolerances[:], t) {
			problems = append(problems, fmt.Errorf("there is no tolerance %q", t))
		}
	}
	return errors.Join(problems...)
}

// ToleranceCounter counts corrections. The zero value is ready to use, and safe for
// concurrent use. A counter may serve several middlewares; it must not be copied.
type ToleranceCounter struct {
	counts [len(tolerances)]atomic.Uint64
}

// Count returns how many values were corrected for a tolerance.
func (c *ToleranceCounter) Count(t Tolerance) uint64 {
	if i := slices.Index(tolerances[:], t); i >= 0 {
		return c.counts[i].Load()
	}
	return 0
}

func (c *ToleranceCounter) add(used []Tolerance) {
	if c == nil {
		return
	}
	for _, t := range used {
		c.counts[slices.Index(tolerances[:], t)].Add(1)
	}
}
