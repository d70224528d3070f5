package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/portavoz/portavoz/middleware/contract"
)

const (
	lists    = 3   // how often the list is asked for
	maxPages = 100 // of one list
)

// list reads the live catalogue several times and holds its definitions
// against the rules of package contract.
func (c *certifier) list(ctx context.Context) error {
	first, r := c.listOn(ctx, c.wire)
	if !r.ok() {
		if c.halted(ctx) {
			return nil
		}
		return fmt.Errorf("tools/list: %s", r.said())
	}
	var again []contract.Catalog
	for range lists - 1 {
		next, r := c.listOn(ctx, c.wire)
		if c.stopped {
			return nil
		}
		if r.ok() {
			again = append(again, next)
		}
	}
	c.strangers()
	options := []contract.Option{contract.Again(again...)}
	for _, rule := range contract.Rules() {
		if off := c.off(rule.ID); off != nil {
			options = append(options, contract.Without(off.Rule, off.Reason))
		}
	}
	report, err := contract.Lint(first, c.opt.profile, options...)
	c.lint = report
	return err
}

// strangers notes the tools that the command line names and the server does not have.
func (c *certifier) strangers() {
	named := slices.Concat(c.opt.writes, slices.Sorted(maps.Keys(c.opt.samples)))
	for _, name := range slices.Compact(slices.Sorted(slices.Values(named))) {
		if name != "all" && !slices.Contains(c.names(), name) {
			c.note(say("El servidor no tiene «"+quote(name)+"», que nombra la línea de comandos.",
				`The server has no "`+quote(name)+`", which the command line names.`))
		}
	}
}

// listOn reads the whole list, page by page. The reply is the last one. The tools of the
// main era are remembered.
func (c *certifier) listOn(ctx context.Context, w *wire) (contract.Catalog, reply) {
	all := []json.RawMessage{}
	params := map[string]any{}
	var r reply
	size := 0
	for range maxPages {
		if r = c.sendOn(ctx, w, message{method: "tools/list", params: params}); !r.ok() {
			break
		}
		var page struct {
			Tools []json.RawMessage `json:"tools"`
			Next  string            `json:"nextCursor"`
		}
		if r.err = json.Unmarshal(r.result, &page); r.err != nil {
			break
		}
		all = append(all, page.Tools...)
		if page.Next == "" {
			break
		}
		if size += len(r.result); size > maxBody || page.Next == params["cursor"] {
			r.err = errors.New("the list has no end: its pages take more than 8 MB, or give the same nextCursor again")
			break
		}
		params = map[string]any{"cursor": page.Next}
	}
	if w == c.wire && c.tools == nil {
		c.learn(all)
	}
	raw, err := json.Marshal(all)
	if err != nil {
		return contract.Catalog{}, reply{err: err}
	}
	catalog, err := contract.ParseList(raw)
	if err != nil {
		r.err = err
	}
	return catalog, r
}

func (c *certifier) learn(definitions []json.RawMessage) {
	for _, raw := range definitions {
		if t := readTool(raw); t != nil {
			c.tools = append(c.tools, t)
		}
	}
}

// names are those of the tools, sorted.
func (c *certifier) names() []string {
	var names []string
	for _, t := range c.tools {
		names = append(names, t.name)
	}
	slices.Sort(names)
	return names
}
