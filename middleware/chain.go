package middleware

import (
	"slices"

	"github.com/mark3labs/mcp-go/server"
)

// Chain makes one middleware of several, the first one outermost. Nil ones are
// left out, so that an optional middleware needs no if.
func Chain(mws ...server.ToolHandlerMiddleware) server.ToolHandlerMiddleware {
	mws = slices.DeleteFunc(slices.Clone(mws), func(m server.ToolHandlerMiddleware) bool { return m == nil })
	return func(next server.ToolHandlerFunc) server.ToolHandlerFunc {
		for _, m := range slices.Backward(mws) {
			next = m(next)
		}
		return next
	}
}

// Wrap puts middlewares around one handler, the first one outermost, and
// composes them once. Use it for a tool that needs more than its neighbours,
// or for a server whose middlewares are not yours to change:
//
//	srv.AddTool(tool, middleware.Wrap(handler, middleware.Timeout(5*time.Second)))
func Wrap(handler server.ToolHandlerFunc, mws ...server.ToolHandlerMiddleware) server.ToolHandlerFunc {
	return Chain(mws...)(handler)
}
