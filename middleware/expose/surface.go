package expose

import (
	"context"
	"fmt"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware"
)

// Surface is what an agent sees of a set of actions. Make one with [Compile]. It is
// safe for concurrent use.
type Surface struct {
	cfg          Config
	declarations []Declaration
	rules        []Rule // those that depend on the caller
	units        []*unit
	byName       map[string]*unit // by the name of the tool
	byAction     map[string]*target
	findings     []Finding
}

// target is where an action is found.
type target struct {
	u *unit
	a *action
}

func newSurface(c *compiler, declarations []Declaration) *Surface {
	s := &Surface{
		cfg: c.cfg, declarations: slices.Clone(declarations), units: c.units,
		byName: map[string]*unit{}, byAction: map[string]*target{},
	}
	s.rules = slices.DeleteFunc(slices.Clone(c.cfg.Visible), func(r Rule) bool { return r.fixed })
	wrap := middleware.Chain(c.cfg.Middleware, middleware.Validate(middleware.ValidateConfig{Messages: c.cfg.Messages}))
	for _, u := range s.units {
		u.prepare(&s.cfg)
		u.refuse = s.cfg.Middleware(middleware.Guard(s.refused)(nil))
		s.byName[u.name] = u
		for _, a := range u.actions {
			a.run = wrap(a.Handler)
			s.byAction[a.Name] = &target{u, a}
		}
		if u.grouped {
			c.noteLosses(u)
		}
		c.noteLength(u)
	}
	s.findings = ordered(c.notes)
	return s
}

// noteLosses notes what a grouped tool says of none of its actions, as it cannot say
// it of all.
func (c *compiler) noteLosses(u *unit) {
	if _, disputed := c.cfg.meta(u.actions); len(disputed) > 0 {
		c.note(CodeHidden, u.name, fmt.Sprintf("its actions do not agree on %q in _meta, which it leaves out", disputed), "")
	}
	if c.cfg.GroupOutputs && u.full.RawOutputSchema == nil {
		c.note(CodeHidden, u.name, "it has no outputSchema: an action has none, or one that does not fit into one with others", "")
	}
}

// Tools returns the tools with their handlers, by name. Give them to a server with
// [Surface.Register], or together with [Surface.Filter]: the definitions here have
// every action, and without the filter they are what everybody sees.
func (s *Surface) Tools() []server.ServerTool {
	tools := make([]server.ServerTool, len(s.units))
	for i, u := range s.units {
		tools[i] = server.ServerTool{Tool: *u.full, Handler: s.handler(u)}
	}
	return tools
}

// Filter shows each tool as the caller of ctx may know it, and leaves out those of
// which it may know no action. Tools of others pass as they are, and the order
// stays. It is a [server.ToolFilterFunc]: mcp-go applies it to tools/list and,
// before any middleware, to the one tool of a tools/call.
func (s *Surface) Filter(ctx context.Context, tools []mcp.Tool) []mcp.Tool {
	shown := make([]mcp.Tool, 0, len(tools))
	for i := range tools {
		u := s.byName[tools[i].Name]
		if u == nil || !isCopy(&tools[i], u.full) {
			shown = append(shown, tools[i])
			continue
		}
		if view := s.view(ctx, u); view != nil {
			shown = append(shown, *view)
		}
	}
	return shown
}

var _ server.ToolFilterFunc = (*Surface)(nil).Filter

// isCopy tells a tool of ours from a session's own of the same name, by where its
// schema lies.
func isCopy(tool, of *mcp.Tool) bool {
	return len(tool.RawInputSchema) > 0 && &tool.RawInputSchema[0] == &of.RawInputSchema[0]
}

// Register puts the surface on a server: tools, handlers and the filter. It changes
// nothing if the server has a tool of one of the names already, and says which.
// Leave mcp-go's WithInputSchemaValidation off: it holds the calls of every caller to
// the definition with every action, and names in its answer what is hidden.
//
// It panics, as mcp-go does, if the server has a native task tool of such a name.
func (s *Surface) Register(srv *server.MCPServer) error {
	var r report
	present := srv.ListTools()
	for _, u := range s.units {
		if present[u.name] != nil {
			r.fail(CodeCollision, u.name, "the server has a tool of this name already", "set another separator, or rename one of them")
		}
	}
	if err := r.err(); err != nil {
		return err
	}
	srv.AddTools(s.Tools()...)
	server.WithToolFilter(s.Filter)(srv)
	return nil
}

// Findings returns what the surface does otherwise than asked, sorted by what it is
// about; nil if there is nothing to say.
func (s *Surface) Findings() []Finding { return slices.Clone(s.findings) }

// Visible returns the full names of the actions that the caller of ctx may know of,
// sorted. It is for tests of rules.
func (s *Surface) Visible(ctx context.Context) []string {
	var names []string
	for name, t := range s.byAction {
		if s.visible(ctx, t.a) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
