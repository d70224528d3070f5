package main

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/portavoz/portavoz/middleware/contract"
)

// certifier is one run against one server. Probes run one after the other; what
// they send at once they judge afterwards, so nothing here is locked.
type certifier struct {
	opt      options
	progress *progress
	wire     *wire // as the gateway of the profile speaks; set by discovery
	server   string
	rules    map[string]contract.Rule
	tools    []*tool
	lint     contract.Report

	without  []contract.Exception // rules that are switched off
	findings []contract.Finding
	found    map[string]bool          // rule, tool and place of each finding
	checked  map[string]bool          // rules that there was something to hold against
	skipped  map[string]contract.Text // why a rule was not
	notes    []contract.Text          // what else was not verified
	person   string                   // the conversation in which a person is known
	figures  []figure
	asked    int // requests that probes judged
	waited   int // times that the server asked to slow down
	stopped  bool
	silent   int // requests in a row without an answer in time
	called   int // for fresh conversations and keys
	run      string
}

func newCertifier(opt options, p *progress) *certifier {
	c := &certifier{
		opt: opt, progress: p, rules: map[string]contract.Rule{}, found: map[string]bool{},
		checked: map[string]bool{}, skipped: map[string]contract.Text{}, run: runID(),
		without: slices.Clone(opt.without),
	}
	for _, rule := range liveRules() {
		c.rules[rule.ID] = rule
	}
	return c
}

// errRefused are the reasons why a server cannot be asked.
var (
	errRefused     = errors.New("the server refuses the credential: give -token or -H (el servidor rechaza la credencial)")
	errHost        = errors.New("the server refuses the Host of the URL, see host-refused (el servidor rechaza el Host)")
	errSilent      = errors.New("the server stopped answering: five requests in a row took longer than -timeout (el servidor dejó de responder)")
	errInterrupted = errors.New("interrupted: the report has what was found until then (se interrumpió: el informe no está completo)")
	errNoMCP       = errors.New("no MCP server answers at this URL, in neither era (ningún servidor MCP responde)")
)

// certify runs all probes. It fails if the server cannot be asked at all.
func (c *certifier) certify(ctx context.Context) error {
	c.progress.step("discovery")
	if err := c.discover(ctx); err != nil {
		return err
	}
	for _, p := range probes {
		if c.halted(ctx) {
			break
		}
		c.progress.step(p.name)
		if err := p.run(c, ctx); err != nil {
			return err
		}
	}
	if c.silent >= mostSilent {
		return errSilent
	}
	return nil
}

// halted reports whether the run was interrupted. From then on nothing is
// found: what fails now fails because of that.
func (c *certifier) halted(ctx context.Context) bool {
	c.stopped = c.stopped || ctx.Err() != nil
	return c.stopped
}

// applies reports whether the profile asks for a rule.
func (c *certifier) applies(rule string) bool { return c.rules[rule].Severity(c.opt.profile) != "" }

// find adds a finding, once for each tool and place.
func (c *certifier) find(rule, tool, pointer string, message contract.Text) {
	r, ok := c.rules[rule]
	if !ok {
		panic("portavoz/certify: no rule " + rule)
	}
	c.checked[rule] = true
	place := rule + "\x00" + tool + "\x00" + general(pointer)
	if c.stopped || !c.applies(rule) || c.found[place] {
		return
	}
	c.found[place] = true
	if off := c.off(rule); off != nil {
		off.Silenced++
		return
	}
	c.findings = append(c.findings, contract.Finding{
		Rule: rule, Severity: r.Severity(c.opt.profile), Tool: quote(tool), Pointer: pointer,
		Message: message, Fix: r.Fix, Cure: r.Cure,
	})
}

// off is the exception that switches a rule off, nil if none does.
func (c *certifier) off(rule string) *contract.Exception {
	i := slices.IndexFunc(c.without, func(e contract.Exception) bool { return e.Rule == rule })
	if i < 0 {
		return nil
	}
	return &c.without[i]
}

// exceptions are those of the command line, with what they kept out of the report.
func (c *certifier) exceptions() []contract.Exception {
	all := slices.Clone(c.without)
	for i := range all {
		for _, e := range c.lint.Exceptions {
			if e.Rule == all[i].Rule && e.Reason == all[i].Reason {
				all[i].Silenced += e.Silenced
			}
		}
	}
	return all
}

// check notes that rules had something to be held against.
func (c *certifier) check(rules ...string) {
	for _, rule := range rules {
		c.checked[rule] = true
	}
}

// expect is check and, unless ok, find.
func (c *certifier) expect(ok bool, rule, tool, pointer string, message contract.Text) {
	c.check(rule)
	if !ok {
		c.find(rule, tool, pointer, message)
	}
}

// skip says why rules were not verified. It counts for those that nothing else
// verifies, and the first reason of a rule is kept.
func (c *certifier) skip(why contract.Text, rules ...string) {
	for _, rule := range rules {
		if _, said := c.skipped[rule]; !said && !c.stopped {
			c.skipped[rule] = why
		}
	}
}

// note says what was not verified beside whole rules.
func (c *certifier) note(t contract.Text) { c.notes = append(c.notes, t) }

// fresh returns a name that was not used before, neither in this run nor in
// another: for conversations and keys.
func (c *certifier) fresh(what string) string {
	c.called++
	return "certify-" + c.run + "-" + what + "-" + strconv.Itoa(c.called)
}

// send sends a message in the main era, and notes whether the run was interrupted.
func (c *certifier) send(ctx context.Context, m message) reply {
	return c.sendOn(ctx, c.wire, m)
}

func (c *certifier) sendOn(ctx context.Context, w *wire, m message) reply {
	r := w.send(ctx, m)
	c.asked++
	c.heard(r)
	c.halted(ctx)
	return r
}

// mostSilent is how many requests in a row may go unanswered. More would take hours and tell
// nothing new.
const mostSilent = 5

// heard notes whether the server answered in time. If it does not any more, the run stops.
func (c *certifier) heard(r reply) {
	if !r.late() {
		c.silent = 0
		return
	}
	if c.silent++; c.silent >= mostSilent {
		c.stopped = true
	}
}

// callable are the tools that may be called: those that only read, and the
// writes that were allowed.
func (c *certifier) callable() []*tool {
	return slices.DeleteFunc(slices.Clone(c.tools), func(t *tool) bool { return !t.reads && !c.opt.mayWrite(t.name) })
}
