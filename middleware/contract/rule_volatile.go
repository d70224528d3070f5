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
	dayNames   = `lunes|martes|miercoles|jueves|viernes|sabado|sabados|domingo|domingos|monday|tuesday|wednesday|thursday|friday|saturday|sunday`
)

// volatiles finds what changes while a description stays in a cache.
var volatiles = [...]struct {
	rule   string
	match  *regexp.Regexp
	es, en string
}{
	{"description-price", regexp.MustCompile(`[$€£]\s?\d|\b\d[\d.,]*\s?(` + currencies + `|pesos|dolares|euros|soles|dollars)\b|\b(` + currencies + `)\s?\d|\b\d+\s?% (de descuento|off|discount)`), "un precio", "a price"},
	{"description-hours", regexp.MustCompile(`\b\d{1,2}(:\d{2})?\s?(a|p)\.?\s?m\b|\b\d{1,2}:\d{2}\b|\b24/7\b`), "un horario", "opening hours"},
	{"description-date", regexp.MustCompile(`\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}/\d{1,2}/\d{2,4}\b|\b\d{1,2} de (` + monthNames + `)\b|\b(` + monthNames + `)( de(l)?)? \d{1,4}\b|\b(hasta|until|through|vigencia|vigente)\b.{0,16}\b20\d\d\b`), "una fecha", "a date"},
	{"description-stock", regexp.MustCompile(`\bquedan (solo )?\d+\b|\bonly \d+ (left|remaining)\b|\b(hay|tenemos) (solo )?\d+ (unidades|cupos|ejemplares|piezas|disponibles|libres)\b|\b\d+ (unidades|cupos|ejemplares|units) (disponibles|en (stock|inventario|bodega)|available|left|in stock)\b|\b\d+ (en stock|in stock|left in stock)\b`), "inventario", "a stock figure"},
}

// exampleMark stands before a value that only shows a form.
var exampleMark = regexp.MustCompile(`(\bej\.?|\bejemplos?:?|\bcomo|\bformato|\be\.?g\.?,?|\bexamples?:?|\bformat|\blike|\bsuch as|\biso(-| )8601)[ :(«"'` + "`" + `]*$`)

func (l *linter) volatile(d *definition) {
	text, _ := d.object["description"].(string)
	folded := fold(text)
	near := aroundDigits(folded)
	for i := range volatiles {
		v := &volatiles[i]
		at := firstFigure(v.match, near)
		if at == "" && v.rule == "description-hours" {
			at = l.cues.days.find(textWords(folded))
		}
		if at != "" {
			at = clip(strings.TrimSpace(at))
			l.find(d, v.rule, "/description", Text{
				ES: "La descripción lleva " + v.es + ": «" + at + "».",
				EN: "The description carries " + v.en + `: "` + at + `".`,
			})
		}
	}
}

// firstFigure is the first match that is not the example of a form.
func firstFigure(match *regexp.Regexp, near string) string {
	for _, at := range match.FindAllStringIndex(near, -1) {
		if !exampleMark.MatchString(near[max(0, at[0]-exampleReach):at[0]]) {
			return near[at[0]:at[1]]
		}
	}
	return ""
}

// exampleReach is how far before a value the mark of an example is looked for,
// and reach how far around digits a value may stretch, in bytes.
const (
	exampleReach = 32
	reach        = 48
)

// aroundDigits is the part of a text that may hold a figure: from a little before
// its first digit to a little after its last, in whole words.
func aroundDigits(folded string) string {
	first, last := strings.IndexAny(folded, digits), strings.LastIndexAny(folded, digits)
	if first < 0 {
		return ""
	}
	from, to := max(0, first-reach), min(len(folded), last+reach)
	if from > 0 {
		from += strings.IndexByte(folded[from:first]+" ", ' ')
	}
	if end := strings.IndexByte(folded[to:], ' '); end >= 0 {
		to += end
	} else {
		to = len(folded)
	}
	return folded[min(from, first):to]
}

const digits = "0123456789"
