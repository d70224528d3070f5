package expose

import (
	"context"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// maxViews is how many forms of one tool are remembered at most, one for each set of
// actions that some caller may know of. Beyond it they are made again.
const maxViews = 256

// unit is one tool of a surface, in as many forms as there are sets of actions that
// a caller may know of.
type unit struct {
	name      string
	namespace Namespace
	grouped   bool
	actions   []*action // by name; one if the unit is flat
	byKey     map[string]*action
	takes     map[string][]*action // of a grouped unit: those that take a field
	full      *mcp.Tool            // with every action
	nothing   *mcp.Tool            // what a call does that leads to no action
	refuse    server.ToolHandlerFunc

	mu    sync.Mutex
	views map[string]*mcp.Tool // by the set of actions, a bit for each
}

// source names what a unit is made of, for findings.
func (u *unit) source() string {
	if u.grouped {
		return u.namespace.Name
	}
	return u.actions[0].Name
}

// prepare works out what does not depend on who asks.
func (u *unit) prepare(cfg *Config) {
	u.views, u.byKey, u.takes = map[string]*mcp.Tool{}, map[string]*action{}, map[string][]*action{}
	for _, a := range u.actions {
		u.byKey[a.key] = a
		for _, f := range a.input.fields {
			u.takes[f.name] = append(u.takes[f.name], a)
		}
	}
	u.full, u.nothing = u.tool(cfg, u.actions), nothing(u.name)
}

// tool makes the definition with these actions, which are not none.
func (u *unit) tool(cfg *Config, actions []*action) *mcp.Tool {
	if !u.grouped {
		tool := *u.actions[0].tool
		tool.Name, tool.Description = u.name, cfg.description(u.actions[0])
		return &tool
	}
	meta, _ := cfg.meta(actions)
	tool := &mcp.Tool{
		Name:            u.name,
		Title:           u.namespace.Title,
		Description:     cfg.describe(u.namespace, actions),
		RawInputSchema:  cfg.merged(actions),
		RawOutputSchema: cfg.outputs(actions),
		Annotations:     cfg.annotations(u.namespace, actions),
		Meta:            meta,
		DeferLoading:    true,
	}
	for _, a := range actions {
		tool.DeferLoading = tool.DeferLoading && a.tool.DeferLoading
	}
	return tool
}

// view returns the tool as the caller of ctx may know it; nil if it may not.
func (s *Surface) view(ctx context.Context, u *unit) *mcp.Tool {
	set := make([]byte, (len(u.actions)+7)/8)
	visible := make([]*action, 0, len(u.actions))
	for i, a := range u.actions {
		if s.visible(ctx, a) {
			set[i/8] |= 1 << (i % 8)
			visible = append(visible, a)
		}
	}
	switch len(visible) {
	case 0:
		return nil
	case len(u.actions):
		return u.full
	}
	u.mu.Lock()
	tool := u.views[string(set)]
	u.mu.Unlock()
	if tool != nil {
		return tool
	}
	tool = u.tool(&s.cfg, visible)
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.views) >= maxViews {
		clear(u.views)
	}
	u.views[string(set)] = tool
	return tool
}
