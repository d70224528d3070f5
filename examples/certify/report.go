package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/portavoz/portavoz/middleware/contract"
)

// report is what a run found.
type report struct {
	URL      string `json:"url"`
	Server   string `json:"server"`   // as it calls itself
	Protocol string `json:"protocol"` // the revision in which it was asked
	// Complete says that no probe is missing.
	Complete bool `json:"complete"`
	Requests int  `json:"requests"`
	// Waited is how often the server asked to slow down.
	Waited int `json:"waited"`
	// Report has the findings on the definitions and those on the running server.
	Report contract.Report `json:"report"`
	Checks []outcome       `json:"checks"`
	// Latency is over the wire, of the reads that worked.
	Latency []figure `json:"latency"`
	// Unverified is what this run says nothing about.
	Unverified []contract.Text `json:"unverified"`
}

// outcome is what became of one rule for the running server.
type outcome struct {
	Rule     string            `json:"rule"`
	Severity contract.Severity `json:"severity"`
	Status   status            `json:"status"`
	Reason   contract.Text     `json:"reason,omitzero"` // why it was skipped
}

type status string

const (
	passed  status = "passed"
	failed  status = "failed"
	skipped status = "skipped"
)

// report puts together what was found until now.
func (c *certifier) report(complete bool) report {
	r := report{
		URL: c.opt.shown, Server: c.server, Complete: complete, Requests: c.asked, Waited: c.waited,
		Report: c.lint, Checks: []outcome{}, Latency: append([]figure{}, c.figures...),
	}
	if c.wire != nil {
		r.Protocol = c.wire.version
	}
	r.Report.Profile = c.opt.profile
	r.Report.Exceptions = c.exceptions()
	r.Report.Findings = slices.Concat(c.lint.Findings, c.findings)
	c.order(r.Report.Findings)
	for _, rule := range liveRules() {
		if o, asked := c.outcome(rule, complete); asked {
			r.Checks = append(r.Checks, o)
		}
	}
	r.Unverified = c.unverified(r.Checks)
	return r
}

// outcome says what became of a rule; false if the profile does not ask for it.
func (c *certifier) outcome(rule contract.Rule, complete bool) (outcome, bool) {
	o := outcome{Rule: rule.ID, Severity: rule.Severity(c.opt.profile), Status: passed}
	switch off := c.off(rule.ID); {
	case off != nil:
		o.Status, o.Reason = skipped, say("desactivada, "+off.Reason, "switched off, "+off.Reason)
	case slices.ContainsFunc(c.findings, func(f contract.Finding) bool { return f.Rule == rule.ID }):
		o.Status = failed
	case !c.checked[rule.ID] && rule.ID == "host-refused" && c.wire != nil: // or nothing would have been asked
	case !c.checked[rule.ID]:
		o.Status = skipped
		o.Reason = c.skipped[rule.ID]
		switch {
		case o.Reason != (contract.Text{}):
		case !complete:
			o.Reason = say("la revisión terminó antes", "the run ended before")
		default:
			o.Reason = unmet(rule.ID)
		}
	}
	return o, o.Severity != ""
}

// unmet says what a rule was held against in vain.
func unmet(rule string) contract.Text {
	switch rule {
	case "result-schema":
		return say("ninguna herramienta con outputSchema respondió", "no tool with an outputSchema answered")
	case "failure-validation":
		return say("ningún argumento equivocado recibió un fallo de esa forma", "no wrong argument got a failure of that form")
	case "failure-result", "failure-shape", "failure-text", "envelope-failure":
		return say("ninguna llamada terminó en un resultado con isError", "no call ended in a result with isError")
	case "failure-sentence":
		return say("ningún fallo llevaba un user_message", "no failure had a user_message")
	case "voice-date-text":
		return say("ninguna respuesta para voz llevaba una fecha", "no answer for voice had a date")
	case "voice-amount-text":
		return say("ninguna respuesta para voz llevaba un importe con su moneda", "no answer for voice had an amount with its currency")
	}
	switch family, _, _ := strings.Cut(rule, "-"); family {
	case "result", "failure", "envelope", "voice":
		return say("ninguna herramienta respondió", "no tool answered")
	}
	return say("no hubo con qué comprobarlo", "there was nothing to verify it with")
}

// order sorts findings as package contract does: the list first, then the tools in their order,
// the gravest first.
func (c *certifier) order(findings []contract.Finding) {
	tools := map[string]int{"": -1}
	for i, t := range c.tools {
		tools[quote(t.name)] = i
	}
	rank := map[contract.Severity]int{must: 0, should: 1, hint: 2}
	slices.SortStableFunc(findings, func(a, b contract.Finding) int {
		return cmp.Or(
			cmp.Compare(tools[a.Tool], tools[b.Tool]),
			cmp.Compare(rank[a.Severity], rank[b.Severity]),
			strings.Compare(a.Rule, b.Rule),
			strings.Compare(a.Pointer, b.Pointer),
		)
	})
}

// unverified says what this run says nothing about: the rules that were skipped, by their
// reason, and what nobody can see from outside.
func (c *certifier) unverified(checks []outcome) []contract.Text {
	byReason := map[contract.Text][]string{}
	for _, o := range checks {
		if o.Status == skipped {
			byReason[o.Reason] = append(byReason[o.Reason], o.Rule)
		}
	}
	list := []contract.Text{}
	reasons := slices.SortedFunc(maps.Keys(byReason), func(a, b contract.Text) int { return strings.Compare(a.EN, b.EN) })
	for _, reason := range reasons {
		rules := strings.Join(byReason[reason], ", ")
		list = append(list, say(rules+": "+reason.ES+".", rules+": "+reason.EN+"."))
	}
	list = append(list, c.notes...)
	return append(list,
		say("Que el efecto ocurra una sola vez: desde afuera se ven los resultados, no los efectos.",
			"That an effect happens once: from outside one sees results, not effects."),
		say("Propiedad, estado terminal y disponibilidad: hacen falta dos personas, sus datos y un mes.",
			"Ownership, terminal state and availability: they take two persons, their data and a month."))
}

func (r report) write(w io.Writer, opt options) error {
	var text string
	switch opt.format {
	case "json":
		raw, err := json.MarshalIndent(r, "", "  ")
		if err != nil {
			return err
		}
		text = escaped(raw) + "\n"
	case "junit":
		raw, err := r.junit(opt.lang)
		if err != nil {
			return err
		}
		text = raw
	default:
		text = r.text(opt.lang)
		if isTerminal(w) && os.Getenv("NO_COLOR") == "" {
			text = coloured(text)
		}
	}
	_, err := io.WriteString(w, opt.hide(text))
	return err
}

// words of the report.
type words struct{ verdict, ok, bad, partial, asked, live, latency, unverified string }

func wordsIn(lang contract.Language) words {
	if lang == contract.Spanish {
		return words{
			ok: "APROBADO", bad: "NO APROBADO", partial: "INCOMPLETO", verdict: "%s: %s (%s, %s)\n",
			asked: "%d solicitudes; %d veces pidió esperar.\n", live: "En vivo: %d comprobaciones bien, %d con hallazgos, %d sin verificar.\n",
			latency: "\nLatencia, con dos llamadas a la vez:\n", unverified: "\nNo se verificó:\n",
		}
	}
	return words{
		ok: "PASSED", bad: "FAILED", partial: "INCOMPLETE", verdict: "%s: %s (%s, %s)\n",
		asked: "%d requests; asked to wait %d times.\n", live: "Live: %d checks passed, %d with findings, %d not verified.\n",
		latency: "\nLatency, two calls at once:\n", unverified: "\nNot verified:\n",
	}
}

// text is the report for people.
func (r report) text(lang contract.Language) string {
	w := wordsIn(lang)
	verdict := w.ok
	switch {
	case !r.Report.OK():
		verdict = w.bad
	case !r.Complete:
		verdict = w.partial
	}
	if !r.Report.OK() && !r.Complete {
		verdict += ", " + w.partial
	}
	var b strings.Builder
	fmt.Fprintf(&b, w.verdict, verdict, r.URL, cmp.Or(r.Server, "?"), cmp.Or(r.Protocol, "?"))
	count := map[status]int{}
	for _, o := range r.Checks {
		count[o.Status]++
	}
	fmt.Fprintf(&b, w.live, count[passed], count[failed], count[skipped])
	fmt.Fprintf(&b, w.asked, r.Requests, r.Waited)
	b.WriteString(r.Report.Text(lang))
	for i, f := range r.Latency {
		if i == 0 {
			b.WriteString(w.latency)
		}
		b.WriteString("  " + f.Tool + ": p50 " + seconds(f.P50) + " s, p95 " + seconds(f.P95) + " s (" + strconv.Itoa(f.Calls) + ")\n")
	}
	b.WriteString(w.unverified)
	for _, t := range r.Unverified {
		b.WriteString("  " + t.In(lang) + "\n")
	}
	return b.String()
}

// coloured marks the severities and the verdict for a terminal.
func coloured(text string) string {
	const red, yellow, blue, green, end = "\x1b[31m", "\x1b[33m", "\x1b[34m", "\x1b[32m", "\x1b[0m"
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		for mark, colour := range map[string]string{
			"  DEBE ": red, "  MUST ": red, "  DEBERÍA ": yellow, "  SHOULD ": yellow, "  IDEA ": blue, "  HINT ": blue,
		} {
			if rest, ok := strings.CutPrefix(line, mark); ok {
				lines[i] = colour + mark + end + rest
			}
		}
	}
	for mark, colour := range map[string]string{"APROBADO:": green, "PASSED:": green, "NO APROBADO": red, "FAILED": red} {
		if rest, ok := strings.CutPrefix(lines[0], mark); ok {
			lines[0] = colour + mark + end + rest
		}
	}
	return strings.Join(lines, "")
}
