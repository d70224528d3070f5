package expose_test

import (
	"context"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware/expose"
)

// Actions are declared once. The configuration decides what the agent sees of them.
func Example() {
	consultar := func(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText("La factura " + req.GetString("numero", "") + " vale diez mil pesos."), nil
	}
	pagar := func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText("Quedó pagada."), nil
	}
	numero := mcp.WithString("numero", mcp.Required(), mcp.MaxLength(20), mcp.Description("Número de la factura"))
	actions := []expose.Declaration{
		expose.Query("facturas.consultar", consultar, mcp.WithDescription("Consulta una factura."), numero),
		expose.Mutation("facturas.pagar", pagar, mcp.WithDescription("Paga una factura."), numero,
			mcp.WithString("medio", mcp.Required(), mcp.Enum("pse", "tarjeta"))),
	}

	for _, strategy := range []expose.Strategy{expose.Flat, expose.Grouped, expose.Split} {
		surface, err := expose.Compile(expose.Config{Strategy: strategy, Words: expose.Spanish()}, actions...)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s:", strategy)
		for _, tool := range surface.Tools() {
			fmt.Printf(" %s", tool.Tool.Name)
		}
		fmt.Println()
	}

	surface, err := expose.Compile(expose.Config{Strategy: expose.Grouped, Words: expose.Spanish()}, actions...)
	if err != nil {
		fmt.Println(err)
		return
	}
	srv := server.NewMCPServer("facturas", "1.0.0")
	if err := surface.Register(srv); err != nil {
		fmt.Println(err)
		return
	}
	tool := srv.GetTool("facturas")
	fmt.Println(tool.Tool.Description)
	fmt.Println(string(tool.Tool.RawInputSchema))
	// Output:
	// flat: facturas_consultar facturas_pagar
	// grouped: facturas
	// split: facturas_read facturas_write
	// Indique en action una de estas:
	// - consultar [solo lectura]: Consulta una factura.
	// - pagar [destructiva]: Paga una factura.
	// {"type":"object","properties":{"action":{"type":"string","enum":["consultar","pagar"],"description":"Lo que se hará. Cada uno de los demás datos dice para qué es."},"numero":{"description":"Número de la factura. (siempre obligatorio)","maxLength":20,"type":"string"},"medio":{"description":"Obligatorio para: pagar","enum":["pse","tarjeta"],"type":"string"}},"required":["action","numero"],"additionalProperties":false}
}

// Tools that exist already are grouped as they are; in a flat surface they keep
// their names.
func ExampleFromTools() {
	handler := func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText("Listo."), nil
	}
	tools := []server.ServerTool{
		{Tool: mcp.NewTool("consultar_cita"), Handler: handler},
		{Tool: mcp.NewTool("cancelar_cita"), Handler: handler},
		{Tool: mcp.NewTool("consultar_horario"), Handler: handler},
	}
	declarations := expose.FromTools(tools, func(tool mcp.Tool) string {
		if tool.Name == "consultar_horario" {
			return "" // stays a tool of its own
		}
		return "citas"
	})
	for _, strategy := range []expose.Strategy{expose.Flat, expose.Grouped} {
		surface, err := expose.Compile(expose.Config{Strategy: strategy}, declarations...)
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, tool := range surface.Tools() {
			fmt.Println(strategy, tool.Tool.Name)
		}
	}
	// Output:
	// flat cancelar_cita
	// flat consultar_cita
	// flat consultar_horario
	// grouped citas
	// grouped consultar_horario
}

// Everything that is wrong is reported at once, before anything is served.
func ExampleCompile_incorrect() {
	handler := func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, nil }
	_, err := expose.Compile(expose.Config{Strategy: expose.Grouped},
		expose.Query("citas.ver", handler, mcp.WithDestructiveHintAnnotation(true)),
		expose.Mutation("citas.mover", handler, mcp.WithString("action")),
	)
	fmt.Println(err)
	// Output:
	// discriminator: citas.mover: it has a field "action", which would name the action; set Config.Discriminator to another name, or make the namespace flat
	// hints: citas.ver: it is declared read-only and destructive at once; mcp.NewTool declares everything destructive: add mcp.WithDestructiveHintAnnotation(false) if it only reads
}

// What it costs an agent to be shown the actions, before anybody decides.
func ExampleSurface_Measure() {
	handler := func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, nil }
	documento := mcp.WithString("documento", mcp.Required(), mcp.MaxLength(30), mcp.Description("Documento de identidad del titular"))
	var declarations []expose.Declaration
	for _, key := range []string{"consultar", "buscar", "abrir", "cerrar", "actualizar", "reabrir"} {
		declarations = append(declarations, expose.Mutation("casos."+key, handler, documento))
	}
	surface, err := expose.Compile(expose.Config{}, declarations...)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, size := range surface.Measure() {
		if !size.Compact {
			fmt.Printf("%s: %d tools, %d characters, about %d tokens\n", size.Strategy, size.Tools, size.Characters, size.Tokens)
		}
	}
	// Output:
	// flat: 6 tools, 1694 characters, about 424 tokens
	// grouped: 1 tools, 656 characters, about 164 tokens
	// split: 1 tools, 662 characters, about 166 tokens
}
