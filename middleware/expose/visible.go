package expose

import (
	"context"
	"slices"
	"strings"

	"github.com/portavoz/portavoz/middleware/call"
)

// Rule says which actions are visible to whom, for [Config.Visible]. What is not
// visible to a caller does not exist for it: it is in no list, schema, description,
// failure or suggestion, and a call of it is answered like one of a name that was
// never declared.
//
// A rule is asked for each action of a list, and for the action of a call, by
// several goroutines at once. It decides from memory, and by what is known of every
// request: the caller, and not the metadata of a call. One that panics hides.
type Rule struct {
	holds func(ctx context.Context, caller call.Caller, d *Declaration) bool
	tags  *tagRule // nil for a rule about other things
	fixed bool     // the same for every caller
}

type tagRule struct {
	name  string
	tags  []string
	match func(has []string) bool
}

// AllTags holds for actions that have all of the tags.
func AllTags(tags ...string) Rule {
	return tagged("AllTags", tags, func(has []string) bool {
		return !slices.ContainsFunc(tags, func(t string) bool { return !slices.Contains(has, t) })
	})
}

// AnyTag holds for actions that have at least one of the tags.
func AnyTag(tags ...string) Rule {
	return tagged("AnyTag", tags, func(has []string) bool {
		return slices.ContainsFunc(tags, func(t string) bool { return slices.Contains(has, t) })
	})
}

// NoTag holds for actions that have none of the tags.
func NoTag(tags ...string) Rule {
	return tagged("NoTag", tags, func(has []string) bool {
		return !slices.ContainsFunc(tags, func(t string) bool { return slices.Contains(has, t) })
	})
}

func tagged(name string, tags []string, match func([]string) bool) Rule {
	return Rule{
		holds: func(_ context.Context, _ call.Caller, d *Declaration) bool { return match(d.Tags) },
		tags:  &tagRule{name: name, tags: tags, match: match},
		fixed: true,
	}
}

// RuleFunc is a rule of your own. The definition of the action is d.Tool, with its
// full name: the Visible of a middleware.Policy fits.
//
//	expose.RuleFunc(func(ctx context.Context, caller call.Caller, d *expose.Declaration) bool {
//		return policy.Visible(ctx, caller, &d.Tool)
//	})
func RuleFunc(holds func(ctx context.Context, caller call.Caller, d *Declaration) bool) Rule {
	return Rule{holds: holds}
}

// When applies a rule to the callers of which the condition is true; for others it
// holds for every action.
//
//	expose.When(isGuest, expose.NoTag("interno"))
func When(condition func(ctx context.Context, caller call.Caller) bool, rule Rule) Rule {
	holds := rule.holds
	if condition == nil || holds == nil {
		return Rule{} // which Compile reports
	}
	return Rule{
		holds: func(ctx context.Context, caller call.Caller, d *Declaration) bool {
			return !condition(ctx, caller) || holds(ctx, caller, d)
		},
		tags: rule.tags,
	}
}

// visible reports whether an action is there for the caller of ctx. It is the one
// place that decides this, for lists, calls, failures and suggestions.
func (s *Surface) visible(ctx context.Context, a *action) (visible bool) {
	if !a.guarded {
		return true
	}
	defer func() {
		if recover() != nil {
			visible = false
		}
	}()
	caller, _ := call.CallerFrom(ctx)
	for _, scope := range a.Scopes {
		if !caller.Has(scope) {
			return false
		}
	}
	if len(a.Tenants) > 0 && !slices.Contains(a.Tenants, caller.Tenant) {
		return false
	}
	if a.Visible != nil && !a.Visible(ctx, caller) {
		return false
	}
	for i := range s.rules {
		if !s.rules[i].holds(ctx, caller, &a.Declaration) {
			return false
		}
	}
	return true
}

// checkRules reports rules that no action satisfies and tags that no action has, and
// leaves out the actions that a fixed rule keeps from everybody. A rule that is wrong
// leaves out none, so that the rest is looked at, too.
func (c *compiler) checkRules() {
	has := map[string]bool{}
	for _, a := range c.actions {
		for _, tag := range a.Tags {
			has[tag] = true
		}
	}
	all := c.actions
	for _, r := range c.cfg.Visible {
		if r.holds == nil {
			c.fail(CodeConfig, "Visible", "it has a rule without a function", "")
			continue
		}
		if r.tags == nil {
			continue
		}
		named := r.tags.name + "(" + strings.Join(r.tags.tags, ", ") + ")"
		satisfied := slices.ContainsFunc(all, func(a *action) bool { return r.tags.match(a.Tags) })
		if !satisfied {
			c.fail(CodeFilter, named, "no action satisfies it", "correct the tags")
		}
		for _, tag := range r.tags.tags {
			if !has[tag] {
				c.note(CodeTag, named, "no action has the tag "+quoted(tag), "correct the tag or remove it")
			}
		}
		if r.fixed && satisfied {
			c.actions = slices.DeleteFunc(slices.Clone(c.actions), func(a *action) bool { return !r.tags.match(a.Tags) })
		}
	}
	if len(c.actions) == 0 && len(all) > 0 {
		c.fail(CodeFilter, "Visible", "no action satisfies all of its rules", "correct the tags")
		c.actions = all
	}
	rules := slices.ContainsFunc(c.cfg.Visible, func(r Rule) bool { return !r.fixed })
	for _, a := range c.actions {
		a.guarded = rules || len(a.Scopes) > 0 || len(a.Tenants) > 0 || a.Visible != nil
		if a.guarded && a.input.headers {
			c.note(CodeHeader, a.Name, "arguments travel in headers, which are checked before anybody asks who may know of the action",
				"do not hide it")
		}
	}
}
