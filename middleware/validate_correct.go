package middleware

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/portavoz/portavoz/middleware/internal/document"
	"github.com/portavoz/portavoz/middleware/internal/schema"
)

// Bounds of what is corrected in one call. Whoever makes more mistakes has to be
// told.
const (
	// maxRounds is how often arguments are corrected and looked at again: a text that
	// holds an object, a text in it that holds a number, and that number 0.
	maxRounds = 4
	// maxCorrected is how many values are corrected in one round.
	maxCorrected = 256
)

// correction is what became of arguments. What was not corrected keeps its bytes.
type correction struct {
	doc      *document.Document
	raw      []byte
	value    any // raw, decoded
	problems []schema.Problem
	used     []Tolerance
	// leftOut holds the problems of values that were left out, by path: whatever
	// is missing for that reason was not missing.
	leftOut map[string]schema.Problem
}

// correct corrects what is wrong as far as the tolerances reach. What is still wrong
// then is in the problems of what it returns.
func (v *validator) correct(input *schema.Schema, raw []byte, value any, problems []schema.Problem) *correction {
	c := &correction{raw: raw, value: value, problems: problems, leftOut: map[string]schema.Problem{}}
	var err error
	if c.doc, err = document.Parse(raw); err != nil {
		return c
	}
	for range maxRounds {
		before := len(c.used)
		for _, p := range c.problems[:min(len(c.problems), maxCorrected)] {
			v.correctOne(c, p)
		}
		if len(c.used) == before {
			break
		}
		c.check(input)
	}
	for i, p := range c.problems {
		if original, ok := c.leftOut[pathKey(p.Path)]; ok && p.Rule == schema.RuleMissing {
			c.problems[i] = original
		}
	}
	return c
}

// check holds the corrected arguments to the schema. Those that are too large now,
// take too long, or are ambiguous, are as wrong as a value of the wrong type.
func (c *correction) check(input *schema.Schema) {
	c.raw = c.doc.JSON()
	size, err := measureArguments(c.raw)
	if err == nil {
		c.value, err = decodeArguments(c.raw, size)
	}
	if err == nil {
		c.problems, err = checkArguments(input, c.value)
	}
	if err != nil {
		c.value = nil
		c.problems, _ = checkArguments(input, nil)
	}
}

// correctOne corrects the value that a problem is about, if a tolerance covers it.
func (v *validator) correctOne(c *correction, p schema.Problem) {
	if p.Rule == schema.RuleMissing || p.Rule == schema.RuleUnknown {
		return
	}
	node := find(c.doc.Root(), p.Path)
	if node == nil {
		return
	}
	for _, t := range v.cfg.Tolerate {
		if !apply(t, node, p) {
			continue
		}
		c.used = append(c.used, t)
		if t == NullAsAbsent || t == EmptyAsAbsent {
			c.leftOut[pathKey(p.Path)] = p
		}
		return
	}
}

// apply corrects a value for one tolerance and reports whether there was anything
// to correct.
func apply(t Tolerance, node *document.Node, p schema.Problem) bool {
	if t == NullAsAbsent {
		return node.Kind() == document.Null && leaveOut(node)
	}
	if t == EmptyAsAbsent {
		return isEmpty(node) && leaveOut(node)
	}
	if node.Kind() != document.String || p.Rule != "type" {
		return false
	}
	text := []byte(strings.TrimSpace(node.Text()))
	value, err := schema.Decode(text)
	if err != nil {
		return false
	}
	wanted, _ := p.Want.([]string)
	for _, kind := range kindsOf(t, value) {
		if slices.Contains(wanted, kind) {
			return node.SetJSON(text) == nil
		}
	}
	return false
}

// kindsOf names the types as which a text may be read that holds value.
func kindsOf(t Tolerance, value any) []string {
	switch value.(type) {
	case json.Number, float64:
		if t == TextAsNumber {
			return []string{"number", "integer"}
		}
	case bool:
		if t == TextAsBoolean {
			return []string{"boolean"}
		}
	case map[string]any:
		if t == TextAsJSON {
			return []string{"object"}
		}
	case []any:
		if t == TextAsJSON {
			return []string{"array"}
		}
	}
	return nil
}

// leaveOut removes a member of an object. Elements stay: without one the others
// would be others.
func leaveOut(node *document.Node) bool {
	if node.Parent().Kind() != document.Object {
		return false
	}
	node.Remove()
	return true
}

// isEmpty reports whether a value is what models write for one that they do not
// have.
func isEmpty(node *document.Node) bool {
	switch node.Kind() {
	case document.String:
		text := strings.TrimSpace(node.Text())
		return text == "" || text == "null"
	case document.Number:
		return node.Literal() == "0"
	default:
		return false
	}
}

// find follows a path, nil if it leads nowhere.
func find(node *document.Node, path []string) *document.Node {
	for _, step := range path {
		switch node.Kind() {
		case document.Object:
			node = node.Get(step)
		case document.Array:
			i, err := strconv.Atoi(step)
			if err != nil {
				return nil
			}
			node = node.At(i)
		default:
			return nil
		}
	}
	return node
}

// pathKey is a path as the key of a map. A length before each name keeps two paths
// apart whatever is in the names.
func pathKey(path []string) string {
	var b strings.Builder
	for _, step := range path {
		b.WriteString(strconv.Itoa(len(step)))
		b.WriteByte(':')
		b.WriteString(step)
	}
	return b.String()
}
