package whaapy

import (
	"context"
	"net/http"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware/call"
)

// ClientName is how the Whaapy agent names itself.
const ClientName = "whaapy-mcp-client"

// Match reports whether a call comes from a client that wants what [When] puts around
// it. It is safe for concurrent use.
type Match func(ctx context.Context, req *mcp.CallToolRequest) bool

// When is then for the calls that match and otherwise for the rest, so that one server
// serves several kinds of client. A nil middleware is none:
//
//	stack.Envelope = whaapy.When(whaapy.AtEndpoint(), whaapy.Envelope(cfg), nil)
//
// It panics if match is nil.
func When(match Match, then, otherwise server.ToolHandlerMiddleware) server.ToolHandlerMiddleware {
	if match == nil {
		panic("portavoz/whaapy: When needs a Match")
	}
	return func(next server.ToolHandlerFunc) server.ToolHandlerFunc {
		return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			mw := otherwise
			if match(ctx, &req) {
				mw = then
			}
			if mw == nil {
				return next(ctx, req)
			}
			return mw(next)(ctx, req)
		}
	}
}

// Any matches what one of them matches.
func Any(matches ...Match) Match {
	return func(ctx context.Context, req *mcp.CallToolRequest) bool {
		return slices.ContainsFunc(matches, func(m Match) bool { return m(ctx, req) })
	}
}

type endpointKey struct{}

// Endpoint marks what comes in at an endpoint of Whaapy's own. It stands anywhere in
// front of the MCP server:
//
//	mux.Handle("/whaapy/mcp", whaapy.Endpoint(handler))
func Endpoint(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), endpointKey{}, true)))
	})
}

// AtEndpoint matches the calls that came in through [Endpoint]. It is the surest way.
func AtEndpoint() Match {
	return func(ctx context.Context, _ *mcp.CallToolRequest) bool {
		marked, _ := ctx.Value(endpointKey{}).(bool)
		return marked
	}
}

// Principal matches the callers with one of these names; see [call.Caller].
func Principal(names ...string) Match {
	names = slices.Clone(names)
	return func(ctx context.Context, _ *mcp.CallToolRequest) bool {
		caller, ok := call.CallerFrom(ctx)
		return ok && slices.Contains(names, caller.Name)
	}
}

// Client matches the clients that give themselves one of these names, such as
// [ClientName]: in _meta, or in the initialize of their session. Nothing proves it, so
// that it may decide about the form of an answer and not about what is allowed.
//
// Mcp-go forgets the name of a session with the process, with its idle time, and does
// not share it. [Sessions] carry it in the id, if transport.Headers stands before the
// server.
func Client(names ...string) Match {
	names = slices.Clone(names)
	return func(ctx context.Context, req *mcp.CallToolRequest) bool {
		return slices.Contains(names, clientOf(ctx, req))
	}
}

func clientOf(ctx context.Context, req *mcp.CallToolRequest) string {
	if name := call.ExchangeFrom(ctx).Request().Client; name != "" {
		return name
	}
	if info := req.Params.Meta.ClientInfo(); info != nil && info.Name != "" {
		return info.Name
	}
	if session, ok := server.ClientSessionFromContext(ctx).(server.SessionWithClientInfo); ok {
		return session.GetClientInfo().Name
	}
	return ""
}
