package paginate

import (
	"encoding/json"

	"github.com/portavoz/portavoz/errors"
)

// ErrNothingFits says that a budget has no room for even one element, or not for
// the page around it. Repeating the call does not help: show less of each
// element. It is no failure for the person; a handler returns one of its own.
var ErrNothingFits = errors.New("portavoz/paginate: not even one element fits the budget")

// Fit returns the largest page that fits budget, with its encoding: the most
// results from the first on, so that one more would not fit. The budget is in
// UTF-16 code units of the page as [json.Marshal] writes it, names, numbers and
// escapes included: the gateway takes 3,000 and its runtime is JavaScript.
//
// Where results are dropped, the limit becomes the number of those that are
// left, the total stays, and [Page.Next] leads to the first one dropped. A page
// that fits stays as it is.
//
// If not one result fits, or not even a page without results, the error is
// [ErrNothingFits], and the page is empty and the last one as [Page.Next] says,
// so that a loop over pages ends. An element that cannot be encoded is an error
// too, if it comes before what does not fit.
//
// No element is encoded twice, and once the budget is used up the rest is not
// encoded at all. Hand over the encoding instead of the page, and
// nothing is encoded again.
func (p Page[T]) Fit(budget int) (Page[T], json.RawMessage, error) {
	return fit(p, newLayout(Names{}), budget)
}

// Fit is [Page.Fit] for the page with its own names.
func (p NamedPage[T]) Fit(budget int) (NamedPage[T], json.RawMessage, error) {
	page, encoded, err := fit(p.Page, p.layoutOrDefault(), budget)
	return NamedPage[T]{page, p.layout}, encoded, err
}

// Prefix returns as many of the first items as fit budget, encoded as a JSON
// array; one more would not fit. The budget is that of [Page.Fit], and so are
// the errors: if there are items and none fits, or not even an empty array, the
// error is [ErrNothingFits].
func Prefix[T any](items []T, budget int) ([]T, json.RawMessage, error) {
	n, encoded, err := longest("[", items, budget, len("]"), func(dst []byte, _ int) []byte {
		return append(dst, ']')
	})
	return items[:n:n], encoded, err
}

func fit[T any](p Page[T], l *layout, budget int) (Page[T], json.RawMessage, error) {
	// No tail is shorter than one with a limit of one digit and nothing next.
	least := UTF16Len(appendTail(l, nil, Page[T]{Total: p.Total, Limit: 1, Offset: p.Offset}))
	n, encoded, err := longest(l.head, p.Results, budget, least, func(dst []byte, n int) []byte {
		return appendTail(l, dst, p.first(n))
	})
	if err != nil {
		p.Results = List[T]{}
		return p, nil, err
	}
	return p.first(n), encoded, nil
}

// first returns the page with its first n results.
func (p Page[T]) first(n int) Page[T] {
	if n < len(p.Results) {
		p.Results, p.Limit = p.Results[:n:n], n
	}
	return p
}

// longest finds the greatest n, at least one if there are items, such that head,
// the first n items and tail(n) fit budget, and returns them together. A tail
// may be shorter than the one before it (the last page has no next offset), so
// the search goes on for as long as the items and the least tail fit.
func longest[T any](head string, items []T, budget, least int, tail func(dst []byte, n int) []byte) (int, []byte, error) {
	w := newWriter(head)
	units, n, end := UTF16Len(head), 0, 0
	var scratch []byte
	for i := range len(items) + 1 {
		if i > 0 {
			before := w.Len()
			if err := writeElement(w, items, i-1); err != nil {
				return 0, nil, err
			}
			units += UTF16Len(w.Bytes()[before:])
		}
		if units+least > budget {
			break
		}
		if i == 0 && len(items) > 0 {
			continue
		}
		scratch = tail(scratch[:0], i)
		if units+UTF16Len(scratch) <= budget {
			n, end = i, w.Len()
		}
	}
	if end == 0 {
		return 0, nil, ErrNothingFits
	}
	w.Truncate(end)
	return n, tail(w.Bytes(), n), nil
}
