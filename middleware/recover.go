package middleware

import (
	"context"
	"fmt"
	"net/http"
	"runtime/debug"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
)

// PanicError is a panic, caught. It is the cause of the failure that the client
// gets, so that an [Observer] can tell it apart; neither value nor stack is sent.
type PanicError struct {
	// Value is what was given to panic; nil for runtime.Goexit.
	Value any
	// Stack is the stack of the goroutine that panicked.
	Stack []byte
}

// Error returns the value, for the log; the stack is a field of its own there.
func (p *PanicError) Error() string {
	if p.Value == nil {
		return "runtime.Goexit"
	}
	return fmt.Sprintf("panic: %v", p.Value)
}

// Unwrap returns the value if it is an error.
func (p *PanicError) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// Recover turns a panic of what lies inside into a SYSTEM failure whose cause is
// a [*PanicError]. The effect of a handler that panicked is unknown, and the
// failure says so. [http.ErrAbortHandler] goes on, unless the call runs as a task:
// it is how net/http is told to drop a connection, and a task has none, so that
// it would end the process.
//
// The failure is a Go error. Put [Errors] outside: mcp-go sends the text of an
// error to the client as it is.
//
// runtime.Goexit cannot be stopped by the goroutine it ends; [Timeout] can,
// since it runs the handler in one of its own.
func Recover() server.ToolHandlerMiddleware {
	return func(next server.ToolHandlerFunc) server.ToolHandlerFunc {
		return func(ctx context.Context, req mcp.CallToolRequest) (res *mcp.CallToolResult, err error) {
			defer func() {
				v := recover()
				if v == nil {
					return
				}
				abort, ok := v.(error)
				if ok && errors.Is(abort, http.ErrAbortHandler) && req.Params.Task == nil {
					panic(v)
				}
				res, err = nil, panicked(v)
			}()
			return next(ctx, req)
		}
	}
}

// panicked is the failure for a recovered value. A *PanicError comes from a
// goroutine of ours and brings its own stack.
func panicked(v any) *errors.Error {
	p, ok := v.(*PanicError)
	if !ok {
		p = &PanicError{Value: v, Stack: debug.Stack()}
	}
	return errors.System("", errors.WithCode(errors.CodePanic),
		errors.WithCause(p), errors.WithEffect(errors.EffectUnknown))
}
