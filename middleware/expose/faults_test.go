package expose_test

import (
	"context"
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
