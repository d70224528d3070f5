package middleware_test

import (
	"context"
	"fmt"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency/memory"
	"github.com/portavoz/portavoz/middleware"
)

// consultarCita stands for a handler that a server already has.
func consultarCita(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if req.GetString("cita", "") != "C-100" {
		return nil, errors.NotFound("No encontré una cita con esos datos.")
	}
	return mcp.NewToolResultText("Su cita está confirmada."), nil
}

// ask calls a handler as a server would and prints what the client gets.
func ask(h server.ToolHandlerFunc, cita string) {
	var req mcp.CallToolRequest
	req.Params.Name = "consultar_cita"
	req.Params.Arguments = map[string]any{"cita": cita}
	res, err := h(context.Background(), req)
	if err != nil {
		fmt.Println("protocol error:", err)
		return
	}
	fmt.Println(mcp.GetTextFromContent(res.Content[0]))
}

// One handler of a running server gets two middlewares; nothing else changes.
func ExampleWrap() {
	h := middleware.Wrap(consultarCita,
		middleware.Errors(middleware.ErrorsConfig{}),
		middleware.Timeout(2*time.Second))
	ask(h, "C-100")
	ask(h, "C-999")
	// Output:
	// Su cita está confirmada.
	// {"error":{"error_type":"NOT_FOUND","user_message":"No encontré una cita con esos datos."}}
}

// A whole server gets everything that Asixto Gateway demands, with one part
// changed and one check of its own.
func ExampleAsixto() {
	srv := server.NewMCPServer("operador", "1.0.0")
	store, err := memory.Ephemeral(memory.Config{}) // a restart forgets it
	if err != nil {
		fmt.Println(err)
		return
	}
	stack := middleware.Asixto(srv, store)
	stack.Timeout = middleware.Timeout(2*time.Second, middleware.TimeoutFor("generar_reporte", 20*time.Second))
	stack.Guards = append(stack.Guards, middleware.Guard(func(ctx context.Context, _ mcp.CallToolRequest) error {
		if middleware.RecordFrom(ctx).Caller().Tenant == "suspendido" {
			return errors.Permission("La cuenta está suspendida.")
		}
		return nil
	}))
	srv.Use(stack.Middleware())

	for _, gap := range stack.Missing(middleware.ProfileAsixto) {
		fmt.Println(gap.Field)
	}
	// Output:
	// Authorize
}

// A cancelled appointment is not touched again, and another person's looks like
// one that does not exist. Whose it is comes first: its state is not for others.
func ExampleGuard() {
	notFound := errors.NotFound("No encontré una cita con esos datos.")
	state := map[string]string{"C-100": "confirmada", "C-101": "cancelada", "C-200": "cancelada"}
	guard := middleware.Guard(func(ctx context.Context, req mcp.CallToolRequest) error {
		cita := req.GetString("cita", "")
		if err := middleware.Owns(ctx, "cita", cita, notFound); err != nil {
			return err
		}
		if state[cita] == "cancelada" {
			return errors.Validation("Esa cita ya está cancelada.", errors.WithField("cita"))
		}
		return nil
	})
	identify := func(next server.ToolHandlerFunc) server.ToolHandlerFunc {
		return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			for _, own := range []string{"C-100", "C-101"} {
				if err := middleware.Resolve(ctx, "cita", own); err != nil {
					return nil, err
				}
			}
			return next(ctx, req)
		}
	}
	h := middleware.Wrap(consultarCita,
		middleware.Errors(middleware.ErrorsConfig{}),
		middleware.Ownership(middleware.NewOwnershipStore(middleware.OwnershipConfig{})),
		identify, guard)
	ask(h, "C-100")
	ask(h, "C-101")
	ask(h, "C-200") // another person's
	ask(h, "C-999")
	// Output:
	// Su cita está confirmada.
	// {"error":{"error_type":"VALIDATION","user_message":"Esa cita ya está cancelada.","details":{"field":"cita"}}}
	// {"error":{"error_type":"NOT_FOUND","user_message":"No encontré una cita con esos datos."}}
	// {"error":{"error_type":"NOT_FOUND","user_message":"No encontré una cita con esos datos."}}
}

// Wrong: Errors inside of Timeout. The deadline is an error that nobody turns
// into a result any more, and the client gets it as a protocol failure. Errors
// is the border: everything that returns errors lies inside of it.
func ExampleErrors_wrongOrder() {
	release := make(chan struct{})
	defer close(release)
	slow := func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		<-release
		return mcp.NewToolResultText("tarde"), nil
	}
	ask(middleware.Wrap(slow, middleware.Timeout(time.Millisecond), middleware.Errors(middleware.ErrorsConfig{})), "")
	ask(middleware.Wrap(slow, middleware.Errors(middleware.ErrorsConfig{}), middleware.Timeout(time.Millisecond)), "")
	// Output:
	// protocol error: SYSTEM timeout: context deadline exceeded
	// {"error":{"error_type":"SYSTEM","user_message":"La respuesta tardó más de lo esperado.","details":{"code":"timeout","retryable":true}}}
}

// Every finished call is an Event: for a metric, a service level, a trace.
func ExampleObserve() {
	count := func(_ context.Context, ev middleware.Event) {
		fmt.Println(ev.Tool, ev.Outcome, ev.ErrorType, ev.Characters)
	}
	ask(middleware.Wrap(consultarCita, middleware.Observe(count), middleware.Errors(middleware.ErrorsConfig{})), "C-100")
	// Output:
	// consultar_cita ok  24
	// Su cita está confirmada.
}
