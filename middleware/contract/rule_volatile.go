package contract

import (
	"regexp"
	"strings"
)

var volatileRules = []Rule{{
	ID: "description-price", Asixto: Should,
	Demand: Text{ES: "La descripción no lleva precios.", EN: "The description carries no prices."},
	Fix:    Text{ES: "Devuelva el precio en el resultado: la descripción queda en caché.", EN: "Return the price in the result: the description is cached."},
	Cure:   "mcp.WithDescription", Source: sourceAsixto,
}, {
	ID: "description-hours", Asixto: Should,
	Demand: Text{ES: "La descripción no lleva horarios.", EN: "The description carries no opening hours."},
	Fix:    Text{ES: "Devuelva el horario en el resultado: la descripción queda en caché.", EN: "Return the hours in the result: the description is cached."},
	Cure:   "mcp.WithDescription", Source: sourceAsixto,
}, {
	ID: "description-date", Asixto: Should,
	Demand: Text{ES: "La descripción no lleva fechas.", EN: "The description carries no dates."},
	Fix:    Text{ES: "Devuelva la fecha en el resultado: la descripción queda en caché.", EN: "Return the date in the result: the description is cached."},
	Cure:   "mcp.WithDescription", Source: sourceAsixto,
}, {
	ID: "description-stock", Asixto: Should,
	Demand: Text{ES: "La descripción no lleva inventario.", EN: "The description carries no stock figures."},
	Fix:    Text{ES: "Devuelva la disponibilidad en el resultado: la descripción queda en caché.", EN: "Return the availability in the result: the description is cached."},
	Cure:   "mcp.WithDescription", Source: sourceAsixto,
}}

const (
	currencies = `cop|usd|mxn|eur|pen|clp|ars|brl|uyu|gtq|crc|dop`
	monthNames = `enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre|january|february|march|april|june|july|august|september|october|november|december`
	dayNames   = `lunes|martes|miercoles|jueves|viernes|sabados?|domingos?|monday|tuesday|wednesday|thursday|friday|saturday|sunday`
)

// volatiles finds what changes while a description stays in a cache.
var volatiles = [...]struct {
	rule   string
	match  *regexp.Regexp
	es, en string
}{
	{"description-price", regexp.MustCompile(`[$€£]\s?\d|\b\d[\d.,]*\s?(` + currencies + `|pesos|dolares|euros|soles|dollars)\b|\b(` + currencies + `)\s?\d|\b\d+\s?% (de descuento|off|discount)`), "un precio", "a price"},
	{"description-hours", regexp.MustCompile(`\b\d{1,2}(:\d{2})?\s?(a|p)\.?\s?m\b|\b\d{1,2}:\d{2}\b|\b(` + dayNames + `) (a|to|through|y|and) (` + dayNames + `)\b|\b24/7\b`), "un horario", "opening hours"},
	{"description-date", regexp.MustCompile(`\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}/\d{1,2}/\d{2,4}\b|\b\d{1,2} de (` + monthNames + `)\b|\b(` + monthNames + `)( de(l)?)? \d{1,4}\b|\b(hasta|until|through|vigencia|vigente)\b.{0,16}\b20\d\d\b`), "una fecha", "a date"},
	{"description-stock", regexp.MustCompile(`\bquedan (solo )?\d+\b|\bonly \d+ (left|remaining)\b|\b(hay|tenemos) (solo )?\d+ (unidades|cupos|ejemplares|piezas|disponibles|libres)\b|\b\d+ (unidades|cupos|ejemplares|units) (disponibles|en (stock|inventario|bodega)|available|left|in stock)\b|\b\d+ (en stock|in stock|left in stock)\b`), "inventario", "a stock figure"},
}

// exampleMark stands before a value that only shows a form.
var exampleMark = regexp.MustCompile(`(\bej\.?|\bejemplos?:?|\bcomo|\bformato|\be\.?g\.?,?|\bexamples?:?|\bformat|\blike|\bsuch as|\biso(-| )8601)[ :(«"'` + "`" + `]*$`)

func (l *linter) volatile(d *definition) {
	text, _ := d.object["description"].(string)
	folded := fold(text)
	digits := strings.ContainsAny(folded, "0123456789")
	for _, v := range &volatiles {
		if !digits && v.rule != "description-hours" { // which days of the week tell, too
			continue
		}
		for _, at := range v.match.FindAllStringIndex(folded, -1) {
			if exampleMark.MatchString(folded[max(0, at[0]-32):at[0]]) {
				continue
			}
			found := clip(strings.TrimSpace(folded[at[0]:at[1]]))
			l.find(d, v.rule, "/description", Text{
				ES: "La descripción lleva " + v.es + ": «" + found + "».",
				EN: "The description carries " + v.en + `: "` + found + `".`,
			})
			break
		}
	}
}
