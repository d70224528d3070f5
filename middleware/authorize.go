package middleware

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware/call"
)

// Policy says who may use which tool. It asks two questions, because they are
// asked in two places: whether a tool exists for this caller, which also decides
// what tools/list shows, and whether one call of it may be made, which depends on
// metadata and arguments. Give the same policy to the server and to [Authorize]:
//
//	policy := middleware.Policy{Visible: middleware.Scopes(scopes), Allow: middleware.SameTenant}
//	srv := server.NewMCPServer("operador", "1.0.0", server.WithToolFilter(policy.Filter))
//	stack.Authorize = middleware.Authorize(policy)
//
// The zero Policy allows everything. Both functions are called on the call's
// path, by several goroutines at once; they must not change what they are given.
type Policy struct {
	// Visible reports whether the tool exists for the caller. The zero Caller is
	// nobody: no credential was asked for. What is not visible is not listed,
	// cannot be called, and is answered like a name that was never registered.
	//
	// It is asked once for each tool of a list and twice for a call, so it
	// decides from memory; time that it takes for some callers and not for
	// others tells them apart. The metadata of the call is not known yet. One
	// that panics hides the tool from a list. Default: every tool is visible.
	Visible func(ctx context.Context, caller call.Caller, tool *mcp.Tool) bool
	// Allow returns nil if this call of a visible tool may be made, and otherwise
	// the failure to answer, as a rule [errors.Permission]. What the policy needs
	// to know is in [RecordFrom]: caller, metadata and the tool's definition. It
	// is asked before an idempotency key is looked up, so that a caller who has
	// lost a right gets no replay either. An error that is no [errors.Error] is an
	// outage: the call is not made. Default: every call is allowed.
	Allow func(ctx context.Context, req mcp.CallToolRequest) error
}

// Filter leaves the tools that the caller of ctx may know of, in their order. It
// is a [server.ToolFilterFunc]: mcp-go applies it to tools/list and, before any
// middleware, to the one tool of a tools/call, native task tools included.
//
// One thing goes past it in mcp-go: a tool whose schema sends arguments as
// headers (x-mcp-header) is given away by the check of those headers, which
// comes first. Do not hide such a tool; refuse its calls with Allow.
func (p Policy) Filter(ctx context.Context, tools []mcp.Tool) []mcp.Tool {
	if p.Visible == nil {
		return tools
	}
	caller, _ := call.CallerFrom(ctx)
	visible := make([]mcp.Tool, 0, len(tools))
	for i := range tools {
		if p.lists(ctx, caller, &tools[i]) {
			visible = append(visible, tools[i])
		}
	}
	return visible
}

var _ server.ToolFilterFunc = Policy{}.Filter

// lists is Visible for a place without a Recover: mcp-go holds a lock meanwhile.
func (p Policy) lists(ctx context.Context, caller call.Caller, tool *mcp.Tool) (visible bool) {
	defer func() {
		if recover() != nil {
			visible = false
		}
	}()
	return p.Visible(ctx, caller, tool)
}

// Authorize refuses the calls that the policy does not allow, with PERMISSION or
// what Allow returns. The handler does not run, and the failure says so.
//
// A tool that is hidden by [Policy.Filter] never comes here: mcp-go answers for
// it as for an unknown one. Without the filter the tool is listed, and a call of
// it is PERMISSION. Native task tools reach no middleware; for them the filter is
// all there is. Of a call that package expose refuses, since it leads to no action,
// Allow alone is asked.
func Authorize(policy Policy) server.ToolHandlerMiddleware {
	return func(next server.ToolHandlerFunc) server.ToolHandlerFunc {
		return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			ctx, rec := begin(ctx, &req)
			if policy.Visible != nil && !rec.refused && !policy.Visible(ctx, rec.caller, rec.toolOrName(ctx)) {
				return nil, rec.refuse(errors.Permission(""))
			}
			if policy.Allow != nil {
				if err := policy.Allow(ctx, req); err != nil {
					return nil, rec.refuse(err)
				}
			}
			return next(ctx, req)
		}
	}
}

// toolOrName is the definition or, outside of a server, one that has a name and
// claims nothing.
func (r *Record) toolOrName(ctx context.Context) *mcp.Tool {
	if tool := r.Definition(ctx); tool != nil {
		return tool
	}
	return &mcp.Tool{Name: r.tool}
}

// Public stands in [Scopes] for a scope that everybody has, also a caller without
// a credential. It has a space, so that it is nobody's scope (RFC 6749, section
// 3.3).
const Public = "any caller"

// Scopes returns a Visible for [Policy] that asks for the scopes of each tool, all
// of those that are listed. It denies by default: a tool that is not in the map,
// or has no scopes there, is visible to nobody, so that one that was added and
// forgotten stays closed. [Public] opens a tool to everybody:
//
//	middleware.Scopes(map[string][]string{
//		"consultar_horario": {middleware.Public},
//		"consultar_saldo":   {"saldo:leer"},
//		"pagar_factura":     {"saldo:leer", "pagos:hacer"},
//	})
//
// The map must not be changed afterwards.
func Scopes(byTool map[string][]string) func(context.Context, call.Caller, *mcp.Tool) bool {
	return func(_ context.Context, caller call.Caller, tool *mcp.Tool) bool {
		scopes := byTool[tool.Name]
		for _, scope := range scopes {
			if scope != Public && !caller.Has(scope) {
				return false
			}
		}
		return len(scopes) > 0
	}
}

// SameTenant is an Allow for [Policy]: a credential that is bound to a tenant may
// not name another one in its metadata. A call that names none is allowed, and so
// is a credential bound to none, such as that of a gateway that serves many.
func SameTenant(ctx context.Context, _ mcp.CallToolRequest) error {
	rec := RecordFrom(ctx)
	if rec == nil {
		return errors.Permission("")
	}
	bound, named := rec.caller.Tenant, rec.meta.CompanyID
	if bound != "" && named != "" && bound != named {
		return errors.Permission("")
	}
	return nil
}
