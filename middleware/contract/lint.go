package contract

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Option changes what [Lint] looks at.
type Option func(*linter)

// Without switches a rule off, everywhere or for the tools named, and says why:
// the reason is printed with the report. [Lint] fails if there is no such rule, or
// no reason.
func Without(rule, reason string, tools ...string) Option {
	return func(l *linter) {
		l.exceptions = append(l.exceptions, Exception{Rule: rule, Reason: strings.TrimSpace(reason), Tools: slices.Clone(tools)})
	}
}

// Brands are names that do not belong into a description: of the company, its
// products, its assistant. Case and accents do not matter.
func Brands(names ...string) Option {
	return func(l *linter) {
		for _, name := range names {
			if name = fold(name); name != "" {
				l.brands = append(l.brands, name)
			}
		}
	}
}

// Again are the lists that the same server answered when it was asked again:
// they have to hold the same tools in the same order.
func Again(lists ...Catalog) Option {
	return func(l *linter) { l.again = append(l.again, lists...) }
}

// Exception is a rule that was switched off.
type Exception struct {
	Rule   string   `json:"rule"`
	Reason string   `json:"reason"`
	Tools  []string `json:"tools,omitempty"` // empty: all
	// Silenced is how many findings it kept out of the report. At 0 it can go.
	Silenced int `json:"silenced"`
}

// Lint holds a list of tools against the rules of a profile. It fails only on a
// wrong configuration, with all that is wrong about it: [errors.As] finds a
// [*ConfigError]. It is safe for concurrent use.
func Lint(c Catalog, p Profile, options ...Option) (Report, error) {
	l := &linter{catalog: c, profile: p, rules: make(map[string]Rule), words: newLexicon(), cues: newCues()}
	for _, rule := range Rules() {
		l.rules[rule.ID] = rule
	}
	for _, option := range options {
		option(l)
	}
	if err := l.check(); err != nil {
		return Report{}, err
	}
	l.each()
	l.list()
	l.silence()
	slices.SortStableFunc(l.found, func(a, b located) int {
		return cmp.Or(
			cmp.Compare(a.tool, b.tool),
			cmp.Compare(b.Severity.rank(), a.Severity.rank()),
			strings.Compare(a.Rule, b.Rule),
			strings.Compare(a.Pointer, b.Pointer),
		)
	})
	r := Report{Profile: p, Tools: c.Len(), Characters: c.Characters(), Exceptions: l.exceptions, Findings: []Finding{}}
	for i := range l.found {
		r.Findings = append(r.Findings, l.found[i].Finding)
	}
	return r, nil
}

// ConfigError is a wrong option of [Lint].
type ConfigError struct {
	Option string // "Without"
	Reason string
}

func (e *ConfigError) Error() string { return "portavoz/contract: " + e.Option + ": " + e.Reason }

// linter is one run.
type linter struct {
	catalog    Catalog
	profile    Profile
	rules      map[string]Rule
	exceptions []Exception
	brands     []string
	again      []Catalog
	words      lexicon
	cues       cues
	found      []located
}

// located is a finding with the place of its tool in the list, -1 for the list.
type located struct {
	Finding
	tool int
}

func (l *linter) check() error {
	var problems []error
	complain := func(option, format string, args ...any) {
		problems = append(problems, &ConfigError{Option: option, Reason: fmt.Sprintf(format, args...)})
	}
	if !l.profile.valid() {
		complain("Profile", "%s is not a combination of Core, Asixto and Whaapy", l.profile)
	}
	for _, e := range l.exceptions {
		if _, ok := l.rules[e.Rule]; !ok {
			complain("Without", "there is no rule %q", e.Rule)
		}
		if e.Reason == "" {
			complain("Without", "%s is switched off without a reason", e.Rule)
		}
		for _, tool := range e.Tools {
			if !slices.Contains(l.catalog.Names(), tool) {
				complain("Without", "%s is switched off for %q, which is not in the list", e.Rule, tool)
			}
		}
	}
	return errors.Join(problems...)
}

// shared is the number of tools from which on the work is shared among processors.
const shared = 64

// each runs the rules that look at one definition, for all of them.
func (l *linter) each() {
	tools := l.catalog.tools
	found := make([][]located, len(tools))
	look := func(i int) {
		one := *l // what it reads is read only
		one.found = nil
		one.tool(&tools[i])
		found[i] = one.found
	}
	if len(tools) < shared {
		for i := range tools {
			look(i)
		}
	} else {
		var next atomic.Int64
		var workers sync.WaitGroup
		for range runtime.GOMAXPROCS(0) {
			workers.Go(func() {
				for i := next.Add(1) - 1; i < int64(len(tools)); i = next.Add(1) - 1 {
					look(int(i))
				}
			})
		}
		workers.Wait()
	}
	l.found = slices.Concat(found...)
}

// tool runs the rules that look at one definition.
func (l *linter) tool(d *definition) {
	if d.object == nil {
		l.find(d, "tool-malformed", "", Text{
			ES: "No es una herramienta: " + malformedES(d.problem) + ".",
			EN: "It is no tool: it " + d.problem + ".",
		})
		return
	}
	l.name(d)
	l.description(d)
	l.volatile(d)
	l.annotations(d)
	l.meta(d)
	if l.outsized(d) {
		return
	}
	l.intentions(d)
	l.input(d)
	l.arguments(d)
	l.validity(d)
	l.provider(d)
	l.output(d)
	l.search(d)
}

func malformedES(problem string) string {
	switch problem {
	case "is not JSON":
		return "no es JSON"
	case "is not an object":
		return "no es un objeto"
	}
	return "no se puede codificar"
}

// list runs the rules that look at the whole catalogue.
func (l *linter) list() {
	l.size()
	l.duplicates()
	l.similar()
	l.order()
}

// asked reports whether the profile asks for the rule at all.
func (l *linter) asked(rule string) bool { return l.rules[rule].Severity(l.profile) != "" }

// find adds a finding, unless the profile does not ask for the rule. d is nil for what concerns the whole list.
func (l *linter) find(d *definition, rule, pointer string, message Text) {
	r := l.rules[rule]
	severity := r.Severity(l.profile)
	if severity == "" {
		return
	}
	f := located{tool: -1, Finding: Finding{
		Rule: rule, Severity: severity, Pointer: pointer, Message: message, Fix: r.Fix, Cure: r.Cure,
	}}
	if d != nil {
		f.tool, f.Tool = d.index, d.label()
	}
	l.found = append(l.found, f)
}

// silence takes out the findings of rules that are switched off.
func (l *linter) silence() {
	l.found = slices.DeleteFunc(l.found, func(f located) bool {
		for i := range l.exceptions {
			if e := &l.exceptions[i]; e.Rule == f.Rule && (len(e.Tools) == 0 || slices.Contains(e.Tools, f.Tool)) {
				e.Silenced++
				return true
			}
		}
		return false
	})
}
