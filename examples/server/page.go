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

// say names the first elements of a page in a sentence.
func say[T any](p paginate.Page[T], name func(T) string) string {
	var names []string
	for _, r := range p.Results[:min(paginate.VoiceLimit, len(p.Results))] {
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
