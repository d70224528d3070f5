package paginate_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/portavoz/portavoz/paginate"
)

func TestNamed(t *testing.T) {
	t.Parallel()
	first := paginate.Slice(upTo(5), paginate.Params{Limit: 2})
	last := paginate.Slice(upTo(5), paginate.Params{Limit: 2, Offset: 4})
	english := paginate.Names{Results: "items", Total: "count", Limit: "size", Offset: "from", Next: "next"}
	for name, tt := range map[string]struct {
		page  paginate.Page[int]
		names paginate.Names
		want  string
	}{
		"none":               {first, paginate.Names{}, `{"resultados":[0,1],"total":5,"limit":2,"offset":0}`},
		"next":               {first, paginate.Names{Next: "siguiente_offset"}, `{"resultados":[0,1],"total":5,"limit":2,"offset":0,"siguiente_offset":2}`},
		"next, last page":    {last, paginate.Names{Next: "siguiente_offset"}, `{"resultados":[4],"total":5,"limit":2,"offset":4}`},
		"all":                {first, english, `{"items":[0,1],"count":5,"size":2,"from":0,"next":2}`},
		"zero page":          {paginate.Page[int]{}, english, `{"items":[],"count":0,"size":0,"from":0}`},
		"names to be quoted": {last, paginate.Names{Total: "a\"<\u2028"}, `{"resultados":[4],"a\"\u003c\u2028":5,"limit":2,"offset":4}`},
		"another's default":  {last, paginate.Names{Total: "limit", Limit: "total"}, `{"resultados":[4],"limit":5,"total":2,"offset":4}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantJSON(t, tt.page.Named(tt.names), tt.want)
		})
	}
	wantJSON(t, paginate.NamedPage[int]{Page: last}, `{"resultados":[4],"total":5,"limit":2,"offset":4}`)
	if raw, err := json.Marshal(paginate.Slice([]float64{math.NaN()}, paginate.Params{}).Named(english)); err == nil {
		t.Errorf("NaN encodes as %s, want an error", raw)
	}
}

func TestNamedPanics(t *testing.T) {
	t.Parallel()
	const text = "portavoz/paginate: two members of a page are named "
	var page paginate.Page[int]
	wantPanic(t, text+"x", func() { page.Named(paginate.Names{Results: "x", Next: "x"}) })
	wantPanic(t, text+"limit", func() { page.Named(paginate.Names{Total: "limit"}) })
	wantPanic(t, text+"\xfe", func() { page.Named(paginate.Names{Total: "\xff", Limit: "\xfe"}) })
}
