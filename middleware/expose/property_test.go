package expose_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/middleware/expose"
	"github.com/portavoz/portavoz/middleware/internal/schema"
)

// The same call reaches the same handler with the same arguments, whatever the
// surface.
func TestStrategiesReachTheSame(t *testing.T) {
	t.Parallel()
	for seed := range rounds() {
		m := newMaker(seed)
		actions := m.actions()
		for i := range actions {
			actions[i].Scopes, actions[i].Tenants, actions[i].Next = nil, nil, nil
		}
		for _, strategy := range []expose.Strategy{expose.Flat, expose.Grouped, expose.Split} {
			cfg := m.config()
			cfg.Strategy, cfg.NullIsAbsent, cfg.SuggestInText = strategy, false, false
			srv := serve(t, compile(t, cfg, declarationsOf(actions)...))
			for _, a := range actions {
				tool, arguments := wire(cfg, a)
				got := said(callTool(t.Context(), t, srv, tool, arguments))
				if name, rest, _ := strings.Cut(got, " "); name != a.Name || !strings.HasPrefix(rest, a.arguments+" ") {
					t.Errorf("seed %d, %s, %s %s: got %s, want %s %s", seed, strategy, tool, arguments, got, a.Name, a.arguments)
				}
			}
		}
	}
}

// The order of declarations and namespaces changes nothing.
func TestOrderChangesNothing(t *testing.T) {
	t.Parallel()
	for seed := range rounds() {
		m := newMaker(seed)
		declarations := declarationsOf(m.actions())
		cfg := m.config()
		cfg.Visible = guests()
		for _, name := range []string{"facturas", "soporte.casos", "soporte-b"} {
			if slices.ContainsFunc(declarations, func(d expose.Declaration) bool { return strings.HasPrefix(d.Name, name+".") }) {
				cfg.Namespaces = append(cfg.Namespaces, expose.Namespace{Name: name, Strategy: expose.Strategy(m.IntN(4))})
			}
		}
		ctx := m.caller(t.Context())
		look := func() (*expose.Surface, string) {
			surface := compile(t, cfg, declarations...)
			return surface, list(ctx, t, serve(t, surface)) + fmt.Sprint(surface.Findings(), surface.Visible(ctx))
		}
		first, want := look()
		last := first
		for range 3 {
			m.Shuffle(len(declarations), func(i, j int) { declarations[i], declarations[j] = declarations[j], declarations[i] })
			m.Shuffle(len(cfg.Namespaces), func(i, j int) { cfg.Namespaces[i], cfg.Namespaces[j] = cfg.Namespaces[j], cfg.Namespaces[i] })
			var got string
			if last, got = look(); got != want {
				t.Fatalf("seed %d: in another order got\n%s\nwant\n%s", seed, got, want)
			}
		}
		if got, want := last.Measure(), first.Measure(); !slices.Equal(got, want) { // of every strategy
			t.Errorf("seed %d: in another order got %v, want %v", seed, got, want)
		}
	}
}

// What is hidden from a caller is answered, byte for byte, as by a surface in which
// it was never declared: in the list, called directly, by the discriminator, by its
// fields, and where others suggest it.
func TestHiddenNeverExisted(t *testing.T) {
	t.Parallel()
	compared := 0
	for seed := range rounds() {
		m := newMaker(seed)
		actions, cfg := m.actions(), m.config()
		cfg.Visible = guests()
		for i := range actions {
			if m.chance(30) {
				actions[i].Choose = suggestAll(actions)
			}
		}
		all := compile(t, cfg, declarationsOf(actions)...)
		ctx := m.caller(t.Context())
		seen := all.Visible(ctx)
		var visible, hidden []randomAction
		for _, a := range actions {
			if !slices.Contains(seen, a.Name) {
				hidden = append(hidden, a)
				continue
			}
			a.Next = slices.DeleteFunc(slices.Clone(a.Next), func(s expose.Suggestion) bool { return !slices.Contains(seen, s.Action) })
			visible = append(visible, a)
		}
		with, without := serve(t, all), serve(t, compile(t, cfg, declarationsOf(visible)...))
		if got, want := list(ctx, t, with), list(ctx, t, without); got != want {
			t.Fatalf("seed %d: the list is\n%s\nwithout what is hidden\n%s", seed, got, want)
		}
		ask := func(tool, arguments string) {
			t.Helper()
			compared++
			params := map[string]any{"name": tool, "arguments": json.RawMessage(arguments)}
			if m.chance(50) { // of the era of 2026-07-28
				params["_meta"] = map[string]any{"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": map[string]any{}}
			}
			if got, want := send(ctx, t, with, "tools/call", params), send(ctx, t, without, "tools/call", params); got != want {
				t.Errorf("seed %d: %s %s got\n%s\nwithout what is hidden\n%s", seed, tool, arguments, got, want)
			}
		}
		flat := cfg
		flat.Strategy = expose.Flat
		for _, a := range hidden {
			ask(wire(cfg, a))
			ask(wire(flat, a))
			key := a.Name[strings.LastIndexByte(a.Name, '.')+1:]
			for _, v := range visible {
				tool, _ := wire(cfg, v)
				ask(tool, withMember("{}", cfg.Discriminator, `"`+key+`"`))
				ask(tool, withMember("{}", cfg.Discriminator, `"`+key[1:]+`"`))
			}
		}
		for _, v := range visible {
			tool, arguments := wire(cfg, v)
			ask(tool, arguments)   // what it suggests is compared, too
			ask(tool, v.arguments) // names no action, where one is asked for
			ask(tool, withMember(v.arguments, cfg.Discriminator, `null`))
			ask(tool, `[]`)
			for field := range fieldTypes {
				ask(tool, withMember(arguments, field, `null`))
				ask(tool, withMember(arguments, field, `[]`))
			}
		}
	}
	if compared < 1000 {
		t.Errorf("only %d answers were compared", compared)
	}
}

// A grouped schema admits every call that an action admits, and no description of a
// compact surface is longer than that of a normal one.
func TestGroupedAdmitsWhatActionsAdmit(t *testing.T) {
	t.Parallel()
	for seed := range rounds() {
		m := newMaker(seed)
		actions, cfg := m.actions(), m.config()
		cfg.Strategy = pick(m, expose.Grouped, expose.Split)
		tools, short := map[string]*schema.Schema{}, map[string]int{}
		for _, compact := range []bool{true, false} {
			cfg.Compact = compact
			for _, tool := range compile(t, cfg, declarationsOf(actions)...).Tools() {
				if compact {
					short[tool.Tool.Name] = len(tool.Tool.Description)
				} else if len(tool.Tool.Description) < short[tool.Tool.Name] {
					t.Errorf("seed %d: the description of %s is longer if it is compact", seed, tool.Tool.Name)
				}
				compiled, err := schema.Compile(tool.Tool.RawInputSchema)
				if err != nil {
					t.Fatalf("seed %d: %s: %v", seed, tool.Tool.RawInputSchema, err)
				}
				tools[tool.Tool.Name] = compiled
			}
		}
		for _, a := range actions {
			tool, arguments := wire(cfg, a)
			v, err := schema.Decode([]byte(arguments))
			if err != nil {
				t.Fatal(err)
			}
			if problems, err := tools[tool].Check(v, 1000); err != nil || problems != nil {
				t.Errorf("seed %d: %s does not admit %s: %v, %v", seed, tool, arguments, problems, err)
			}
		}
		sizes := compile(t, cfg, declarationsOf(actions)...).Measure()
		for i := 0; i < len(sizes); i += 2 {
			if sizes[i].Characters < sizes[i+1].Characters {
				t.Errorf("seed %d: %s has %d characters, and %d if it is compact", seed, sizes[i].Strategy, sizes[i].Characters, sizes[i+1].Characters)
			}
		}
	}
}

// suggestAll suggests every action and one that does not exist.
func suggestAll(actions []randomAction) func(context.Context, *result, []expose.Suggestion) []expose.Suggestion {
	all := []expose.Suggestion{{Action: "nunca.existio"}}
	for _, a := range actions {
		all = append(all, expose.Suggestion{Action: a.Name})
	}
	return func(context.Context, *result, []expose.Suggestion) []expose.Suggestion { return all }
}
