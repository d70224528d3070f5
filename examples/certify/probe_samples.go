package main

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/portavoz/portavoz/middleware/contract"
)

// samples calls every tool that reads with sample arguments. What they say
// about results is checked by the inspections. All of it is one conversation, in which
// the writes follow: a person is known before something is done for them.
func (c *certifier) samples(ctx context.Context) error {
	c.person = c.fresh("person")
	for _, t := range c.tools {
		if !t.reads || c.stopped {
			continue
		}
		args, guess := c.arguments(t, 0)
		if a := c.call(ctx, t, args, callInfo{conversation: c.person}); a.success() {
			t.sampled = args
		} else {
			c.unsampled(t, a, guess)
		}
	}
	return nil
}

// unsampled notes that a tool could not be looked at more closely.
func (c *certifier) unsampled(t *tool, a answer, guess bool) {
	why := say("los argumentos de muestra no sirvieron", "the sample arguments did not work")
	if guess {
		why = say("los argumentos hubo que inventarlos: ponga examples en el esquema, o use -args",
			"the arguments had to be invented: put examples into the schema, or use -args")
	}
	c.note(say(quote(t.name)+": "+why.ES+" ("+a.said()+").", quote(t.name)+": "+why.EN+" ("+a.said()+")."))
}

// failures calls tools in ways that must be refused.
func (c *certifier) failures(ctx context.Context) error {
	unknown := &tool{name: "certify_unknown_tool"}
	a := readAnswer(unknown, false, c.send(ctx, callMessage(unknown.name, nil, callInfo{conversation: c.fresh("conversation")})))
	c.expect(a.refused(), "failure-unknown-tool", "", "", say(
		"Una herramienta que no existe recibió "+a.said()+".", "A tool that does not exist got "+a.said()+"."))
	for _, t := range c.callable() {
		c.wrongArguments(ctx, t)
		if !t.reads || c.stopped {
			continue
		}
		base, _ := c.arguments(t, 0)
		missing, ok := missingArguments(t, base)
		if !ok {
			continue
		}
		a := c.call(ctx, t, missing, callInfo{})
		if !a.ok() {
			c.skip(say("la llamada no recibió un resultado", "the call got no result"), "failure-not-found")
		} else {
			fault := a.failed && (a.failure.Type == "SYSTEM" || a.failure.Type == "UNKNOWN")
			c.expect(!fault, "failure-not-found", t.name, "", say(
				"Lo que no existe recibió "+a.said()+".", "What does not exist got "+a.said()+"."))
		}
	}
	c.skip(say("ninguna herramienta que se pueda llamar tiene textos libres", "no tool that may be called has free texts"), "failure-not-found")
	return nil
}

// wrongArguments breaks the schema of a tool in three ways, one at a time.
func (c *certifier) wrongArguments(ctx context.Context, t *tool) {
	for _, args := range c.breakArguments(t) {
		if c.stopped {
			return
		}
		info := callInfo{}
		if !t.reads {
			info.key = c.fresh("key")
		}
		a := c.call(ctx, t, args.value, info)
		if !a.ok() && a.fault == nil {
			continue // result-answer says so
		}
		c.expect(a.refused(), "failure-arguments", t.name, "/inputSchema", say(
			args.why.ES+": recibió "+a.said()+".", args.why.EN+": got "+a.said()+"."))
		if a.shaped() {
			c.expect(a.failure.Type == "VALIDATION", "failure-validation", t.name, "/structuredContent/error/error_type", say(
				args.why.ES+": recibió "+a.said()+".", args.why.EN+": got "+a.said()+"."))
		}
		if a.refused() {
			var data struct {
				Field string `json:"field"`
			}
			named := a.fault != nil && json.Unmarshal(a.fault.Data, &data) == nil && data.Field != ""
			c.expect(named, "envelope-arguments", t.name, "/error/data/field", say(
				args.why.ES+": recibió "+a.said()+".", args.why.EN+": got "+a.said()+"."))
		}
	}
}

// broken are arguments that break the schema, and how.
type broken struct {
	value map[string]any
	why   contract.Text
}

func (c *certifier) breakArguments(t *tool) []broken {
	base, _ := c.arguments(t, 0)
	var sets []broken
	if required, _ := t.input["required"].([]any); len(required) > 0 {
		if name, ok := required[0].(string); ok {
			args := maps.Clone(base)
			delete(args, name)
			sets = append(sets, broken{args, say("Falta «"+quote(name)+"»", `"`+quote(name)+`" is missing`)})
		}
	}
	s := &sampler{root: t.input}
	for _, name := range slices.Sorted(maps.Keys(t.properties())) {
		field, _ := t.properties()[name].(map[string]any)
		resolved := s.resolve(field, 0)
		if resolved["type"] == nil || strings.Contains(string(mustJSON(resolved["type"])), "object") {
			continue
		}
		args := maps.Clone(base)
		args[name] = map[string]any{"certify": true}
		sets = append(sets, broken{args, say("«"+quote(name)+"» es un objeto", `"`+quote(name)+`" is an object`)})
		break
	}
	if t.input["additionalProperties"] == false {
		args := maps.Clone(base)
		args["certify_unknown"] = "x"
		sets = append(sets, broken{args, say("Sobra un argumento", "There is an argument too many")})
	}
	return sets
}
