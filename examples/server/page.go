package main

import (
	"context"
	"strconv"
	"strings"

	"github.com/portavoz/portavoz/middleware/call"
	"github.com/portavoz/portavoz/paginate"
)

// cut takes the page that was asked for out of a search's results: ten of them
// unless told otherwise, 25 at most, three on voice.
func cut[S, T any](ctx context.Context, all []S, asked paginate.Args, show func(S) T) (paginate.Page[T], error) {
	params, err := paginate.Rules{}.FromArgs(asked, call.MetaFrom(ctx).Channel == call.Voice)
	if err != nil {
		return paginate.Page[T]{}, err
	}
	return paginate.Map(paginate.Slice(all, params), show), nil
}

// say names the first elements of a page in a sentence, as many as one can
// remember. The noun is what they are, in the singular.
func say[T any](p paginate.Page[T], noun string, name func(T) string) string {
	if p.Total != 1 {
		noun += "s"
	}
	var names []string
	for _, r := range p.Results[:min(paginate.VoiceLimit, len(p.Results))] {
		names = append(names, name(r))
	}
	found, list := "Encontré "+strconv.Itoa(p.Total)+" "+noun, strings.Join(names, "; ")+"."
	switch {
	case p.Total == 0:
		return "No encontré " + noun + "."
	case len(names) == 0:
		return "No hay más " + noun + "."
	case len(names) == p.Total:
		return found + ": " + list
	case p.Offset == 0:
		return found + ". Para empezar: " + list
	default:
		return found + ". A continuación: " + list
	}
}
