package main

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type orderInput struct {
	Code string `json:"code" jsonschema:"the code of the order"`
}

type order struct {
	Code    string `json:"code"`
	Arrives string `json:"arrives"`
}

type createInput struct {
	Product string `json:"product" jsonschema:"what is ordered"`
}

// newServer has one tool that reads and one that writes.
func newServer() *mcp.Server {
	srv := mcp.NewServer(&mcp.Implementation{Name: "orders", Version: "1.0.0"}, nil)
	mcp.AddTool(srv, &mcp.Tool{
		Name: "get_order", Description: "Get an order by its code",
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
	}, func(_ context.Context, _ *mcp.CallToolRequest, in orderInput) (*mcp.CallToolResult, order, error) {
		if in.Code != "prueba" { // what a checker makes up that knows only the schema
			return nil, order{}, fmt.Errorf("order %s not found", in.Code)
		}
		return nil, order{Code: in.Code, Arrives: "2030-03-14"}, nil
	})
	var last atomic.Int64
	mcp.AddTool(srv, &mcp.Tool{
		Name: "create_order", Description: "Create an order of a product",
	}, func(_ context.Context, _ *mcp.CallToolRequest, _ createInput) (*mcp.CallToolResult, order, error) {
		return nil, order{Code: fmt.Sprintf("P-%d", last.Add(1)), Arrives: "2030-03-14"}, nil
	})
	return srv
}
