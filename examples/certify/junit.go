package main

import (
	"encoding/xml"
	"strings"

	"github.com/portavoz/portavoz/middleware/contract"
)

// The elements of a JUnit report, as far as CI systems read them.
type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
	Output   string      `xml:"system-out,omitempty"`
}

type junitCase struct {
	Class   string       `xml:"classname,attr"`
	Name    string       `xml:"name,attr"`
	Failure *junitReason `xml:"failure"`
	Error   *junitReason `xml:"error"`
	Skipped *junitReason `xml:"skipped"`
	Output  string       `xml:"system-out,omitempty"`
}

type junitReason struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// junit has a test case for each rule that was asked for. A must that is broken
// fails; everything else is in the output of its case.
func (r report) junit(lang contract.Language) (string, error) {
	suite := junitSuite{Name: "certify " + r.URL}
	for _, rule := range contract.Rules() {
		if severity := rule.Severity(r.Report.Profile); severity != "" {
			suite.add(r.testCase("definitions", rule.ID, severity, lang))
		}
	}
	for _, o := range r.Checks {
		c := r.testCase("live", o.Rule, o.Severity, lang)
		if o.Status == skipped {
			c.Skipped = &junitReason{Message: o.Reason.In(lang)}
		}
		suite.add(c)
	}
	if !r.Complete {
		suite.add(junitCase{Class: "live", Name: "complete", Error: &junitReason{Message: wordsIn(lang).partial}})
	}
	var unverified []string
	for _, t := range r.Unverified {
		unverified = append(unverified, t.In(lang))
	}
	suite.Output = strings.Join(unverified, "\n")
	raw, err := xml.MarshalIndent(suite, "", "  ")
	return xml.Header + string(raw) + "\n", err
}

func (s *junitSuite) add(c junitCase) {
	s.Cases = append(s.Cases, c)
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
}

func (r report) testCase(class, rule string, severity contract.Severity, lang contract.Language) junitCase {
	c := junitCase{Class: class, Name: rule}
	var lines []string
	fix := ""
	for i := range r.Report.Findings {
		if f := &r.Report.Findings[i]; f.Rule == rule {
			lines = append(lines, strings.TrimSpace(f.Tool+" "+plain(f.Pointer)+" ")+" "+f.Message.In(lang)+" ["+f.Cure+"]")
			fix = f.Fix.In(lang)
		}
	}
	switch text := strings.Join(lines, "\n"); {
	case len(lines) == 0:
	case severity == must:
		c.Failure = &junitReason{Message: fix, Text: text}
	default:
		c.Output = string(severity) + ": " + fix + "\n" + text
	}
	return c
}
