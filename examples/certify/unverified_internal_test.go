package main

import (
	"context"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware/contract"
	"github.com/portavoz/portavoz/middleware/transport"
	"github.com/portavoz/portavoz/paginate"
)

// TestReasons: why a rule was not verified is the truth, and not that of another rule.
func TestReasons(t *testing.T) {
	t.Parallel()
	sedes := mcp.NewTool("buscar_sedes", mcp.WithDescription("Busca las sedes de una ciudad. No agenda."),
		mcp.WithString("ciudad", mcp.Required(), mcp.MaxLength(20), mcp.Description("Ciudad"), examples("Cali")),
		contract.Pages(paginate.Rules{}), contract.Output[paginate.Page[plan]](), contract.Reads(), contract.Tool("buscar sedes", contract.Agenda))
	one := func(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		window, err := paginate.Rules{}.FromMap(req.GetArguments(), false)
		if err != nil {
			return nil, err
		}
		return mcp.NewToolResultStructured(paginate.Slice([]plan{{Nombre: "Norte", Precio: "1", Moneda: "COP"}}, window), "Hay una."), nil
	}
	none := func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultStructured(map[string]any{"resultados": []any{}, "total": 0, "limit": 10, "offset": 0}, "No hay."), nil
	}
	broken := func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultStructured(map[string]any{"total": 1}, "Hay una."), nil
	}
	cerrar := mcp.NewTool("cerrar_caja", mcp.WithDescription("Cierra la caja. No la abre."),
		contract.Writes(contract.Additive, contract.Repeats), contract.Tool("cerrar la caja", contract.General))
	closed := func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText("Cerrada."), nil
	}
	failing := func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultError("no"), nil
	}
	const (
		noQuery = "no search takes a free text with which to find nothing"
		noFlag  = "without -allow-writes"
	)
	for name, tt := range map[string]struct {
		tools []server.ServerTool
		flags []string
		want  map[string]string // by rule; "" is a rule that was verified
	}{
		"one place": {[]server.ServerTool{{Tool: sedes, Handler: one}}, nil, map[string]string{
			"page-limit": "", "page-total": "", "page-empty": noQuery, "page-duplicates": "what was found fits on a page of two",
			"write-key-twice": "no tool writes", "voice-date-text": "no answer for voice had a date", "health-apart": "without -health",
		}},
		"no place": {[]server.ServerTool{{Tool: sedes, Handler: none}}, nil, map[string]string{
			"page-limit": "", "page-empty": noQuery, "page-duplicates": "nothing was found",
		}},
		"no page": {[]server.ServerTool{{Tool: sedes, Handler: broken}}, nil, map[string]string{
			"page-limit": "", "page-total": "no search answered with a page", "page-duplicates": "no search answered with a page",
		}},
		"no search": {[]server.ServerTool{{Tool: sedes, Handler: failing}}, nil, map[string]string{
			"page-limit": "no search worked with the sample arguments", "page-empty": "no search worked with the sample arguments",
			"latency-target": "no read worked with the sample arguments", "voice-items": "no tool answered",
		}},
		"not allowed": {[]server.ServerTool{{Tool: cerrar, Handler: closed}}, nil, map[string]string{
			"write-key-twice": noFlag, "write-key-arguments": noFlag, "result-size": "no tool answered", "result-schema": "no tool with an outputSchema answered",
		}},
		"no arguments": {[]server.ServerTool{{Tool: cerrar, Handler: closed}}, []string{"-allow-writes", "all"}, map[string]string{
			"write-key-twice": "", "write-key-burst": "", "write-key-arguments": "there are no other arguments: give two sets in -args",
			"failure-shape": "no call ended in a result with isError",
		}},
		"no write works": {[]server.ServerTool{{Tool: cerrar, Handler: failing}}, []string{"-allow-writes", "all"}, map[string]string{
			"write-key-twice": "no write worked with the sample arguments", "failure-shape": "", "failure-sentence": "no failure had a user_message",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := server.NewMCPServer("sedes", "1.0.0")
			srv.AddTools(tt.tools...)
			r := certifyAt(t, serve(t, transport.Headers()(server.NewStreamableHTTPServer(srv))), append(tt.flags, "-json")...)
			for _, o := range decodeReport(t, r.stdout).Checks {
				want, asked := tt.want[o.Rule]
				if !asked {
					continue
				}
				if (o.Status == skipped) != (want != "") || o.Reason.EN != want {
					t.Errorf("%s is %s, %q, want %q", o.Rule, o.Status, o.Reason.EN, want)
				}
			}
		})
	}
}
