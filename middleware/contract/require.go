package contract

import (
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/server"
)

// Require holds the tools of a server against the rules of a profile. It is for the
// start of a program, after all tools are registered:
//
//	if err := contract.Require(srv, contract.Asixto); err != nil {
//		return err
//	}
//
// It returns a [*LintError] if a must is broken, or the error of [Lint] if the
// options are wrong. What only should be or is a hint does not count.
func Require(srv *server.MCPServer, p Profile, options ...Option) error {
	report, err := Lint(Registered(srv), p, options...)
	if err != nil {
		return err
	}
	if report.OK() {
		return nil
	}
	return &LintError{Report: report}
}

// LintError is a list of tools that breaks a must.
type LintError struct {
	// Report has all findings, those that are no musts included.
	Report Report
}

// Error names every must that is broken, a line each.
func (e *LintError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "portavoz/contract: the tools do not meet the profile %s:", e.Report.Profile)
	for i := range e.Report.Findings {
		if f := &e.Report.Findings[i]; f.Severity == Must {
			b.WriteString("\n\t" + f.line())
		}
	}
	return b.String()
}

// line is the finding in one line of English.
func (f *Finding) line() string {
	where := clipPointer(f.Pointer)
	if f.Tool != "" {
		where = f.Tool + " " + where
	}
	return strings.TrimSpace(where) + ": " + f.Rule + ": " + f.Message.EN + " " + f.Fix.EN + " [" + f.Cure + "]"
}
