package contract

import (
	"maps"
	"slices"
	"strings"
)

var intentionRules = []Rule{{
	ID: "several-intentions", Core: Hint, Asixto: Should,
	Demand: Text{ES: "Una herramienta hace una sola cosa.", EN: "A tool does one thing only."},
	Fix:    Text{ES: "Publique una herramienta por acción.", EN: "Publish one tool per action."},
	Cure:   "expose.Flat", Source: sourcePractice,
}}

// discriminators are properties that choose what a tool does.
const discriminators = " accion action operacion operation op comando command modo mode metodo method verbo verb tarea task "

// joiners stand between two verbs.
const joiners = " o u y e or and "

func (l *linter) intentions(d *definition) {
	words := nameWords(d.name())
	if a, b, ok := l.joined(words, l.words.named); ok {
		l.several(d, "/name", "El nombre junta dos acciones: "+a+" y "+b+".", "The name joins two actions: "+a+" and "+b+".")
		return
	}
	if len(words) > 0 && l.words.named(words[0]) == manages {
		l.several(d, "/name", "«"+words[0]+"» es más de una acción.", `"`+words[0]+`" is more than one action.`)
		return
	}
	if pointer, values := l.discriminator(d); values != nil {
		list := clip(strings.Join(values, ", "))
		l.several(d, pointer, "Una propiedad elige entre varias acciones: "+list+".", "A property chooses among several actions: "+list+".")
		return
	}
	text, _ := d.object["description"].(string)
	first, _, _ := strings.Cut(fold(text), ".")
	if a, b, ok := l.joined(textWords(first), l.words.spoken); ok {
		l.several(d, "/description", "La descripción junta dos acciones: "+a+" y "+b+".", "The description joins two actions: "+a+" and "+b+".")
	}
}

func (l *linter) several(d *definition, pointer, es, en string) {
	l.find(d, "several-intentions", pointer, Text{ES: es, EN: en})
}

// joined finds two different verbs at the beginning with "o", "y", "or" or "and"
// between them, at least one of which writes: "busca y devuelve" is one action.
func (l *linter) joined(words []string, verbOf func(string) verb) (a, b string, ok bool) {
	for i := 1; i+1 < len(words) && i <= 3; i++ {
		if !among(joiners, words[i]) {
			continue
		}
		a, b = words[i-1], words[i+1]
		va, vb := verbOf(a), verbOf(b)
		if a != b && va != noVerb && vb != noVerb && (va.isWrite() || vb.isWrite()) {
			return a, b, true
		}
	}
	return "", "", false
}

// discriminator finds a property with a telling name and at least two verbs
// among its values.
func (l *linter) discriminator(d *definition) (pointer string, values []string) {
	input := d.schema("inputSchema")
	properties, _ := input["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		property, ok := properties[name].(map[string]any)
		if !ok || !among(discriminators, squeeze(name)) {
			continue
		}
		var verbs []string
		for _, value := range strs(property["enum"]) {
			words := nameWords(value)
			if len(words) > 0 && l.words.leading(words) != noVerb {
				verbs = append(verbs, value)
			}
		}
		if len(verbs) >= 2 {
			return join("/inputSchema", "properties", name), verbs
		}
	}
	return "", nil
}
