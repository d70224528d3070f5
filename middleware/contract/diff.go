package contract

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Impact is what a change does to the agents that use the catalogue.
type Impact string

// The impacts, the gravest first.
const (
	// Breaking: calls that worked fail, or results are no longer what was
	// promised.
	Breaking Impact = "breaking"
	// Compatible: everything that worked works.
	Compatible Impact = "compatible"
	// Cosmetic: only the words have changed.
	Cosmetic Impact = "cosmetic"
)

func (i Impact) rank() int {
	switch i {
	case Breaking:
		return 3
	case Compatible:
		return 2
	default:
		return 1
	}
}

// Change is one difference between two catalogues.
type Change struct {
	// Kind is a stable id: tool-renamed, property-removed, narrowed...
	Kind   string `json:"kind"`
	Impact Impact `json:"impact"`
	// Tool is the name in the new catalogue, or in the old one if it is gone.
	Tool string `json:"tool"`
	// Pointer is a JSON Pointer (RFC 6901) into the definition; empty for the
	// whole.
	Pointer string `json:"pointer,omitempty"`
	// Message says what has changed.
	Message Text `json:"message"`
	// Gateway says what it means where the catalogue is in use.
	Gateway Text `json:"gateway"`
}

// Changes are the differences between two catalogues, by tool, the gravest of a
// tool first. The order is stable.
type Changes []Change

// Breaking reports whether any change is.
func (c Changes) Breaking() bool {
	return slices.ContainsFunc(c, func(change Change) bool { return change.Impact == Breaking })
}

// Diff compares two catalogues. Arguments that were accepted must be accepted
// again, and results must keep what they promised; where that cannot be told, as
// between two oneOf, a change counts as breaking. A tool that went and one that
// came and is much like it are one that was renamed.
func Diff(prior, next Lock) Changes {
	d := &differ{}
	before, after := index(prior), index(next)
	for _, pair := range renamed(before, after) {
		d.rename(pair[0], pair[1])
		delete(before, pair[0].Name)
		delete(after, pair[1].Name)
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if tool, ok := after[name]; ok {
			d.compare(before[name], tool)
		} else {
			d.tool = name
			d.add("tool-removed", Breaking, "", Text{ES: "La herramienta ya no está.", EN: "The tool is gone."})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if _, ok := before[name]; !ok {
			d.tool = name
			d.add("tool-added", Compatible, "", Text{ES: "La herramienta es nueva.", EN: "The tool is new."})
		}
	}
	slices.SortStableFunc(d.changes, func(a, b Change) int {
		return cmp.Or(
			cmp.Compare(a.Tool, b.Tool),
			cmp.Compare(b.Impact.rank(), a.Impact.rank()),
			cmp.Compare(a.Pointer, b.Pointer),
			cmp.Compare(a.Kind, b.Kind),
		)
	})
	return d.changes
}

func index(l Lock) map[string]lockedTool {
	byName := make(map[string]lockedTool, len(l.tools))
	for i := range l.tools {
		byName[l.tools[i].Name] = l.tools[i]
	}
	return byName
}

// differ collects the changes of one tool after the other.
type differ struct {
	tool    string
	changes Changes
}

func (d *differ) add(kind string, impact Impact, pointer string, message Text) {
	d.changes = append(d.changes, Change{
		Kind: kind, Impact: impact, Tool: clip(d.tool), Pointer: pointer, Message: message, Gateway: atGateway(kind, impact, pointer),
	})
}

func (d *differ) rename(prior, next lockedTool) {
	d.tool = next.Name
	d.add("tool-renamed", Breaking, "/name", Text{
		ES: "Antes se llamaba «" + clip(prior.Name) + "».", EN: `It was named "` + clip(prior.Name) + `".`,
	})
	d.compare(prior, next)
}

// compare finds what has changed in a definition.
func (d *differ) compare(prior, next lockedTool) {
	if prior.Digest == next.Digest {
		return
	}
	d.tool = next.Name
	n := len(d.changes)
	d.input(prior.object, next.object)
	d.output(prior.object, next.object)
	d.annotations(prior.object, next.object)
	d.meta(prior.object, next.object)
	d.rest(prior.object, next.object)
	if len(d.changes) == n && prior.Name == next.Name {
		d.add("form-changed", Cosmetic, "", Text{
			ES: "Cambió solo la forma de la definición, como el orden de una lista.",
			EN: "Only the form of the definition has changed, such as the order of a list.",
		})
	}
}

// atGateway says what a change means where the catalogue is in use.
func atGateway(kind string, impact Impact, pointer string) Text {
	switch {
	case kind == "tool-renamed":
		return Text{
			ES: "Es publicar otra herramienta: hay que recertificar, y las conversaciones abiertas siguen usando el nombre anterior.",
			EN: "It is another tool: it has to be certified again, and open conversations go on calling the old name.",
		}
	case kind == "tool-removed":
		return Text{
			ES: "Las conversaciones abiertas la siguen llamando y reciben un error: retírela cuando ninguna la tenga.",
			EN: "Open conversations go on calling it and get an error: remove it when none has it any more.",
		}
	case kind == "tool-added":
		return Text{
			ES: "Se certifica antes de usarse y entra en las conversaciones nuevas.",
			EN: "It is certified before it is used, and enters new conversations.",
		}
	case kind == "annotations-changed":
		return Text{
			ES: "El gateway clasifica la herramienta por sus anotaciones: hay que recertificar.",
			EN: "The gateway classifies the tool by its annotations: it has to be certified again.",
		}
	case kind == "scenario-removed":
		return Text{
			ES: "Las conversaciones nuevas de ese escenario ya no la tienen: hay que recertificar.",
			EN: "New conversations in that scenario no longer have it: it has to be certified again.",
		}
	case impact == Breaking && strings.HasPrefix(pointer, "/outputSchema"):
		return Text{
			ES: "El agente cuenta con la forma anterior del resultado: siga devolviendo lo que prometía por un tiempo, y recertifique.",
			EN: "The agent counts on the result as it was: go on returning what was promised for a while, and certify again.",
		}
	case impact == Breaking:
		return Text{
			ES: "Las conversaciones abiertas usan la definición anterior y sus llamadas pueden fallar: acepte ambas formas por un tiempo, y recertifique.",
			EN: "Open conversations use the old definition, and their calls may fail: accept both forms for a while, and certify again.",
		}
	case impact == Compatible:
		return Text{
			ES: "Entra en las conversaciones nuevas, con un retardo de hasta 15 minutos.",
			EN: "It enters new conversations, after up to 15 minutes.",
		}
	default:
		return Text{
			ES: "El modelo lee otro texto en las conversaciones nuevas, y su caché se renueva.",
			EN: "The model reads another text in new conversations, and its cache is renewed.",
		}
	}
}
