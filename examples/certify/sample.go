package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// absent is what a lookup is not expected to find.
const absent = "zzqxj inexistente"

// sampler makes arguments of an input schema. The order of preference is
// examples, default, const, enum, then what the type, its bounds, its format and its
// pattern admit.
type sampler struct {
	root map[string]any
	// variant counts through what there is to choose from.
	variant int
	// missing asks for values that are valid and lead to nothing.
	missing bool
	// guessed is set if a text had to be invented.
	guessed bool
	made    int // values until now
}

// arguments returns the variant-th sample of a tool, from the file if it has
// any. It is a guess if a value had to be invented that the tool must know.
func (c *certifier) arguments(t *tool, variant int) (args map[string]any, guess bool) {
	if sets := c.opt.samples[t.name]; len(sets) > 0 {
		return sets[min(variant, len(sets)-1)], false
	}
	s := &sampler{root: t.input, variant: variant}
	args = s.object(t.input, 0)
	return args, s.guessed
}

// otherArguments returns arguments that differ from those given, and whether there
// are any.
func (c *certifier) otherArguments(t *tool, args map[string]any) (map[string]any, bool) {
	for variant := 1; variant < 5; variant++ {
		other, _ := c.arguments(t, variant)
		if !equalJSON(other, args) {
			return other, true
		}
	}
	// One value at a time: examples may name the only thing there is.
	s := &sampler{root: t.input, missing: true}
	for _, name := range slices.Sorted(maps.Keys(args)) {
		field, ok := t.properties()[name].(map[string]any)
		if _, isText := args[name].(string); !ok || !isText || s.fixed(field) {
			continue
		}
		other := maps.Clone(args)
		other[name] = s.value(field, 0)
		if !equalJSON(other, args) {
			return other, true
		}
	}
	return nil, false
}

// missingArguments returns the arguments with every free text replaced by one
// that leads to nothing, and whether there was any.
func missingArguments(t *tool, args map[string]any) (map[string]any, bool) {
	s := &sampler{root: t.input, missing: true}
	other, changed := maps.Clone(args), false
	for name := range args {
		field, ok := t.properties()[name].(map[string]any)
		if _, isText := args[name].(string); !ok || !isText || s.fixed(field) {
			continue
		}
		other[name] = s.value(field, 0)
		changed = true
	}
	return other, changed
}

// fixed reports whether the values of a field are listed or have a format.
func (s *sampler) fixed(schema map[string]any) bool {
	schema = s.resolve(schema, 0)
	return schema["enum"] != nil || schema["const"] != nil || schema["format"] != nil
}

// The bounds of a sample, for schemas that contain themselves or ask for much.
const (
	depth      = 8
	maxValues  = 1000
	maxItems   = 20
	maxLetters = 4000
)

// object has what is required, and what else has an example or a default.
func (s *sampler) object(schema map[string]any, level int) map[string]any {
	schema = s.resolve(schema, 0)
	properties, _ := schema["properties"].(map[string]any)
	required, _ := schema["required"].([]any)
	args := map[string]any{}
	for name, field := range properties {
		field, ok := field.(map[string]any)
		if !ok || level > depth || s.made > maxValues {
			continue
		}
		if _, given := s.given(s.resolve(field, 0)); slices.Contains(required, any(name)) || given {
			args[name] = s.value(field, level+1)
		}
	}
	return args
}

// given returns a value that the schema itself names.
func (s *sampler) given(schema map[string]any) (any, bool) {
	if examples, ok := schema["examples"].([]any); ok && len(examples) > 0 {
		return examples[s.variant%len(examples)], true
	}
	if v, ok := schema["default"]; ok && v != nil {
		return v, true
	}
	return nil, false
}

// resolve follows $ref within the schema, and takes the first branch of a union
// that is not null.
func (s *sampler) resolve(schema map[string]any, level int) map[string]any {
	if level > depth {
		return map[string]any{}
	}
	if ref, ok := schema["$ref"].(string); ok {
		if target, ok := lookup(s.root, ref); ok {
			return s.resolve(target, level+1)
		}
		return map[string]any{}
	}
	for _, keyword := range [...]string{"anyOf", "oneOf", "allOf"} {
		branches, _ := schema[keyword].([]any)
		for _, branch := range branches {
			branch, ok := branch.(map[string]any)
			if !ok || branch["type"] == "null" {
				continue
			}
			merged := maps.Clone(s.resolve(branch, level+1))
			for key, value := range schema {
				if key != keyword {
					merged[key] = value
				}
			}
			return merged
		}
	}
	return schema
}

// lookup finds "#/$defs/x".
func lookup(root map[string]any, ref string) (map[string]any, bool) {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil, false
	}
	at := root
	for step := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		if step == "" {
			continue
		}
		step = strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
		if at, ok = at[step].(map[string]any); !ok {
			return nil, false
		}
	}
	return at, true
}

func (s *sampler) value(schema map[string]any, level int) any {
	s.made++
	schema = s.resolve(schema, 0)
	if v, ok := s.given(schema); ok && !s.missing {
		return v
	}
	if v, ok := schema["const"]; ok {
		return v
	}
	if values, ok := schema["enum"].([]any); ok {
		values = slices.DeleteFunc(slices.Clone(values), func(v any) bool { return v == nil })
		if len(values) > 0 {
			return values[s.variant%len(values)]
		}
		return nil
	}
	switch kind(schema) {
	case "string":
		return s.text(schema)
	case "integer", "number":
		return s.number(schema)
	case "boolean":
		return s.variant%2 == 0
	case "array":
		return s.array(schema, level)
	case "object":
		return s.object(schema, level)
	}
	return nil
}

// kind is the first type that is not null.
func kind(schema map[string]any) string {
	switch t := schema["type"].(type) {
	case string:
		return t
	case []any:
		for _, name := range t {
			if name, ok := name.(string); ok && name != "null" {
				return name
			}
		}
	}
	if schema["properties"] != nil {
		return "object"
	}
	return "string"
}

func (s *sampler) array(schema map[string]any, level int) any {
	n := int(min(max(bound(schema, "minItems", 1), 1), maxItems))
	items, _ := schema["items"].(map[string]any)
	list := []any{}
	for range n {
		if level > depth || s.made > maxValues || bound(schema, "maxItems", 1) < 1 {
			break
		}
		list = append(list, s.value(items, level+1))
	}
	return list
}

// number is the smallest that is allowed and at least 1, and the next ones.
func (s *sampler) number(schema map[string]any) any {
	step := bound(schema, "multipleOf", 1)
	if step <= 0 { // no valid schema
		step = 1
	}
	low := bound(schema, "minimum", math.Inf(-1))
	if above := bound(schema, "exclusiveMinimum", math.Inf(-1)); above >= low && !math.IsInf(above, -1) {
		low = above + step
	}
	high := bound(schema, "maximum", math.Inf(1))
	if below := bound(schema, "exclusiveMaximum", math.Inf(1)); below <= high && !math.IsInf(below, 1) {
		high = below - step
	}
	n := max(low, min(step, high))
	if n > 0 || low > 0 {
		n = math.Ceil(n/step) * step
	}
	if next := n + float64(s.variant)*step; next <= high {
		n = next
	}
	if math.IsNaN(n) || math.IsInf(n, 0) {
		n = 1
	}
	return json.Number(strconv.FormatFloat(n, 'f', -1, 64))
}

func (s *sampler) text(schema map[string]any) string {
	least := int(min(max(bound(schema, "minLength", 0), 0), maxLetters))
	most := int(min(max(bound(schema, "maxLength", 200), 0), maxLetters))
	most = max(most, least)
	if format, ok := schema["format"].(string); ok {
		if v, known := formats[format]; known {
			return v[s.variant%len(v)]
		}
	}
	if pattern, ok := schema["pattern"].(string); ok {
		choice := s.variant
		if s.missing {
			choice = -1
		}
		s.guessed = true
		return fromPattern(pattern, least, most, choice)
	}
	s.guessed = true
	v := "prueba"
	switch {
	case s.missing:
		v = absent
	case s.variant > 0:
		v += " " + strconv.Itoa(s.variant)
	}
	for len(v) < least {
		v += " " + v
	}
	return strings.TrimSpace(v[:min(len(v), most)])
}

// formats have two values each, so that there is another one.
var formats = map[string][]string{
	"date":      {"2030-03-14", "2030-03-15"},
	"time":      {"09:00:00Z", "10:30:00Z"},
	"date-time": {"2030-03-14T09:00:00-05:00", "2030-03-15T10:30:00-05:00"},
	"duration":  {"PT1H", "PT2H"},
	"email":     {"persona@example.com", "otra@example.com"},
	"uri":       {"https://example.com/", "https://example.com/otra"},
	"hostname":  {"example.com", "example.org"},
	"ipv4":      {"192.0.2.1", "192.0.2.2"},
	"ipv6":      {"2001:db8::1", "2001:db8::2"},
	"uuid":      {"6f2c8a54-7a43-4d8e-9d53-0b1f4f6f1a01", "6f2c8a54-7a43-4d8e-9d53-0b1f4f6f1a02"},
}

// bound reads a number of the schema.
func bound(schema map[string]any, keyword string, byDefault float64) float64 {
	n, ok := schema[keyword].(json.Number)
	if !ok {
		return byDefault
	}
	f, err := n.Float64()
	if err != nil {
		return byDefault
	}
	return f
}

func equalJSON(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}
