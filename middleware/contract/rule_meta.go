package contract

import (
	"slices"
	"strings"
)

// The keys of _meta in a definition.
const (
	metaCapabilities = "com.asixto/capabilities"
	metaCapability   = "com.asixto/capability" // accepted, too
	metaVerb         = "com.asixto/verb"
)

var metaRules = []Rule{{
	ID: "capability-missing", Asixto: Must,
	Demand: Text{ES: "_meta declara al menos un escenario en com.asixto/capabilities.", EN: "_meta declares at least one scenario in com.asixto/capabilities."},
	Fix:    Text{ES: "Declare la herramienta con contract.Tool(verbo, contract.Soporte, ...).", EN: "Declare the tool with contract.Tool(verb, contract.Soporte, ...)."},
	Cure:   "contract.Tool", Source: sourceAsixto,
}, {
	ID: "capability-unknown", Asixto: Must,
	Demand: Text{ES: "Cada escenario es uno de los 26 del gateway.", EN: "Each scenario is one of the gateway's 26."},
	Fix:    Text{ES: "Use las constantes de contract: contract.ConsultaEstado, contract.Agenda...", EN: "Use the constants of contract: contract.ConsultaEstado, contract.Agenda..."},
	Cure:   "contract.Key", Source: sourceAsixto,
}, {
	ID: "verb-missing", Asixto: Must,
	Demand: Text{ES: "_meta declara com.asixto/verb, la acción como se le describe al modelo.", EN: "_meta declares com.asixto/verb, the action as it is described to the model."},
	Fix:    Text{ES: "Declare la herramienta con contract.Tool(\"abrir un caso de soporte\", ...).", EN: `Declare the tool with contract.Tool("abrir un caso de soporte", ...).`},
	Cure:   "contract.Tool", Source: sourceAsixto,
}, {
	ID: "verb-form", Asixto: Hint,
	Demand: Text{ES: "com.asixto/verb empieza por un infinitivo en minúscula y no lleva punto.", EN: "com.asixto/verb begins with an infinitive in lower case and has no full stop."},
	Fix:    Text{ES: "Escriba la acción como en «consultar las citas de un cliente».", EN: `Write the action as in "consultar las citas de un cliente".`},
	Cure:   "contract.Tool", Source: sourceAsixto,
}}

func (l *linter) meta(d *definition) {
	meta, _ := d.object["_meta"].(map[string]any)
	l.capabilities(d, meta)
	verb, _ := meta[metaVerb].(string)
	pointer := join("/_meta", metaVerb)
	switch first := strings.Fields(verb); {
	case len(first) == 0:
		l.find(d, "verb-missing", pointer, Text{
			ES: "Falta com.asixto/verb en _meta.", EN: "com.asixto/verb is missing in _meta.",
		})
	case len(first) < 2 || first[0] != strings.ToLower(first[0]) ||
		l.words.named(fold(first[0])) == noVerb || strings.HasSuffix(verb, "."):
		l.find(d, "verb-form", pointer, Text{
			ES: "«" + clip(verb) + "» no se lee como una acción.", EN: `"` + clip(verb) + `" does not read as an action.`,
		})
	}
}

// capabilities takes a list under either key, and one text under the singular.
func (l *linter) capabilities(d *definition, meta map[string]any) {
	var keys []string
	held, ok := meta[metaCapabilities]
	pointer := join("/_meta", metaCapabilities)
	if !ok {
		if held, ok = meta[metaCapability]; ok {
			pointer = join("/_meta", metaCapability)
		}
		if one, isText := held.(string); isText {
			keys = []string{one}
		}
	}
	list, isList := held.([]any)
	if isList {
		keys = strs(list)
	}
	switch {
	case !ok || isList && len(list) == 0:
		l.find(d, "capability-missing", pointer, Text{
			ES: "No declara ningún escenario.", EN: "It declares no scenario.",
		})
		return
	case keys == nil || isList && len(keys) < len(list):
		l.find(d, "capability-missing", pointer, Text{
			ES: "Los escenarios no son una lista de textos.", EN: "The scenarios are no list of strings.",
		})
		return
	}
	known := Keys()
	for _, key := range keys {
		if slices.Contains(known, Key(key)) {
			continue
		}
		note := Text{}
		if near, ok := nearest(key, known); ok {
			note = Text{ES: " ¿Será «" + string(near) + "»?", EN: ` Perhaps "` + string(near) + `"?`}
		}
		l.find(d, "capability-unknown", pointer, Text{
			ES: "El escenario «" + clip(key) + "» no existe." + note.ES,
			EN: `There is no scenario "` + clip(key) + `".` + note.EN,
		})
	}
}

// nearest finds the key that shares the longest beginning, of at least four
// letters, with what was written.
func nearest(written string, known []Key) (Key, bool) {
	var best Key
	most := 3
	key := squeeze(written)
	for _, k := range known {
		other := squeeze(string(k))
		n := 0
		for n < min(len(key), len(other)) && key[n] == other[n] {
			n++
		}
		if n > most {
			best, most = k, n
		}
	}
	return best, best != ""
}
