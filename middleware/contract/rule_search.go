package contract

import (
	"encoding/json"
	"slices"
	"strconv"
)

// maxPage is the largest page that the gateway reads.
const maxPage = 25

var searchRules = []Rule{{
	ID: "search-limit-offset", Asixto: Must,
	Demand: Text{ES: "Toda búsqueda acepta limit y offset, números que admiten null.", EN: "Every search accepts limit and offset, numbers that admit null."},
	Fix:    Text{ES: "Agregue contract.Pages(paginate.Rules{}); un cursor puede acompañar a offset, no reemplazarlo.", EN: "Add contract.Pages(paginate.Rules{}); a cursor may stand beside offset, not instead of it."},
	Cure:   "contract.Pages", Source: sourceAsixto,
}, {
	ID: "search-limit-maximum", Asixto: Should,
	Demand: Text{ES: "limit llega hasta 25.", EN: "limit goes up to 25."},
	Fix:    Text{ES: "Agregue contract.Pages(paginate.Rules{}), que declara los límites.", EN: "Add contract.Pages(paginate.Rules{}), which declares the bounds."},
	Cure:   "contract.Pages", Source: sourceAsixto,
}, {
	ID: "search-total", Asixto: Must,
	Demand: Text{ES: "Toda búsqueda devuelve total, un entero.", EN: "Every search returns total, an integer."},
	Fix:    Text{ES: "Devuelva paginate.Page y declárelo con contract.Output.", EN: "Return a paginate.Page and declare it with contract.Output."},
	Cure:   "paginate.Page", Source: sourceAsixto,
}}

// search looks at the tools that answer a list of what was found.
func (l *linter) search(d *definition) {
	if !l.isSearch(d) {
		return
	}
	input := d.schema("inputSchema")
	doc := &document{root: input}
	follow := &follower{doc: doc, left: maxSteps}
	properties, _ := input["properties"].(map[string]any)
	for _, name := range [...]string{"limit", "offset"} {
		pointer := join("/inputSchema", "properties", name)
		field, ok := properties[name].(map[string]any)
		switch {
		case !ok:
			l.find(d, "search-limit-offset", pointer, Text{
				ES: "Es una búsqueda y no acepta «" + name + "».", EN: `It is a search and does not accept "` + name + `".`,
			})
		case !follow.offers(field, isNumber):
			l.find(d, "search-limit-offset", pointer, Text{
				ES: "«" + name + "» no es un número.", EN: `"` + name + `" is no number.`,
			})
		case slices.Contains(strs(input["required"]), name) && !doc.admitsNull(field):
			l.find(d, "search-limit-offset", pointer, Text{
				ES: "«" + name + "» es obligatorio y no admite null.", EN: `"` + name + `" is required and does not admit null.`,
			})
		case name == "limit" && !follow.says(field, onePage) && follow.offers(field, morePages):
			if above(field["maximum"]) {
				pointer = join(pointer, "maximum")
			}
			l.find(d, "search-limit-maximum", pointer, Text{
				ES: "«limit» admite más de " + strconv.Itoa(maxPage) + ".", EN: `"limit" admits more than ` + strconv.Itoa(maxPage) + ".",
			})
		}
	}
	output := d.schema("outputSchema")
	if output == nil { // another rule
		return
	}
	results, _ := output["properties"].(map[string]any)
	total, ok := results["total"].(map[string]any)
	if !ok || types(total) != nil && !isType(total, "integer") && !isType(total, "number") {
		l.find(d, "search-total", "/outputSchema/properties/total", Text{
			ES: "Es una búsqueda y no devuelve total.", EN: "It is a search and returns no total.",
		})
	}
}

func isNumber(schema map[string]any) bool {
	return isType(schema, "integer") || isType(schema, "number")
}

// onePage and morePages say whether the largest number of a schema fits.
func onePage(schema map[string]any) bool {
	_, ok := number(schema["maximum"])
	return ok && !above(schema["maximum"])
}

func morePages(schema map[string]any) bool { return above(schema["maximum"]) }

// isSearch reports whether a tool answers what it found: its name says so, or its
// result has a list and a total. One that lists all there is, in a list that the
// schema keeps within one page, is none.
func (l *linter) isSearch(d *definition) bool {
	results, _ := d.schema("outputSchema")["properties"].(map[string]any)
	found, short := 0, 0
	for _, field := range results {
		if schema, ok := field.(map[string]any); ok && isType(schema, "array") {
			found++
			if has(schema, "maxItems") && !above(schema["maxItems"]) {
				short++
			}
		}
	}
	_, counts := results["total"]
	switch l.words.leading(nameWords(d.name())) {
	case searches:
		return true
	case lists:
		return counts || found == 0 || short < found
	default:
		return counts && found > 0
	}
}

// above reports whether a decoded value is a number beyond the largest page.
func above(v any) bool {
	n, ok := v.(json.Number)
	if !ok {
		return false
	}
	f, err := n.Float64()
	return err != nil || f > maxPage
}
