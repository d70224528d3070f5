package whaapy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/paginate"
)

// MaxDescription is the most that a description may have for Asixto Gateway, in UTF-16
// code units. Whaapy has no limit.
const MaxDescription = 700

// Describe is the description of a tool in the six sections that Whaapy reads. Each of
// them is needed.
type Describe struct {
	WhenToUse       string // the situation, and what has to be known by then
	NeverUseFor     string // what it looks fit for and is not
	Identity        string // how sure it must be who the person is
	SideEffects     string // what it changes, outside included
	SuccessCriteria string // what a result has to hold for the agent to say that it is done
	Fallback        string // what to do otherwise
}

func (d Describe) sections() [6]section {
	return [...]section{
		{"When to use", d.WhenToUse}, {"Never use for", d.NeverUseFor}, {"Identity", d.Identity},
		{"Side effects", d.SideEffects}, {"Success criteria", d.SuccessCriteria}, {"Fallback", d.Fallback},
	}
}

type section struct{ name, text string }

// Text returns the description, each section under its heading and with an empty line
// in between. The error names the sections that are empty.
func (d Describe) Text() (string, error) { return d.render(":\n", "\n\n") }

// Fit returns a description of at most limit UTF-16 code units: as Text does, or with
// each section on one line if that is what makes it fit. It cuts nothing: if it does
// not fit the error says by how much, and which sections are the longest.
func (d Describe) Fit(limit int) (string, error) {
	text, err := d.Text()
	if err != nil || paginate.UTF16Len(text) <= limit {
		return text, err
	}
	text, _ = d.render(": ", "\n")
	over := paginate.UTF16Len(text) - limit
	if over <= 0 {
		return text, nil
	}
	sections := d.sections()
	slices.SortStableFunc(sections[:], func(a, b section) int {
		return paginate.UTF16Len(b.text) - paginate.UTF16Len(a.text)
	})
	var longest []string
	for _, s := range sections[:3] {
		longest = append(longest, fmt.Sprintf("%s (%d)", s.name, paginate.UTF16Len(oneLine(s.text))))
	}
	return "", fmt.Errorf("portavoz/whaapy: the description has %d characters, %d more than %d; the longest sections: %s",
		limit+over, over, limit, strings.Join(longest, ", "))
}

func (d Describe) render(afterName, between string) (string, error) {
	var parts, empty []string
	for _, s := range d.sections() {
		text := oneLine(s.text)
		if text == "" {
			empty = append(empty, s.name)
		}
		parts = append(parts, s.name+afterName+text)
	}
	if empty != nil {
		return "", errors.New("portavoz/whaapy: sections of the description are empty: " + strings.Join(empty, ", "))
	}
	return strings.Join(parts, between), nil
}

// oneLine folds white space, so that a section written over several lines reads as one.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// WithDescription is [mcp.WithDescription] for sections. Limit is the most that the
// description may have, such as [MaxDescription]; 0 is no limit. It panics if a
// section is empty or the description does not fit.
func WithDescription(d Describe, limit int) mcp.ToolOption {
	text, err := d.Text()
	if limit > 0 {
		text, err = d.Fit(limit)
	}
	if err != nil {
		panic(err.Error())
	}
	return mcp.WithDescription(text)
}
