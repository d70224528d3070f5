// Command expose shows the tools of a small fibre operator to an agent in three
// ways: each as a tool of its own, grouped by what they are about, and grouped apart
// by whether they read or write. It prints what each way costs the agent, and makes
// one call in each of them, which ends in the same handler:
//
//	go run ./examples/expose
package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/expose"
)

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// config is what the three surfaces have in common.
func config(strategy expose.Strategy) expose.Config {
	cfg := expose.Asixto(strategy)
	cfg.Namespaces = []expose.Namespace{
		{Name: visits, Title: "Visitas técnicas", Description: "Consulta y cancela las visitas técnicas de un cliente."},
		{Name: clients, Title: "Clientes", Description: "Atiende a un cliente del operador por su documento."},
	}
	cfg.Discriminator, cfg.ReadSuffix, cfg.WriteSuffix = "operacion", "consulta", "cambio"
	cfg.Middleware = middleware.Chain( // for each action, whichever tool it is called by: the place of a whole stack
		middleware.Errors(middleware.ErrorsConfig{}),
		middleware.Validate(middleware.ValidateConfig{}),
	)
	return cfg
}

func run(ctx context.Context, out io.Writer) error {
	for _, strategy := range []expose.Strategy{expose.Flat, expose.Grouped, expose.Split} {
		surface, err := expose.Compile(config(strategy), actions()...)
		if err != nil {
			return err
		}
		if strategy == expose.Flat {
			report(out, surface.Measure())
		}
		srv := server.NewMCPServer("operador", "1.0.0")
		if err := surface.Register(srv); err != nil {
			return err
		}
		fmt.Fprintf(out, "\n%s\n", strategy)
		for _, tool := range surface.Tools() {
			fmt.Fprintf(out, "  %-26s reads only: %t\n", tool.Tool.Name, *tool.Tool.Annotations.ReadOnlyHint)
		}
		if err := cancel(ctx, out, srv, strategy); err != nil {
			return err
		}
	}
	return nil
}

// report prints what each surface costs.
func report(out io.Writer, sizes []expose.Size) {
	fmt.Fprintln(out, "surface            tools  characters  tokens (estimate)")
	for _, size := range sizes {
		name := size.Strategy.String()
		if size.Compact {
			name += ", compact"
		}
		if size.Err != nil {
			fmt.Fprintf(out, "%-18s %v\n", name, size.Err)
			continue
		}
		fmt.Fprintf(out, "%-18s %5d  %10d  %6d\n", name, size.Tools, size.Characters, size.Tokens)
	}
}

// cancel is the agent: it cancels a visit and prints the answer.
func cancel(ctx context.Context, out io.Writer, srv *server.MCPServer, strategy expose.Strategy) error {
	agent, err := client.NewInProcessClient(srv)
	if err != nil {
		return err
	}
	defer func() { _ = agent.Close() }()
	if _, err := agent.Initialize(ctx, mcp.InitializeRequest{}); err != nil {
		return err
	}
	tools := map[expose.Strategy]string{expose.Grouped: visits, expose.Split: visits + "_cambio"}
	params := mcp.CallToolParams{Name: cmp.Or(tools[strategy], "cancelar_cita")}
	arguments := map[string]any{"documento": "CC 1.032.456.789", "cita": "V-1042"}
	if strategy != expose.Flat {
		arguments["operacion"] = "cancelar_cita"
	}
	params.Arguments = arguments
	answer, err := agent.CallTool(ctx, mcp.CallToolRequest{Params: params})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "  %s %v: %s\n", params.Name, arguments, mcp.GetTextFromContent(answer.Content[0]))
	return nil
}
