package contract

import (
	"regexp"
	"slices"
	"strings"
)

var nameRules = []Rule{{
	ID: "tool-malformed", Core: Must,
	Demand: Text{ES: "Cada elemento de la lista es la definición de una herramienta.", EN: "Every element of the list is the definition of a tool."},
	Fix:    Text{ES: "Registre la herramienta con mcp.NewTool y un solo esquema de entrada.", EN: "Register the tool with mcp.NewTool and one input schema only."},
	Cure:   "mcp.NewTool", Source: sourceMCP,
}, {
	ID: "name-unsafe", Core: Must,
	Demand: Text{ES: "El nombre tiene de 1 a 64 letras, dígitos, guiones o guiones bajos del alfabeto inglés.", EN: "The name has 1 to 64 English letters, digits, hyphens or underscores."},
	Fix:    Text{ES: "Use minúsculas, dígitos y guion bajo: consultar_cliente.", EN: "Use lower case, digits and underscores: consultar_cliente."},
	Cure:   "mcp.NewTool", Source: sourceProvider,
}, {
	ID: "name-pattern", Asixto: Must,
	Demand: Text{ES: "El nombre tiene de 1 a 40 minúsculas, dígitos o guiones bajos.", EN: "The name has 1 to 40 lower-case letters, digits or underscores."},
	Fix:    Text{ES: "Escriba el nombre como verbo_entidad, en 40 caracteres como máximo.", EN: "Write the name as verb_entity, in 40 characters at most."},
	Cure:   "mcp.NewTool", Source: sourceAsixto,
}, {
	ID: "name-verb-entity", Asixto: Must,
	Demand: Text{ES: "El nombre empieza por un verbo y sigue con la entidad.", EN: "The name begins with a verb and goes on with the entity."},
	Fix:    Text{ES: "Ponga primero el verbo y después aquello sobre lo que actúa: consultar_cliente, crear_cita.", EN: "Put the verb first and then what it acts on: consultar_cliente, crear_cita."},
	Cure:   "mcp.NewTool", Source: sourceAsixto,
}, {
	ID: "name-prefix", Asixto: Must,
	Demand: Text{ES: "El nombre no lleva el prefijo del gateway.", EN: "The name does not carry the gateway's prefix."},
	Fix:    Text{ES: "Quite el prefijo: lo pone el gateway.", EN: "Take the prefix off: the gateway puts it on."},
	Cure:   "mcp.NewTool", Source: sourceAsixto,
}, {
	ID: "name-duplicate", Core: Must,
	Demand: Text{ES: "Ningún nombre se repite.", EN: "No name occurs twice."},
	Fix:    Text{ES: "Deje una sola herramienta con ese nombre.", EN: "Leave one tool with this name only."},
	Cure:   "server.AddTool", Source: sourceMCP,
}, {
	ID: "name-confusable", Core: Should,
	Demand: Text{ES: "Dos nombres se distinguen por algo más que mayúsculas o separadores.", EN: "Two names differ in more than case or separators."},
	Fix:    Text{ES: "Cambie uno de los dos nombres, o una las dos herramientas.", EN: "Change one of the two names, or make one tool of the two."},
	Cure:   "mcp.NewTool", Source: sourceProvider,
}}

var (
	safeName   = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
	asixtoName = regexp.MustCompile(`^[a-z0-9_]{1,40}$`)
)

// gatewayWords begin a name only where somebody put the prefix of a gateway on it.
var gatewayWords = [...]string{"asixto", "gateway", "gw", "mcp", "whaapy"}

func (l *linter) name(d *definition) {
	name, isText := d.object["name"].(string)
	switch {
	case !isText || name == "":
		l.find(d, "name-unsafe", "/name", Text{ES: "No tiene nombre.", EN: "It has no name."})
		return
	case !safeName.MatchString(name):
		l.find(d, "name-unsafe", "/name", Text{
			ES: "Los proveedores de modelos rechazan el nombre «" + clip(name) + "».",
			EN: `Model providers reject the name "` + clip(name) + `".`,
		})
		return
	case !asixtoName.MatchString(name):
		l.find(d, "name-pattern", "/name", Text{
			ES: "El nombre «" + clip(name) + "» no cumple ^[a-z0-9_]{1,40}$.",
			EN: `The name "` + clip(name) + `" does not match ^[a-z0-9_]{1,40}$.`,
		})
		return
	}
	words := nameWords(name)
	if len(words) > 0 && slices.Contains(gatewayWords[:], words[0]) || strings.Contains(name, "__") {
		l.find(d, "name-prefix", "/name", Text{
			ES: "El nombre «" + clip(name) + "» parece llevar un prefijo.",
			EN: `The name "` + clip(name) + `" seems to carry a prefix.`,
		})
		return
	}
	switch {
	case len(words) == 0 || l.words.named(words[0]) == noVerb:
		l.find(d, "name-verb-entity", "/name", Text{
			ES: "El nombre «" + clip(name) + "» no empieza por un verbo.",
			EN: `The name "` + clip(name) + `" does not begin with a verb.`,
		})
	case len(words) == 1:
		l.find(d, "name-verb-entity", "/name", Text{
			ES: "El nombre «" + clip(name) + "» no dice sobre qué actúa.",
			EN: `The name "` + clip(name) + `" does not say what it acts on.`,
		})
	}
}

// duplicates compares the names of the list. The second of two is the one found.
func (l *linter) duplicates() {
	exact, loose := make(map[string]bool), make(map[string]string)
	for i := range l.catalog.tools {
		d := &l.catalog.tools[i]
		name := d.name()
		if name == "" {
			continue
		}
		key := squeeze(name)
		other, confusable := loose[key]
		switch {
		case exact[name]:
			l.find(d, "name-duplicate", "/name", Text{
				ES: "Hay otra herramienta con el nombre «" + clip(name) + "».",
				EN: `There is another tool with the name "` + clip(name) + `".`,
			})
		case confusable:
			l.find(d, "name-confusable", "/name", Text{
				ES: "El nombre casi no se distingue de «" + clip(other) + "».",
				EN: `The name can hardly be told from "` + clip(other) + `".`,
			})
		}
		exact[name] = true
		if !confusable && key != "" {
			loose[key] = name
		}
	}
}
