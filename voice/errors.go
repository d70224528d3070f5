package voice

import (
	"errors"
	"strconv"
	"strings"
)

// What a parsing function may answer; test with errors.Is.
var (
	// ErrSyntax means that the text is not written as the function reads it.
	ErrSyntax = errors.New("malformed")
	// ErrRange means that the text is well written and the value does not
	// exist or is too large to be said: a thirteenth month, 10^36.
	ErrRange = errors.New("out of range")
	// ErrAmbiguous means that the text has two readings and nothing decides.
	ErrAmbiguous = errors.New("ambiguous")
	// ErrUnknown means a currency, a unit or another name that is not known here.
	ErrUnknown = errors.New("unknown")
)

// ParseError says what could not be read. Unwrap gives the reason.
type ParseError struct {
	Kind  string // what was expected: "number", "money", "date"
	Input string // the text, cut to 40 bytes
	Err   error  // one of the errors above, possibly wrapped
}

func (e *ParseError) Error() string {
	return "voice: " + e.Kind + " " + strconv.Quote(e.Input) + ": " + e.Err.Error()
}

// Unwrap returns the reason.
func (e *ParseError) Unwrap() error { return e.Err }

func parseError(kind, input string, err error) error {
	const most = 40
	if len(input) > most {
		input = input[:most]
	}
	return &ParseError{Kind: kind, Input: strings.Clone(input), Err: err}
}
