package main

import (
	"context"
	"strconv"
	"strings"

	"github.com/portavoz/portavoz/middleware/call"
)

// The page sizes of the gateway's contract.
const (
	maxLimit     = 25
	defaultLimit = 10
	voiceLimit   = 3 // nobody remembers more than three things heard
)

// page is what every search answers.
type page[T any] struct {
	Resultados []T `json:"resultados" jsonschema:"Los más relevantes primero"`
	Total      int `json:"total" jsonschema:"Cuántos hay en todas las páginas"`
	Limit      int `json:"limit"`
	Offset     int `json:"offset"`
}

// paging holds the two arguments of every search, nil where they were absent
// or null.
type paging struct {
	Limit  *float64 `json:"limit"`
	Offset *float64 `json:"offset"`
}

// paginate cuts out of all the page that was asked for. Finding nothing is a
// success: an empty list, never null.
func paginate[S, T any](ctx context.Context, all []S, asked paging, show func(S) T) page[T] {
	limit := defaultLimit
	if asked.Limit != nil {
		limit = int(min(max(*asked.Limit, 1), maxLimit))
	}
	if call.MetaFrom(ctx).Channel == call.Voice {
		limit = min(limit, voiceLimit)
	}
	offset := 0
	if asked.Offset != nil {
		offset = int(min(max(*asked.Offset, 0), maxOffset))
	}
	p := page[T]{Resultados: []T{}, Total: len(all), Limit: limit, Offset: offset}
	start := min(offset, len(all))
	for _, s := range all[start:min(start+limit, len(all))] {
		p.Resultados = append(p.Resultados, show(s))
	}
	return p
}

// say names the first elements of a page in a sentence.
func (p page[T]) say(name func(T) string) string {
	var names []string
	for _, r := range p.Resultados[:min(voiceLimit, len(p.Resultados))] {
		names = append(names, name(r))
	}
	switch list := strings.Join(names, "; ") + "."; {
	case p.Total == 0:
		return "No encontré resultados."
	case len(names) == 0:
		return "No hay más resultados."
	case p.Total == 1:
		return "Encontré un resultado: " + list
	case p.Offset > 0:
		return "De " + strconv.Itoa(p.Total) + " resultados, siguen: " + list
	default:
		return "Encontré " + strconv.Itoa(p.Total) + " resultados. Los primeros son: " + list
	}
}
