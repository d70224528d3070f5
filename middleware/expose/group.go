package expose

import (
	"cmp"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
)

// group makes the units of each namespace.
func (c *compiler) group() {
	byNamespace := map[string][]*action{}
	for _, a := range c.actions {
		byNamespace[a.namespace] = append(byNamespace[a.namespace], a)
	}
	for _, name := range sortedKeys(byNamespace) {
		n, actions := c.namespace(name), byNamespace[name]
		if name == "" || n.Strategy == Flat || !c.fits(n, actions) {
			for _, a := range actions {
				c.units = append(c.units, &unit{name: cmp.Or(a.As, c.cfg.toolName(a.Name)), actions: []*action{a}, namespace: n})
			}
			continue
		}
		if n.Strategy == Grouped {
			c.units = append(c.units, &unit{name: c.cfg.toolName(name), actions: actions, namespace: n, grouped: true})
			continue
		}
		reads, writes := []*action(nil), []*action(nil)
		for _, a := range actions {
			if a.readOnly() {
				reads = append(reads, a)
			} else {
				writes = append(writes, a)
			}
		}
		for _, half := range []struct {
			suffix  string
			actions []*action
		}{{c.cfg.ReadSuffix, reads}, {c.cfg.WriteSuffix, writes}} {
			if len(half.actions) == 0 {
				continue
			}
			own := n
			if n.Title != "" { // a person who is asked for confirmation sees nothing else
				own.Title += " (" + half.suffix + ")"
			}
			c.units = append(c.units, &unit{
				name: c.cfg.toolName(name + "." + half.suffix), actions: half.actions, namespace: own, grouped: true,
			})
		}
	}
	slices.SortStableFunc(c.units, func(a, b *unit) int { return cmp.Compare(a.name, b.name) })
}

// fits reports whether the actions of a namespace go into one tool, and notes why
// they do not. It looks at all of them, visible or not, and whichever halves they
// would be in: which tools there are does not depend on who asks.
func (c *compiler) fits(n Namespace, actions []*action) bool {
	const flat = "the namespace is flat"
	fit := true
	for _, a := range actions {
		switch {
		case a.input.apart != "":
			c.note(CodeConflict, a.Name, a.input.apart, flat)
			fit = false
		case a.taskSupport() == mcp.TaskSupportRequired:
			c.note(CodeConflict, a.Name, "it runs as a task only", flat)
			fit = false
		case a.input.draft() != actions[0].input.draft():
			c.note(CodeConflict, a.Name, "its schema is written in another dialect than that of "+actions[0].Name, flat)
			fit = false
		}
		if _, ok := a.input.named[c.cfg.Discriminator]; ok {
			c.fail(CodeDiscriminator, a.Name, "it has a field "+quoted(c.cfg.Discriminator)+", which would name the action",
				"set Config.Discriminator to another name, or make the namespace flat")
		}
	}
	if c.conflicts(actions) || !fit {
		return false
	}
	for _, a := range actions {
		c.noteUnshown(n, a)
	}
	return true
}

// conflicts notes fields that no value fits in two actions.
func (c *compiler) conflicts(actions []*action) bool {
	type use struct {
		a     *action
		types typeSet
	}
	found := false
	kinds := map[string][]use{} // the uses of each field that differ in their types
	for _, a := range actions {
		for _, f := range a.input.fields {
			uses := kinds[f.name]
			if slices.ContainsFunc(uses, func(u use) bool { return u.types == f.types }) {
				continue
			}
			for _, u := range uses {
				if u.types.disjoint(f.types) {
					c.note(CodeConflict, a.Name, "its field "+quoted(f.name)+" is of another type than in "+u.a.Name,
						"the namespace is flat; use one type, or two names")
					found = true
					break
				}
			}
			kinds[f.name] = append(uses, use{a, f.types})
		}
	}
	return found
}

// noteUnshown notes what of an action a grouped tool does not show.
func (c *compiler) noteUnshown(n Namespace, a *action) {
	in := "the grouped tool of " + quoted(n.Name) + " does not show it"
	for _, keyword := range a.input.unshown {
		c.note(CodeHidden, a.Name, in+": "+keyword+" for the arguments as a whole; calls are held to it", "")
	}
	if a.taskSupport() == mcp.TaskSupportOptional {
		c.note(CodeHidden, a.Name, in+": that it may run as a task", "")
	}
	if a.input.headers {
		c.note(CodeHidden, a.Name, in+": that arguments travel in headers", "")
	}
	if n.Title == "" && (a.tool.Title != "" || a.tool.Annotations.Title != "") {
		c.note(CodeHidden, a.Name, in+": its title", "set the Title of the namespace")
	}
	if len(a.tool.Icons) > 0 {
		c.note(CodeHidden, a.Name, in+": its icons", "")
	}
}
