package contract

import (
	"slices"
	"strconv"
)

const (
	maxTools      = 40     // visible to one tenant, Asixto Gateway
	maxCharacters = 60_000 // of definitions, which a model reads on every turn: about 15,000 tokens
)

var listRules = []Rule{{
	ID: "list-empty", Core: Must,
	Demand: Text{ES: "Hay al menos una herramienta.", EN: "There is at least one tool."},
	Fix:    Text{ES: "Registre las herramientas antes de revisar el servidor.", EN: "Register the tools before the server is checked."},
	Cure:   "server.AddTool", Source: sourceMCP,
}, {
	ID: "list-count", Core: Hint, Asixto: Should,
	Demand: Text{ES: "Un tenant ve 40 herramientas como máximo.", EN: "One tenant sees 40 tools at most."},
	Fix:    Text{ES: "Reparta el catálogo por escenario o por tenant, o agrúpelo.", EN: "Divide the catalogue by scenario or tenant, or group it."},
	Cure:   "expose.Compile", Source: sourceAsixto,
}, {
	ID: "list-characters", Core: Hint,
	Demand: Text{ES: "Las definiciones ocupan 60.000 caracteres como máximo.", EN: "The definitions take 60,000 characters at most."},
	Fix:    Text{ES: "Acorte descripciones y esquemas, o reparta el catálogo.", EN: "Shorten descriptions and schemas, or divide the catalogue."},
	Cure:   "expose.Compile", Source: sourcePractice,
}, {
	ID: "list-order", Core: Should,
	Demand: Text{ES: "tools/list da siempre las mismas herramientas en el mismo orden.", EN: "tools/list always gives the same tools in the same order."},
	Fix:    Text{ES: "Ordene la lista por nombre, también en los filtros: un orden que cambia invalida la caché del modelo.", EN: "Sort the list by name, in filters too: an order that changes invalidates the model's cache."},
	Cure:   "server.WithToolFilter", Source: sourceAsixto,
}, {
	ID: "description-near-equal", Core: Should,
	Demand: Text{ES: "Las descripciones distinguen las herramientas.", EN: "The descriptions tell the tools apart."},
	Fix:    Text{ES: "Diga en cada una qué la distingue de la otra, o una las dos herramientas.", EN: "Say in each what tells it from the other, or make one tool of the two."},
	Cure:   "mcp.WithDescription", Source: sourcePractice,
}}

func (l *linter) size() {
	switch n := l.catalog.Len(); {
	case n == 0:
		l.find(nil, "list-empty", "", Text{ES: "La lista está vacía.", EN: "The list is empty."})
	case n > maxTools:
		l.find(nil, "list-count", "", Text{
			ES: "La lista tiene " + strconv.Itoa(n) + " herramientas.", EN: "The list has " + strconv.Itoa(n) + " tools.",
		})
	}
	if n := l.catalog.Characters(); n > maxCharacters {
		l.find(nil, "list-characters", "", Text{
			ES: "Las definiciones ocupan " + strconv.Itoa(n) + " caracteres.", EN: "The definitions take " + strconv.Itoa(n) + " characters.",
		})
	}
}

// order compares the lists that were asked for again with each other.
func (l *linter) order() {
	if len(l.again) == 0 {
		return
	}
	want := l.again[0].Names()
	for _, list := range l.again[1:] {
		got := list.Names()
		if slices.Equal(got, want) {
			continue
		}
		message := Text{ES: "El orden cambió entre una lista y otra.", EN: "The order changed from one list to the next."}
		if slices.Sort(got); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
			message = Text{ES: "Una lista tiene otras herramientas que la anterior.", EN: "One list has other tools than the one before."}
		}
		l.find(nil, "list-order", "", message)
		return
	}
}
