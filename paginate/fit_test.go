package paginate_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/portavoz/portavoz/paginate"
)

func TestPageFit(t *testing.T) {
	t.Parallel()
	words := []string{"uno", "dos", "tres", "cuatro"}
	all := paginate.Slice(words, paginate.Params{})
	part := paginate.Slice(words, paginate.Params{Limit: 3, Offset: 1})
	empty := paginate.Slice(words, paginate.Params{Offset: 9})
	for name, tt := range map[string]struct {
		page   paginate.Page[string]
		budget int
		want   string // empty: nothing fits
		next   int
	}{
		"all":          {all, 76, `{"resultados":["uno","dos","tres","cuatro"],"total":4,"limit":10,"offset":0}`, 0},
		"plenty":       {all, math.MaxInt, `{"resultados":["uno","dos","tres","cuatro"],"total":4,"limit":10,"offset":0}`, 0},
		"one short":    {all, 75, `{"resultados":["uno","dos","tres"],"total":4,"limit":3,"offset":0}`, 3},
		"one":          {all, 53, `{"resultados":["uno"],"total":4,"limit":1,"offset":0}`, 1},
		"none":         {all, 52, ``, 0},
		"zero":         {all, 0, ``, 0},
		"below zero":   {all, math.MinInt, ``, 0},
		"part":         {part, 60, `{"resultados":["dos","tres"],"total":4,"limit":2,"offset":1}`, 3},
		"empty":        {empty, 49, `{"resultados":[],"total":4,"limit":10,"offset":9}`, 0},
		"empty, short": {empty, 48, ``, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page, raw, err := tt.page.Fit(tt.budget)
			if tt.want == "" {
				if !errors.Is(err, paginate.ErrNothingFits) || raw != nil {
					t.Errorf("raw = %s, %v, want ErrNothingFits alone", raw, err)
				}
				tt.want = fmt.Sprintf(`{"resultados":[],"total":4,"limit":%d,"offset":%d}`, tt.page.Limit, tt.page.Offset)
			} else if string(raw) != tt.want || err != nil {
				t.Errorf("raw =\n %s, %v, want\n %s", raw, err, tt.want)
			}
			wantJSON(t, page, tt.want)
			if next, more := page.Next(); next != tt.next || more != (tt.next > 0) {
				t.Errorf("Next = %d, %t, want %d", next, more, tt.next)
			}
		})
	}
}

// TestFitLastIsShorter: the last page has no next offset, so that all results
// may fit where all but one do not.
func TestFitLastIsShorter(t *testing.T) {
	t.Parallel()
	page := paginate.Slice([]int{1, 2, 3}, paginate.Params{Limit: 3}).Named(paginate.Names{Next: "siguiente_offset"})
	const whole = `{"resultados":[1,2,3],"total":3,"limit":3,"offset":0}`
	got, raw, err := page.Fit(len(whole))
	if string(raw) != whole || err != nil {
		t.Errorf("raw = %s, %v, want %s", raw, err, whole)
	}
	wantJSON(t, got, whole)
	if _, raw, err = page.Fit(len(whole) - 1); !errors.Is(err, paginate.ErrNothingFits) {
		t.Errorf("raw = %s, %v, want ErrNothingFits", raw, err)
	}
	const first = `{"resultados":[1],"total":3,"limit":1,"offset":0,"siguiente_offset":1}`
	long := paginate.Slice([]string{"1", strings.Repeat("x", 99), "3"}, paginate.Params{Limit: 3}).Named(paginate.Names{Next: "siguiente_offset"})
	if _, raw, err = long.Fit(len(first) + 2); string(raw) != strings.Replace(first, "[1]", `["1"]`, 1) {
		t.Errorf("raw = %s, %v, want the first result and the next offset", raw, err)
	}
}

func TestPrefix(t *testing.T) {
	t.Parallel()
	words := []string{"uno", "ñandú", "👍", "<b>"}
	for name, tt := range map[string]struct {
		items  []string
		budget int
		want   string // empty: nothing fits
		n      int
	}{
		"all":                      {words, 36, `["uno","ñandú","👍","\u003cb\u003e"]`, 4},
		"an escape short":          {words, 35, `["uno","ñandú","👍"]`, 3},
		"a surrogate pair":         {words, 20, `["uno","ñandú","👍"]`, 3},
		"half a surrogate pair":    {words, 19, `["uno","ñandú"]`, 2},
		"two bytes, one unit":      {words, 15, `["uno","ñandú"]`, 2},
		"the first":                {words, 7, `["uno"]`, 1},
		"not the first":            {words, 6, ``, 0},
		"nothing in, two brackets": {nil, 2, `[]`, 0},
		"nothing in, one":          {nil, 1, ``, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, raw, err := paginate.Prefix(tt.items, tt.budget)
			if string(raw) != tt.want || (tt.want == "") != errors.Is(err, paginate.ErrNothingFits) {
				t.Errorf("Prefix = %s, %v, want %s", raw, err, tt.want)
			}
			if !slices.Equal(got, tt.items[:tt.n]) {
				t.Errorf("items = %q, want the first %d", got, tt.n)
			}
		})
	}
}

// counter counts how often it is encoded.
type counter struct {
	text  string
	times *int
}

func (c *counter) MarshalJSON() ([]byte, error) {
	*c.times++
	return json.Marshal(c.text)
}

// TestFitEncodesOnce: each result once, and none far behind what fits.
func TestFitEncodesOnce(t *testing.T) {
	t.Parallel()
	items := make([]counter, 100)
	for i := range items {
		items[i] = counter{"0123456789", new(int)}
	}
	page, raw, err := paginate.Slice(items, paginate.Params{Limit: 100}).Named(paginate.Names{Next: "next"}).Fit(500)
	if err != nil {
		t.Fatal(err)
	}
	fits := len(page.Results)
	if fits < 20 || fits > 40 || len(raw) > 500 {
		t.Fatalf("%d results in %d bytes, want about 33 in 500", fits, len(raw))
	}
	for i, item := range items {
		switch got := *item.times; {
		case i < fits && got != 1:
			t.Errorf("result %d, which fits, was encoded %d times, want once", i, got)
		case i >= fits && got > 1, i > fits+2 && got > 0:
			t.Errorf("result %d, of which %d fit, was encoded %d times", i, fits, got)
		}
	}
}

func TestFitErrors(t *testing.T) {
	t.Parallel()
	items := []any{1, 2, math.NaN(), 4}
	page, raw, err := paginate.Slice(items, paginate.Params{}).Fit(1000)
	var unsupported *json.UnsupportedValueError
	if !errors.As(err, &unsupported) || raw != nil || len(page.Results) != 0 {
		t.Errorf("Fit = %+v, %s, %v, want what encoding/json says", page, raw, err)
	}
	got, raw, err := paginate.Prefix(items, 4)
	if string(raw) != `[1]` || len(got) != 1 || err != nil {
		t.Errorf("Prefix = %v, %s, %v, want [1]: the broken one lies behind what does not fit", got, raw, err)
	}
	got, raw, err = paginate.Prefix(items, 1000)
	if !errors.As(err, &unsupported) || raw != nil || len(got) != 0 {
		t.Errorf("Prefix = %v, %s, %v, want what encoding/json says", got, raw, err)
	}
}

// TestFitAgainstBruteForce encodes every prefix of random pages.
func TestFitAgainstBruteForce(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	rnd := rand.New(rand.NewPCG(seed, 0))
	alphabet := []string{"a", "ñ", "€", "👍", "<", "\"", "\u2028", "\xff", "\n"}
	for range 300 {
		items := make([]string, rnd.IntN(15))
		for i := range items {
			for range rnd.IntN(9) {
				items[i] += alphabet[rnd.IntN(len(alphabet))]
			}
		}
		offset := []int{0, 1, 8, 95, 9_990}[rnd.IntN(5)]
		page := paginate.Page[string]{
			Results: items, Total: offset + len(items) + rnd.IntN(2)*rnd.IntN(100),
			Limit: len(items) + rnd.IntN(2)*rnd.IntN(10), Offset: offset,
		}
		names := []paginate.Names{{}, {Next: "siguiente_offset"}, {Results: "ñ👍<", Total: "t", Limit: "l", Offset: "o", Next: "n"}}[rnd.IntN(3)]
		budget := 35 + rnd.IntN(250)
		if problem := fitProblem(page, names, budget); problem != "" {
			t.Errorf("seed %d: %+v, %+v, budget %d: %s", seed, page, names, budget, problem)
		}
	}
}

// fitProblem says how Fit differs from encoding every prefix with encoding/json.
func fitProblem[T any](page paginate.Page[T], names paginate.Names, budget int) string {
	var want []byte
	wantN := -1
	for n := range len(page.Results) + 1 {
		if n == 0 && len(page.Results) > 0 {
			continue
		}
		candidate := page
		if n < len(page.Results) {
			candidate.Results, candidate.Limit = page.Results[:n], n
		}
		raw, err := json.Marshal(candidate.Named(names))
		if err != nil {
			return err.Error()
		}
		if units(raw) <= budget {
			want, wantN = raw, n
		}
	}
	got, raw, err := page.Named(names).Fit(budget)
	switch {
	case string(raw) != string(want):
		return fmt.Sprintf("Fit =\n %s, want\n %s", raw, want)
	case wantN < 0 && (!errors.Is(err, paginate.ErrNothingFits) || len(got.Results) != 0):
		return fmt.Sprintf("Fit = %+v, %v, want ErrNothingFits", got, err)
	case wantN < 0:
		return ""
	case err != nil || len(got.Results) != wantN || got.Total != page.Total || got.Offset != page.Offset:
		return fmt.Sprintf("Fit = %+v, %v, want %d results, the rest as it was", got, err, wantN)
	}
	if again, err := json.Marshal(got); string(again) != string(raw) {
		return fmt.Sprintf("the page encodes as\n %s, %v, Fit says\n %s", again, err, raw)
	}
	if next, more := got.Next(); wantN < len(page.Results) && next != page.Offset+wantN {
		return fmt.Sprintf("Next = %d, %t, want %d", next, more, page.Offset+wantN)
	}
	return ""
}

// units counts as JavaScript does, the slow way.
func units(raw []byte) int { return len(utf16.Encode([]rune(string(raw)))) }

// TestFittedPagesTogether: a client that follows the next offset sees everything
// once, however small the budget makes the pages.
func TestFittedPagesTogether(t *testing.T) {
	t.Parallel()
	var all []string
	for i := range 40 {
		all = append(all, fmt.Sprint(i, strings.Repeat("ñ", i%13)))
	}
	for budget := 75; budget < 400; budget += 25 {
		var got []string
		for offset, more := 0, true; more; {
			page, _, err := paginate.Slice(all, paginate.Params{Limit: 7, Offset: offset}).Fit(budget)
			if err != nil {
				t.Fatalf("budget %d, offset %d: %v", budget, offset, err)
			}
			got = append(got, page.Results...)
			offset, more = page.Next()
		}
		if !slices.Equal(got, all) {
			t.Errorf("budget %d: %q, want %q", budget, got, all)
		}
	}
}

func TestUTF16Len(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"": 0, "abc": 3, "ñ": 1, "€": 1, "👍": 2, "👨‍👩‍👧": 8, "e\u0301": 2, "\uFFFF": 1, "\U00010000": 2} {
		if got := paginate.UTF16Len(text); got != want {
			t.Errorf("UTF16Len(%q) = %d, want %d", text, got, want)
		}
		if got := paginate.UTF16Len([]byte(text)); got != want {
			t.Errorf("UTF16Len of the bytes of %q = %d, want %d", text, got, want)
		}
	}
}

// TestUTF16LenAsEncoded: what is counted is what an encoder makes, of broken UTF-8
// too, wherever in a word of eight bytes it stands.
func TestUTF16LenAsEncoded(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"", "a", "ñ", "日", "😀", "12345678", "1234567ñ", "ñ2345678", "123456789012345ñ", "ñññññññññ", "😀😀😀",
		"\xff", "\xc3", "a\xe2\x82", "1234567\xf0\x9f\x98", "\x80\x80\x80\x80\x80\x80\x80\x80", "\xc0\x80", "\xed\xa0\x80",
	} {
		want := len(utf16.Encode([]rune(s)))
		if got := paginate.UTF16Len(s); got != want {
			t.Errorf("UTF16Len(%q) = %d, want %d", s, got, want)
		}
		if got := paginate.UTF16Len([]byte(s)); got != want {
			t.Errorf("UTF16Len of the bytes of %q = %d, want %d", s, got, want)
		}
	}
}
