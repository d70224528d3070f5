package paginate_test

import (
	"encoding/json"
	"math"
	"testing"
	"unicode/utf8"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/paginate"
)

// FuzzFromJSON reads any arguments: a page within bounds, or a VALIDATION that
// names what is wrong. Decoded into a map first they give the same.
func FuzzFromJSON(f *testing.F) {
	for _, args := range []string{
		``, `null`, `{}`, `[]`, `{"limit":null,"offset":null}`, `{"limit":10,"offset":20}`, `{"limit":10.0,"offset":1e1}`,
		`{"limit":-1,"offset":-1}`, `{"limit":0.5,"offset":1e-400}`, `{"limit":1e400,"offset":9223372036854775808}`,
		`{"limit":"10","offset":" 3 "}`, `{"limit":"NaN","offset":"0x1p4"}`, `{"limit":{},"offset":[null]}`, `{"limit":1,"limit":"x"}`,
		"{\"limit\":\"\xff\"}", `{"li\u006dit":3}`, `{"Limit":3}`, `{"limit":"\ud800"}`,
	} {
		f.Add([]byte(args), false, false)
		f.Add([]byte(args), true, true)
	}
	f.Fuzz(func(t *testing.T, args []byte, voice, stringsToo bool) {
		rules, err := paginate.NewRules(paginate.Config{NumericStrings: stringsToo})
		if err != nil {
			t.Fatal(err)
		}
		got, err := rules.FromJSON(args, voice)
		wantSound(t, args, voice, got, err)

		var decoded map[string]any
		if json.Unmarshal(args, &decoded) != nil {
			return // no object, or a number that no float64 holds
		}
		same, sameErr := rules.FromMap(decoded, voice)
		if same != got || codeOf(sameErr) != codeOf(err) {
			t.Errorf("%q: %+v, %v from the map, want %+v, %v", args, same, sameErr, got, err)
		}
	})
}

// wantSound holds the answer to any arguments to what FromJSON promises.
func wantSound(t *testing.T, args []byte, voice bool, got paginate.Params, err error) {
	t.Helper()
	if err == nil {
		most := paginate.MaxLimit
		if voice {
			most = paginate.VoiceLimit
		}
		if got.Limit < 1 || got.Limit > most || got.Offset < 0 || got.Offset > paginate.MaxOffset {
			t.Errorf("%q: %+v, want a limit from 1 to %d and an offset from 0 to %d", args, got, most, paginate.MaxOffset)
		}
		return
	}
	e, ok := errors.AsType[*errors.Error](err)
	if !ok || e.Type != errors.TypeValidation || got != (paginate.Params{}) {
		t.Fatalf("%q: %+v, %v, want a VALIDATION alone", args, got, err)
	}
	var object map[string]json.RawMessage
	isObject := json.Unmarshal(args, &object) == nil
	if named := e.Field == "limit" || e.Field == "offset"; named != isObject {
		t.Errorf("%q: field %q", args, e.Field)
	}
}

func codeOf(err error) string {
	if e, ok := errors.AsType[*errors.Error](err); ok {
		return e.Code + "/" + e.Field
	}
	return ""
}

// FuzzFit compares with the encodings of all prefixes.
func FuzzFit(f *testing.F) {
	f.Add("uno\x00dos\x00tres", 0, 3, 3, 60, "")
	f.Add("ñ\x00👍\x00<\x00\xff", 9, 20, 10, 90, "siguiente_offset")
	f.Add("", 0, 0, 10, 46, "n")
	f.Add("1\x002\x003\x004\x005\x006\x007\x008\x009\x0010\x0011", 95, 106, 25, 120, "next")
	f.Add("a\x00b", -3, -1, -10, 70, "next\u2028")
	f.Fuzz(func(t *testing.T, text string, offset, total, limit, budget int, next string) {
		names := paginate.Names{Next: next}
		switch next {
		case "resultados", "total", "limit", "offset":
			return // panics, as it should
		}
		page := paginate.Page[string]{Limit: limit, Offset: max(offset, 0)}
		for len(text) > 0 && len(page.Results) < 50 {
			end := 0
			for end < len(text) && text[end] != 0 {
				_, size := utf8.DecodeRuneInString(text[end:])
				end += size
			}
			page.Results = append(page.Results, text[:end])
			text = text[min(end+1, len(text)):]
		}
		page.Total = max(total, min(page.Offset, math.MaxInt-50)+len(page.Results))
		if problem := fitProblem(page, names, budget); problem != "" {
			t.Error(problem)
		}
	})
}
