package paginate_test

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/portavoz/portavoz/paginate"
)

// upTo returns the numbers from 0 to n-1.
func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func TestSlice(t *testing.T) {
	t.Parallel()
	type params = paginate.Params
	for name, tt := range map[string]struct {
		all    int
		params params
		want   string
		next   int // zero: none
	}{
		"first":                      {5, params{2, 0}, `{"resultados":[0,1],"total":5,"limit":2,"offset":0}`, 2},
		"middle":                     {5, params{2, 2}, `{"resultados":[2,3],"total":5,"limit":2,"offset":2}`, 4},
		"last":                       {5, params{2, 4}, `{"resultados":[4],"total":5,"limit":2,"offset":4}`, 0},
		"last and full":              {4, params{2, 2}, `{"resultados":[2,3],"total":4,"limit":2,"offset":2}`, 0},
		"at the end":                 {5, params{2, 5}, `{"resultados":[],"total":5,"limit":2,"offset":5}`, 0},
		"beyond the end":             {5, params{2, 9999}, `{"resultados":[],"total":5,"limit":2,"offset":9999}`, 0},
		"nothing found":              {0, params{10, 0}, `{"resultados":[],"total":0,"limit":10,"offset":0}`, 0},
		"zero params":                {12, params{}, `{"resultados":[0,1,2,3,4,5,6,7,8,9],"total":12,"limit":10,"offset":0}`, 10},
		"made by hand, below zero":   {3, params{-1, -1}, `{"resultados":[0,1,2],"total":3,"limit":10,"offset":0}`, 0},
		"made by hand, no overflows": {3, params{math.MaxInt32, 1}, `{"resultados":[1,2],"total":3,"limit":2147483647,"offset":1}`, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page := paginate.Slice(upTo(tt.all), tt.params)
			wantJSON(t, page, tt.want)
			if next, more := page.Next(); next != tt.next || more != (tt.next > 0) {
				t.Errorf("Next = %d, %t, want %d", next, more, tt.next)
			}
		})
	}
	wantJSON(t, paginate.Slice([]int(nil), params{math.MaxInt, math.MaxInt}).Results, `[]`)
}

// TestSliceCannotGrow: a list that is shared between calls is not written to.
func TestSliceCannotGrow(t *testing.T) {
	t.Parallel()
	all := upTo(5)
	page := paginate.Slice(all, paginate.Params{Limit: 2})
	page.Results = append(page.Results, 99)
	if want := upTo(5); !slices.Equal(all, want) {
		t.Errorf("the list is now %v, want %v", all, want)
	}
	short, _, err := paginate.Slice(all, paginate.Params{Limit: 4}).Fit(len(`{"resultados":[0,1],"total":5,"limit":2,"offset":0}`))
	if err != nil {
		t.Fatal(err)
	}
	short.Results = append(short.Results, 99)
	prefix, _, err := paginate.Prefix(all, len(`[0,1]`))
	if err != nil {
		t.Fatal(err)
	}
	prefix = append(prefix, 99)
	if len(prefix) != 3 || len(short.Results) != 3 {
		t.Errorf("prefix %v and page %v, want two elements and one more", prefix, short.Results)
	}
	if want := upTo(5); !slices.Equal(all, want) {
		t.Errorf("the list is now %v, want %v", all, want)
	}
}

// TestPagesTogether: following the next offset gives the whole list, once.
func TestPagesTogether(t *testing.T) {
	t.Parallel()
	for total := range 30 {
		for limit := 1; limit <= 12; limit++ {
			var got []int
			offset, more, pages := 0, true, 0
			for more {
				page := paginate.Slice(upTo(total), paginate.Params{Limit: limit, Offset: offset})
				if page.Total != total || len(page.Results) > limit {
					t.Fatalf("page = %+v, want a total of %d and %d results at most", page, total, limit)
				}
				got = append(got, page.Results...)
				offset, more = page.Next()
				pages++
			}
			if want := upTo(total); !slices.Equal(got, want) {
				t.Errorf("pages of %d: %v, want %v", limit, got, want)
			}
			if want := max(1, (total+limit-1)/limit); pages != want {
				t.Errorf("%d pages of %d of %d results, want %d", pages, limit, total, want)
			}
		}
	}
}

func TestNextByHand(t *testing.T) {
	t.Parallel()
	for name, page := range map[string]paginate.Page[int]{
		"zero":              {},
		"empty with a rest": {Total: 10, Limit: 5, Offset: 5},
		"no total":          {Results: []int{1}, Limit: 1},
		"end of int":        {Results: []int{1, 2}, Total: math.MaxInt, Offset: math.MaxInt - 1},
	} {
		if next, more := page.Next(); more || next != 0 {
			t.Errorf("%s: Next = %d, %t, want none", name, next, more)
		}
	}
}

func TestMap(t *testing.T) {
	t.Parallel()
	page := paginate.Map(paginate.Slice(upTo(5), paginate.Params{Limit: 2, Offset: 2}), func(i int) string { return string(rune('a' + i)) })
	wantJSON(t, page, `{"resultados":["c","d"],"total":5,"limit":2,"offset":2}`)
}

func TestListEncodes(t *testing.T) {
	t.Parallel()
	wantJSON(t, paginate.List[int](nil), `[]`)
	wantJSON(t, paginate.Page[string]{}, `{"resultados":[],"total":0,"limit":0,"offset":0}`)
	wantJSON(t, paginate.List[byte]{1, 2}, `[1,2]`)
	wantJSON(t, paginate.List[any]{nil, "<ñ>", 1.5}, `[null,"\u003cñ\u003e",1.5]`)
	wantJSON(t, paginate.List[*int]{nil}, `[null]`)
	wantJSON(t, struct {
		paginate.Page[int]
		Aviso string `json:"aviso"`
	}{Aviso: "x"}, `{"resultados":[],"total":0,"limit":0,"offset":0,"aviso":"x"}`)
	if raw, err := json.Marshal(paginate.List[float64]{1, math.NaN()}); err == nil {
		t.Errorf("NaN encodes as %s, want an error", raw)
	}
}

func TestPageDecodes(t *testing.T) {
	t.Parallel()
	var page paginate.Page[int]
	if err := json.Unmarshal([]byte(`{"resultados":[4],"total":5,"limit":2,"offset":4}`), &page); err != nil {
		t.Fatal(err)
	}
	wantJSON(t, page, `{"resultados":[4],"total":5,"limit":2,"offset":4}`)
}
