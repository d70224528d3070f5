package expose_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware/call"
	"github.com/portavoz/portavoz/middleware/expose"
)

// An action that declares no arguments takes none, in whatever surface.
func TestUndeclaredArgumentsAreRefused(t *testing.T) {
	t.Parallel()
	plain := expose.Query("n.plana", echo)
	existing := expose.FromTools([]server.ServerTool{{Tool: mcp.NewTool("vieja", mcp.WithString("id")), Handler: echo}}, func(mcp.Tool) string { return "n" })
	for _, strategy := range []expose.Strategy{expose.Flat, expose.Grouped, expose.Split} {
		surface := compile(t, expose.Config{Strategy: strategy}, append(existing, plain)...)
		srv := serve(t, surface)
		for _, tool := range surface.Tools() {
			for _, action := range []string{"plana", "vieja"} {
				got := said(callTool(t.Context(), t, srv, tool.Tool.Name, `{"action":"`+action+`","basura":1}`))
				if strings.HasPrefix(got, "n.") {
					t.Errorf("%s: %s took what it does not declare: %s", strategy, tool.Tool.Name, got)
				}
			}
		}
	}
}

// Two files declare actions of one namespace: what each says of its own is for its
// own, whichever comes first.
func TestFilesOfOneNamespace(t *testing.T) {
	t.Parallel()
	public := expose.Query("n.publica", echo, raw(`{"id":{"type":"string"}}`))
	public.Tags, public.Next = []string{"publica"}, []expose.Suggestion{{Action: "n.interna"}}
	internal := expose.Mutation("n.interna", echo, raw(`{"id":{"type":"string","maxLength":1}}`))
	internal.Tags, internal.Scopes = []string{"interna"}, []string{"admin"}
	internal.Visible = func(_ context.Context, caller call.Caller) bool { return caller.Name == "asixto" }
	for _, order := range [][]expose.Declaration{{public, internal}, {internal, public}} {
		for _, strategy := range []expose.Strategy{expose.Flat, expose.Grouped, expose.Split} {
			surface := compile(t, expose.Config{Strategy: strategy, Visible: []expose.Rule{expose.When(never, expose.NoTag("publica"))}}, order...)
			if got := surface.Visible(t.Context()); !slices.Equal(got, []string{"n.publica"}) {
				t.Errorf("%s: nobody sees %q", strategy, got)
			}
			if got := surface.Visible(as(t.Context(), "admin")); !slices.Equal(got, []string{"n.interna", "n.publica"}) {
				t.Errorf("%s: an administrator sees %q", strategy, got)
			}
			tool := map[expose.Strategy]string{expose.Flat: "n_publica", expose.Grouped: "n", expose.Split: "n_read"}[strategy]
			got := callTool(t.Context(), t, serve(t, surface), tool, `{"action":"publica","id":"largo"}`)
			if !strings.Contains(got, "n.publica") || strings.Contains(got, expose.SuggestionsKey) {
				t.Errorf("%s: got %s", strategy, got)
			}
		}
	}
}

// A flat tool that takes whatever it is given, or names its fields elsewhere than among
// its properties, is given what is named like the discriminator, too: it may mean it.
func TestOpenToolsGetTheDiscriminator(t *testing.T) {
	t.Parallel()
	for name, schema := range map[string]string{
		"any field":          `{"type":"object","additionalProperties":true}`,
		"fields of a type":   `{"type":"object","properties":{"id":{}},"additionalProperties":{"type":"string"}}`,
		"fields of a form":   `{"type":"object","patternProperties":{"^act":{"type":"string"}}}`,
		"fields in a branch": `{"type":"object","anyOf":[{"properties":{"action":{"type":"string"}},"required":["action"],"additionalProperties":false}]}`,
		"fields elsewhere":   `{"$ref":"#/$defs/A","$defs":{"A":{"type":"object","properties":{"action":{"type":"string"}},"additionalProperties":false}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			existing := expose.FromTools([]server.ServerTool{
				{Tool: mcp.NewToolWithRawSchema("buscar", "", json.RawMessage(schema)), Handler: echo},
			}, func(mcp.Tool) string { return "n" })
			for _, strategy := range []expose.Strategy{expose.Flat, expose.Grouped, expose.Split} { // flat in all of them
				srv := serve(t, compile(t, expose.Config{Strategy: strategy}, existing...))
				for _, arguments := range []string{`{"action":"otra"}`, `{"action":"buscar"}`} {
					if got, want := said(callTool(t.Context(), t, srv, "buscar", arguments)), "n.buscar "+arguments+" "+arguments; got != want {
						t.Errorf("%s: got %s, want %s", strategy, got, want)
					}
				}
			}
		})
	}
	// One that is closed cannot mean it, whatever else it demands of its arguments.
	closed := expose.Query("n.ver", echo, mcp.WithRawInputSchema(json.RawMessage(
		`{"type":"object","properties":{"x":{},"y":{}},"oneOf":[{"required":["x"]},{"required":["y"]}],"additionalProperties":false}`)))
	srv := serve(t, compile(t, expose.Config{}, closed))
	if got, want := said(callTool(t.Context(), t, srv, "n_ver", `{"action":"ver","x":1}`)), `n.ver {"x":1} {"x":1}`; got != want {
		t.Errorf("closed: got %s, want %s", got, want)
	}
}
