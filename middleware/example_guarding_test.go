package middleware_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"syscall"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/call"
)

// tell sends one message as a caller with the scopes would, and prints the
// answer without what every answer holds.
func tell(srv *server.MCPServer, method, tool string, scopes ...string) {
	ctx := call.WithCaller(context.Background(), call.Caller{Name: "asixto", Scopes: scopes})
	message := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{"name":%q,"arguments":{"valor":5000000}}}`, method, tool)
	switch a := srv.HandleMessage(ctx, []byte(message)).(type) {
	case mcp.JSONRPCError:
		fmt.Println(a.Error.Code, a.Error.Message)
	case mcp.JSONRPCResponse:
		switch res := a.Result.(type) {
		case *mcp.CallToolResult:
			fmt.Println(mcp.GetTextFromContent(res.Content[0]))
		case mcp.ListToolsResult:
			names := make([]string, 0, len(res.Tools))
			for _, tool := range res.Tools {
				names = append(names, tool.Name)
			}
			fmt.Println(strings.Join(names, " "))
		}
	}
}

func ready(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return mcp.NewToolResultText("Listo."), nil
}

// addBilling registers three tools, one of which nobody thought of in the policy.
func addBilling(srv *server.MCPServer) {
	for _, name := range []string{"consultar_horario", "pagar_factura", "borrar_cuenta"} {
		srv.AddTool(mcp.NewTool(name), ready)
	}
}

// One policy serves the list, the call and the single call: what a caller may not
// know of is answered like a name that was never registered, and what it may know
// of but not do is PERMISSION.
func ExamplePolicy() {
	policy := middleware.Policy{
		Visible: middleware.Scopes(map[string][]string{
			"consultar_horario": {middleware.Public},
			"pagar_factura":     {"pagos:hacer"},
		}),
		Allow: func(ctx context.Context, req mcp.CallToolRequest) error {
			if err := middleware.SameTenant(ctx, req); err != nil {
				return err
			}
			if req.Params.Name == "pagar_factura" && req.GetInt("valor", 0) > 1_000_000 {
				return errors.Permission("Los pagos de más de un millón de pesos los hace un asesor.")
			}
			return nil
		},
	}
	srv := server.NewMCPServer("operador", "1.0.0", server.WithToolFilter(policy.Filter))
	srv.Use(middleware.Errors(middleware.ErrorsConfig{}), middleware.Authorize(policy))
	addBilling(srv)

	tell(srv, "tools/list", "")
	tell(srv, "tools/call", "consultar_horario")
	tell(srv, "tools/call", "pagar_factura")
	tell(srv, "tools/call", "no_existe")
	tell(srv, "tools/list", "", "pagos:hacer")
	tell(srv, "tools/call", "pagar_factura", "pagos:hacer")
	// Output:
	// consultar_horario
	// Listo.
	// -32602 tool 'pagar_factura' not found: tool not found
	// -32602 tool 'no_existe' not found: tool not found
	// consultar_horario pagar_factura
	// {"error":{"error_type":"PERMISSION","user_message":"Los pagos de más de un millón de pesos los hace un asesor."}}
}

// Wrong: a policy in the stack alone. The tools cannot be called, but every
// caller reads their names, and PERMISSION says that they exist. Give the server
// the filter of the same policy.
func ExampleAuthorize_withoutFilter() {
	policy := middleware.Policy{Visible: middleware.Scopes(map[string][]string{"consultar_horario": {middleware.Public}})}
	srv := server.NewMCPServer("operador", "1.0.0")
	srv.Use(middleware.Errors(middleware.ErrorsConfig{}), middleware.Authorize(policy))
	addBilling(srv)

	tell(srv, "tools/list", "")
	tell(srv, "tools/call", "borrar_cuenta")
	tell(srv, "tools/call", "no_existe")
	// Output:
	// borrar_cuenta consultar_horario pagar_factura
	// {"error":{"error_type":"PERMISSION","user_message":"No hay autorización para atender esa solicitud."}}
	// -32602 tool 'no_existe' not found: tool not found
}

// An agent that does not believe the answer is told to go on. A tool that is
// meant to be asked again has limits of its own.
func ExampleLoopGuard() {
	h := middleware.Wrap(ready,
		middleware.Errors(middleware.ErrorsConfig{}),
		middleware.LoopGuard(middleware.LoopGuardConfig{
			Limits: middleware.LoopLimits{Equal: 2},
			Tools:  map[string]middleware.LoopLimits{"consultar_estado": {Calls: 60, Equal: 60}},
		}))
	for range 3 {
		var req mcp.CallToolRequest
		req.Params.Name = "consultar_cita"
		req.Params.Meta = mcp.NewMetaFromMap(map[string]any{"com.asixto/conversationId": "cnv_77b"})
		res, err := h(context.Background(), req)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(regexp.MustCompile(`,"details.*`).ReplaceAllString(mcp.GetTextFromContent(res.Content[0]), " ..."))
	}
	// Output:
	// Listo.
	// Listo.
	// {"error":{"error_type":"BLOCKER","user_message":"Esa misma solicitud ya se hizo varias veces, y conviene seguir con lo que ya se sabe." ...
}

// A connection that was refused has had no effect, so the call is made again.
func ExampleRetry() {
	tries := 0
	h := middleware.Wrap(func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if tries++; tries < 3 {
			return nil, syscall.ECONNREFUSED
		}
		return mcp.NewToolResultText("Su cita está confirmada."), nil
	}, middleware.Errors(middleware.ErrorsConfig{}), middleware.Retry(middleware.RetryConfig{}))
	ask(h, "C-100")
	fmt.Println(tries, "tries")
	// Output:
	// Su cita está confirmada.
	// 3 tries
}
