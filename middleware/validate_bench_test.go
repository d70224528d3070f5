package middleware_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/call"
)

// exampleTools have the shape of those of examples/server.
func exampleTools() map[string]mcp.Tool {
	nullable := func(schema map[string]any) { schema["type"] = []any{schema["type"], "null"} }
	documento := mcp.WithString("documento", mcp.Required(), mcp.MaxLength(30))
	closed := mcp.WithSchemaAdditionalProperties(false)
	type item struct {
		Nombre, Detalle, Precio, Moneda string
	}
	type page struct {
		Resultados []item `json:"resultados"`
		Total      int    `json:"total"`
		Limit      int    `json:"limit"`
		Offset     int    `json:"offset"`
	}
	return map[string]mcp.Tool{
		`{"documento":"CC 1.032.456.789"}`: mcp.NewTool("consultar_cliente", closed, documento),
		`{"texto":"plan fibra","limit":5,"offset":0}`: mcp.NewTool("buscar_items", closed,
			mcp.WithString("texto", mcp.Required(), mcp.MaxLength(80)),
			mcp.WithInteger("limit", nullable, mcp.Min(1), mcp.Max(25)),
			mcp.WithInteger("offset", nullable, mcp.Min(0), mcp.Max(10_000)),
			mcp.WithOutputSchema[page](), mcp.WithReadOnlyHintAnnotation(true)),
		`{"documento":"CC 1.032.456.789","tipo":"falla","descripcion":"No hay internet desde anoche","prioridad":null}`: mcp.NewTool("abrir_caso_soporte", closed, documento,
			mcp.WithString("tipo", mcp.Required(), mcp.Enum("falla", "instalacion", "cobro")),
			mcp.WithString("descripcion", mcp.Required(), mcp.MinLength(1), mcp.MaxLength(400)),
			mcp.WithString("prioridad", nullable, func(s map[string]any) { s["enum"] = []any{"alta", "normal", nil} })),
	}
}

// arrive returns a call as a middleware of the server gets it.
func arrive(b *testing.B, tool mcp.Tool, arguments string) (context.Context, mcp.CallToolRequest) {
	b.Helper()
	contexts, requests := make(chan context.Context, 1), make(chan mcp.CallToolRequest, 1)
	srv := server.NewMCPServer("prueba", "1.0.0")
	srv.AddTool(tool, func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		contexts <- ctx
		requests <- req
		return mcp.NewToolResultText(""), nil
	})
	answer(context.Background(), b, srv, modernCall(tool.Name, arguments, ""))
	return <-contexts, <-requests
}

// BenchmarkValidate says what Validate adds to a call of each tool: "bare" is the
// call record alone, which every middleware needs.
func BenchmarkValidate(b *testing.B) {
	bare := middleware.Chain(middleware.Metadata(call.Keys{}), lookUp)
	for arguments, tool := range exampleTools() {
		ctx, req := arrive(b, tool, arguments)
		for name, mw := range map[string]server.ToolHandlerMiddleware{
			"bare":     bare,
			"strict":   middleware.Validate(middleware.ValidateConfig{}),
			"tolerant": middleware.Validate(middleware.ValidateConfig{Tolerate: middleware.AllTolerances()}),
		} {
			b.Run(tool.Name+"/"+name, func(b *testing.B) {
				b.ReportAllocs()
				h := mw(ok)
				for b.Loop() {
					if _, err := h(ctx, req); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// lookUp finds the definition as Validate does.
func lookUp(next server.ToolHandlerFunc) server.ToolHandlerFunc {
	return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		middleware.RecordFrom(ctx).Definition(ctx)
		return next(ctx, req)
	}
}

// BenchmarkValidateRefusal is a call with three mistakes, and one that is corrected.
func BenchmarkValidateRefusal(b *testing.B) {
	tool := mcp.NewToolWithRawSchema("prueba", "", json.RawMessage(orderSchema))
	for name, bench := range map[string]struct {
		arguments string
		refused   bool
	}{
		"refused":   {`{"documeto":"10324","tipo":"fala","cantidad":0}`, true},
		"corrected": {`{"documento":"10324","tipo":"falla","cantidad":"10"}`, false},
	} {
		ctx, req := arrive(b, tool, bench.arguments)
		h := middleware.Validate(middleware.ValidateConfig{Tolerate: []middleware.Tolerance{middleware.TextAsNumber}})(ok)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := h(ctx, req); (err != nil) != bench.refused {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkValidateResult is a page of five items.
func BenchmarkValidateResult(b *testing.B) {
	raw := json.RawMessage(`{"resultados":[`)
	for i := range 5 {
		if i > 0 {
			raw = append(raw, ',')
		}
		raw = append(raw, `{"Nombre":"Plan Fibra 300","Detalle":"internet de 300 megas","Precio":"89900.00","Moneda":"COP"}`...)
	}
	raw = append(raw, `],"total":18,"limit":5,"offset":0}`...)
	const arguments = `{"texto":"plan fibra","limit":5,"offset":0}`
	ctx, req := arrive(b, exampleTools()[arguments], arguments)
	h := returns(&mcp.CallToolResult{RawStructuredContent: raw})
	for name, cfg := range map[string]middleware.ValidateConfig{"unchecked": {}, "checked": {StrictResults: true}} {
		validated := middleware.Validate(cfg)(h)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := validated(ctx, req); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
