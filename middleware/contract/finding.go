package contract

// Severity says what a finding means.
type Severity string

// The severities, the gravest first.
const (
	// Must is what the reader of the profile rejects, or what makes it act wrongly.
	Must Severity = "must"
	// Should is what costs accuracy, and has a reason where it is left so.
	Should Severity = "should"
	// Hint is worth a thought.
	Hint Severity = "hint"
)

// rank orders severities: the graver, the higher; 0 is none.
func (s Severity) rank() int {
	switch s {
	case Must:
		return 3
	case Should:
		return 2
	case Hint:
		return 1
	}
	return 0
}

// Text is a sentence in both languages: neutral Spanish and English.
type Text struct {
	ES string `json:"es"`
	EN string `json:"en"`
}

// In returns the sentence in a language; English where it is not known.
func (t Text) In(lang Language) string {
	if lang == Spanish {
		return t.ES
	}
	return t.EN
}

// Language is the language of a report.
type Language string

// The languages of a report.
const (
	Spanish Language = "es"
	English Language = "en"
)

// Finding is one place in a definition that breaks one rule.
type Finding struct {
	// Rule is the stable id of the rule, see [Rules].
	Rule string `json:"rule"`
	// Severity is the strictest one among the profiles asked for.
	Severity Severity `json:"severity"`
	// Tool is the name of the tool, or its place in the list, as "#3", where it
	// has none. It is empty for what concerns the whole list.
	Tool string `json:"tool,omitempty"`
	// Pointer is the JSON Pointer (RFC 6901) of the place, from the tool's
	// definition on; for what concerns the whole list, from the array of tools on.
	Pointer string `json:"pointer"`
	// Message says what is wrong here. It may quote names of the definition,
	// shortened.
	Message Text `json:"message"`
	// Fix says what to do.
	Fix Text `json:"fix"`
	// Cure is the option, function or package that does it: "contract.Nullable".
	Cure string `json:"cure"`
}

// Rule is one demand on a definition. Its id never changes its meaning.
type Rule struct {
	// ID is stable, in words joined by hyphens.
	ID string `json:"id"`
	// Core, Asixto and Whaapy are the severities in each profile; empty where
	// the profile does not ask for it. Each profile contains Core.
	Core   Severity `json:"core,omitempty"`
	Asixto Severity `json:"asixto,omitempty"`
	Whaapy Severity `json:"whaapy,omitempty"`
	// Demand is what the rule wants.
	Demand Text `json:"demand"`
	// Fix and Cure are those of its findings.
	Fix  Text   `json:"fix"`
	Cure string `json:"cure"`
	// Source is where the demand comes from.
	Source string `json:"source"`
}

// Severity returns the severity in a profile or combination of profiles, and
// "" where none of them asks for the rule.
func (r Rule) Severity(p Profile) Severity {
	worst := r.Core
	if p.has(Asixto) && r.Asixto.rank() > worst.rank() {
		worst = r.Asixto
	}
	if p.has(Whaapy) && r.Whaapy.rank() > worst.rank() {
		worst = r.Whaapy
	}
	return worst
}

// The documents that rules come from.
const (
	sourceAsixto   = "Asixto Gateway, tool contract"
	sourceWhaapy   = "Whaapy, building a compatible MCP server"
	sourceMCP      = "MCP 2025-11-25, server tools"
	sourceProvider = "function calling limits of OpenAI, Anthropic and Gemini"
	sourceSchema   = "JSON Schema 2020-12"
	sourcePractice = "design of tool contracts for agents"
)
