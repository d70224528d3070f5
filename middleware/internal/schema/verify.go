package schema

import (
	"errors"
	"regexp/syntax"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Verify returns what is wrong with the JSON text of a schema, as [Compile] does, and costs
// less: patterns are read and not compiled. Those that only ECMA-262 knows, with what
// looks ahead or refers back, are right (JSON Schema 2020-12, 6.4).
func Verify(raw []byte) error {
	_, _, err := compile(raw, func(c *jsonschema.Compiler) { c.UseRegexpEngine(readPattern) })
	return err
}

// read is a pattern that is not going to match anything.
type read string

func (p read) MatchString(string) bool { return false }
func (p read) String() string          { return string(p) }

func readPattern(pattern string) (jsonschema.Regexp, error) {
	_, err := syntax.Parse(pattern, syntax.Perl)
	var wrong *syntax.Error
	if errors.As(err, &wrong) && !slices.Contains(onlyHere[:], wrong.Code) {
		return nil, err
	}
	return read(pattern), nil
}

// onlyHere is why Go refuses what other engines take.
var onlyHere = [...]syntax.ErrorCode{
	syntax.ErrInvalidPerlOp, syntax.ErrInvalidEscape, syntax.ErrInvalidRepeatSize, syntax.ErrInvalidCharRange,
	syntax.ErrNestingDepth, syntax.ErrLarge,
}
