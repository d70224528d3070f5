package main

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/portavoz/portavoz/middleware/contract"
)

// The sizes of pages.
const (
	defaultPage = 10 // where limit is null
	largestPage = 25
	tooLarge    = 100
)

var pageRules = []contract.Rule{{
	ID: "page-limit", Asixto: must,
	Demand: say("Una página trae como máximo limit elementos, y limit llega a 25.", "A page has limit elements at most, and limit goes up to 25."),
	Fix:    say("Lea los argumentos con paginate.Rules.", "Read the arguments with paginate.Rules."),
	Cure:   "paginate.Rules", Source: sourceAsixto,
}, {
	ID: "page-default", Asixto: must,
	Demand: say("Con limit null una página trae como máximo diez elementos.", "With limit null a page has ten elements at most."),
	Fix:    say("Lea los argumentos con paginate.Rules.", "Read the arguments with paginate.Rules."),
	Cure:   "paginate.Rules", Source: sourceAsixto,
}, {
	ID: "page-maximum", Asixto: must,
	Demand: say("Con limit 100 una página trae como máximo 25 elementos, o se rechaza.", "With limit 100 a page has 25 elements at most, or it is refused."),
	Fix:    say("Lea los argumentos con paginate.Rules.", "Read the arguments with paginate.Rules."),
	Cure:   "paginate.Rules", Source: sourceAsixto,
}, {
	ID: "page-beyond", Asixto: must,
	Demand: say("Más allá del final hay una lista vacía y el mismo total.", "Beyond the end there is an empty list and the same total."),
	Fix:    say("Devuelva paginate.Page también sin elementos.", "Return a paginate.Page without elements, too."),
	Cure:   "paginate.Page", Source: sourceAsixto,
}, {
	ID: "page-total", Asixto: must,
	Demand: say("Toda página dice el mismo total.", "Every page says the same total."),
	Fix:    say("Cuente lo que coincide, no lo que cabe en la página.", "Count what matches, not what is on the page."),
	Cure:   "paginate.Page", Source: sourceAsixto,
}, {
	ID: "page-duplicates", Asixto: must,
	Demand: say("Ningún elemento está en dos páginas.", "No element is on two pages."),
	Fix:    say("Ordene por algo único, y después corte.", "Sort by something unique, and cut after that."),
	Cure:   "paginate.Slice", Source: sourceAsixto,
}, {
	ID: "page-empty", Asixto: must,
	Demand: say("Una búsqueda sin resultados es un éxito: lista vacía y total 0.", "A search without results is a success: an empty list and total 0."),
	Fix:    say("Devuelva paginate.Page con total 0 y no un error.", "Return a paginate.Page with total 0 and no failure."),
	Cure:   "paginate.Page", Source: sourceAsixto,
}}

// page is what a search answered.
type page struct {
	items []any
	total int // -1: none
	ok    bool
}

func readPage(a answer) page {
	p := page{total: -1}
	if !a.success() {
		return p
	}
	var data map[string]any
	if decode(a.structured, &data) != nil {
		return p
	}
	for _, name := range slices.Sorted(maps.Keys(data)) {
		switch v := data[name].(type) {
		case []any:
			if !p.ok {
				p.items, p.ok = v, true
			}
		case json.Number:
			if n, err := strconv.Atoi(v.String()); err == nil && name == "total" {
				p.total = n
			}
		}
	}
	return p
}

// pages turns the pages of every search that worked.
func (c *certifier) pages(ctx context.Context) error {
	turned := false
	for _, t := range c.tools {
		if t.search && t.reads && t.sampled != nil && !c.stopped {
			p := &pager{c: c, t: t}
			p.sizes(ctx)
			p.turn(ctx)
			p.nothing(ctx)
			turned = true
		}
	}
	why := say("ninguna búsqueda funcionó con los argumentos de muestra", "no search worked with the sample arguments")
	if turned {
		why = say("ninguna búsqueda devolvió una página", "no search answered with a page")
	}
	c.skip(why, "page-limit", "page-default", "page-maximum", "page-beyond", "page-total", "page-duplicates", "page-empty")
	return nil
}

// pager asks one search.
type pager struct {
	c     *certifier
	t     *tool
	total int
}

func (p *pager) ask(ctx context.Context, limit, offset any) (answer, page) {
	args := maps.Clone(p.t.sampled)
	args["limit"], args["offset"] = limit, offset
	a := p.c.call(ctx, p.t, args, callInfo{})
	return a, readPage(a)
}

// within says that a page has to be there, and how long it may be.
func (p *pager) within(a answer, got page, rule string, most int) {
	n := strconv.Itoa(len(got.items))
	why := say("Trae "+n+" elementos.", "It has "+n+" elements.")
	if !got.ok {
		why = say("Recibió "+a.said()+" sin lista.", "It got "+a.said()+" without a list.")
	}
	p.c.expect(got.ok && len(got.items) <= most, rule, p.t.name, "", why)
}

// sizes asks for pages of several sizes.
func (p *pager) sizes(ctx context.Context) {
	a, first := p.ask(ctx, nil, nil)
	p.within(a, first, "page-default", defaultPage)
	p.total = first.total
	if first.ok {
		p.c.expect(first.total >= len(first.items), "page-total", p.t.name, "/structuredContent/total", say(
			"No hay un total que alcance para la página.", "There is no total that is enough for the page."))
		p.short()
	}
	a, got := p.ask(ctx, 2, 0)
	p.within(a, got, "page-limit", 2)
	a, got = p.ask(ctx, largestPage, 0)
	p.within(a, got, "page-limit", largestPage)
	if a, got = p.ask(ctx, tooLarge, 0); a.refused() {
		p.c.check("page-maximum")
	} else {
		p.within(a, got, "page-maximum", largestPage)
	}
}

// short notes that there is too little to see pages being cut.
func (p *pager) short() {
	if n := strconv.Itoa(p.total); p.total >= 0 && p.total <= largestPage {
		p.c.note(say(quote(p.t.name)+": coinciden "+n+" elementos; solo con más de 25 se ve que corta toda página.",
			quote(p.t.name)+": "+n+" elements match; only with more than 25 can one see that it cuts every page."))
	}
}

// turn goes through some pages, and beyond the end.
func (p *pager) turn(ctx context.Context) {
	const size, most = 2, 5
	seen := map[string]int{} // the page that an element is on
	opened := false
	for number := range most {
		_, got := p.ask(ctx, size, number*size)
		if !got.ok || p.c.stopped {
			break
		}
		opened = true
		p.sameTotal(got)
		for _, item := range got.items {
			key := string(mustJSON(item))
			before, again := seen[key]
			seen[key] = number
			if number == 0 {
				continue // there is nothing to compare it with yet
			}
			p.c.expect(!again || before == number, "page-duplicates", p.t.name, "", say(
				"Un elemento está en las páginas "+strconv.Itoa(before+1)+" y "+strconv.Itoa(number+1)+".",
				"An element is on pages "+strconv.Itoa(before+1)+" and "+strconv.Itoa(number+1)+"."))
		}
		if len(got.items) < size {
			break
		}
	}
	switch {
	case len(seen) > 0:
		p.c.skip(say("lo que se encontró cabe en una página de dos", "what was found fits on a page of two"), "page-duplicates")
	case opened:
		p.c.skip(say("no se encontró nada", "nothing was found"), "page-duplicates")
	}
	offset, _ := p.t.properties()["offset"].(map[string]any)
	beyond := min(max(p.total, 0)+1000, int(min(bound(offset, "maximum", 1e6), 1e6)))
	if beyond < p.total {
		p.c.skip(say("el esquema no deja pedir más allá del final", "the schema does not let one ask beyond the end"), "page-beyond")
		return
	}
	a, got := p.ask(ctx, size, beyond)
	p.c.expect(got.ok && len(got.items) == 0, "page-beyond", p.t.name, "", say(
		"Con offset "+strconv.Itoa(beyond)+" recibió "+a.said()+" con "+strconv.Itoa(len(got.items))+" elementos.",
		"With offset "+strconv.Itoa(beyond)+" it got "+a.said()+" with "+strconv.Itoa(len(got.items))+" elements."))
	if got.ok {
		p.sameTotal(got)
	}
}

func (p *pager) sameTotal(got page) {
	before, now := strconv.Itoa(p.total), strconv.Itoa(got.total)
	p.c.expect(got.total == p.total, "page-total", p.t.name, "/structuredContent/total", say(
		"El total fue "+before+" y después "+now+".", "The total was "+before+" and then "+now+"."))
}

// queryNames are those of what is searched for. Where something else leads to nothing,
// such as a document number, NOT_FOUND is as good an answer.
const queryNames = " texto consulta busqueda termino palabras filtro q query text search term keyword keywords "

// nothing searches for what is not there.
func (p *pager) nothing(ctx context.Context) {
	s := &sampler{root: p.t.input, missing: true}
	args := maps.Clone(p.t.sampled)
	searched := false
	for name := range args {
		field, ok := p.t.properties()[name].(map[string]any)
		if ok && strings.Contains(queryNames, " "+strings.ToLower(name)+" ") && !s.fixed(field) {
			args[name], searched = s.value(field, 0), true
		}
	}
	if !searched {
		p.c.skip(say("ninguna búsqueda recibe un texto libre con el que no encontrar nada", "no search takes a free text with which to find nothing"), "page-empty")
		return
	}
	a := p.c.call(ctx, p.t, args, callInfo{})
	got := readPage(a)
	p.c.expect(got.ok && len(got.items) == 0 && got.total == 0, "page-empty", p.t.name, "", say(
		"Recibió "+a.said()+" con "+strconv.Itoa(len(got.items))+" elementos y total "+strconv.Itoa(got.total)+".",
		"It got "+a.said()+" with "+strconv.Itoa(len(got.items))+" elements and total "+strconv.Itoa(got.total)+"."))
}
