package middleware

import (
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
)

// described is a definition in mcp-go's struct form.
func described(name string) *mcp.Tool {
	tool := mcp.NewTool(name, mcp.WithString("documento", mcp.Required()), mcp.WithSchemaAdditionalProperties(false))
	return &tool
}

// numbered gives every piece of work a number of its own.
func numbered() (*perDefinition[int64], *atomic.Int64) {
	done := new(atomic.Int64)
	return newPerDefinition(func(*mcp.Tool) int64 { return done.Add(1) }), done
}

func TestPerDefinitionTellsApart(t *testing.T) {
	t.Parallel()
	base := described("a")
	change := func(edit func(*mcp.Tool)) *mcp.Tool {
		tool := *base
		edit(&tool)
		return &tool
	}
	same := map[string]*mcp.Tool{
		"itself":              base,
		"a copy":              change(func(*mcp.Tool) {}),
		"another description": change(func(t *mcp.Tool) { t.Description = "otra" }),
	}
	others := map[string]*mcp.Tool{
		"another name":        change(func(t *mcp.Tool) { t.Name = "b" }),
		"equal properties":    described("a"),
		"another type":        change(func(t *mcp.Tool) { t.InputSchema.Type = "" }),
		"another required":    change(func(t *mcp.Tool) { t.InputSchema.Required = []string{"documento"} }),
		"nothing required":    change(func(t *mcp.Tool) { t.InputSchema.Required = t.InputSchema.Required[:0] }),
		"definitions":         change(func(t *mcp.Tool) { t.InputSchema.Defs = map[string]any{} }),
		"open":                change(func(t *mcp.Tool) { t.InputSchema.AdditionalProperties = true }),
		"nothing said":        change(func(t *mcp.Tool) { t.InputSchema.AdditionalProperties = nil }),
		"open to a schema":    change(func(t *mcp.Tool) { t.InputSchema.AdditionalProperties = map[string]any{} }),
		"as text":             change(func(t *mcp.Tool) { t.RawInputSchema = []byte(`{}`) }),
		"an output schema":    change(func(t *mcp.Tool) { t.OutputSchema.Type = "object" }),
		"an output text":      change(func(t *mcp.Tool) { t.RawOutputSchema = []byte(`{}`) }),
		"a text with an edit": change(func(t *mcp.Tool) { t.RawInputSchema = []byte(`{} `)[:2] }),
	}
	p, _ := numbered()
	want := p.of(base)
	for name, tool := range same {
		if got := p.of(tool); got != want {
			t.Errorf("%s: got the work for %d, want that for %d", name, got, want)
		}
	}
	seen := []int64{want}
	for name, tool := range others {
		got := p.of(tool)
		if slices.Contains(seen, got) {
			t.Errorf("%s: got the work for another, %d", name, got)
		}
		if again := p.of(tool); again != got {
			t.Errorf("%s: worked out twice", name)
		}
		seen = append(seen, got)
	}
}

// TestPerDefinitionWithoutPlace: a struct by value has no address to know it by,
// and is worked out on every call.
func TestPerDefinitionWithoutPlace(t *testing.T) {
	t.Parallel()
	tool := described("a")
	tool.InputSchema.AdditionalProperties = struct {
		Type string `json:"type"`
	}{"string"}
	p, _ := numbered()
	if first, second := p.of(tool), p.of(tool); first == second {
		t.Errorf("two calls got %d", first)
	}
}

func TestPerDefinitionForgetsTheLongestOutOfUse(t *testing.T) {
	t.Parallel()
	p, done := numbered()
	inUse := described("en_uso")
	want := p.of(inUse)
	for i := range 10 * maxDefinitions {
		p.of(described(strconv.Itoa(i)))
		if got := p.of(inUse); got != want {
			t.Fatalf("after %d others: worked out again", i)
		}
	}
	if held := len(p.young) + len(p.old); held > 2*maxDefinitions {
		t.Errorf("holds %d, want %d at most", held, 2*maxDefinitions)
	}
	if got := done.Load(); got != 10*maxDefinitions+1 {
		t.Errorf("worked %d times, want %d", got, 10*maxDefinitions+1)
	}
}

func TestPerDefinitionConcurrently(t *testing.T) {
	t.Parallel()
	tools := make([]*mcp.Tool, 50)
	for i := range tools {
		tools[i] = described("mismo_nombre")
	}
	p := newPerDefinition(func(tool *mcp.Tool) *mcp.Tool { return tool })
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 100 {
				for _, tool := range tools {
					c := *tool
					if got := p.of(&c); got.InputSchema.Required[0] != "documento" || &got.InputSchema.Required[0] != &tool.InputSchema.Required[0] {
						t.Errorf("got the work for another definition")
						return
					}
				}
			}
		})
	}
	all.Wait()
	if got := len(p.young); got != len(tools) {
		t.Errorf("holds %d definitions, want %d", got, len(tools))
	}
}

//nolint:paralleltest // testing.AllocsPerRun refuses company
func TestPerDefinitionHitAllocatesNothing(t *testing.T) {
	p, _ := numbered()
	tool := described("a")
	tool.InputSchema.AdditionalProperties = map[string]any{"type": "string"}
	p.of(tool)
	c := *tool
	if n := testing.AllocsPerRun(100, func() { p.of(&c) }); n != 0 {
		t.Errorf("a hit allocates %v times, want 0", n)
	}
}

func BenchmarkPerDefinition(b *testing.B) {
	p, _ := numbered()
	tool := described("consultar_cliente")
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			p.of(tool)
		}
	})
}
