package paginate

import (
	"context"
	"math"
)

// Page is the answer of a search:
//
//	{"resultados":[...],"total":148,"limit":10,"offset":0}
//
// Make one with [Slice] or [Fetch]. Its members can have other names, and the
// next offset can be one of them: see [Page.Named]. Its encoding never has null
// for the results.
type Page[T any] struct {
	// Results is this page's part, most relevant first.
	Results List[T] `json:"resultados" jsonschema:"Los más relevantes primero"`
	// Total is how many results there are on all pages, so never less than
	// Offset and this page's results together.
	Total int `json:"total" jsonschema:"Cuántos hay en todas las páginas"`
	// Limit is how many results this page could have.
	Limit int `json:"limit" jsonschema:"Cuántos caben en esta página"`
	// Offset is how many results lie before the first.
	Offset int `json:"offset" jsonschema:"Cuántos hay antes del primero"`
}

// Slice cuts a page out of a list that is complete. The page shares the list's
// elements, but appending to its results does not write into the list. Beyond
// the end of the list a page is empty.
func Slice[T any](all []T, p Params) Page[T] {
	p = p.orDefault()
	start := min(p.Offset, len(all))
	end := start + min(p.Limit, len(all)-start)
	return Page[T]{Results: all[start:end:end], Total: len(all), Limit: p.Limit, Offset: p.Offset}
}

// Fetch makes a page from a source that fetches a part and counts the whole,
// such as a database. It panics if count or fetch is nil. Their errors are
// returned as they are.
//
// fetch must return limit elements unless the list ends before, and so must not
// leave any out afterwards. It comes first: a page that is not full shows where
// the list ends, unless it is empty and not the first, and then count is not
// called.
//
// The list may change between the two calls. The total agrees with the page all
// the same: it is never less than what has been seen, nor more than the offset
// if nothing was found there. Of more than limit elements the first ones are
// taken.
func Fetch[T any](ctx context.Context, p Params,
	count func(ctx context.Context) (int, error),
	fetch func(ctx context.Context, limit, offset int) ([]T, error),
) (Page[T], error) {
	if count == nil || fetch == nil {
		panic("portavoz/paginate: Fetch without a function to count or to fetch")
	}
	p = p.orDefault()
	found, err := fetch(ctx, p.Limit, p.Offset)
	if err != nil {
		return Page[T]{}, err
	}
	seen := p.Offset + min(len(found), math.MaxInt-p.Offset)
	n := min(len(found), p.Limit)
	page := Page[T]{Results: found[:n:n], Total: seen, Limit: p.Limit, Offset: p.Offset}
	if n == 0 && p.Offset > 0 || n == p.Limit {
		if page.Total, err = count(ctx); err != nil {
			return Page[T]{}, err
		}
	}
	if n == 0 {
		page.Total = min(max(page.Total, 0), p.Offset)
	} else {
		page.Total = max(page.Total, seen)
	}
	return page, nil
}

// Map turns a page of records into a page of what is shown of them, element by
// element.
func Map[S, T any](p Page[S], show func(S) T) Page[T] {
	shown := make([]T, len(p.Results))
	for i, s := range p.Results {
		shown[i] = show(s)
	}
	return Page[T]{Results: shown, Total: p.Total, Limit: p.Limit, Offset: p.Offset}
}

// Next returns the offset of the page that follows, and whether there is one.
// None follows a page that is empty, whatever its total says, so that a loop
// over pages ends.
func (p Page[T]) Next() (offset int, more bool) {
	if n := len(p.Results); n > 0 && p.Offset < p.Total-n {
		return p.Offset + n, true
	}
	return 0, false
}
