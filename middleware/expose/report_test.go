package expose_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware/call"
	"github.com/portavoz/portavoz/middleware/expose"
)

// One report has everything that is wrong with a set, in an order of its own.
func TestBuildReport(t *testing.T) {
	t.Parallel()
	declared := []expose.Declaration{
		expose.Query("a.b.c", ok), // a_b_c
		expose.Query("a_b.c", ok), // a_b_c, too
		expose.Query("", ok),
		expose.Query("a..b", ok),
		expose.Query("año.ver", ok),
		expose.Query("Bad Name.do it", ok),
		expose.Query("largo."+strings.Repeat("x", 60), ok),
		expose.Query("dos.veces", ok), expose.Mutation("dos.veces", ok, mcp.WithReadOnlyHintAnnotation(true)),
		expose.Query("sin.quien", nil),
		expose.Query("entrada.lista", ok, mcp.WithRawInputSchema([]byte(`{"type":"array"}`))),
		expose.Query("entrada.rota", ok, mcp.WithRawInputSchema([]byte(`{"type":`))),
		expose.Query("entrada.mala", ok, mcp.WithRawInputSchema([]byte(`{"type":"object","properties":{"x":{"type":"texto"}}}`))),
		expose.Query("entrada.fuera", ok, mcp.WithRawInputSchema([]byte(`{"type":"object","properties":{"x":{"$ref":"https://example.com/x.json"}}}`))),
		expose.Query("entrada.perdida", ok, mcp.WithRawInputSchema([]byte(`{"type":"object","properties":{"x":{"$ref":"#/$defs/Nada"}}}`))),
		expose.Query("entrada.doble", ok, mcp.WithString("x"), mcp.WithRawInputSchema([]byte(`{"type":"object"}`))),
		expose.Query("entrada.cabecera", ok, raw(`{"x":{"type":"object","x-mcp-header":"Con Espacio"}}`)),
		expose.Query("salida.lista", ok, mcp.WithRawOutputSchema([]byte(`{"type":"array"}`))),
		expose.Query("lee.borra", ok, mcp.WithDestructiveHintAnnotation(true)),
		expose.Query("lee.no", ok, mcp.WithReadOnlyHintAnnotation(false)),
		expose.Mutation("escribe.lee", ok, mcp.WithReadOnlyHintAnnotation(true)),
		expose.Query("junta.nombre", ok, raw(`{"action":{"type":"string"}}`)),
		expose.Query("doble.nombre", ok, raw(`{"action":{"type":"string"}}`)),
		{Name: "sugiere.nada", Handler: ok, Next: []expose.Suggestion{{Action: "nadie.nunca"}}},
	}
	declared = append(declared, expose.FromTools([]server.ServerTool{
		{Tool: mcp.NewTool("lee", mcp.WithReadOnlyHintAnnotation(true)), Handler: ok},
	}, func(mcp.Tool) string { return "existe" })...)
	cfg := expose.Config{
		Namespaces: []expose.Namespace{
			{Name: "junta", Strategy: expose.Grouped}, {Name: "nada"}, {Name: ""},
			{Name: "dos"}, {Name: "dos"}, {Name: "sin", Strategy: 9},
			{Name: "doble", Strategy: expose.Flat}, {Name: "doble", Strategy: expose.Grouped},
		},
		Strategy: 7, Separator: ".", ReadSuffix: "ñ", Discriminator: "¿qué?", Names: 5, Words: expose.Words{RequiredFor: "Required", Next: "Next"},
		Visible: []expose.Rule{expose.AnyTag("tipografico"), expose.When(never, expose.AllTags("otro")), {}, expose.When(nil, expose.NoTag("x"))},
	}
	surface, err := expose.Compile(cfg, declared...)
	if err == nil || surface != nil {
		t.Fatalf("got %v, %v, want a report", surface, err)
	}
	golden(t, "report.golden", err.Error()+"\n")

	slices.Reverse(declared)
	slices.Reverse(cfg.Namespaces)
	slices.Reverse(cfg.Visible)
	if _, other := expose.Compile(cfg, declared...); fmt.Sprint(other) != err.Error() {
		t.Errorf("in another order the report is\n%v\nwant\n%v", other, err)
	}

	all, isJoined := err.(interface{ Unwrap() []error })
	if !isJoined || len(all.Unwrap()) != strings.Count(err.Error(), "\n")+1 {
		t.Fatalf("%T is not one error for each line", err)
	}
	for _, one := range all.Unwrap() {
		var problem *expose.BuildError
		if !errors.As(one, &problem) || problem.Code == "" || problem.Text == "" {
			t.Errorf("%v is no BuildError", one)
		}
	}
}

func never(context.Context, call.Caller) bool { return false }

// The stricter rule for names holds for the actions of a discriminator, too.
func TestContractNames(t *testing.T) {
	t.Parallel()
	_, err := expose.Compile(expose.Config{Strategy: expose.Grouped, Names: expose.ContractNames},
		expose.Query("facturas.consultarUna", ok),
		expose.Query("soporte-casos.ver", ok),
		expose.Query(strings.Repeat("x", 41)+".ver", ok),
		expose.Query("citas.ver_las_de_hoy", ok))
	var subjects []string
	for line := range strings.Lines(fmt.Sprint(err)) {
		subjects = append(subjects, strings.Split(line, ": ")[1])
	}
	if got, want := strings.Join(subjects, " "), "facturas.consultarUna soporte-casos.ver "+strings.Repeat("x", 41); got != want {
		t.Errorf("got %s, want %s\n%v", got, want, err)
	}
}

// The two halves of a namespace need two names, which nothing else has.
func TestHalvesNeedNames(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		cfg  expose.Config
		want string
	}{
		"one suffix":     {expose.Config{Strategy: expose.Split, ReadSuffix: "write"}, `config: WriteSuffix: "write" is ReadSuffix, too; set one of them to another word`},
		"another's name": {expose.Config{Strategy: expose.Split, Namespaces: []expose.Namespace{{Name: "a.read", Strategy: expose.Grouped}}}, "collision: a_read: it would be the name of the tools for a and a.read; rename one of them, or set another separator"},
	} {
		if _, err := expose.Compile(tc.cfg, expose.Query("a.x", ok), expose.Query("a.read.y", ok)); fmt.Sprint(err) != tc.want {
			t.Errorf("%s: got %v, want %s", name, err, tc.want)
		}
	}
}

// A field may be named like the discriminator where there is none.
func TestFieldNamedLikeTheDiscriminator(t *testing.T) {
	t.Parallel()
	d := expose.Query("cuentas.ver", echo, raw(`{"action":{"type":"string"}}`))
	srv := serve(t, compile(t, expose.Config{}, d))
	if got, want := said(callTool(t.Context(), t, srv, "cuentas_ver", `{"action":"otra"}`)), `cuentas.ver {"action":"otra"} {"action":"otra"}`; got != want {
		t.Errorf("flat: got %s, want %s", got, want)
	}
	srv = serve(t, compile(t, expose.Config{Strategy: expose.Grouped, Discriminator: "operacion"}, d))
	if got, want := said(callTool(t.Context(), t, srv, "cuentas", `{"operacion":"ver","action":"otra"}`)), `cuentas.ver {"action":"otra"} {"action":"otra"}`; got != want {
		t.Errorf("grouped: got %s, want %s", got, want)
	}
}

func TestRegister(t *testing.T) {
	t.Parallel()
	srv := server.NewMCPServer("prueba", "1")
	srv.AddTool(mcp.NewTool("cuentas_ver"), ok)
	err := compile(t, expose.Config{}, cuentas()...).Register(srv)
	var problem *expose.BuildError
	if !errors.As(err, &problem) || problem.Code != expose.CodeCollision || problem.Subject != "cuentas_ver" {
		t.Fatalf("got %v, want a collision of cuentas_ver", err)
	}
	if tools := srv.ListTools(); len(tools) != 1 {
		t.Errorf("the server has become %v", tools)
	}
	if err := compile(t, expose.Config{Strategy: expose.Grouped}, cuentas()...).Register(srv); err != nil {
		t.Fatal(err)
	}
	if got := list(t.Context(), t, srv); !strings.Contains(got, `"cuentas"`) || !strings.Contains(got, `"cuentas_ver"`) || strings.Contains(got, "borrar") {
		t.Errorf("the list is %s", got)
	}
}

// A tool that a session has of its own is its own, whatever it is called.
func TestFilterLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	surface := compile(t, expose.Config{Strategy: expose.Grouped}, cuentas()...)
	own := mcp.NewTool("cuentas", mcp.WithString("borrar"))
	rawOwn := mcp.NewToolWithRawSchema("cuentas", "", []byte(`{"type":"object"}`))
	for _, tool := range []mcp.Tool{own, rawOwn} {
		if got := surface.Filter(t.Context(), []mcp.Tool{tool}); len(got) != 1 || got[0].Description != tool.Description {
			t.Errorf("got %v, want the tool as it was", got)
		}
	}
}

// Without the filter a hidden tool is listed, and refuses.
func TestWithoutTheFilter(t *testing.T) {
	t.Parallel()
	for _, tool := range compile(t, expose.Config{}, cuentas()...).Tools() {
		req := mcp.CallToolRequest{}
		req.Params.Name, req.Params.Arguments = tool.Tool.Name, map[string]any{"id": "a", "valor": 1}
		res, err := tool.Handler(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := strings.Contains(mcp.GetTextFromContent(res.Content[0]), "PERMISSION"), tool.Tool.Name == "cuentas_borrar"; got != want {
			t.Errorf("%s: refused %t, want %t", tool.Tool.Name, got, want)
		}
	}
}
