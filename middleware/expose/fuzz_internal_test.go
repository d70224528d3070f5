package expose

import (
	"encoding/json"
	"maps"
	"reflect"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
)

// FuzzArguments holds what a handler gets to what encoding/json reads: the arguments
// without the discriminator, in both of their forms, by way of a grouped tool, which
// asks for it, and of a flat one, which tolerates it.
func FuzzArguments(f *testing.F) {
	for _, seed := range []string{
		`{"action":"ver"}`, `{"action":"ver","x":1}`, `{"x":[{"action":"b"},"]}"],"action":"ver"}`, ` { "a" : "\\\"" , "action" : "ver" } `,
		`{"\u0061ction":"\u0076er","":{}}`, `{"action":"ver","action":"ver"}`, `{}`, `null`, `[]`, `"action"`, `{"action":null}`, `{"action":{"ver":1}}`,
		`{"n":1e400,"action":"ver"}`, `{"a":"` + "\xff" + `","action":"ver"}`, `{"action":"ver","a":9007199254740993}`, `{"action"`, `{"action":"ver",}`,
	} {
		f.Add(seed)
	}
	surfaces := map[Strategy]*Surface{}
	for _, strategy := range []Strategy{Flat, Grouped} {
		var err error
		if surfaces[strategy], err = Compile(Config{Strategy: strategy}, Query("n.ver", (&Surface{}).handler(&unit{}))); err != nil {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		given := mcp.CallToolParams{Name: "n", RawArguments: json.RawMessage(text)}
		isJSON := json.Unmarshal(given.RawArguments, &given.Arguments) == nil
		values, _ := given.Arguments.(map[string]any)
		said, says := values["action"]
		want := maps.Clone(values)
		delete(want, "action")
		for strategy, surface := range surfaces {
			got := given
			_, refusal := surface.find(t.Context(), surface.units[0], &got)
			switch {
			case !isJSON: // mcp-go lets no other text through; it is enough that nothing panics
			case strategy == Flat && !says:
				if refusal != nil || string(got.RawArguments) != text || !reflect.DeepEqual(got.Arguments, given.Arguments) {
					t.Errorf("flat, %q: got %q, %v, %v", text, got.RawArguments, got.Arguments, refusal)
				}
			case refusal != nil:
			case said != "ver":
				t.Errorf("%s: %q ran the action", strategy, text)
			default:
				var fromText map[string]any
				if err := json.Unmarshal(got.RawArguments, &fromText); err != nil {
					t.Fatalf("%s: %q became %q: %v", strategy, text, got.RawArguments, err)
				}
				if !reflect.DeepEqual(fromText, want) || !reflect.DeepEqual(got.Arguments, any(want)) {
					t.Errorf("%s: %q: got %q and %v, want %v", strategy, text, got.RawArguments, got.Arguments, want)
				}
			}
		}
	})
}
