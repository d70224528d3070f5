package middleware_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/middleware"
)

// A page that is too large gives up results from its end. The total stays true, and
// the limit says how many there are, so that the next page starts behind them.
func ExampleBudget() {
	search := func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		type plan struct {
			Nombre  string `json:"nombre"`
			Detalle string `json:"detalle"`
		}
		page := struct {
			Resultados []plan `json:"resultados"`
			Total      int    `json:"total"`
			Limit      int    `json:"limit"`
			Offset     int    `json:"offset"`
		}{Total: 40, Limit: 10}
		for i := range 10 {
			page.Resultados = append(page.Resultados, plan{fmt.Sprintf("Plan %d", i+1), strings.Repeat("x", 400)})
		}
		return mcp.NewToolResultStructured(page, "Hay cuarenta planes."), nil
	}
	h := middleware.Wrap(search, middleware.Budget(middleware.BudgetConfig{}))
	res, _ := h(context.Background(), mcp.CallToolRequest{})
	data := string(res.RawStructuredContent)
	fmt.Println(strings.Count(data, "Plan"), data[len(data)-34:])
	// Output: 6 ],"total":40,"limit":6,"offset":0}
}

// Wrong: Voice stands outside of Budget and makes the result larger again. Budget
// belongs outside of everything that adds to a result; a Stack knows that.
func ExampleBudget_incorrect() {
	tight := middleware.Budget(middleware.BudgetConfig{Limit: 500})
	speak := middleware.Voice(middleware.VoiceConfig{Always: true, Now: inAugust})
	visits := mcp.NewToolResultStructured(map[string]any{
		"a": strings.Repeat("9", 380), "inicio": "2026-09-03T09:00:00-05:00", "fin": "2026-09-03T10:00:00-05:00",
	}, "Hay una visita.")

	wrong, _ := middleware.Wrap(returns(visits), speak, tight)(context.Background(), mcp.CallToolRequest{})
	right, _ := middleware.Wrap(returns(visits), tight, speak)(context.Background(), mcp.CallToolRequest{})
	fmt.Println(len(wrong.RawStructuredContent) > 500, len(right.RawStructuredContent) > 500)
	// Output: true false
}

// What is named like a credential goes, and what looks like one, in data and text.
// The number of the case is for the person.
func ExampleRedact() {
	redact := middleware.Redact(middleware.RedactConfig{
		HideIDs:  true,
		Public:   []string{"ticketId"},
		Patterns: []*regexp.Regexp{regexp.MustCompile(`INT-\d+`)},
	})
	open := func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{
			Content: []mcp.Content{mcp.NewTextContent("Quedó el caso C-7, pedido INT-55, en http://10.0.0.7:8080/casos.")},
			RawStructuredContent: []byte(`{"cliente_id":4821,"ticketId":"C-7","api_key":"k-1","estado":"abierto","saldo":1.50,` +
				`"nextPageToken":"p2"}`),
		}, nil
	}
	res, _ := middleware.Wrap(open, redact)(context.Background(), mcp.CallToolRequest{})
	fmt.Println(string(res.RawStructuredContent))
	fmt.Println(res.Content[0].(mcp.TextContent).Text)
	// Output:
	// {"ticketId":"C-7","estado":"abierto","saldo":1.50,"nextPageToken":"p2"}
	// Quedó el caso C-7, pedido [dato oculto], en http://[dato oculto]/casos.
}

// Wrong: what a private member is called is not what it holds. Names that nobody
// takes for a credential have to be configured.
func ExampleRedact_incorrect() {
	data := mcp.NewToolResultStructured(map[string]any{"margen_interno": 0.4, "precio": 10}, "")
	for _, cfg := range []middleware.RedactConfig{{}, {Fields: []string{"margen_interno"}}} {
		res, _ := middleware.Wrap(returns(data), middleware.Redact(cfg))(context.Background(), mcp.CallToolRequest{})
		fmt.Println(string(res.RawStructuredContent))
	}
	// Output:
	// {"margen_interno":0.4,"precio":10}
	// {"precio":10}
}
