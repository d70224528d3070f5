package contract

import (
	"bytes"
	"maps"
	"slices"
)

func (d *differ) input(prior, next map[string]any) {
	before, _ := prior["inputSchema"].(map[string]any)
	after, _ := next["inputSchema"].(map[string]any)
	newComparer(d, intoTool, before, after).schemas(asSchema(before), asSchema(after), "/inputSchema", 0)
}

func (d *differ) output(prior, next map[string]any) {
	before, had := prior["outputSchema"].(map[string]any)
	after, has := next["outputSchema"].(map[string]any)
	switch {
	case had && has:
		newComparer(d, outOfTool, before, after).schemas(before, after, "/outputSchema", 0)
	case had:
		d.add("output-removed", Breaking, "/outputSchema", Text{ES: "Ya no promete la forma del resultado.", EN: "It no longer promises the form of the result."})
	case has:
		d.add("output-added", Compatible, "/outputSchema", Text{ES: "Ahora promete la forma del resultado.", EN: "It now promises the form of the result."})
	}
}

// annotations compares the hints. One that is not declared has the default of
// MCP, so that to declare it as that changes nothing.
func (d *differ) annotations(prior, next map[string]any) {
	before, _ := prior["annotations"].(map[string]any)
	after, _ := next["annotations"].(map[string]any)
	for _, hint := range [...]struct {
		name    string
		absence bool
	}{{"readOnlyHint", false}, {"destructiveHint", true}, {"idempotentHint", false}, {"openWorldHint", true}} {
		was, is := hintOr(before, hint.name, hint.absence), hintOr(after, hint.name, hint.absence)
		if was != is {
			d.add("annotations-changed", Breaking, "/annotations/"+hint.name, Text{
				ES: hint.name + " pasó de " + yes(was) + " a " + yes(is) + ".", EN: hint.name + " went from " + yes(was) + " to " + yes(is) + ".",
			})
		}
	}
	if !same(before["title"], after["title"]) {
		d.add("title-changed", Cosmetic, "/annotations/title", Text{ES: "Cambió el título.", EN: "The title has changed."})
	}
}

func hintOr(annotations map[string]any, name string, absence bool) bool {
	if v, ok := annotations[name].(bool); ok {
		return v
	}
	return absence
}

func yes(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

// meta compares scenarios and verb; other keys of _meta are somebody else's.
func (d *differ) meta(prior, next map[string]any) {
	before, _ := prior["_meta"].(map[string]any)
	after, _ := next["_meta"].(map[string]any)
	pointer := join("/_meta", metaCapabilities)
	was, is := scenarios(before), scenarios(after)
	for _, key := range was {
		if !slices.Contains(is, key) {
			d.add("scenario-removed", Breaking, pointer, Text{
				ES: "Ya no se ofrece en el escenario «" + clip(key) + "».", EN: `It is no longer offered in the scenario "` + clip(key) + `".`,
			})
		}
	}
	for _, key := range is {
		if !slices.Contains(was, key) {
			d.add("scenario-added", Compatible, pointer, Text{
				ES: "Ahora se ofrece en el escenario «" + clip(key) + "».", EN: `It is now offered in the scenario "` + clip(key) + `".`,
			})
		}
	}
	if !same(before[metaVerb], after[metaVerb]) {
		d.add("verb-changed", Cosmetic, join("/_meta", metaVerb), Text{
			ES: "Cambió la acción con la que se le describe al modelo.", EN: "The action as it is described to the model has changed.",
		})
	}
	for _, key := range keysOf(before, after) {
		if !slices.Contains([]string{metaCapabilities, metaCapability, metaVerb}, key) && !same(before[key], after[key]) {
			d.add("meta-changed", Compatible, join("/_meta", key), Text{
				ES: "Cambió «" + clip(key) + "» en _meta.", EN: `"` + clip(key) + `" has changed in _meta.`,
			})
		}
	}
}

// scenarios reads the list under either key.
func scenarios(meta map[string]any) []string {
	held, ok := meta[metaCapabilities]
	if !ok {
		held = meta[metaCapability]
	}
	if one, ok := held.(string); ok {
		return []string{one}
	}
	return strs(held)
}

// rest compares what is neither a schema nor a hint.
func (d *differ) rest(prior, next map[string]any) {
	for _, key := range keysOf(prior, next) {
		if same(prior[key], next[key]) {
			continue
		}
		pointer := join("", key)
		switch key {
		case "name", "inputSchema", "outputSchema", "annotations", "_meta":
		case "description":
			d.add("description-changed", Cosmetic, pointer, Text{
				ES: "Cambió la descripción, por la que el modelo elige.", EN: "The description, by which the model chooses, has changed.",
			})
		case "title":
			d.add("title-changed", Cosmetic, pointer, Text{ES: "Cambió el título.", EN: "The title has changed."})
		case "execution":
			d.add("execution-changed", Breaking, pointer, Text{
				ES: "Cambió si se puede ejecutar como tarea.", EN: "Whether it can run as a task has changed.",
			})
		default:
			d.add("member-changed", Cosmetic, pointer, Text{
				ES: "Cambió «" + clip(key) + "».", EN: `"` + clip(key) + `" has changed.`,
			})
		}
	}
}

// keysOf returns the keys of both objects, sorted, each once.
func keysOf(a, b map[string]any) []string {
	keys := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(keys)
	return slices.Compact(keys)
}

// same compares canonical values.
func same(a, b any) bool { return bytes.Equal(compact(a), compact(b)) }
