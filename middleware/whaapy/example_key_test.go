package whaapy_test

import (
	"context"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/idempotency/memory"
	"github.com/portavoz/portavoz/middleware"
	mwcall "github.com/portavoz/portavoz/middleware/call"
	"github.com/portavoz/portavoz/middleware/whaapy"
)

// Whaapy sends no idempotency key. Where the arguments name the operation by themselves,
// they are one: no two payments of a person have one tracking key. What does not name
// its operation stays without: two transfers of the same amount are two.
func ExampleStack_key() {
	keyOfPayment := func(next server.ToolHandlerFunc) server.ToolHandlerFunc {
		return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			person, tracking := req.GetString("documento", ""), req.GetString("claveRastreo", "")
			if req.Params.Name == "registrar_pago" && person != "" && tracking != "" {
				ctx = mwcall.WithMeta(ctx, mwcall.Meta{IdempotencyKey: person + " " + tracking})
			}
			return next(ctx, req)
		}
	}
	store, err := memory.Ephemeral(memory.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	srv := server.NewMCPServer("cartera", "1.0.0")
	stack := whaapy.Stack(srv, store, whaapy.Config{})
	stack.Metadata = keyOfPayment
	stack.Log = middleware.Observe(func(_ context.Context, ev middleware.Event) { fmt.Println("unprotected:", ev.Unprotected) })
	stack.Authorize = middleware.Authorize(middleware.Policy{})
	stack.Use()

	payments := 0
	srv.AddTool(mcp.NewTool("registrar_pago", mcp.WithString("documento"), mcp.WithString("claveRastreo"), mcp.WithNumber("monto")),
		func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			payments++
			return mcp.NewToolResultStructured(whaapy.Evidence{PaymentID: fmt.Sprintf("pay_%d", payments)}, "Pago registrado."), nil
		})
	const transfer = `{"documento":"1032","claveRastreo":"260604017724349474I","monto":350}`
	show(srv, "registrar_pago", transfer)
	show(srv, "registrar_pago", transfer) // the agent has not seen the first answer
	show(srv, "registrar_pago", `{"documento":"1032","claveRastreo":"260604017724349999I","monto":350}`)
	show(srv, "registrar_pago", `{"documento":"1032","monto":350}`)
	// Output:
	// unprotected: false
	// false {"ok":true,"status":"success","data":{"paymentId":"pay_1"},"toolName":"registrar_pago","safety":"external_send","durationMs":84}
	// unprotected: false
	// false {"ok":true,"status":"success","data":{"paymentId":"pay_1"},"toolName":"registrar_pago","safety":"external_send","durationMs":84}
	// unprotected: false
	// false {"ok":true,"status":"success","data":{"paymentId":"pay_2"},"toolName":"registrar_pago","safety":"external_send","durationMs":84}
	// unprotected: true
	// false {"ok":true,"status":"success","data":{"paymentId":"pay_3"},"toolName":"registrar_pago","safety":"external_send","durationMs":84}
}
