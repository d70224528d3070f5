package expose_test

import (
	"encoding/json"
	"slices"
	"testing"
	"unicode/utf16"

	"github.com/portavoz/portavoz/middleware/expose"
)

// What a surface is said to cost is what a client is sent, for each strategy as if it
// were that of every namespace.
func TestMeasure(t *testing.T) {
	t.Parallel()
	cfg := described(expose.Grouped)
	cfg.Namespaces[0].Strategy = expose.Split
	cfg.SuggestInText = true
	got := compile(t, cfg, append(facturas(), expose.Query("estado", ok, text("Dice si hay fallas 😀. Y nada más.")))...).Measure()
	var want []expose.Size
	for _, strategy := range []expose.Strategy{expose.Flat, expose.Grouped, expose.Split} {
		for _, compact := range []bool{false, true} {
			own := described(strategy)
			own.Compact = compact
			srv := serve(t, compile(t, own, append(facturas(), expose.Query("estado", ok, text("Dice si hay fallas 😀. Y nada más.")))...))
			var answer struct {
				Result struct {
					Tools []json.RawMessage `json:"tools"`
				} `json:"result"`
			}
			if err := json.Unmarshal([]byte(send(t.Context(), t, srv, "tools/list", map[string]any{})), &answer); err != nil {
				t.Fatal(err)
			}
			tools := answer.Result.Tools
			size := expose.Size{Strategy: strategy, Compact: compact, Tools: len(tools), Characters: 1 + len(tools)} // brackets and commas
			for _, tool := range tools {
				size.Characters += len(utf16.Encode([]rune(string(tool))))
			}
			size.Tokens = size.Characters / 4
			if size.Characters%4 > 0 {
				size.Tokens++
			}
			want = append(want, size)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// A surface that is not possible says why, and the others are measured.
func TestMeasureWhatIsNotPossible(t *testing.T) {
	t.Parallel()
	sizes := compile(t, expose.Config{}, expose.Query("n.a", ok, raw(`{"action":{"type":"string"}}`))).Measure()
	for _, size := range sizes {
		if isFlat := size.Strategy == expose.Flat; (size.Err == nil) != isFlat || (size.Characters > 0) != isFlat || (size.Tools == 1) != isFlat {
			t.Errorf("got %+v", size)
		}
	}
}
