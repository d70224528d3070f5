package middleware

import (
	"context"
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// Definition returns the tool as it was registered: the one of [WithDefinition],
// else the session's own tool if there is one, else the server's. It is looked up
// once per call and must not be changed. It is nil outside of a server, as in a
// test that calls a handler directly.
func (r *Record) Definition(ctx context.Context) *mcp.Tool {
	r.lookup.Do(func() { r.definition = findTool(ctx, r.tool) })
	return r.definition
}

// ReadOnly reports whether the tool is declared read-only. A tool that does
// not say so, or is not known, counts as one that writes.
func (r *Record) ReadOnly(ctx context.Context) bool {
	tool := r.Definition(ctx)
	return tool != nil && tool.Annotations.ReadOnlyHint != nil && *tool.Annotations.ReadOnlyHint
}

// runsAsTask reports whether mcp-go runs this call apart from the HTTP request
// that brought it. That request was answered with the task's id, so its context
// has ended, or is about to, while the work has just begun. A task over stdio
// has a context that lives, and tasks/cancel ends it.
func (r *Record) runsAsTask(ctx context.Context) bool {
	if ctx.Value(http.ServerContextKey) == nil {
		return false
	}
	tool := r.Definition(ctx)
	if tool == nil || tool.Execution == nil {
		return false
	}
	support := tool.Execution.TaskSupport
	return support == mcp.TaskSupportOptional || support == mcp.TaskSupportRequired
}

type definitionKey struct{}

// stands says that a call of one tool is handed on to another one.
type stands struct {
	context.Context //nolint:containedctx // it is a context

	called string
	tool   *mcp.Tool
}

// Value implements [context.Context].
func (s *stands) Value(key any) any {
	if key == (definitionKey{}) {
		return s
	}
	return s.Context.Value(key)
}

// WithDefinition returns a context in which a call of the tool's name has this
// definition. It is for a handler that stands for several tools and hands a call on
// to one of them under that one's name, as package expose does: what lies between
// the two then sees the tool that runs. Called is the name under which the call
// came. The tool must not be changed any more.
func WithDefinition(ctx context.Context, called string, tool *mcp.Tool) context.Context {
	return &stands{ctx, called, tool}
}

// definitionFrom returns what WithDefinition put there for this name, or nil.
func definitionFrom(ctx context.Context, name string) *mcp.Tool {
	if s, ok := ctx.Value(definitionKey{}).(*stands); ok && s.tool.Name == name {
		return s.tool
	}
	return nil
}

// calledAs returns the name under which a call of the tool came.
func calledAs(ctx context.Context, name string) string {
	if s, ok := ctx.Value(definitionKey{}).(*stands); ok && s.tool.Name == name {
		return s.called
	}
	return name
}

// handedOn reports whether a call of one tool became one of another by
// WithDefinition: both are the same call.
func handedOn(ctx context.Context, from, to string) bool {
	s, ok := ctx.Value(definitionKey{}).(*stands)
	return ok && s.called == from && s.tool.Name == to
}

func findTool(ctx context.Context, name string) *mcp.Tool {
	if tool := definitionFrom(ctx, name); tool != nil {
		return tool
	}
	if session, ok := server.ClientSessionFromContext(ctx).(server.SessionWithTools); ok {
		if tool, ok := session.GetSessionTools()[name]; ok {
			found := tool.Tool // not &tool.Tool: tool would be on the heap for those that have none
			return &found
		}
	}
	if srv := server.ServerFromContext(ctx); srv != nil {
		if tool := srv.GetTool(name); tool != nil {
			return &tool.Tool
		}
	}
	return nil
}
