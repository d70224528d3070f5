package outline

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/portavoz/portavoz/middleware/internal/document"
)

// maxSteps bounds the schemas that are asked about one scalar: references may
// fan out without end.
const maxSteps = 1000

// accepts says whether the schema accepts a scalar: a string, an int or nil.
// [IfValid] is "not known".
func (n *node) accepts(scalar any) Verdict {
	j := judge{scalar: scalar, steps: maxSteps}
	return j.ask(n)
}

type judge struct {
	scalar any
	steps  int
}

func (j *judge) ask(n *node) Verdict {
	if j.steps--; j.steps < 0 || n.opaque {
		return IfValid
	}
	verdict := n.acceptsAlone(j.scalar)
	for _, part := range n.all {
		if verdict == No {
			return No
		}
		verdict = min(verdict, j.ask(part))
	}
	if len(n.any) > 0 {
		best := No
		for _, branch := range n.any {
			if best = max(best, j.ask(branch)); best == Yes {
				break
			}
		}
		verdict = min(verdict, best)
	}
	if len(n.one) > 0 {
		verdict = min(verdict, j.exactlyOne(n.one))
	}
	if n.not != nil {
		verdict = min(verdict, j.ask(n.not).not())
	}
	if n.cond != nil {
		verdict = min(verdict, j.conditional(n))
	}
	return verdict
}

func (j *judge) exactlyOne(branches []*node) Verdict {
	sure, unsure := 0, 0
	for _, branch := range branches {
		switch j.ask(branch) {
		case Yes:
			sure++
		case IfValid:
			unsure++
		case No:
		}
	}
	switch {
	case sure > 1, sure+unsure == 0:
		return No
	case unsure > 0:
		return IfValid
	}
	return Yes
}

func (j *judge) conditional(n *node) Verdict {
	branch := func(b *node) Verdict {
		if b == nil {
			return Yes
		}
		return j.ask(b)
	}
	switch j.ask(n.cond) {
	case Yes:
		return branch(n.yes)
	case No:
		return branch(n.els)
	default:
		return min(IfValid, max(branch(n.yes), branch(n.els)))
	}
}

// acceptsAlone asks the keywords of this schema that speak of scalars.
func (n *node) acceptsAlone(scalar any) Verdict {
	if n.never {
		return No
	}
	switch v := scalar.(type) {
	case string:
		return n.acceptsText(v)
	case int:
		return n.acceptsNumber(v)
	}
	if !n.kinds.has(document.Null) {
		return No
	}
	return Yes
}

func (n *node) acceptsText(text string) Verdict {
	if !n.kinds.has(document.String) || n.hasValues && !slices.Contains(n.values, any(text)) {
		return No
	}
	if n.minLength > 0 || n.maxLength >= 0 {
		length := utf8.RuneCountInString(text)
		if length < n.minLength || n.maxLength >= 0 && length > n.maxLength {
			return No
		}
	}
	if n.pattern != nil || n.format != "" {
		return IfValid
	}
	return Yes
}

func (n *node) acceptsNumber(i int) Verdict {
	if !n.kinds.has(document.Number) {
		return No
	}
	verdict := Yes
	if n.hasValues {
		if verdict = n.listsNumber(i); verdict == No {
			return No
		}
	}
	value := float64(i)
	for _, bound := range [...]struct {
		limit *float64
		holds func(limit float64) bool
	}{
		{n.minimum, func(l float64) bool { return value >= l }},
		{n.maximum, func(l float64) bool { return value <= l }},
		{n.above, func(l float64) bool { return value > l }},
		{n.below, func(l float64) bool { return value < l }},
		{n.multipleOf, func(l float64) bool { return l != 0 && math.Mod(value, l) == 0 }},
	} {
		switch {
		case bound.limit == nil:
		case math.IsNaN(*bound.limit):
			verdict = IfValid
		case !bound.holds(*bound.limit):
			return No
		}
	}
	return verdict
}

// listsNumber looks for a whole number among the values. One that is written with
// a fraction or an exponent may be the same.
func (n *node) listsNumber(i int) Verdict {
	verdict := No
	for _, v := range n.values {
		literal, ok := v.(json.Number)
		if !ok {
			continue
		}
		switch whole, err := strconv.ParseInt(literal.String(), 10, 64); {
		case err != nil:
			verdict = IfValid
		case whole == int64(i):
			return Yes
		}
	}
	return verdict
}
