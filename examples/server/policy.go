package main

import (
	"context"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/call"
)

// policyFor hides every tool that writes from the clients that may only read, and
// keeps a client that is bound to a tenant to that one.
func policyFor(readers []string) middleware.Policy {
	return middleware.Policy{
		Visible: func(_ context.Context, caller call.Caller, tool *mcp.Tool) bool {
			reads := tool.Annotations.ReadOnlyHint != nil && *tool.Annotations.ReadOnlyHint
			return reads || !slices.Contains(readers, caller.Name)
		},
		Allow: middleware.SameTenant,
	}
}
