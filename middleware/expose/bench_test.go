package expose_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

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
			best := time.Hour
			for b.Loop() {
				start := time.Now()
				compile(b, expose.Config{Strategy: strategy}, declarations...)
				best = min(best, time.Since(start))
			}
			b.ReportMetric(float64(best.Microseconds())/1000, "best-ms")
		})
	}
}

// dispatch is a call by way of a surface, or of the handler.
type dispatch struct {
	name    string
	handler server.ToolHandlerFunc
	req     mcp.CallToolRequest
}

func (d *dispatch) call(b *testing.B) {
	if res, err := d.handler(context.Background(), d.req); err != nil || res.IsError {
		b.Fatal(res, err)
	}
}

// dispatches are the same call of the handler, of a flat tool and of a grouped one, all
// with validation.
func dispatches(b *testing.B) []dispatch {
	b.Helper()
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
	all := []dispatch{
		{name: "direct", handler: func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return validate(middleware.WithDefinition(ctx, tool.Name, &tool), req)
		}},
		{name: "flat", handler: handlerOf(expose.Flat, "facturas_consultar")},
		{name: "grouped", handler: handlerOf(expose.Grouped, "facturas")},
	}
	for i, name := range []string{"facturas_consultar", "facturas_consultar", "facturas"} {
		params := &all[i].req.Params
		params.Name, params.RawArguments = name, json.RawMessage(direct)
		if name == "facturas" {
			params.RawArguments = json.RawMessage(arguments)
		}
		if err := json.Unmarshal(params.RawArguments, &params.Arguments); err != nil {
			b.Fatal(err)
		}
	}
	return all
}

// BenchmarkDispatch compares a call by way of a surface with one of the handler.
func BenchmarkDispatch(b *testing.B) {
	for _, d := range dispatches(b) {
		b.Run(d.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				d.call(b)
			}
		})
	}
}

// BenchmarkDispatchExtra reports what a call of a grouped tool costs beyond one of the
// handler. They are timed in turn, a batch of each, and the best batches compared:
// what else the machine does is in both, or in neither.
func BenchmarkDispatchExtra(b *testing.B) {
	const batch = 200
	all := dispatches(b)
	direct, grouped := &all[0], &all[2]
	best := map[*dispatch]time.Duration{direct: time.Hour, grouped: time.Hour}
	for b.Loop() {
		for _, d := range []*dispatch{direct, grouped} {
			start := time.Now()
			for range batch {
				d.call(b)
			}
			best[d] = min(best[d], time.Since(start))
		}
	}
	b.ReportMetric(float64(best[grouped]-best[direct])/batch, "extra-ns/call")
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
