package middleware

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
)

// Guard runs a check before the handler, and the handler only if the check
// returns nil. It is the place of two guarantees of a gateway's contract: the
// record belongs to the person of this conversation (see [Owns]), and what is
// finished is not touched again:
//
//	middleware.Guard(func(ctx context.Context, req mcp.CallToolRequest) error {
//		if cita.Estado == "cancelada" {
//			return errors.Validation("Esa cita ya está cancelada.")
//		}
//		return nil
//	})
//
// An error of the check proves that the handler did not run. Keep guards inside
// of idempotency: a retry of "cancel" has to get its first answer, not "already
// cancelled".
func Guard(check func(ctx context.Context, req mcp.CallToolRequest) error) server.ToolHandlerMiddleware {
	return func(next server.ToolHandlerFunc) server.ToolHandlerFunc {
		return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			ctx, rec := begin(ctx, &req)
			if err := check(ctx, req); err != nil {
				return nil, rec.refuse(err)
			}
			return next(ctx, req)
		}
	}
}

// refuse returns err as one that had no effect. A check that could not be made
// is an outage and not a refusal.
func (r *Record) refuse(err error) error {
	e := errors.From(err)
	if e.Type != errors.TypeSystem && e.Type != errors.TypeUnknown {
		r.mark(OutcomeRefused)
	}
	if e.Effect == errors.EffectNone {
		return err
	}
	return errors.NoEffect(err)
}
