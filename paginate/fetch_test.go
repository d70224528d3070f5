package paginate_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/portavoz/portavoz/paginate"
)

// source is a list that somebody else changes: what is fetched and what is
// counted need not agree.
type source struct {
	rows, total         int // what lies behind fetch, and what count says
	fetchErr, countErr  error
	counted             bool
	askedLimit, askedAt int
}

func (s *source) fetch(_ context.Context, limit, offset int) ([]int, error) {
	s.askedLimit, s.askedAt = limit, offset
	all := upTo(s.rows)
	start := min(offset, len(all))
	return all[start : start+min(limit, len(all)-start)], s.fetchErr
}

func (s *source) count(context.Context) (int, error) {
	s.counted = true
	return s.total, s.countErr
}

func TestFetch(t *testing.T) {
	t.Parallel()
	type params = paginate.Params
	for name, tt := range map[string]struct {
		source  source
		params  params
		want    string
		counted bool
	}{
		"full page":                   {source{rows: 5, total: 5}, params{2, 0}, `{"resultados":[0,1],"total":5,"limit":2,"offset":0}`, true},
		"full and last":               {source{rows: 4, total: 4}, params{2, 2}, `{"resultados":[2,3],"total":4,"limit":2,"offset":2}`, true},
		"not full":                    {source{rows: 5, total: 5}, params{2, 4}, `{"resultados":[4],"total":5,"limit":2,"offset":4}`, false},
		"nothing found":               {source{rows: 0, total: 0}, params{10, 0}, `{"resultados":[],"total":0,"limit":10,"offset":0}`, false},
		"beyond the end":              {source{rows: 5, total: 5}, params{2, 9}, `{"resultados":[],"total":5,"limit":2,"offset":9}`, true},
		"zero params":                 {source{rows: 11, total: 11}, params{}, `{"resultados":[0,1,2,3,4,5,6,7,8,9],"total":11,"limit":10,"offset":0}`, true},
		"fewer since":                 {source{rows: 5, total: 1}, params{2, 2}, `{"resultados":[2,3],"total":4,"limit":2,"offset":2}`, true},
		"all gone since":              {source{rows: 5, total: 0}, params{2, 0}, `{"resultados":[0,1],"total":2,"limit":2,"offset":0}`, true},
		"more since":                  {source{rows: 4, total: 9}, params{2, 2}, `{"resultados":[2,3],"total":9,"limit":2,"offset":2}`, true},
		"more since, beyond the end":  {source{rows: 4, total: 9}, params{2, 4}, `{"resultados":[],"total":4,"limit":2,"offset":4}`, true},
		"a count below zero":          {source{rows: 2, total: -1}, params{2, 0}, `{"resultados":[0,1],"total":2,"limit":2,"offset":0}`, true},
		"the same, beyond the end":    {source{rows: 2, total: -1}, params{2, 2}, `{"resultados":[],"total":0,"limit":2,"offset":2}`, true},
		"made by hand, below the end": {source{rows: 2, total: 2}, params{2, math.MaxInt32}, `{"resultados":[],"total":2,"limit":2,"offset":2147483647}`, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := tt.source
			page, err := paginate.Fetch(t.Context(), tt.params, s.count, s.fetch)
			if err != nil {
				t.Fatal(err)
			}
			wantJSON(t, page, tt.want)
			if s.counted != tt.counted {
				t.Errorf("counted: %t, want %t", s.counted, tt.counted)
			}
			if s.askedLimit != page.Limit || s.askedAt != page.Offset {
				t.Errorf("asked for limit %d and offset %d, want what the page says", s.askedLimit, s.askedAt)
			}
		})
	}
}

// TestFetchTooMuch is a source that does not look at the limit.
func TestFetchTooMuch(t *testing.T) {
	t.Parallel()
	s := source{total: 3}
	all := upTo(5)
	page, err := paginate.Fetch(t.Context(), paginate.Params{Limit: 2}, s.count,
		func(context.Context, int, int) ([]int, error) { return all, nil })
	if err != nil {
		t.Fatal(err)
	}
	wantJSON(t, page, `{"resultados":[0,1],"total":5,"limit":2,"offset":0}`)
	page.Results = append(page.Results, 99)
	if want := upTo(5); !slices.Equal(all, want) {
		t.Errorf("what was fetched is now %v, want %v", all, want)
	}
	page, err = paginate.Fetch(t.Context(), paginate.Params{Limit: 9, Offset: math.MaxInt - 1}, s.count,
		func(context.Context, int, int) ([]int, error) { return all, nil })
	if err != nil || page.Total != math.MaxInt {
		t.Errorf("at the end of int: total %d, %v, want %d", page.Total, err, math.MaxInt)
	}
}

func TestFetchErrors(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	s := source{rows: 5, total: 5, fetchErr: broken}
	page, err := paginate.Fetch(t.Context(), paginate.Params{Limit: 2}, s.count, s.fetch)
	if err != broken || page.Results != nil || s.counted { //nolint:errorlint // as it is, not wrapped
		t.Errorf("fetch fails: %+v, %v, counted %t, want the error alone", page, err, s.counted)
	}
	s = source{rows: 5, total: 5, countErr: broken}
	page, err = paginate.Fetch(t.Context(), paginate.Params{Limit: 2}, s.count, s.fetch)
	if err != broken || page.Results != nil { //nolint:errorlint // as it is, not wrapped
		t.Errorf("count fails: %+v, %v, want the error alone", page, err)
	}
}

func TestFetchPassesTheContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := paginate.Fetch(ctx, paginate.Params{Limit: 1, Offset: 1},
		func(ctx context.Context) (int, error) { return 0, ctx.Err() },
		func(got context.Context, _, _ int) ([]int, error) {
			if got != ctx {
				t.Error("fetch got another context")
			}
			return nil, nil
		})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v, want that of the canceled context", err)
	}
}

func TestFetchPanics(t *testing.T) {
	t.Parallel()
	s := source{}
	const want = "portavoz/paginate: Fetch without a function to count or to fetch"
	wantPanic(t, want, func() { _, _ = paginate.Fetch(t.Context(), paginate.Params{}, nil, s.fetch) })
	wantPanic(t, want, func() { _, _ = paginate.Fetch[int](t.Context(), paginate.Params{}, s.count, nil) })
}

func wantPanic(t *testing.T, want string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if got := recover(); got != want {
			t.Errorf("panic %v, want %v", got, want)
		}
	}()
	f()
}
