package expose_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/expose"
)

// BenchmarkCompile compiles 1,000 actions in 50 namespaces.
func BenchmarkCompile(b *testing.B) {
	var declarations []expose.Declaration
	for i := range 1000 {
		declarations = append(declarations, expose.Query(fmt.Sprintf("espacio_%d.accion_%d", i%50, i), ok, text("Consulta algo. Y más."),
			raw(`{"documento":{"type":"string","maxLength":30,"description":"Documento del titular"},"numero":{"type":["string","null"],"maxLength":20},"estado":{"type":"string","enum":["a","b"]}}`, "documento")))
	}
	for _, strategy := range []expose.Strategy{expose.Flat, expose.Grouped, expose.Split} {
		b.Run(strategy.String(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				compile(b, expose.Config{Strategy: strategy}, declarations...)
			}
		})
	}
}

// BenchmarkDispatch compares a call by way of a surface with one of the handler, both
// with validation.
func BenchmarkDispatch(b *testing.B) {
	declarations := facturas()
	for i := range declarations {
		declarations[i].Handler = quiet
	}
	const (
		direct    = `{"documento":"1032456789","numero":"F-1"}`
		arguments = `{"documento":"1032456789","numero":"F-1","action":"consultar"}`
	)
	none := func(next server.ToolHandlerFunc) server.ToolHandlerFunc { return next }
	handlerOf := func(strategy expose.Strategy, name string) server.ToolHandlerFunc {
		for _, tool := range compile(b, expose.Config{Strategy: strategy, Middleware: none}, declarations...).Tools() {
			if tool.Tool.Name == name {
				return tool.Handler
			}
		}
		b.Fatalf("no tool %s", name)
		return nil
	}
	tool := compile(b, expose.Config{}, declarations...).Tools()[0].Tool
	validate := middleware.Validate(middleware.ValidateConfig{})(quiet)
	for _, bench := range []struct {
		name, tool, arguments string
		handler               server.ToolHandlerFunc
	}{
		{"direct", "facturas_consultar", direct, func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return validate(middleware.WithDefinition(ctx, tool.Name, &tool), req)
		}},
		{"flat", "facturas_consultar", direct, handlerOf(expose.Flat, "facturas_consultar")},
		{"grouped", "facturas", arguments, handlerOf(expose.Grouped, "facturas")},
	} {
		b.Run(bench.name, func(b *testing.B) {
			req := mcp.CallToolRequest{}
			req.Params.Name, req.Params.RawArguments = bench.tool, json.RawMessage(bench.arguments)
			if err := json.Unmarshal(req.Params.RawArguments, &req.Params.Arguments); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if res, err := bench.handler(context.Background(), req); err != nil || res.IsError {
					b.Fatal(res, err)
				}
			}
		})
	}
}

// BenchmarkList filters the list of a caller who may not see everything.
func BenchmarkList(b *testing.B) {
	declarations := facturas()
	declarations[2].Scopes = []string{"pagos:hacer"}
	surface := compile(b, expose.Config{Strategy: expose.Grouped}, declarations...)
	var tools []mcp.Tool
	for _, tool := range surface.Tools() {
		tools = append(tools, tool.Tool)
	}
	b.ReportAllocs()
	for b.Loop() {
		if len(surface.Filter(context.Background(), tools)) != 1 {
			b.Fatal("the tool is gone")
		}
	}
}

func quiet(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) { return &done, nil }

var done = mcp.CallToolResult{Content: []mcp.Content{mcp.NewTextContent("Listo.")}}
