package whaapy_test

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware/whaapy"
)

// A write that has found candidates and done nothing yet, in a plain result: the agent
// reads success and tells the person that the payment is registered. Pending says what
// is the case.
func Example_incorrect() {
	srv := server.NewMCPServer("cartera", "1.0.0")
	srv.Use(whaapy.Envelope(whaapy.Config{}))
	candidates := []string{"F-0071", "F-0072"}
	srv.AddTool(mcp.NewTool("registrar_pago"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultStructured(map[string]any{"facturas": candidates}, "Hay dos facturas."), nil // wrong
	})
	srv.AddTool(mcp.NewTool("pagar"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return whaapy.Pending(candidates, "¿Cuál de las facturas desea pagar?"), nil
	})
	show(srv, "registrar_pago", `{}`)
	show(srv, "pagar", `{}`)
	// Output:
	// false {"ok":true,"status":"success","data":{"facturas":["F-0071","F-0072"]},"toolName":"registrar_pago","safety":"external_send","durationMs":84}
	// false {"ok":true,"status":"pending_confirmation","data":{"status":"pending_confirmation","candidates":["F-0071","F-0072"],"nextQuestion":"¿Cuál de las facturas desea pagar?"},"toolName":"pagar","safety":"external_send","durationMs":84,"nextQuestion":"¿Cuál de las facturas desea pagar?"}
}
