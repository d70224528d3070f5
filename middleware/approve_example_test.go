package middleware_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/middleware"
)

// Refunds above a hundred thousand wait for a person; who that may be is the server's
// own to say, here by a header that its proxy sets.
func ExampleApprove() {
	approvals := middleware.NewApprovals(middleware.ApprovalsConfig{})
	large := func(_ context.Context, req mcp.CallToolRequest) (reason string, needed bool) {
		amount, err := req.RequireFloat("monto")
		return "devolución de más de cien mil pesos", err != nil || !(amount <= 100_000) // nor what is no number
	}
	refund := middleware.Wrap(func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		approval, _ := middleware.ApprovalFrom(ctx)
		return mcp.NewToolResultText("Devolución hecha, autorizada por " + approval.DecidedBy + "."), nil
	}, middleware.Approve(large, approvals, middleware.ApproveConfig{TTL: 8 * time.Hour}))

	desk := middleware.ApprovalsHandler(approvals, func(r *http.Request) (middleware.Approver, bool) {
		name := r.Header.Get("X-Verified-User")
		return middleware.Approver{Name: name, AllTenants: true}, name != ""
	})

	var req mcp.CallToolRequest
	req.Params.Name, req.Params.Arguments = "devolver_pago", map[string]any{"monto": 250_000}
	res, _ := refund(context.Background(), req)
	fmt.Println(res.Content[0].(mcp.TextContent).Text)

	// curl -H 'Content-Type: application/json' -d '{"decision":"grant"}' http://.../approvals/apr_...
	waiting, _ := approvals.List(context.Background(), middleware.Approver{AllTenants: true}, middleware.ApprovalPending, 1)
	decision := httptest.NewRequest(http.MethodPost, "/approvals/"+waiting[0].ID, strings.NewReader(`{"decision":"grant"}`))
	decision.Header.Set("Content-Type", "application/json")
	decision.Header.Set("X-Verified-User", "ana")
	desk.ServeHTTP(httptest.NewRecorder(), decision)

	res, _ = refund(context.Background(), req)
	fmt.Println(res.Content[0].(mcp.TextContent).Text)
	// Output:
	// Esa solicitud necesita la autorización de una persona, y todavía no se ha hecho nada.
	// Devolución hecha, autorizada por ana.
}
