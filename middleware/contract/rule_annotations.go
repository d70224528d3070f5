package contract

import (
	"slices"
	"strings"
)

var annotationRules = []Rule{{
	ID: "annotations-missing", Core: Should, Asixto: Must,
	Demand: Text{ES: "Las anotaciones declaran readOnlyHint y, si escribe, destructiveHint e idempotentHint.", EN: "The annotations declare readOnlyHint and, for a tool that writes, destructiveHint and idempotentHint."},
	Fix:    Text{ES: "Agregue contract.Reads() o contract.Writes(...).", EN: "Add contract.Reads() or contract.Writes(...)."},
	Cure:   "contract.Reads", Source: sourceAsixto,
}, {
	ID: "annotations-contradict", Core: Should, Asixto: Must,
	Demand: Text{ES: "Una herramienta de solo lectura no se declara destructiva.", EN: "A read-only tool is not declared destructive."},
	Fix:    Text{ES: "Use contract.Reads(): mcp.NewTool pone destructiveHint en true si nadie lo cambia.", EN: "Use contract.Reads(): mcp.NewTool sets destructiveHint to true unless somebody changes it."},
	Cure:   "contract.Reads", Source: sourceMCP,
}, {
	ID: "annotations-write-name", Core: Should, Asixto: Must,
	Demand: Text{ES: "Lo que escribe no se declara de solo lectura.", EN: "What writes is not declared read-only."},
	Fix:    Text{ES: "Use contract.Writes(...), o cambie el nombre si solo lee.", EN: "Use contract.Writes(...), or change the name if it only reads."},
	Cure:   "contract.Writes", Source: sourceAsixto,
}, {
	ID: "annotations-read-name", Core: Hint, Asixto: Should,
	Demand: Text{ES: "Lo que lee se declara de solo lectura.", EN: "What reads is declared read-only."},
	Fix:    Text{ES: "Use contract.Reads(), o cambie el nombre si escribe.", EN: "Use contract.Reads(), or change the name if it writes."},
	Cure:   "contract.Reads", Source: sourceAsixto,
}, {
	ID: "annotations-destructive", Core: Hint, Asixto: Should,
	Demand: Text{ES: "Lo que borra se declara destructivo.", EN: "What deletes is declared destructive."},
	Fix:    Text{ES: "Use contract.Writes(contract.Destructive, ...).", EN: "Use contract.Writes(contract.Destructive, ...)."},
	Cure:   "contract.Writes", Source: sourceMCP,
}}

// hint reads one annotation: its value, and whether it is declared.
func (d *definition) hint(name string) (value, declared bool) {
	annotations, _ := d.object["annotations"].(map[string]any)
	value, declared = annotations[name].(bool)
	return value, declared
}

func (l *linter) annotations(d *definition) {
	readOnly, declared := d.hint("readOnlyHint")
	destructive, saysDestructive := d.hint("destructiveHint")
	var missing []string
	if !declared {
		missing = append(missing, "readOnlyHint")
	} else if !readOnly {
		missing = slices.DeleteFunc([]string{"destructiveHint", "idempotentHint"}, func(name string) bool {
			_, ok := d.hint(name)
			return ok
		})
	}
	if len(missing) > 0 {
		list := strings.Join(missing, ", ")
		l.find(d, "annotations-missing", "/annotations", Text{
			ES: "Faltan anotaciones: " + list + ".", EN: "Annotations are missing: " + list + ".",
		})
	}
	words := nameWords(d.name())
	v := l.words.leading(words)
	if _, b, several := l.joined(words, l.words.named); several && !v.isWrite() {
		v = l.words.named(b) // "consultar_y_actualizar" writes
	}
	switch {
	case readOnly && v.isWrite():
		l.find(d, "annotations-write-name", "/annotations/readOnlyHint", Text{
			ES: "El nombre «" + clip(d.name()) + "» dice que escribe, y se declara de solo lectura.",
			EN: `The name "` + clip(d.name()) + `" says that it writes, and it is declared read-only.`,
		})
	case readOnly && destructive:
		l.find(d, "annotations-contradict", "/annotations/destructiveHint", Text{
			ES: "Se declara de solo lectura y destructiva a la vez.", EN: "It is declared read-only and destructive at once.",
		})
	case declared && !readOnly && v.isRead():
		l.find(d, "annotations-read-name", "/annotations/readOnlyHint", Text{
			ES: "El nombre «" + clip(d.name()) + "» dice que lee, y se declara que escribe.",
			EN: `The name "` + clip(d.name()) + `" says that it reads, and it is declared to write.`,
		})
	case declared && !readOnly && saysDestructive && !destructive && v == destroys:
		l.find(d, "annotations-destructive", "/annotations/destructiveHint", Text{
			ES: "El nombre «" + clip(d.name()) + "» dice que borra, y se declara no destructiva.",
			EN: `The name "` + clip(d.name()) + `" says that it deletes, and it is declared not destructive.`,
		})
	}
}
