// Command piecemeal puts two middlewares around one tool of a server that was
// there before, and leaves the rest of it alone. It calls the tool once and
// prints what the agent gets:
//
//	go run ./examples/piecemeal
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware"
)

// consultarSaldo is the handler that was there before. Its database is down, so
// it waits for longer than anybody on the phone does.
func consultarSaldo(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	<-ctx.Done()
	return nil, fmt.Errorf("pq: connection to 10.0.0.7:5432 lost: %w", ctx.Err())
}

func newServer() *server.MCPServer {
	srv := server.NewMCPServer("cobros", "1.0.0")
	srv.AddTool(mcp.NewTool("consultar_saldo"), middleware.Wrap(consultarSaldo,
		middleware.Errors(middleware.ErrorsConfig{}), // outermost: errors become answers
		middleware.Timeout(200*time.Millisecond),
	))
	return srv
}

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run is the agent: it calls the tool and prints the answer.
func run(ctx context.Context) error {
	agent, err := client.NewInProcessClient(newServer())
	if err != nil {
		return err
	}
	defer func() { _ = agent.Close() }()
	if _, err := agent.Initialize(ctx, mcp.InitializeRequest{}); err != nil {
		return err
	}
	answer, err := agent.CallTool(ctx, mcp.CallToolRequest{Params: mcp.CallToolParams{Name: "consultar_saldo"}})
	if err != nil {
		return err
	}
	fmt.Println(mcp.GetTextFromContent(answer.Content[0]))
	return nil
}
