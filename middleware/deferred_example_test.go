package middleware_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware"
)

// A report that takes minutes becomes a tool that starts it and one that reads it.
func ExampleDeferred() {
	report := mcp.NewTool("generar_reporte",
		mcp.WithDescription("Reúne las facturas de un año en un informe. No sirve para pagar."),
		mcp.WithInteger("anio", mcp.Required(), mcp.Min(2000), mcp.Max(2100)))
	work := func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		middleware.Progress(ctx, 50, "Van seis meses de doce.")
		return mcp.NewToolResultText(fmt.Sprintf("El informe de %d está listo.", req.GetInt("anio", 0))), nil
	}

	workers := middleware.NewWorkers(middleware.NewJobs(middleware.JobsConfig{}), middleware.WorkersConfig{})
	srv := server.NewMCPServer("fibra", "1.0.0")
	srv.Use(middleware.Errors(middleware.ErrorsConfig{}))
	srv.AddTools(middleware.Deferred(workers, report, work, middleware.DeferredConfig{
		Say: middleware.JobSentences{Started: "Ya inicié su informe, le aviso en unos minutos."},
	})...)

	var req mcp.CallToolRequest
	req.Params.Name, req.Params.Arguments = "iniciar_reporte", map[string]any{"anio": 2026}
	res, _ := srv.GetTool("iniciar_reporte").Handler(context.Background(), req)
	fmt.Println(res.Content[0].(mcp.TextContent).Text)

	_ = workers.Drain(context.Background()) // at shutdown: what was accepted is finished

	var started struct{ JobID string }
	_ = json.Unmarshal(res.RawStructuredContent, &started)
	req.Params.Name, req.Params.Arguments = "consultar_reporte", map[string]any{"jobId": started.JobID}
	res, _ = srv.GetTool("consultar_reporte").Handler(context.Background(), req)
	fmt.Println(res.Content[0].(mcp.TextContent).Text)
	// Output:
	// Ya inicié su informe, le aviso en unos minutos.
	// El informe de 2026 está listo.
}
