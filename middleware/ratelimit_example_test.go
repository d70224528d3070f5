package middleware_test

import (
	"context"
	"fmt"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/call"
)

// callsOf calls a tool n times in one conversation and prints how many got
// through, and what the next one was told.
func callsOf(h handler, conversation string, n int) {
	ctx := call.WithCaller(context.Background(), call.Caller{Name: "asixto"})
	passed := 0
	for range n {
		if _, err := h(ctx, talk(conversation, "prueba")); err == nil {
			passed++
		}
	}
	_, err := h(ctx, talk(conversation, "prueba"))
	fmt.Println(conversation, passed, errors.Messages(nil).For(errors.From(err)))
}

// Twenty calls an hour and forty at once, of which a conversation has a quarter: one
// that loops leaves the rest to the others.
func ExampleRateLimit() {
	limit := middleware.RateLimit(call.Rate(20, time.Hour, 40), middleware.RateLimitConfig{
		Tools:  map[string]call.Limit{"generar_reporte": call.Rate(1, time.Hour, 2)},
		Exempt: []string{"consultar_estado"},
		Cost: func(_ context.Context, req mcp.CallToolRequest) int {
			if req.Params.Name == "buscar_todo" {
				return 5
			}
			return 1
		},
	})
	h := middleware.Wrap(ok, limit)
	callsOf(h, "cnv_1", 1000)
	callsOf(h, "cnv_2", 10)
	// Output:
	// cnv_1 10 Llegaron muchas solicitudes seguidas, y conviene intentarlo de nuevo en unos quince minutos.
	// cnv_2 10 Llegaron muchas solicitudes seguidas, y conviene intentarlo de nuevo en unos quince minutos.
}

// A key that the client writes itself limits nobody: it takes another one.
func ExampleRateLimit_wrong() {
	limit := middleware.RateLimit(call.Rate(1, time.Hour, 1), middleware.RateLimitConfig{
		Key: func(_ context.Context, rec *middleware.Record) string { return rec.Meta().ConversationID },
	})
	h := middleware.Wrap(ok, limit)
	passed := 0
	for i := range 100 {
		if _, err := h(context.Background(), talk(fmt.Sprint("cnv_", i), "prueba")); err == nil {
			passed++
		}
	}
	fmt.Println(passed, "calls in an hour, of a limit of 1")
	// Output: 100 calls in an hour, of a limit of 1
}
