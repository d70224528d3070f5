package expose

import (
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// action is a declaration that was read.
type action struct {
	Declaration
	namespace, key string
	tool           *mcp.Tool // the definition, under the full name and with a closed schema
	input          *input
	output         object                 // nil if none is declared
	guarded        bool                   // not everybody may know of it
	run            server.ToolHandlerFunc // the handler in its middlewares
}

// readAction reads a declaration and reports all that is wrong with it.
func (c *compiler) readAction(d Declaration) *action {
	a := &action{Declaration: d}
	a.namespace, a.key = split(d.Name)
	if part := nameRules[c.cfg.Names].part; !isPath(d.Name, part) {
		c.fail(CodeName, d.Name, "a full name is segments with dots between, of letters that the names of tools may have",
			"name it like billing.get_invoice")
	}
	if d.Handler == nil {
		c.fail(CodeNoHandler, d.Name, "it has no handler", "")
	}
	tool := d.Tool
	tool.Name = d.Name
	c.readHints(d, &tool.Annotations)
	var err error
	if a.input, err = readInput(&d.Tool); err != nil {
		c.fail(CodeInput, d.Name, "its input schema cannot be used: "+oneLine(err), "")
		a.input = &input{apart: "its input schema cannot be used"}
	}
	if a.output, err = readOutput(&d.Tool); err != nil {
		c.fail(CodeOutput, d.Name, "its output schema cannot be used: "+oneLine(err), "")
	}
	tool.InputSchema, tool.RawInputSchema = mcp.ToolInputSchema{}, a.input.raw
	if len(tool.RawOutputSchema) > 0 {
		tool.OutputSchema = mcp.ToolOutputSchema{}
	}
	a.tool, a.Tool = &tool, tool
	if a.input.headers {
		if err := mcp.ValidateParamHeaderAnnotations(&tool); err != nil { // on which a server panics
			c.fail(CodeInput, d.Name, "its arguments cannot travel in headers so: "+oneLine(err), "")
		}
	}
	return a
}

// readHints fills in what the verb says, and reports what contradicts it.
func (c *compiler) readHints(d Declaration, hints *mcp.ToolAnnotation) {
	says := func(hint *bool, value bool) bool { return hint != nil && *hint == value }
	switch {
	case d.verb == query && says(hints.ReadOnlyHint, false):
		c.fail(CodeHints, d.Name, "a query is declared not to be read-only", "declare it with Mutation or Action")
	case d.verb == mutation && says(hints.ReadOnlyHint, true):
		c.fail(CodeHints, d.Name, "a mutation is declared read-only", "declare it with Query")
	case (d.verb == query || says(hints.ReadOnlyHint, true)) && says(hints.DestructiveHint, true):
		c.fail(CodeHints, d.Name, "it is declared read-only and destructive at once",
			"mcp.NewTool declares everything destructive: add mcp.WithDestructiveHintAnnotation(false) if it only reads")
	}
	fill := func(hint **bool, value bool) {
		if *hint == nil {
			*hint = &value
		}
	}
	switch d.verb {
	case query:
		fill(&hints.ReadOnlyHint, true)
		fill(&hints.DestructiveHint, false)
	case mutation:
		fill(&hints.ReadOnlyHint, false)
		fill(&hints.DestructiveHint, true)
	case undeclared: // what is unknown stays so
	}
}

// readOnly reports whether the action is declared read-only.
func (a *action) readOnly() bool { h := a.tool.Annotations.ReadOnlyHint; return h != nil && *h }

// taskSupport is whether the action may, or has to, run as a task.
func (a *action) taskSupport() mcp.TaskSupport {
	if a.tool.Execution == nil {
		return mcp.TaskSupportForbidden
	}
	return a.tool.Execution.TaskSupport
}

// headerKeyword is the keyword by which a client sends an argument in a header.
const headerKeyword = "x-mcp-header"
