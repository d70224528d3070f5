package expose

import (
	"cmp"
	"errors"
	"slices"
	"strings"
)

// The codes of a [Finding]. Those of the first group prevent a surface.
const (
	CodeName          = "name"          // a name that clients do not take, or that is empty
	CodeDuplicate     = "duplicate"     // two declarations of one action or namespace
	CodeCollision     = "collision"     // two tools of one name
	CodeNoHandler     = "no_handler"    // nothing runs the action
	CodeInput         = "input"         // an input schema that cannot be used
	CodeOutput        = "output"        // an output schema that cannot be used
	CodeHints         = "hints"         // hints that contradict each other
	CodeDiscriminator = "discriminator" // a field that is named like the discriminator
	CodeSuggestion    = "suggestion"    // a suggested action that does not exist
	CodeNamespace     = "namespace"     // a namespace without actions
	CodeFilter        = "filter"        // a rule about tags that no action satisfies
	CodeConfig        = "config"        // a setting that is not possible

	CodeConflict    = "conflict"    // a namespace is flat, since its actions do not fit into one tool
	CodeHidden      = "hidden"      // something of an action is not shown in a grouped tool
	CodeDescription = "description" // a description that is longer than clients take
	CodeTag         = "tag"         // a rule names a tag that no action has
	CodeHeader      = "header"      // arguments in headers give a hidden action away
)

// Finding is one thing that is to be said about declarations and how they are
// exposed.
type Finding struct {
	// Code is stable and for programs.
	Code string
	// Subject is what the finding is about: the full name of an action, a
	// namespace, a tool, or a field of [Config].
	Subject string
	// Text says what is the matter.
	Text string
	// Remedy says what to do. It may be empty.
	Remedy string
}

// String returns the finding as one line.
func (f Finding) String() string {
	line := f.Code + ": " + cmp.Or(f.Subject, `""`) + ": " + f.Text
	if f.Remedy != "" {
		line += "; " + f.Remedy
	}
	return line
}

// BuildError is a finding that prevents a surface. [Compile] joins all that there
// are.
type BuildError struct{ Finding }

// Error returns the finding as one line.
func (e *BuildError) Error() string { return e.String() }

// report collects findings in any order.
type report struct{ fatal, notes []Finding }

func (r *report) fail(code, subject, text, remedy string) {
	r.fatal = append(r.fatal, Finding{code, subject, text, remedy})
}

func (r *report) note(code, subject, text, remedy string) {
	r.notes = append(r.notes, Finding{code, subject, text, remedy})
}

// err joins what prevents a surface, in the same order whatever was found first.
func (r *report) err() error {
	var problems []error
	for _, f := range ordered(r.fatal) {
		problems = append(problems, &BuildError{f})
	}
	return errors.Join(problems...)
}

// oneLine is the text of an error without line breaks.
func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

// ordered sorts findings by what they are about and drops what is said twice.
func ordered(findings []Finding) []Finding {
	findings = slices.Clone(findings)
	slices.SortFunc(findings, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.Subject, b.Subject), strings.Compare(a.Code, b.Code),
			strings.Compare(a.Text, b.Text), strings.Compare(a.Remedy, b.Remedy))
	})
	return slices.Compact(findings)
}
