package paginate_test

import (
	"errors"
	"testing"

	"github.com/portavoz/portavoz/paginate"
)

func TestNewRules(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		cfg         paginate.Config
		none, most  int // the limit where none and where a huge one is asked for
		voice, deep int // the same on voice, and the greatest offset
	}{
		"zero":              {paginate.Config{}, 10, 25, 3, 10_000},
		"all":               {paginate.Config{DefaultLimit: 20, MaxLimit: 50, MaxOffset: 100}, 20, 50, 3, 100},
		"maximum below ten": {paginate.Config{MaxLimit: 5}, 5, 5, 3, 10_000},
		"one at a time":     {paginate.Config{MaxLimit: 1}, 1, 1, 1, 10_000},
		"default of one":    {paginate.Config{DefaultLimit: 1}, 1, 25, 1, 10_000},
		"the bounds":        {paginate.Config{DefaultLimit: 1000, MaxLimit: 1000, MaxOffset: 1e9}, 1000, 1000, 3, 1e9},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rules, err := paginate.NewRules(tt.cfg)
			if err != nil {
				t.Fatal(err)
			}
			limit := func(args map[string]any, voice bool) int {
				t.Helper()
				p, err := rules.FromMap(args, voice)
				if err != nil {
					t.Fatal(err)
				}
				return p.Limit
			}
			huge := map[string]any{"limit": 1e300}
			if got := limit(nil, false); got != tt.none {
				t.Errorf("no limit: %d, want %d", got, tt.none)
			}
			if got := limit(huge, false); got != tt.most {
				t.Errorf("huge limit: %d, want %d", got, tt.most)
			}
			if got := limit(nil, true); got != tt.voice {
				t.Errorf("no limit, voice: %d, want %d", got, tt.voice)
			}
			if got, want := limit(huge, true), min(tt.most, 3); got != want {
				t.Errorf("huge limit, voice: %d, want %d", got, want)
			}
			if p, err := rules.FromMap(map[string]any{"offset": tt.deep}, false); err != nil || p.Offset != tt.deep {
				t.Errorf("greatest offset: %+v, %v, want %d", p, err, tt.deep)
			}
			if p, err := rules.FromMap(map[string]any{"offset": tt.deep + 1}, false); err == nil {
				t.Errorf("an offset too great: %+v, want an error", p)
			}
		})
	}
}

func TestNewRulesRefuses(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		cfg  paginate.Config
		want string
	}{
		"negative": {
			paginate.Config{DefaultLimit: -1, MaxLimit: -1, MaxOffset: -1},
			"portavoz/paginate: DefaultLimit must be between 0 and 1000\n" +
				"portavoz/paginate: MaxLimit must be between 0 and 1000\n" +
				"portavoz/paginate: MaxOffset must be between 0 and 1000000000",
		},
		"too great": {
			paginate.Config{DefaultLimit: 5, MaxLimit: 1001, MaxOffset: 1e9 + 1},
			"portavoz/paginate: MaxLimit must be between 0 and 1000\n" +
				"portavoz/paginate: MaxOffset must be between 0 and 1000000000",
		},
		"default above the maximum":  {paginate.Config{DefaultLimit: 30}, "portavoz/paginate: DefaultLimit must not be above MaxLimit, 25"},
		"default above its maximum":  {paginate.Config{DefaultLimit: 6, MaxLimit: 5}, "portavoz/paginate: DefaultLimit must not be above MaxLimit, 5"},
		"the same, and another one":  {paginate.Config{DefaultLimit: 6, MaxLimit: 5, MaxOffset: -1}, "portavoz/paginate: MaxOffset must be between 0 and 1000000000\nportavoz/paginate: DefaultLimit must not be above MaxLimit, 5"},
		"not compared with nonsense": {paginate.Config{DefaultLimit: 6, MaxLimit: -5}, "portavoz/paginate: MaxLimit must be between 0 and 1000"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rules, err := paginate.NewRules(tt.cfg)
			if err == nil || err.Error() != tt.want {
				t.Errorf("error =\n%v\nwant\n%s", err, tt.want)
			}
			var typed *paginate.ConfigError
			if !errors.As(err, &typed) {
				t.Errorf("%T holds no *ConfigError", err)
			}
			if rules != (paginate.Rules{}) {
				t.Errorf("rules = %+v, want the contract's", rules)
			}
		})
	}
}

func TestNumericStrings(t *testing.T) {
	t.Parallel()
	rules, err := paginate.NewRules(paginate.Config{NumericStrings: true})
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		args string
		want paginate.Params
		err  *refused
	}{
		"strings":         {`{"limit":"5","offset":"20"}`, paginate.Params{Limit: 5, Offset: 20}, nil},
		"as JSON writes":  {`{"limit":"1e1","offset":"20.0"}`, paginate.Params{Limit: 10, Offset: 20}, nil},
		"white space":     {`{"limit":" 5\n"}`, paginate.Params{Limit: 5}, nil},
		"escaped":         {`{"limit":"\u0035"}`, paginate.Params{Limit: 5}, nil},
		"too large":       {`{"limit":"1e999"}`, paginate.Params{Limit: 25}, nil},
		"numbers as ever": {`{"limit":5}`, paginate.Params{Limit: 5}, nil},
		"empty":           {`{"limit":""}`, paginate.Params{}, badLimit.because("no number")},
		"word null":       {`{"limit":"null"}`, paginate.Params{}, badLimit.because("no number")},
		"words":           {`{"offset":"diez"}`, paginate.Params{}, badOffset.because("no number")},
		"infinity":        {`{"limit":"Infinity"}`, paginate.Params{}, badLimit.because("no number")},
		"hex":             {`{"limit":"0x10"}`, paginate.Params{}, badLimit.because("no number")},
		"thousands":       {`{"offset":"1_000"}`, paginate.Params{}, badOffset.because("no number")},
		"two numbers":     {`{"limit":"5 6"}`, paginate.Params{}, badLimit.because("no number")},
		"fraction":        {`{"limit":"2.5"}`, paginate.Params{}, badLimit.because("no whole number")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for from, got := range everyWay(t, rules, tt.args, false) {
				if got.params != tt.want {
					t.Errorf("%s: params = %+v, want %+v", from, got.params, tt.want)
				}
				tt.err.check(t, got.err)
			}
		})
	}
}
