package contract

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Report is what [Lint] found. Findings are in the order of the list, those about
// the whole list first, the gravest of a tool first; the order is stable.
type Report struct {
	Profile    Profile     `json:"profile"`
	Tools      int         `json:"tools"`
	Characters int         `json:"characters"` // of all definitions, in UTF-16 code units
	Findings   []Finding   `json:"findings"`
	Exceptions []Exception `json:"exceptions,omitempty"`
}

// Count returns how many findings have the severity.
func (r Report) Count(s Severity) int {
	n := 0
	for i := range r.Findings {
		if r.Findings[i].Severity == s {
			n++
		}
	}
	return n
}

// OK reports whether no must is broken.
func (r Report) OK() bool { return r.Count(Must) == 0 }

// words of a report.
type reportWords struct {
	head, clean, fix, off string
	severities            map[Severity]string
	list                  string
}

func wordsIn(lang Language) reportWords {
	if lang == Spanish {
		return reportWords{
			head:  "Perfil %s: %s, %s caracteres. %s.\n",
			clean: "Sin hallazgos.\n", fix: "Arreglos:", list: "(la lista)",
			off:        "Desactivada: %s%s, %s: %s.\n",
			severities: map[Severity]string{Must: "DEBE", Should: "DEBERÍA", Hint: "IDEA"},
		}
	}
	return reportWords{
		head:  "Profile %s: %s, %s characters. %s.\n",
		clean: "No findings.\n", fix: "Fixes:", list: "(the list)",
		off:        "Switched off: %s%s, %s: %s.\n",
		severities: map[Severity]string{Must: "MUST", Should: "SHOULD", Hint: "HINT"},
	}
}

// Text returns the report for people, with a last line feed. Equal reports have
// equal texts.
func (r Report) Text(lang Language) string {
	words := wordsIn(lang)
	var b strings.Builder
	fmt.Fprintf(&b, words.head, r.Profile, plural(r.Tools, lang, "herramienta", "tool"), thousands(r.Characters, lang), r.tally(words))
	if len(r.Findings) == 0 {
		b.WriteString(words.clean)
	}
	tool := "\x00"
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Tool != tool {
			tool = f.Tool
			b.WriteString("\n" + cmp.Or(tool, words.list) + "\n")
		}
		name := words.severities[f.Severity]
		fmt.Fprintf(&b, "  %s%s  %s", name, strings.Repeat(" ", 7-utf8.RuneCountInString(name)), f.Rule)
		if f.Pointer != "" {
			b.WriteString("  " + clipPointer(f.Pointer))
		}
		b.WriteString("\n           " + f.Message.In(lang) + " [" + f.Cure + "]\n")
	}
	r.fixes(&b, words, lang)
	for i := range r.Exceptions {
		if i == 0 {
			b.WriteByte('\n')
		}
		e := &r.Exceptions[i]
		tools := ""
		if len(e.Tools) > 0 {
			tools = " (" + strings.Join(e.Tools, ", ") + ")"
		}
		fmt.Fprintf(&b, words.off, e.Rule, tools, plural(e.Silenced, lang, "hallazgo", "finding"), clip(e.Reason))
	}
	return b.String()
}

// fixes says what to do, once for each rule, in the order of the rules' names.
func (r Report) fixes(b *strings.Builder, words reportWords, lang Language) {
	var lines []string
	for i := range r.Findings {
		lines = append(lines, "  "+r.Findings[i].Rule+": "+r.Findings[i].Fix.In(lang)+"\n")
	}
	slices.Sort(lines)
	if lines = slices.Compact(lines); len(lines) > 0 {
		b.WriteString("\n" + words.fix + "\n" + strings.Join(lines, ""))
	}
}

// tally counts the findings by severity.
func (r Report) tally(words reportWords) string {
	var parts []string
	for _, s := range [...]Severity{Must, Should, Hint} {
		parts = append(parts, strconv.Itoa(r.Count(s))+" "+words.severities[s])
	}
	return strings.Join(parts, ", ")
}

func plural(n int, lang Language, es, en string) string {
	word := en
	if lang == Spanish {
		word = es
	}
	if n != 1 {
		word += "s"
	}
	return strconv.Itoa(n) + " " + word
}

// thousands groups digits, as 60,000 or 60.000.
func thousands(n int, lang Language) string {
	digits := strconv.Itoa(n)
	mark := ","
	if lang == Spanish {
		mark = "."
	}
	var groups []string
	for len(digits) > 3 {
		groups = append(groups, digits[len(digits)-3:])
		digits = digits[:len(digits)-3]
	}
	groups = append(groups, digits)
	slices.Reverse(groups)
	return strings.Join(groups, mark)
}

// clipPointer shortens a pointer in its middle, which tells the least.
func clipPointer(pointer string) string {
	const half = 60
	runes := []rune(pointer)
	if len(runes) <= 2*half {
		return clipLine(pointer)
	}
	return clipLine(string(runes[:half]) + "…" + string(runes[len(runes)-half:]))
}

// clipLine takes out what could forge a line.
func clipLine(s string) string { return strings.Map(inLine, s) }
