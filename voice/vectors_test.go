package voice_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/voice"
)

// vector is one line of testdata/vectors.jsonl: a text, what is asked of it, and
// the answers that its sources allow. The only answer "<error>" asks for a
// refusal.
type vector struct {
	Kind    string          `json:"kind"`
	Input   json.RawMessage `json:"input"`
	Options vectorOptions   `json:"options"`
	Want    []string        `json:"want"`
	Comment string          `json:"comment"`
}

type vectorOptions struct {
	As            string        `json:"as"`
	Country       voice.Country `json:"country"`
	Gender        string        `json:"gender"`
	BeforeNoun    bool          `json:"before_noun"`
	Noun          *vectorNoun   `json:"noun"`
	Currency      string        `json:"currency"`
	Name          string        `json:"name"`
	Rounding      string        `json:"rounding"`
	Unit          string        `json:"unit"`
	Weekday       *bool         `json:"weekday"`
	Year          bool          `json:"year"`
	TZ            string        `json:"tz"`
	Now           string        `json:"now"`
	WithTime      bool          `json:"with_time"`
	Mode          string        `json:"mode"`
	Group         int           `json:"group"`
	International bool          `json:"international"`
}

type vectorNoun struct {
	Singular string `json:"singular"`
	Plural   string `json:"plural"`
	Gender   string `json:"gender"`
	TonicA   bool   `json:"tonic_a"`
}

// text returns the input as it is written, with the quotes of a JSON text taken
// off.
func (v *vector) text() string {
	var s string
	if json.Unmarshal(v.Input, &s) == nil {
		return s
	}
	return string(v.Input)
}

// errUnknownKind is returned by the functions that answer some kinds of vectors
// for the rest.
var errUnknownKind = errors.New("not one of these kinds")

func readVectors(tb testing.TB) []vector {
	tb.Helper()
	data, err := os.ReadFile("testdata/vectors.jsonl")
	if err != nil {
		tb.Fatal(err)
	}
	var vectors []vector
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		var v vector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			tb.Fatalf("%s: %v", lines.Text(), err)
		}
		vectors = append(vectors, v)
	}
	return vectors
}

func sayVector(tb testing.TB, v vector) (string, error) {
	tb.Helper()
	if v.Kind == "invalid" {
		v.Kind = v.Options.As
	}
	for _, say := range []func(testing.TB, vector) (string, error){sayNumberVector, sayDateVector, sayDigitVector} {
		if got, err := say(tb, v); !errors.Is(err, errUnknownKind) {
			return got, err
		}
	}
	tb.Fatalf("no function answers kind %q", v.Kind)
	return "", nil
}

// accepted compares as the vectors ask: white space counts once, and commas of
// digits are pauses that a listener does not count.
func accepted(v vector, got string) bool {
	normal := func(s string) string {
		if v.Kind == "phone" || v.Kind == "digits" {
			s = strings.ReplaceAll(s, ",", "")
		}
		return strings.Join(strings.Fields(s), " ")
	}
	return slices.ContainsFunc(v.Want, func(want string) bool { return normal(want) == normal(got) })
}

func TestVectors(t *testing.T) {
	t.Parallel()
	vectors := readVectors(t)
	if len(vectors) == 0 {
		t.Fatal("no vectors")
	}
	for _, v := range vectors {
		t.Run(v.Kind+"/"+v.text(), func(t *testing.T) {
			t.Parallel()
			got, err := sayVector(t, v)
			if v.Want[0] == "<error>" {
				if err == nil {
					t.Errorf("%s as %s = %q, want an error", v.text(), v.Options.As, got)
				}
				return
			}
			if err != nil {
				t.Fatalf("%s %+v: %v", v.text(), v.Options, err)
			}
			if !accepted(v, got) {
				t.Errorf("%s %+v\n got %q\nwant one of %q (%s)", v.text(), v.Options, got, v.Want, v.Comment)
			}
		})
	}
}
