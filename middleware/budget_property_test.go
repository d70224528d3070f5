package middleware_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/middleware"
)

// TestBudgetSharesNothing: a handler may return the same result to every call.
func TestBudgetSharesNothing(t *testing.T) {
	t.Parallel()
	data := `{"l":` + list(40, 100) + `}`
	shared := structured(data, data)
	before := encode(t, shared)
	h := middleware.Wrap(returns(shared), middleware.Budget(tight()))
	done := make(chan string)
	for range 8 {
		go func() {
			res, err := h(context.Background(), request(nil))
			if err != nil {
				done <- err.Error()
				return
			}
			raw, _ := json.Marshal(res)
			done <- string(raw)
		}()
	}
	first := <-done
	for range 7 {
		if other := <-done; other != first {
			t.Errorf("one call got %s, another %s", first, other)
		}
	}
	if after := encode(t, shared); after != before {
		t.Error("the handler's own result was changed")
	}
}

// TestBudgetKeepsSchemas: data that satisfied a schema satisfies it afterwards, and
// fits.
func TestBudgetKeepsSchemas(t *testing.T) {
	t.Parallel()
	shrunk, refused := 0, 0
	for seed := range uint64(rounds(60)) {
		m := newMaker(seed)
		schema, data := m.object(4)
		if units(data) <= least {
			continue
		}
		if !valid(t, schema, []byte(data)) {
			t.Fatalf("seed %d: the maker's data breaks its schema: %s %s", seed, schema, data)
		}
		tool := reads(schema)
		if seed%2 == 0 {
			tool = writes(schema)
		}
		for kind, res := range kindsOf(t, data) {
			if kind != "raw" && seed%10 != 0 {
				continue
			}
			res.Content = []mcp.Content{mcp.NewTextContent(data)}
			got := callTool(t, tool, "", returns(res), middleware.Budget(tight()))
			if n := max(units(string(got.Data)), units(got.text())); n > least {
				t.Errorf("seed %d, %s: %d characters", seed, kind, n)
			}
			switch {
			case got.IsError:
				refused++
			case !valid(t, schema, got.Data):
				t.Errorf("seed %d, %s: schema %s\ndata %s\nbecame %s", seed, kind, schema, data, got.Data)
			default:
				shrunk++
			}
			if again := callTool(t, tool, "", returns(res), middleware.Budget(tight())); string(again.Data) != string(got.Data) {
				t.Errorf("seed %d: another time it became %s, then %s", seed, got.Data, again.Data)
			}
		}
	}
	if shrunk < refused/2 || refused == 0 { // or the property says nothing
		t.Errorf("%d results were made to fit, %d were refused", shrunk, refused)
	}
}

// FuzzBudget: any JSON and any text in, valid JSON within the budget out.
func FuzzBudget(f *testing.F) {
	f.Add(`{"resultados":`+list(9, 100)+`,"total":9,"limit":10,"offset":0}`, "Hola.")
	f.Add(list(9, 100), list(9, 100))
	f.Add(`"`+strings.Repeat(`\ud83d\ude00 a.`, 200)+`"`, strings.Repeat("🇨🇴 é. ", 200))
	f.Add(`{"a":`+list(9, 100)+`,"a":[`+strings.Repeat(`{"b":"\u0001 "},`, 99)+`1]}`, "\xff")
	f.Fuzz(func(t *testing.T, data, text string) {
		if !json.Valid([]byte(data)) {
			return
		}
		res, err := middleware.Wrap(returns(structured(data, text)), middleware.Budget(tight()))(t.Context(), request(nil))
		if err != nil {
			t.Fatal(err)
		}
		if !json.Valid(res.RawStructuredContent) || units(string(res.RawStructuredContent)) > least {
			t.Errorf("data of %d characters: %s", units(string(res.RawStructuredContent)), res.RawStructuredContent)
		}
		total := 0
		for _, c := range res.Content {
			total += units(c.(mcp.TextContent).Text) //nolint:forcetypeassert // only texts are left
		}
		if total > least {
			t.Errorf("text of %d characters", total)
		}
	})
}
