package expose

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
)

// FuzzArguments holds what a handler gets to what encoding/json reads: the arguments
// without the discriminator, in both of their forms.
func FuzzArguments(f *testing.F) {
	for _, seed := range []string{
		`{"action":"ver"}`, `{"action":"ver","x":1}`, `{"x":[{"action":"b"},"]}"],"action":"ver"}`, ` { "a" : "\\\"" , "action" : "ver" } `,
		`{"\u0061ction":"\u0076er","":{}}`, `{"action":"ver","action":"ver"}`, `{}`, `null`, `[]`, `"action"`, `{"action":null}`, `{"action":{"ver":1}}`,
		`{"n":1e400,"action":"ver"}`, `{"a":"` + "\xff" + `","action":"ver"}`, `{"action":"ver","a":9007199254740993}`, `{"action"`, `{"action":"ver",}`,
	} {
		f.Add(seed)
	}
	surface, err := Compile(Config{Strategy: Grouped}, Query("n.ver", (&Surface{}).handler(&unit{})))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		given := mcp.CallToolParams{Name: "n", RawArguments: json.RawMessage(text)}
		isJSON := json.Unmarshal(given.RawArguments, &given.Arguments) == nil
		got := given
		_, refusal := surface.find(t.Context(), surface.units[0], &got)
		if !isJSON || refusal != nil {
			return // mcp-go lets no other text through; it is enough that nothing panics
		}
		values, _ := given.Arguments.(map[string]any)
		if values["action"] != "ver" {
			t.Fatalf("%q ran the action", text)
		}
		want := map[string]any{}
		for name, value := range values {
			if name != "action" {
				want[name] = value
			}
		}
		var fromText map[string]any
		if err := json.Unmarshal(got.RawArguments, &fromText); err != nil {
			t.Fatalf("%q became %q: %v", text, got.RawArguments, err)
		}
		if !reflect.DeepEqual(fromText, want) || !reflect.DeepEqual(got.Arguments, any(want)) {
			t.Errorf("%q: got %q and %v, want %v", text, got.RawArguments, got.Arguments, want)
		}
	})
}
