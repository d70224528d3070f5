package contract

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// maxFields is far beyond the four or five fields that a person asks for.
const maxFields = 12

var outputRules = []Rule{{
	ID: "output-missing", Core: Hint, Asixto: Should,
	Demand: Text{ES: "Hay outputSchema.", EN: "There is an outputSchema."},
	Fix:    Text{ES: "Agregue contract.Output[T]() con el tipo del resultado.", EN: "Add contract.Output[T]() with the type of the result."},
	Cure:   "contract.Output", Source: sourceAsixto,
}, {
	ID: "output-object", Core: Should,
	Demand: Text{ES: "outputSchema tiene type: object en la raíz.", EN: "outputSchema has type: object at its root."},
	Fix:    Text{ES: "Ponga la lista dentro de un objeto: los clientes de TypeScript rechazan el catálogo entero por una raíz que no lo sea.", EN: "Put the list into an object: TypeScript clients refuse the whole catalogue for a root that is none."},
	Cure:   "contract.Output", Source: sourceAsixto,
}, {
	ID: "output-date-text", Asixto: Must,
	Demand: Text{ES: "Junto a cada fecha de un resultado cerrado se declara su texto, con el sufijo _texto.", EN: "Beside each date of a closed result its text is declared, with the suffix _texto."},
	Fix:    Text{ES: "Use contract.Output[T](), que lo declara; middleware.Voice lo llena.", EN: "Use contract.Output[T](), which declares it; middleware.Voice fills it."},
	Cure:   "contract.Output", Source: sourceAsixto,
}, {
	ID: "output-amount-text", Asixto: Must,
	Demand: Text{ES: "Junto a cada importe de un resultado cerrado se declara su texto, con el sufijo _texto.", EN: "Beside each amount of a closed result its text is declared, with the suffix _texto."},
	Fix:    Text{ES: "Use contract.Output[T](), que lo declara; middleware.Voice lo llena.", EN: "Use contract.Output[T](), which declares it; middleware.Voice fills it."},
	Cure:   "contract.Output", Source: sourceAsixto,
}, {
	ID: "output-secret", Core: Should,
	Demand: Text{ES: "El resultado no declara contraseñas, tokens ni trazas.", EN: "The result declares no passwords, tokens or traces."},
	Fix:    Text{ES: "Quite el campo; middleware.Redact saca lo que se escape.", EN: "Take the field out; middleware.Redact takes out what escapes."},
	Cure:   "middleware.Redact", Source: sourceAsixto,
}, {
	ID: "output-fields", Asixto: Hint,
	Demand: Text{ES: "Un objeto del resultado tiene cuatro o cinco campos, y doce como máximo.", EN: "An object of the result has four or five fields, and twelve at most."},
	Fix:    Text{ES: "Devuelva lo que la persona puede preguntar, ya resuelto.", EN: "Return what the person may ask for, resolved."},
	Cure:   "contract.Output", Source: sourceAsixto,
}}

func (l *linter) output(d *definition) {
	held, ok := d.object["outputSchema"]
	if !ok {
		l.find(d, "output-missing", "/outputSchema", Text{ES: "No tiene outputSchema.", EN: "It has no outputSchema."})
		return
	}
	root, _ := held.(map[string]any)
	if t := types(root); len(t) != 1 || t[0] != "object" {
		l.find(d, "output-object", "/outputSchema", Text{
			ES: "outputSchema no tiene type: object en la raíz.", EN: "outputSchema has no type: object at its root.",
		})
	}
	walk(root, "/outputSchema", func(n node) { l.resultObject(d, n) })
}

func (l *linter) resultObject(d *definition, n node) {
	properties, _ := n.schema["properties"].(map[string]any)
	closed := n.schema["additionalProperties"] == false
	fields := 0
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		pointer := join(n.pointer, "properties", name)
		if !strings.HasSuffix(name, textSuffix) {
			fields++
		}
		if secretName(name) {
			l.find(d, "output-secret", pointer, Text{
				ES: "El resultado declara «" + clip(name) + "».", EN: `The result declares "` + clip(name) + `".`,
			})
		}
		rule := map[spoken]string{aDate: "output-date-text", anAmount: "output-amount-text"}[spokenKind(name, n)]
		if _, has := properties[name+textSuffix]; closed && !has && rule != "" {
			l.find(d, rule, pointer, Text{
				ES: "El objeto es cerrado y no declara «" + clip(name+textSuffix) + "»: en una llamada nadie puede decir «" + clip(name) + "».",
				EN: `The object is closed and does not declare "` + clip(name+textSuffix) + `": in a phone call nobody can say "` + clip(name) + `".`,
			})
		}
	}
	if fields > maxFields {
		l.find(d, "output-fields", join(n.pointer, "properties"), Text{
			ES: "El objeto tiene " + strconv.Itoa(fields) + " campos.", EN: "The object has " + strconv.Itoa(fields) + " fields.",
		})
	}
}

// secretNames are fields that never belong into a result, squeezed.
var secretNames = [...]string{
	"password", "passwd", "contrasena", "token", "accesstoken", "refreshtoken", "apikey", "secret", "secreto",
	"clientsecret", "privatekey", "stacktrace", "traceback", "traza", "authorization", "sessionid", "cvv",
}

func secretName(name string) bool { return slices.Contains(secretNames[:], squeeze(name)) }
