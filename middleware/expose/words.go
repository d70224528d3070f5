package expose

import (
	"cmp"
	"strings"
	"unicode/utf8"
)

// Words are what a surface says to the model in schemas and descriptions. An empty
// one means that of [English]. What stands in braces is filled in, and has to be
// there.
type Words struct {
	AlwaysRequired string // of a field that every action requires
	RequiredFor    string // {actions}: those that require a field
	For            string // {actions}: those that take a field and do not require it
	AllExcept      string // {actions}: those that are not meant, where that is shorter
	All            string // for all actions
	Choose         string // {field}: the discriminator; before the list of actions
	Operation      string // the description of the discriminator
	ReadOnly       string // of an action that changes nothing
	Writes         string // of one that adds and destroys nothing
	Destructive    string // of one that may destroy
	Undeclared     string // of one that does not say what it does
	Idempotent     string // of one that has no further effect when it is repeated
	And            string // between the last two verbs of a grouped tool
	Next           string // {tool}, {reason}: a suggestion, in the text of a result
}

// English returns the words in English.
func English() Words {
	return Words{
		AlwaysRequired: "(always required)",
		RequiredFor:    "Required for: {actions}",
		For:            "For: {actions}",
		AllExcept:      "all except {actions}",
		All:            "all",
		Choose:         "Set {field} to one of:",
		Operation:      "What to do. Every other field says what it is for.",
		ReadOnly:       "read-only",
		Writes:         "writes",
		Destructive:    "destructive",
		Undeclared:     "effects unknown",
		Idempotent:     "idempotent",
		And:            " or ",
		Next:           "Next, if it fits: {tool}. {reason}",
	}
}

// Spanish returns the words in Spanish.
func Spanish() Words {
	return Words{
		AlwaysRequired: "(siempre obligatorio)",
		RequiredFor:    "Obligatorio para: {actions}",
		For:            "Para: {actions}",
		AllExcept:      "todas menos {actions}",
		All:            "todas",
		Choose:         "Indique en {field} una de estas:",
		Operation:      "Lo que se hará. Cada uno de los demás datos dice para qué es.",
		ReadOnly:       "solo lectura",
		Writes:         "escribe",
		Destructive:    "destructiva",
		Undeclared:     "efectos desconocidos",
		Idempotent:     "idempotente",
		And:            " o ",
		Next:           "Después, si corresponde: {tool}. {reason}",
	}
}

func (w *Words) fillIn() {
	english := English()
	for i, word := range w.all() {
		*word.text = cmp.Or(*word.text, *english.all()[i].text)
	}
}

// word is one of the words, and what has to be in it.
type word struct {
	name  string
	text  *string
	slots []string
}

func (w *Words) all() []word {
	actions, field := []string{"{actions}"}, []string{"{field}"}
	return []word{
		{"AlwaysRequired", &w.AlwaysRequired, nil},
		{"RequiredFor", &w.RequiredFor, actions},
		{"For", &w.For, actions},
		{"AllExcept", &w.AllExcept, actions},
		{"All", &w.All, nil},
		{"Choose", &w.Choose, field},
		{"Operation", &w.Operation, nil},
		{"ReadOnly", &w.ReadOnly, nil},
		{"Writes", &w.Writes, nil},
		{"Destructive", &w.Destructive, nil},
		{"Undeclared", &w.Undeclared, nil},
		{"Idempotent", &w.Idempotent, nil},
		{"And", &w.And, nil},
		{"Next", &w.Next, []string{"{tool}", "{reason}"}},
	}
}

// list names actions: those meant, or all with the exception of the rest, whichever
// is shorter.
func (w *Words) list(meant, rest []string) string {
	if len(rest) == 0 {
		return w.All
	}
	direct := strings.Join(meant, ", ")
	except := strings.ReplaceAll(w.AllExcept, "{actions}", strings.Join(rest, ", "))
	if utf8.RuneCountInString(except) < utf8.RuneCountInString(direct) {
		return except
	}
	return direct
}

// note says which actions take a field: those that require it and those that do
// not. Others are those that do not take it.
func (w *Words) note(require, allow, others []string) string {
	fill := func(text string, meant, rest []string) string {
		return strings.ReplaceAll(text, "{actions}", w.list(meant, rest))
	}
	switch {
	case len(allow)+len(others) == 0:
		return w.AlwaysRequired
	case len(allow) == 0:
		return fill(w.RequiredFor, require, others)
	case len(require) == 0:
		return fill(w.For, allow, others)
	}
	return sentences(fill(w.RequiredFor, require, union(allow, others)), fill(w.For, allow, union(require, others)))
}

// sentences joins texts with a full stop between them, unless one ends in a mark of
// its own.
func sentences(texts ...string) string {
	var b strings.Builder
	for _, text := range texts {
		text = strings.TrimSpace(text)
		if text == "" {
			continue
		}
		if b.Len() > 0 {
			if !strings.ContainsAny(b.String()[b.Len()-1:], ".!?:") && !strings.HasSuffix(b.String(), "…") {
				b.WriteByte('.')
			}
			b.WriteByte(' ')
		}
		b.WriteString(text)
	}
	return b.String()
}
