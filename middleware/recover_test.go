package middleware_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware"
)

func panics(v any) handler {
	return func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) { panic(v) }
}

func TestRecoverTurnsAPanicIntoAnError(t *testing.T) {
	t.Parallel()
	refused := errors.System("", errors.WithEffect(errors.EffectNone))
	for name, value := range map[string]any{
		"string": "clave=secreta", "error": refused, "nil": nil, "wrapped": fmt.Errorf("capa: %w", refused),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := middleware.Recover()(panics(value))(t.Context(), request(nil))
			e := errors.From(err)
			if e == nil || e.Type != errors.TypeSystem || e.Code != errors.CodePanic {
				t.Fatalf("got %v, want SYSTEM with code panic", err)
			}
			if e.Effect != errors.EffectUnknown {
				t.Error("a panic proves nothing about the effect, but the error says it does")
			}
			p, ok := errors.AsType[*middleware.PanicError](err)
			if !ok || !strings.Contains(string(p.Stack), "recover_test.go") {
				t.Errorf("the cause holds no stack of the place that panicked: %v", err)
			}
		})
	}
}

func TestRecoverLetsAbortHandlerThrough(t *testing.T) {
	t.Parallel()
	defer func() {
		if v := recover(); v != http.ErrAbortHandler {
			t.Errorf("recovered %v, want http.ErrAbortHandler", v)
		}
	}()
	_, _ = middleware.Recover()(panics(http.ErrAbortHandler))(t.Context(), request(nil))
	t.Error("the abort was swallowed")
}

// A task has no connection to drop, and an abort in its goroutine would end the
// process.
func TestRecoverStopsAnAbortInATask(t *testing.T) {
	t.Parallel()
	req := request(nil)
	req.Params.Task = &mcp.TaskParams{}
	_, err := middleware.Recover()(panics(http.ErrAbortHandler))(t.Context(), req)
	if e := errors.From(err); e == nil || e.Code != errors.CodePanic || !errors.Is(err, http.ErrAbortHandler) {
		t.Errorf("got %v, want SYSTEM panic with the abort as its cause", err)
	}
}

func TestAPanicSaysNothingToTheClient(t *testing.T) {
	t.Parallel()
	h := middleware.Wrap(panics("dsn postgres://admin:s3cr3t@db"), middleware.Errors(middleware.ErrorsConfig{}), middleware.Recover())
	res, err := h(t.Context(), request(nil))
	if err != nil {
		t.Fatalf("got the error %v, want a result", err)
	}
	want := failure("SYSTEM", "Ocurrió un problema inesperado al atender la solicitud.", `{"code":"panic"}`)
	if got := encode(t, res); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
