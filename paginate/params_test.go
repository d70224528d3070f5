package paginate_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/paginate"
)

// refused is what a wrong limit or offset is answered with.
type refused struct{ code, field, sentence, cause string }

var (
	badLimit = refused{"invalid_limit", "limit", "El dato limit debe ser un número entero mayor que cero.",
		"portavoz/paginate: limit is "}
	badOffset = refused{"invalid_offset", "offset", "El dato offset debe ser un número entero desde cero hasta el máximo permitido.",
		"portavoz/paginate: offset is "}
	badPage = refused{"invalid_page", "limit", "Los datos limit y offset deben ser números enteros dentro de lo permitido.", ""}
)

func (r *refused) because(reason string) *refused {
	more := *r
	more.cause += reason
	return &more
}

// check holds err to want, and to what every refusal has; nil wants no error.
func (r *refused) check(t *testing.T, err error) {
	t.Helper()
	if r == nil {
		if err != nil {
			t.Errorf("error = %v, want none", err)
		}
		return
	}
	e, ok := errors.AsType[*errors.Error](err)
	if !ok {
		t.Fatalf("error = %v, want an *errors.Error", err)
	}
	if e.Type != errors.TypeValidation || e.Effect != errors.EffectNone || e.Retryable {
		t.Errorf("error = %#v, want VALIDATION without an effect, not retryable", e)
	}
	got := refused{e.Code, e.Field, errors.Messages(nil).For(e), e.Cause.Error()}
	if got != *r {
		t.Errorf("refused with\n %+v\nwant\n %+v", got, *r)
	}
}

func TestParams(t *testing.T) {
	t.Parallel()
	type params = paginate.Params
	tests := map[string]struct {
		args  string
		voice bool
		want  params
		err   *refused
	}{
		"none":                    {`{}`, false, params{10, 0}, nil},
		"null":                    {`{"limit":null,"offset":null}`, false, params{10, 0}, nil},
		"none, voice":             {`{}`, true, params{3, 0}, nil},
		"null, voice":             {`{"limit":null,"offset":null}`, true, params{3, 0}, nil},
		"given":                   {`{"limit":5,"offset":20}`, false, params{5, 20}, nil},
		"given, voice":            {`{"limit":5,"offset":20}`, true, params{3, 20}, nil},
		"fewer than voice takes":  {`{"limit":2}`, true, params{2, 0}, nil},
		"least":                   {`{"limit":1,"offset":0}`, false, params{1, 0}, nil},
		"most":                    {`{"limit":25,"offset":10000}`, false, params{25, 10_000}, nil},
		"limit above":             {`{"limit":26}`, false, params{25, 0}, nil},
		"limit of 2^31":           {`{"limit":2147483648}`, false, params{25, 0}, nil},
		"limit of 2^63":           {`{"limit":9223372036854775808}`, false, params{25, 0}, nil},
		"limit of 2^64":           {`{"limit":18446744073709551616}`, true, params{3, 0}, nil},
		"limit of 1e300":          {`{"limit":1e300}`, false, params{25, 0}, nil},
		"integral floats":         {`{"limit":10.0,"offset":1e1}`, false, params{10, 10}, nil},
		"negative exponent":       {`{"limit":20e-1}`, false, params{2, 0}, nil},
		"minus zero":              {`{"offset":-0.0}`, false, params{10, 0}, nil},
		"other names, other case": {`{"Limit":-1,"OFFSET":"x","texto":{"limit":0}}`, false, params{10, 0}, nil},

		"limit zero":       {`{"limit":0}`, false, params{}, badLimit.because("below 1")},
		"limit minus zero": {`{"limit":-0}`, false, params{}, badLimit.because("below 1")},
		"limit negative":   {`{"limit":-1e300}`, true, params{}, badLimit.because("below 1")},
		"limit fraction":   {`{"limit":2.5}`, false, params{}, badLimit.because("no whole number")},
		"half":             {`{"limit":0.5}`, false, params{}, badLimit.because("below 1")},

		"offset negative":       {`{"offset":-1}`, false, params{}, badOffset.because("below 0")},
		"offset barely below":   {`{"offset":-1e-9}`, false, params{}, badOffset.because("below 0")},
		"offset fraction":       {`{"offset":0.5}`, false, params{}, badOffset.because("no whole number")},
		"offset above":          {`{"offset":10001}`, false, params{}, badOffset.because("above 10000")},
		"offset fraction above": {`{"offset":10000.5}`, false, params{}, badOffset.because("no whole number")},
		"offset of 2^63":        {`{"offset":9223372036854775808}`, false, params{}, badOffset.because("above 10000")},
		"offset of 1e300":       {`{"offset":1e300}`, false, params{}, badOffset.because("above 10000")},

		"both": {`{"limit":-3,"offset":1e300}`, false, params{},
			badPage.because("portavoz/paginate: limit is below 1\nportavoz/paginate: offset is above 10000")},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for from, got := range everyWay(t, paginate.Rules{}, tt.args, tt.voice) {
				t.Run(from, func(t *testing.T) {
					if got.params != tt.want {
						t.Errorf("params = %+v, want %+v", got.params, tt.want)
					}
					tt.err.check(t, got.err)
				})
			}
		})
	}
}

type answer struct {
	params paginate.Params
	err    error
}

// everyWay reads the same arguments in every form that they can have.
func everyWay(t *testing.T, rules paginate.Rules, args string, voice bool) map[string]answer {
	t.Helper()
	got := make(map[string]answer)
	note := func(from string, p paginate.Params, err error) { got[from] = answer{p, err} }

	p, err := rules.FromJSON(json.RawMessage(args), voice)
	note("JSON", p, err)

	var decoded map[string]any
	if err := json.Unmarshal([]byte(args), &decoded); err != nil {
		t.Fatal(err)
	}
	p, err = rules.FromMap(decoded, voice)
	note("map", p, err)

	dec := json.NewDecoder(strings.NewReader(args))
	dec.UseNumber()
	var numbers map[string]any
	if err := dec.Decode(&numbers); err != nil {
		t.Fatal(err)
	}
	p, err = rules.FromMap(numbers, voice)
	note("map of json.Number", p, err)

	if strings.Contains(args, "Limit") {
		return got // encoding/json takes a field's name in any case
	}
	var bound struct {
		Texto any `json:"texto"`
		paginate.Args
	}
	if err := json.Unmarshal([]byte(args), &bound); err == nil {
		p, err = rules.FromArgs(bound.Args, voice)
		note("embedded struct", p, err)
	}
	return got
}

// TestNoNumber is about values that a struct of floats does not take.
func TestNoNumber(t *testing.T) {
	t.Parallel()
	for name, value := range map[string]string{
		"string": `"10"`, "words": `"diez"`, "empty": `""`, "bool": `true`, "list": `[10]`, "object": `{"limit":10}`,
		"cut surrogate": `"\ud800"`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for from, got := range everyWay(t, paginate.Rules{}, `{"limit":`+value+`}`, false) {
				t.Log(from)
				badLimit.because("no number").check(t, got.err)
			}
			for from, got := range everyWay(t, paginate.Rules{}, `{"offset":`+value+`}`, false) {
				t.Log(from)
				badOffset.because("no number").check(t, got.err)
			}
		})
	}
}

// TestFromMapGoValues is about values that no decoder makes.
func TestFromMapGoValues(t *testing.T) {
	t.Parallel()
	type count uint8
	none := (*int)(nil)
	for name, tt := range map[string]struct {
		limit any
		want  int
		err   *refused
	}{
		"int":                   {7, 7, nil},
		"int8":                  {int8(7), 7, nil},
		"int64":                 {int64(math.MaxInt64), 25, nil},
		"least int64":           {int64(math.MinInt64), 0, badLimit.because("below 1")},
		"uint64":                {uint64(math.MaxUint64), 25, nil},
		"a type of one's own":   {count(7), 7, nil},
		"float32":               {float32(7), 7, nil},
		"infinity":              {math.Inf(1), 25, nil},
		"minus infinity":        {math.Inf(-1), 0, badLimit.because("below 1")},
		"NaN":                   {math.NaN(), 0, badLimit.because("no number")},
		"float32 NaN":           {float32(math.NaN()), 0, badLimit.because("no number")},
		"json.Number too large": {json.Number("1e400"), 25, nil},
		"json.Number too small": {json.Number("1e-400"), 0, badLimit.because("below 1")},
		"json.Number empty":     {json.Number(""), 0, badLimit.because("no number")},
		"json.Number hex":       {json.Number("0x10"), 0, badLimit.because("no number")},
		"json.Number infinity":  {json.Number("Inf"), 0, badLimit.because("no number")},
		"json.Number NaN":       {json.Number("NaN"), 0, badLimit.because("no number")},
		"json.Number plus":      {json.Number("+7"), 0, badLimit.because("no number")},
		"json.Number zeros":     {json.Number("007"), 0, badLimit.because("no number")},
		"json.Number true":      {json.Number("true"), 0, badLimit.because("no number")},
		"nil pointer":           {none, 0, badLimit.because("no number")},
		"complex":               {complex(7, 0), 0, badLimit.because("no number")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := paginate.Rules{}.FromMap(map[string]any{"limit": tt.limit}, false)
			if got.Limit != tt.want {
				t.Errorf("limit = %d, want %d", got.Limit, tt.want)
			}
			tt.err.check(t, err)
		})
	}
	if got, err := (paginate.Rules{}).FromMap(nil, false); err != nil || got != (paginate.Params{Limit: 10}) {
		t.Errorf("nil map: %+v, %v, want the first ten", got, err)
	}
}

func TestFromArgsByHand(t *testing.T) {
	t.Parallel()
	nan, infinite := math.NaN(), math.Inf(1)
	_, err := paginate.Rules{}.FromArgs(paginate.Args{Limit: &nan}, false)
	badLimit.because("no number").check(t, err)
	_, err = paginate.Rules{}.FromArgs(paginate.Args{Offset: &infinite}, false)
	badOffset.because("above 10000").check(t, err)
	got, err := paginate.Rules{}.FromArgs(paginate.Args{Limit: &infinite}, true)
	if want := (paginate.Params{Limit: 3}); got != want || err != nil {
		t.Errorf("an infinite limit on voice: %+v, %v, want %+v", got, err, want)
	}
}

func TestFromJSONWhole(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		args string
		ok   bool
	}{
		"nothing":        {``, true},
		"null":           {`null`, true},
		"white space":    {" {\n} ", true},
		"repeated name":  {`{"limit":"x","limit":10}`, true},
		"beyond float64": {`{"limit":1e400,"offset":1e-400,"limit":1` + strings.Repeat("0", 400) + `}`, true},
		"a list":         {`[10]`, false},
		"a string":       {`"{}"`, false},
		"a number":       {`10`, false},
		"cut":            {`{"limit":10`, false},
		"two":            {`{} {}`, false},
		"leading zero":   {`{"limit":010}`, false},
		"NaN":            {`{"limit":NaN}`, false},
		"nested":         {strings.Repeat(`{"a":`, 100_000), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := paginate.Rules{}.FromJSON([]byte(tt.args), false)
			if tt.ok {
				if err != nil || got.Offset != 0 || got.Limit < 10 {
					t.Errorf("params = %+v, %v, want the first page", got, err)
				}
				return
			}
			e, ok := errors.AsType[*errors.Error](err)
			if !ok || e.Type != errors.TypeValidation || e.Field != "" || got != (paginate.Params{}) {
				t.Errorf("params = %+v, error = %v, want VALIDATION without a field", got, err)
			}
		})
	}
}

// TestErrorTellsNoValue: what a caller sent does not get into the log.
func TestErrorTellsNoValue(t *testing.T) {
	t.Parallel()
	_, err := paginate.Rules{}.FromJSON([]byte(`{"limit":"secreto","offset":-4242}`), false)
	if err == nil || strings.Contains(err.Error(), "secreto") || strings.Contains(err.Error(), "4242") {
		t.Errorf("error = %v, want one without the values", err)
	}
}
