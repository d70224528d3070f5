package contract_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware/contract"
)

func TestProfileText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]contract.Profile{
		"core": contract.Core, "Asixto": contract.Asixto, "whaapy": contract.Whaapy,
		"asixto+whaapy": contract.Asixto | contract.Whaapy, "whaapy, asixto": contract.Asixto | contract.Whaapy,
	} {
		var got contract.Profile
		if err := got.UnmarshalText([]byte(text)); err != nil || got != want {
			t.Errorf("%q reads as %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "+", "asixtoo", "asixto whaapy"} {
		p := contract.Core
		if err := p.UnmarshalText([]byte(text)); err == nil || p != contract.Core {
			t.Errorf("%q reads as %v, %v, want an error", text, p, err)
		}
	}
	if got := (contract.Asixto | contract.Whaapy).String(); got != "asixto+whaapy" {
		t.Errorf("String() = %q", got)
	}
}

// TestProfilesCombine: the strictest severity holds.
func TestProfilesCombine(t *testing.T) {
	t.Parallel()
	for _, r := range contract.Rules() {
		both := r.Severity(contract.Asixto | contract.Whaapy)
		if a, w := r.Severity(contract.Asixto), r.Severity(contract.Whaapy); both != a && both != w {
			t.Errorf("%s: %q together, %q and %q apart", r.ID, both, a, w)
		}
		if r.Core == contract.Must && r.Severity(contract.Whaapy) != contract.Must {
			t.Errorf("%s: a must of Core is %q in Whaapy", r.ID, r.Severity(contract.Whaapy))
		}
	}
	openList := mcp.NewTool("create_ticket", mcp.WithDescription("Creates a ticket. Not for refunds."), mcp.WithAny("data"))
	severities := make(map[contract.Profile]contract.Severity)
	for _, p := range []contract.Profile{contract.Core, contract.Asixto, contract.Whaapy, contract.Asixto | contract.Whaapy} {
		for _, f := range lint(t, contract.Tools(openList), p).Findings {
			if f.Rule == "property-untyped" {
				severities[p] = f.Severity
			}
		}
	}
	if severities[contract.Core] != contract.Should || severities[contract.Whaapy] != contract.Must ||
		severities[contract.Asixto|contract.Whaapy] != contract.Must {
		t.Errorf("severities of property-untyped = %v", severities)
	}
}

func TestWithout(t *testing.T) {
	t.Parallel()
	list := good(t)
	put(t, any(list), "/0/inputSchema/properties/codigo/maxLength", absent)
	put(t, any(list), "/2/inputSchema/properties/recordatorio/maxLength", absent)
	c := catalog(t, list)
	for _, tt := range []struct {
		name     string
		option   contract.Option
		left     int
		silenced int
	}{
		{"everywhere", contract.Without("string-max-length", "the database cuts them"), 0, 2},
		{"one tool", contract.Without("string-max-length", "the database cuts them", "consultar_cita"), 1, 1},
		{"another rule", contract.Without("number-bounds", "no numbers"), 2, 0},
	} {
		r := lint(t, c, contract.Asixto, tt.option)
		if len(r.Findings) != tt.left || r.Exceptions[0].Silenced != tt.silenced {
			t.Errorf("%s: %d findings and %d silenced, want %d and %d", tt.name, len(r.Findings), r.Exceptions[0].Silenced, tt.left, tt.silenced)
		}
	}
}

func TestLintConfig(t *testing.T) {
	t.Parallel()
	_, err := contract.Lint(catalog(t, good(t)), 0,
		contract.Without("string-maxlength", "a typing error"),
		contract.Without("string-max-length", "  "),
		contract.Without("number-bounds", "fine", "consultar_todo"))
	if err == nil {
		t.Fatal("no error for a wrong configuration")
	}
	for _, want := range []string{"Profile(0)", `"string-maxlength"`, "without a reason", `"consultar_todo"`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error lacks %s:\n%v", want, err)
		}
	}
	var config *contract.ConfigError
	if !errors.As(err, &config) {
		t.Errorf("%v is no *ConfigError", err)
	}
	if _, err := contract.Lint(contract.Catalog{}, 8); err == nil {
		t.Error("no error for a profile that does not exist")
	}
}

func TestBrands(t *testing.T) {
	t.Parallel()
	list := good(t)
	put(t, any(list), "/0/description", "Consulta una cita de Clínica Sol. No sirve para cancelarla.")
	for _, tt := range []struct {
		brand string
		want  []string
	}{
		{"CLINICA sol", []string{"description-brand"}}, {"Clínica Luna", nil}, {"Clínica So", nil}, {"", nil},
	} {
		if got := ids(lint(t, catalog(t, list), contract.Asixto, contract.Brands(tt.brand))); !slices.Equal(got, tt.want) {
			t.Errorf("%q: rules = %v, want %v", tt.brand, got, tt.want)
		}
	}
}

func TestRequire(t *testing.T) {
	t.Parallel()
	srv := server.NewMCPServer("test", "1")
	var failed *contract.LintError
	if err := contract.Require(srv, contract.Asixto); !errors.As(err, &failed) || !strings.Contains(err.Error(), "list-empty") {
		t.Errorf("a server without tools: %v", err)
	}
	for _, tool := range many(3, 0) {
		srv.AddTool(tool, nil)
	}
	if err := contract.Require(srv, contract.Asixto); err != nil {
		t.Errorf("good tools: %v", err)
	}
	srv.AddTool(mcp.NewTool("consultar_saldo", mcp.WithDescription("Consulta el saldo. No sirve para pagar."), mcp.WithString("cuenta")), nil)
	err := contract.Require(srv, contract.Asixto)
	if !errors.As(err, &failed) {
		t.Fatalf("err = %v, want a *LintError", err)
	}
	for _, want := range []string{"consultar_saldo /inputSchema: input-open", "optional-null", "[contract.Nullable]", "capability-missing"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error lacks %q:\n%v", want, err)
		}
	}
	if strings.Contains(err.Error(), "string-max-length") || failed.Report.Count(contract.Should) == 0 {
		t.Errorf("the error names what is no must, or the report lacks it:\n%v", err)
	}
	if err := contract.Require(srv, contract.Asixto, contract.Without("x", "y")); err == nil || errors.As(err, &failed) && failed == nil {
		t.Errorf("wrong options: %v", err)
	}
}

// TestLintConcurrently: one catalogue, many readers.
func TestLintConcurrently(t *testing.T) {
	t.Parallel()
	c := catalog(t, good(t))
	want := lint(t, c, contract.Whaapy).Text(contract.Spanish)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if r, err := contract.Lint(c, contract.Whaapy); err != nil || r.Text(contract.Spanish) != want {
				t.Errorf("reports differ: %v", err)
			}
		})
	}
	wg.Wait()
}

func TestParseList(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`[{"name":"a"},7]`, ` {"tools":[{"name":"a"},7]}`, `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a"},7]}}`,
	} {
		c, err := contract.ParseList([]byte(text))
		if err != nil || !slices.Equal(c.Names(), []string{"a", "#2"}) || c.Len() != 2 {
			t.Errorf("%s: names = %v, %v", text, c.Names(), err)
		}
	}
	for _, text := range []string{``, `x`, `7`, `null`, `"[]"`, `{}`, `{"tools":{}}`, `{"result":7}`, `[`, `[] []`, `{"result":{}}`} {
		if c, err := contract.ParseList([]byte(text)); err == nil {
			t.Errorf("%s: read as %v, want an error", text, c.Names())
		}
	}
	if c, err := contract.ParseList([]byte(`{"tools":[]}`)); err != nil || c.Len() != 0 {
		t.Errorf("an empty list: %v, %v", c.Names(), err)
	}
}

// TestUnencodable: mcp-go refuses to encode a definition with two input schemas.
func TestUnencodable(t *testing.T) {
	t.Parallel()
	tool := mcp.NewTool("x", mcp.WithRawInputSchema([]byte(`{}`)))
	if got := ids(lint(t, contract.Tools(tool), contract.Core)); !slices.Equal(got, []string{"tool-malformed"}) {
		t.Errorf("rules = %v, want tool-malformed", got)
	}
	if _, err := contract.NewLock(contract.Tools(tool)); err == nil {
		t.Error("a lock of a definition that cannot be encoded")
	}
}

// TestForgedLines: what a definition says cannot write lines of a report.
func TestForgedLines(t *testing.T) {
	t.Parallel()
	const unseen = "\r\u2028\u202e\x1b\u009b\u200b\u200f\ufeff\U000e0041"
	list := []any{map[string]any{"name": "a\nMUST  forged" + unseen, "description": "x\u2028y",
		"inputSchema": map[string]any{"type": "object", "properties": map[string]any{"p\r\nMUST": true, unseen + "q": true}}}}
	c := catalog(t, list)
	l, err := contract.NewLock(c)
	if err != nil {
		t.Fatal(err)
	}
	text := lint(t, c, contract.Asixto).Text(contract.English) + contract.Diff(contract.Lock{}, l).Text(contract.Spanish)
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "MUST  forged") || strings.ContainsAny(line, unseen) {
			t.Errorf("forged: %q", line)
		}
	}
}
