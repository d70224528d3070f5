package expose

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware/call"
)

// Declaration is one action: its name, its definition, what runs it, and who may
// know of it. Make one with [Query], [Mutation] or [Action], or several with
// [FromTools], and set the fields that the constructor does not.
type Declaration struct {
	// Name is the full name, such as "billing.get_invoice". The last segment is the
	// action; what stands before it is the namespace, which may have dots of its
	// own. A name without a dot is an action outside of any namespace, and a tool of
	// its own in every surface. Segments are letters, digits, "_" and "-".
	//
	// Middlewares and handlers see this name, whatever the surface: keys of
	// idempotency, limits and policies hold when the surface changes.
	Name string
	// Tool is the definition. Its name is not looked at. A schema that does not say
	// what else it takes is closed (additionalProperties false).
	Tool mcp.Tool
	// Handler runs the action. It gets the arguments that the definition declares,
	// and no discriminator.
	Handler server.ToolHandlerFunc
	// As is the name of the tool in a flat surface. Default: Name, with the
	// separator for each dot.
	As string
	// Brief is the description of the flat tool in a compact surface, where it is the
	// shorter one; a grouped tool names its actions there and describes none.
	// Default: the first sentence of the description.
	Brief string
	// Tags are what [AllTags], [AnyTag] and [NoTag] look at.
	Tags []string
	// Scopes are what a caller must have, all of them, see [call.Caller].
	// Default: everybody may.
	Scopes []string
	// Tenants are whose callers may: the tenant that a credential is bound to is one
	// of them. What a call names in its metadata does not count, since a list of
	// tools has none; see middleware.SameTenant. Default: any tenant.
	Tenants []string
	// Visible reports whether the action is there for a caller, beside Scopes,
	// Tenants and [Config.Visible]; see [Rule]. Default: it is.
	Visible func(ctx context.Context, caller call.Caller) bool
	// Next are the actions that may follow a success of this one. The agent is told
	// of those that it may call, under the names that it sees.
	Next []Suggestion
	// Choose picks from Next by how the call went, and may fill in arguments. What it
	// returns takes Next's place. It must change neither. Default: all of Next.
	Choose func(ctx context.Context, res *mcp.CallToolResult, next []Suggestion) []Suggestion

	verb verb
}

// Suggestion is an action that may follow another one.
type Suggestion struct {
	// Action is the full name.
	Action string
	// Reason says why, in words for the agent: "Pagar la factura".
	Reason string
	// Arguments are arguments that are known already. They may be nil.
	Arguments map[string]any
}

// verb is what a constructor promises about the effects of an action.
type verb uint8

const (
	undeclared verb = iota
	query
	mutation
)

// Query declares an action that only reads: readOnlyHint is true, destructiveHint
// false. The options are those of [mcp.NewTool], without the hints that it sets
// unasked: the input is mcp.WithString and its like, mcp.WithRawInputSchema, or
// mcp.WithInputSchema for a Go struct.
//
//	expose.Query("facturas.consultar", consultar,
//		mcp.WithDescription("Consulta una factura por su número."),
//		mcp.WithString("numero", mcp.Required()))
func Query(name string, handler server.ToolHandlerFunc, opts ...mcp.ToolOption) Declaration {
	return declare(query, name, handler, opts)
}

// Mutation declares an action that writes: readOnlyHint is false, and
// destructiveHint true unless an option says that it is not.
func Mutation(name string, handler server.ToolHandlerFunc, opts ...mcp.ToolOption) Declaration {
	return declare(mutation, name, handler, opts)
}

// Action declares an action whose effects are what its options say, and unknown
// where they say nothing. What is unknown is never taken for safe.
func Action(name string, handler server.ToolHandlerFunc, opts ...mcp.ToolOption) Declaration {
	return declare(undeclared, name, handler, opts)
}

func declare(v verb, name string, handler server.ToolHandlerFunc, opts []mcp.ToolOption) Declaration {
	tool := mcp.Tool{Name: name, InputSchema: mcp.ToolInputSchema{Type: "object", Properties: map[string]any{}}}
	for _, opt := range opts {
		opt(&tool)
	}
	return Declaration{Name: name, Tool: tool, Handler: handler, verb: v}
}

// FromTools declares tools that exist already. namespaceOf returns the namespace of
// a tool, "" for one without: the tool "consultar_factura" in "facturas" is the
// action "facturas.consultar_factura". Definition and handler stay as they are, and
// so does the name in a flat surface.
//
// Middlewares see the full name from now on: what is set by the name of a tool, such as
// limits and policies, has to be set by "facturas.consultar_factura". A key of
// idempotency that came under the name before is not known under this one: a retry that
// comes across the change runs a write again.
//
// Set the rest of each declaration afterwards, such as Scopes. A tool that declares no
// hints may do anything, and is in the half of [Split] that writes: say what it does in
// Tool.Annotations.
//
// mcp.NewTool declares every tool destructive that does not say otherwise: one that
// is read-only has to say mcp.WithDestructiveHintAnnotation(false), or [Compile]
// finds a contradiction.
func FromTools(tools []server.ServerTool, namespaceOf func(mcp.Tool) string) []Declaration {
	declarations := make([]Declaration, 0, len(tools))
	for _, t := range tools {
		name := t.Tool.Name
		if namespace := namespaceOf(t.Tool); namespace != "" {
			name = namespace + "." + name
		}
		declarations = append(declarations, Declaration{Name: name, Tool: t.Tool, Handler: t.Handler, As: t.Tool.Name})
	}
	return declarations
}
