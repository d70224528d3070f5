package expose_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/call"
	"github.com/portavoz/portavoz/middleware/expose"
)

func TestRules(t *testing.T) {
	t.Parallel()
	tag := func(name string, tags ...string) expose.Declaration {
		d := expose.Query(name, ok)
		d.Tags = tags
		return d
	}
	mine := tag("n.mia", "core")
	mine.Visible = func(_ context.Context, caller call.Caller) bool { return caller.Name == "asixto" }
	tenant := tag("n.uno", "core")
	tenant.Tenants = []string{"cmp_1"}
	scoped := tag("n.pagos", "core")
	scoped.Scopes = []string{"leer", "pagar"}
	declarations := []expose.Declaration{
		tag("n.pub", "public", "core"), tag("n.adm", "internal", "core"), tag("n.none"), mine, tenant, scoped,
	}
	policy := middleware.Policy{Visible: middleware.Scopes(map[string][]string{"n.pub": {middleware.Public}, "n.adm": {"admin"}})}
	isGuest := func(_ context.Context, caller call.Caller) bool { return caller.Name == "" }
	for name, tc := range map[string]struct {
		rules  []expose.Rule
		caller call.Caller
		want   string
	}{
		"no rules, nobody":    {nil, call.Caller{}, "adm none pub"},
		"its own rule":        {nil, call.Caller{Name: "asixto"}, "adm mia none pub"},
		"tenant":              {nil, call.Caller{Tenant: "cmp_1"}, "adm none pub uno"},
		"another tenant":      {nil, call.Caller{Tenant: "cmp_11"}, "adm none pub"},
		"one scope of two":    {nil, call.Caller{Scopes: []string{"leer"}}, "adm none pub"},
		"both scopes":         {nil, call.Caller{Scopes: []string{"pagar", "leer"}}, "adm none pagos pub"},
		"all":                 {[]expose.Rule{expose.AllTags("core", "public")}, call.Caller{}, "pub"},
		"any":                 {[]expose.Rule{expose.AnyTag("internal", "public")}, call.Caller{}, "adm pub"},
		"none":                {[]expose.Rule{expose.NoTag("internal", "public")}, call.Caller{}, "none"},
		"several":             {[]expose.Rule{expose.AllTags("core"), expose.NoTag("internal")}, call.Caller{}, "pub"},
		"all of nothing":      {[]expose.Rule{expose.AllTags()}, call.Caller{}, "adm none pub"},
		"for guests, a guest": {[]expose.Rule{expose.When(isGuest, expose.NoTag("internal"))}, call.Caller{}, "none pub"},
		"for guests, another": {[]expose.Rule{expose.When(isGuest, expose.NoTag("internal"))}, call.Caller{Name: "x"}, "adm none pub"},
		"a policy": {[]expose.Rule{expose.RuleFunc(func(ctx context.Context, caller call.Caller, d *expose.Declaration) bool {
			return policy.Visible(ctx, caller, &d.Tool)
		})}, call.Caller{Scopes: []string{"admin"}}, "adm pub"},
		"a panic": {[]expose.Rule{expose.RuleFunc(func(_ context.Context, _ call.Caller, d *expose.Declaration) bool {
			return d.Name == "n.none" || d.Tags[7] == "x"
		})}, call.Caller{}, "none"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			surface := compile(t, expose.Config{Strategy: expose.Grouped, Visible: tc.rules}, declarations...)
			ctx := call.WithCaller(t.Context(), tc.caller)
			if got := strings.ReplaceAll(strings.Join(surface.Visible(ctx), " "), "n.", ""); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
			var enum string
			for _, tool := range surface.Filter(ctx, []mcp.Tool{surface.Tools()[0].Tool}) {
				enum = string(tool.RawInputSchema)
			}
			if want := `"enum":["` + strings.ReplaceAll(tc.want, " ", `","`) + `"]`; !strings.Contains(enum, want) {
				t.Errorf("got the schema %s, want %s in it", enum, want)
			}
		})
	}
}

// A rule that does nothing, and a tag that nobody has, are reported.
func TestRulesThatDoNothing(t *testing.T) {
	t.Parallel()
	d := expose.Query("n.a", ok)
	d.Tags = []string{"interno"}
	for name, tc := range map[string]struct {
		rule expose.Rule
		want string
	}{
		"nobody has all":    {expose.AllTags("interno", "publico"), "filter: AllTags(interno, publico): no action satisfies it; correct the tags"},
		"nobody has any":    {expose.AnyTag("publico"), "filter: AnyTag(publico): no action satisfies it; correct the tags"},
		"everybody has one": {expose.NoTag("interno"), "filter: NoTag(interno): no action satisfies it; correct the tags"},
		"for some callers":  {expose.When(never, expose.AnyTag("publico")), "filter: AnyTag(publico): no action satisfies it; correct the tags"},
	} {
		if _, err := expose.Compile(expose.Config{Visible: []expose.Rule{tc.rule}}, d); fmt.Sprint(err) != tc.want {
			t.Errorf("%s: got %v, want %s", name, err, tc.want)
		}
	}
	e := d
	e.Name, e.Tags = "n.b", []string{"publico"}
	if _, err := expose.Compile(expose.Config{Visible: []expose.Rule{expose.AnyTag("publico"), expose.AnyTag("interno")}}, d, e); fmt.Sprint(err) != "filter: Visible: no action satisfies all of its rules; correct the tags" {
		t.Errorf("rules that exclude each other: got %v", err)
	}
	findings := compile(t, expose.Config{Visible: []expose.Rule{expose.NoTag("internal")}}, d).Findings()
	if got, want := fmt.Sprint(findings), "[tag: NoTag(internal): no action has the tag \"internal\"; correct the tag or remove it]"; got != want {
		t.Errorf("a tag with a mistake: got %s, want %s", got, want)
	}
}

// An action whose arguments travel in headers cannot be hidden well: a server looks at
// the headers first. It is said where it is tried, and only there.
func TestHeadersGiveAHiddenActionAway(t *testing.T) {
	t.Parallel()
	const told = `[header: n.a: arguments travel in headers, which are checked before anybody asks who may know of the action; do not hide it]`
	for name, tc := range map[string]struct {
		properties string
		scopes     []string
		rules      []expose.Rule
		want       string
	}{
		"hidden by a scope":  {`{"x":{"type":"string","x-mcp-header":"X"}}`, []string{"admin"}, nil, told},
		"hidden by a rule":   {`{"x":{"type":"string","x-mcp-header":"X"}}`, nil, guests(), told},
		"for everybody":      {`{"x":{"type":"string","x-mcp-header":"X"}}`, nil, nil, `[]`},
		"without headers":    {`{"x":{"type":"string"}}`, []string{"admin"}, nil, `[]`},
		"a field named like": {`{"x-mcp-header":{"type":"string"}}`, []string{"admin"}, nil, `[]`},
	} {
		d := expose.Query("n.a", ok, raw(tc.properties))
		d.Scopes = tc.scopes
		if got := fmt.Sprint(compile(t, expose.Config{Visible: tc.rules}, d).Findings()); got != tc.want {
			t.Errorf("%s: got %s, want %s", name, got, tc.want)
		}
	}
}

// What a fixed rule keeps from everybody takes no name and causes no conflict.
func TestExcludedForEverybody(t *testing.T) {
	t.Parallel()
	old := expose.Query("n.viejo", ok, raw(`{"id":{"type":"integer"}}`))
	old.Tags, old.As = []string{"viejo"}, "n_nuevo"
	suggests := expose.Query("n.nuevo", ok, raw(`{"id":{"type":"string"}}`))
	suggests.Next = []expose.Suggestion{{Action: "n.viejo"}}
	for _, strategy := range []expose.Strategy{expose.Flat, expose.Grouped} {
		surface := compile(t, expose.Config{Strategy: strategy, Visible: []expose.Rule{expose.NoTag("viejo")}}, old, suggests)
		if len(surface.Findings()) > 0 || len(surface.Tools()) != 1 {
			t.Errorf("%s: got %v and %d tools", strategy, surface.Findings(), len(surface.Tools()))
		}
	}
}

// Callers of all sorts at once get what is theirs, also when there are more sorts
// than a tool remembers.
func TestManyCallers(t *testing.T) {
	t.Parallel()
	const actions = 10 // 1,023 sets that are not empty
	var declarations []expose.Declaration
	for i := range actions {
		d := expose.Query(fmt.Sprintf("n.a%d", i), echo, raw(fmt.Sprintf(`{"f%d":{"type":"string"}}`, i)))
		d.Scopes = []string{strconv.Itoa(i)}
		declarations = append(declarations, d)
	}
	srv := serve(t, compile(t, expose.Config{Strategy: expose.Grouped}, declarations...))
	var wg sync.WaitGroup
	for worker := range 4 {
		wg.Go(func() {
			for set := worker + 1; set < 1<<actions; set += 4 {
				var scopes, names []string
				for i := range actions {
					if set>>i&1 == 1 {
						scopes, names = append(scopes, strconv.Itoa(i)), append(names, fmt.Sprintf("%q", fmt.Sprintf("a%d", i)))
					}
				}
				ctx := as(t.Context(), scopes...)
				got := strings.Join(strings.Fields(list(ctx, t, srv)), "")
				if want := `"enum":[` + strings.Join(names, ",") + `]`; !strings.Contains(got, want) || strings.Count(got, `"f`) != len(names) {
					t.Errorf("set %b: got %s, want %s", set, got, want)
					return
				}
			}
		})
	}
	wg.Wait()
}

// Who may know of what may change at any time: each answer is that of a moment before
// or after, and never a mixture.
func TestVisibilityChanges(t *testing.T) {
	t.Parallel()
	var open atomic.Bool
	declarations := cuentas()
	declarations[1].Visible = func(context.Context, call.Caller) bool { return open.Load() }
	srv := serve(t, compile(t, expose.Config{Strategy: expose.Grouped}, declarations...))
	ask := func() [2]string {
		return [2]string{list(t.Context(), t, srv), said(callTool(t.Context(), t, srv, "cuentas", `{"action":"pagar","id":"a","valor":1}`))}
	}
	closed := ask()
	open.Store(true)
	opened := ask()
	if closed[0] == opened[0] || closed[1] == opened[1] {
		t.Fatalf("nothing changes: %s", opened)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				open.Store(!open.Load())
				for i, got := range ask() {
					if got != closed[i] && got != opened[i] && !strings.Contains(got, `"unknown_action"`) {
						t.Errorf("got %s", got)
					}
				}
			}
		})
	}
	wg.Wait()
}
