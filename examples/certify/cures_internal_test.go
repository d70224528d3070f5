package main

import (
	"slices"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/health"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/call"
	"github.com/portavoz/portavoz/middleware/contract"
	"github.com/portavoz/portavoz/middleware/expose"
	"github.com/portavoz/portavoz/middleware/transport"
	"github.com/portavoz/portavoz/middleware/whaapy"
	"github.com/portavoz/portavoz/paginate"
)

// TestCures: what a finding names as its cure is there. That this file compiles is
// half of the test.
func TestCures(t *testing.T) {
	t.Parallel()
	cures := map[string]any{
		"call.MetaFrom": call.MetaFrom, "contract.Key": contract.Key(""), "contract.Nullable": contract.Nullable,
		"contract.Output": contract.Output[struct{}], "contract.Pages": contract.Pages, "contract.Reads": contract.Reads,
		"contract.Tool": contract.Tool, "contract.Writes": contract.Writes, "errors.NotFound": errors.NotFound,
		"errors.Validation": errors.Validation, "expose.Compile": expose.Compile, "expose.Flat": expose.Flat, "health.New": health.New,
		"mcp.AdditionalProperties": mcp.AdditionalProperties, "mcp.Description": mcp.Description, "mcp.Items": mcp.Items,
		"mcp.Max": mcp.Max[int], "mcp.MaxItems": mcp.MaxItems, "mcp.MaxLength": mcp.MaxLength, "mcp.NewTool": mcp.NewTool,
		"mcp.NewToolResultStructured": mcp.NewToolResultStructured, "mcp.Properties": mcp.Properties,
		"mcp.WithDescription": mcp.WithDescription, "mcp.WithObject": mcp.WithObject, "mcp.WithString": mcp.WithString,
		"middleware.Budget": middleware.Budget, "middleware.Errors": middleware.Errors, "middleware.Guard": middleware.Guard,
		"middleware.Idempotency": middleware.Idempotency, "middleware.Redact": middleware.Redact, "middleware.Timeout": middleware.Timeout,
		"middleware.Validate": middleware.Validate, "middleware.Voice": middleware.Voice, "paginate.Page": paginate.Page[int]{},
		"paginate.Rules": paginate.Rules{}, "paginate.Slice": paginate.Slice[int], "server.AddTool": (*server.MCPServer).AddTool,
		"server.NewMCPServer": server.NewMCPServer, "server.NewStreamableHTTPServer": server.NewStreamableHTTPServer,
		"server.WithToolFilter": server.WithToolFilter, "transport.AllowedHosts": transport.AllowedHosts,
		"transport.Authenticate": transport.Authenticate, "transport.Headers": transport.Headers,
		"whaapy.Envelope": whaapy.Envelope, "whaapy.Stack": whaapy.Stack,
	}
	for _, rule := range slices.Concat(contract.Rules(), liveRules()) {
		if cures[rule.Cure] == nil {
			t.Errorf("%s is cured by %s, which this test does not know", rule.ID, rule.Cure)
		}
	}
}
