package schema

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// The rules that need more than their keyword. Every other [Problem.Rule] is the
// keyword of JSON Schema that was broken: "type", "enum", "maximum", ...
const (
	RuleMissing = "required"             // a name that has to be there is not
	RuleUnknown = "additionalProperties" // a name is there that must not be
)

// Problem is one thing that is wrong with a value.
type Problem struct {
	// Path leads from the root to the value: names of members and indices of
	// elements. For RuleMissing and RuleUnknown it ends with the name in
	// question. Names that the schema does not know are the caller's.
	Path []string
	// Rule is the broken keyword.
	Rule string
	// Want is what the schema asks for, fit for encoding/json: the list of types
	// or values, or the limit, the pattern or the format. It may be nil.
	Want any
	// Known lists, for RuleUnknown, the names that the schema has there, sorted. It
	// must not be changed.
	Known []string
}

// String describes the problem for the log.
func (p Problem) String() string {
	where := "/" + strings.Join(p.Path, "/")
	if p.Want == nil {
		return fmt.Sprintf("%q breaks %s", where, p.Rule)
	}
	want, err := json.Marshal(p.Want)
	if err != nil {
		return fmt.Sprintf("%q breaks %s", where, p.Rule)
	}
	return fmt.Sprintf("%q breaks %s %s", where, p.Rule, want)
}

// sorted brings problems into the order of their paths, as the validator walks
// objects in any order, and drops what is said twice.
func sorted(problems []Problem) []Problem {
	slices.SortStableFunc(problems, func(a, b Problem) int {
		return cmp.Or(slices.CompareFunc(a.Path, b.Path, compareSteps), cmp.Compare(a.Rule, b.Rule))
	})
	return slices.CompactFunc(problems, func(a, b Problem) bool {
		return a.Rule == b.Rule && slices.Equal(a.Path, b.Path)
	})
}

// compareSteps puts element 2 before element 10.
func compareSteps(a, b string) int {
	i, errA := strconv.Atoi(a)
	j, errB := strconv.Atoi(b)
	if errA == nil && errB == nil {
		return cmp.Compare(i, j)
	}
	return cmp.Compare(a, b)
}

// literal is a limit of a schema as JSON.
func literal(r *big.Rat) json.Number {
	if r.IsInt() {
		return json.Number(r.Num().String())
	}
	f, _ := r.Float64()
	return json.Number(strconv.FormatFloat(f, 'g', -1, 64))
}
