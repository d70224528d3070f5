package whaapy_test

import (
	"context"
	"fmt"
	"regexp"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware/whaapy"
)

var took = regexp.MustCompile(`"durationMs":\d+`)

// show calls a tool and prints isError and the text.
func show(srv *server.MCPServer, tool, arguments string) {
	answer := srv.HandleMessage(context.Background(), []byte(
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`","arguments":`+arguments+`}}`))
	response, _ := answer.(mcp.JSONRPCResponse)
	res, _ := response.Result.(*mcp.CallToolResult)
	for _, c := range res.Content {
		if block, ok := c.(mcp.TextContent); ok {
			fmt.Println(res.IsError, took.ReplaceAllString(block.Text, `"durationMs":84`))
		}
	}
}

func ExampleEnvelope() {
	srv := server.NewMCPServer("mesa", "1.0.0")
	srv.Use(whaapy.Envelope(whaapy.Config{}))
	srv.AddTool(mcp.NewTool("consultar_saldo", mcp.WithReadOnlyHintAnnotation(true)),
		func(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if req.GetString("documento", "") == "" {
				return nil, whaapy.NeedsMoreInfo("¿Me puede dar su número de documento?", "documento")
			}
			return mcp.NewToolResultStructured(map[string]string{"saldo": "89900.00"}, "Debe ochenta y nueve mil novecientos pesos."), nil
		})
	show(srv, "consultar_saldo", `{"documento":"1032"}`)
	show(srv, "consultar_saldo", `{}`)
	// Output:
	// false {"ok":true,"status":"success","data":{"saldo":"89900.00"},"toolName":"consultar_saldo","safety":"read_only","durationMs":84}
	// true {"ok":false,"status":"needs_more_info","errors":[{"code":"needs_more_info","message":"More information is needed from the person.","message_es":"¿Me puede dar su número de documento?","field":"documento","retryable":true}],"toolName":"consultar_saldo","safety":"read_only","durationMs":84,"nextQuestion":"¿Me puede dar su número de documento?"}
}

func ExampleEvidence() {
	srv := server.NewMCPServer("mesa", "1.0.0")
	srv.Use(whaapy.Envelope(whaapy.Config{
		Evidence: map[string][]string{"abrir_caso": {"ticketId", "status"}},
		Report:   func(_ context.Context, err error) { fmt.Println("log:", err) },
	}))
	evidence := whaapy.Evidence{TicketID: "4482", Status: "created"}
	srv.AddTool(mcp.NewTool("abrir_caso", mcp.WithOpenWorldHintAnnotation(false)),
		func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultStructured(struct {
				whaapy.Evidence

				Asunto string `json:"asunto"`
			}{evidence, "Sin señal"}, "Quedó abierto el caso."), nil
		})
	show(srv, "abrir_caso", `{}`)
	evidence.TicketID = ""
	show(srv, "abrir_caso", `{}`)
	// Output:
	// false {"ok":true,"status":"success","data":{"ticketId":"4482","status":"created","asunto":"Sin señal"},"toolName":"abrir_caso","safety":"mutation","durationMs":84}
	// log: the success of tool "abrir_caso" lacks its evidence: ticketId
	// false {"ok":true,"status":"success","data":{"status":"created","asunto":"Sin señal"},"toolName":"abrir_caso","safety":"mutation","durationMs":84}
}

// One server for two clients: the stack of the one, and what Add puts beside it.
func ExampleWhen() {
	srv := server.NewMCPServer("mesa", "1.0.0")
	agent := whaapy.Any(whaapy.AtEndpoint(), whaapy.Principal("whaapy"), whaapy.Client(whaapy.ClientName))
	srv.Use(whaapy.When(agent, whaapy.Envelope(whaapy.Config{}), nil))
	srv.AddTool(mcp.NewTool("saludar"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText("Buenos días."), nil
	})
	show(srv, "saludar", `{}`)
	show(srv, "saludar", `{},"_meta":{"io.modelcontextprotocol/clientInfo":{"name":"whaapy-mcp-client","version":"1.0.0"}}`)
	// Output:
	// false Buenos días.
	// false {"ok":true,"status":"success","data":{"text":"Buenos días."},"toolName":"saludar","safety":"external_send","durationMs":84}
}

func ExampleDescribe_Fit() {
	d := whaapy.Describe{
		WhenToUse:       "Registra un pago cuyo comprobante se puede leer.",
		NeverUseFor:     "No sirve para pagos en efectivo.",
		Identity:        "Requiere el documento del titular.",
		SideEffects:     "Registra el pago.",
		SuccessCriteria: "El resultado trae paymentId.",
		Fallback:        "Si falta un dato, el resultado trae la pregunta.",
	}
	text, err := d.Fit(whaapy.MaxDescription)
	fmt.Printf("%s\n%v\n", text, err)
	_, err = d.Fit(200)
	fmt.Println(err)
	// Output:
	// When to use:
	// Registra un pago cuyo comprobante se puede leer.
	//
	// Never use for:
	// No sirve para pagos en efectivo.
	//
	// Identity:
	// Requiere el documento del titular.
	//
	// Side effects:
	// Registra el pago.
	//
	// Success criteria:
	// El resultado trae paymentId.
	//
	// Fallback:
	// Si falta un dato, el resultado trae la pregunta.
	// <nil>
	// portavoz/whaapy: the description has 292 characters, 92 more than 200; the longest sections: When to use (48), Fallback (48), Identity (34)
}
