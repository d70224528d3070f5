package expose

import (
	"slices"
	"strings"
)

// compiler turns declarations into the tools of a surface.
type compiler struct {
	report
	cfg     Config
	actions []*action // by full name, those that a rule keeps from everybody left out
	known   map[string]bool
	units   []*unit
}

// Compile makes a surface of the declared actions. Their order does not matter, nor
// that of the namespaces: the surface is the same for any. Nothing that is given is
// changed, and nothing of it may be changed afterwards.
//
// If anything is wrong there is no surface, and the error joins a [*BuildError] for
// each thing that is. What the surface does otherwise than asked, without being
// wrong, is in [Surface.Findings].
func Compile(cfg Config, declarations ...Declaration) (*Surface, error) {
	c := &compiler{cfg: withDefaults(cfg), known: map[string]bool{}}
	c.checkConfig()
	c.read(declarations)
	c.checkNamespaces()
	c.checkRules()
	c.checkSuggestions()
	c.group()
	c.checkNames()
	if err := c.err(); err != nil {
		return nil, err
	}
	return newSurface(c, declarations), nil
}

// read reads the declarations in the order of their names. What a rule keeps from
// everybody is not part of the surface: its name is free.
func (c *compiler) read(declarations []Declaration) {
	ordered := make([]*Declaration, len(declarations))
	for i := range declarations {
		ordered[i] = &declarations[i]
	}
	slices.SortStableFunc(ordered, func(a, b *Declaration) int { return strings.Compare(a.Name, b.Name) })
	for _, d := range ordered {
		if c.known[d.Name] { // what is wrong with each of them is reported as well
			c.fail(CodeDuplicate, d.Name, "it is declared more than once", "rename or remove all but one")
		}
		c.known[d.Name] = true
		c.actions = append(c.actions, c.readAction(*d))
	}
}

// checkConfig reports settings that are not possible, and goes on with the defaults.
func (c *compiler) checkConfig() {
	byDefault := withDefaults(Config{})
	if _, ok := nameRules[c.cfg.Names]; !ok {
		c.fail(CodeConfig, "Names", "there is no such rule", "use ClientNames or ContractNames")
		c.cfg.Names = byDefault.Names
	}
	if c.cfg.Strategy > Split {
		c.fail(CodeConfig, "Strategy", noStrategy, useStrategies)
		c.cfg.Strategy = byDefault.Strategy
	}
	for _, s := range []struct {
		field     string
		value     *string
		byDefault string
	}{
		{"Separator", &c.cfg.Separator, byDefault.Separator},
		{"ReadSuffix", &c.cfg.ReadSuffix, byDefault.ReadSuffix},
		{"WriteSuffix", &c.cfg.WriteSuffix, byDefault.WriteSuffix},
	} {
		if !nameRules[c.cfg.Names].part.MatchString(*s.value) {
			c.fail(CodeConfig, s.field, quoted(*s.value)+" has what the names of tools may not have", "")
			*s.value = s.byDefault
		}
	}
	if !nameRules[ClientNames].tool.MatchString(c.cfg.Discriminator) {
		c.fail(CodeConfig, "Discriminator", quoted(c.cfg.Discriminator)+" is no name that every client takes for an argument",
			"use "+nameRules[ClientNames].demand)
		c.cfg.Discriminator = byDefault.Discriminator
	}
	if c.cfg.ReadSuffix == c.cfg.WriteSuffix {
		c.fail(CodeConfig, "WriteSuffix", quoted(c.cfg.WriteSuffix)+" is ReadSuffix, too", "set one of them to another word")
		c.cfg.ReadSuffix, c.cfg.WriteSuffix = byDefault.ReadSuffix, byDefault.WriteSuffix
	}
	for _, w := range c.cfg.Words.all() {
		for _, slot := range w.slots {
			if !strings.Contains(*w.text, slot) {
				c.fail(CodeConfig, "Words."+w.name, quoted(*w.text)+" has no "+slot, "")
			}
		}
	}
}

const (
	noStrategy    = "there is no such strategy"
	useStrategies = "use Flat, Grouped or Split"
)

func (c *compiler) checkNamespaces() {
	used, seen := map[string]bool{}, map[string]bool{}
	for _, a := range c.actions {
		used[a.namespace] = true
	}
	for _, n := range c.cfg.Namespaces {
		switch {
		case n.Name == "" || !used[n.Name]:
			c.fail(CodeNamespace, n.Name, "there is no action in this namespace", "correct the name or remove it")
		case seen[n.Name]:
			c.fail(CodeDuplicate, n.Name, "the namespace is described more than once", "remove all but one")
		}
		if n.Strategy > Split {
			c.fail(CodeConfig, n.Name, noStrategy, useStrategies)
		}
		seen[n.Name] = true
	}
}

// checkSuggestions: what is suggested exists, for somebody.
func (c *compiler) checkSuggestions() {
	for _, a := range c.actions {
		for _, s := range a.Next {
			if !c.known[s.Action] {
				c.fail(CodeSuggestion, a.Name, "it suggests "+quoted(s.Action)+", which does not exist", "name an action in full, such as billing.get_invoice")
			}
		}
	}
}

// namespace returns what is set for a namespace.
func (c *compiler) namespace(name string) Namespace {
	for _, n := range c.cfg.Namespaces {
		if n.Name == name {
			if n.Strategy == 0 || n.Strategy > Split {
				n.Strategy = c.cfg.Strategy
			}
			return n
		}
	}
	return Namespace{Name: name, Strategy: c.cfg.Strategy}
}
