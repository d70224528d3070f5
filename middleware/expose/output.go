package expose

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
)

// readOutput reads the output schema of a definition; nil if there is none.
func readOutput(tool *mcp.Tool) (object, error) {
	raw := tool.RawOutputSchema
	if len(raw) == 0 {
		if tool.OutputSchema.Type == "" {
			return nil, nil
		}
		var err error
		if raw, err = json.Marshal(tool.OutputSchema); err != nil {
			return nil, err
		}
	}
	v, err := decode(raw)
	if err != nil {
		return nil, err
	}
	if err := check(v, raw); err != nil {
		return nil, err
	}
	root, ok := v.(object)
	if !ok || root["type"] != "object" {
		return nil, errors.New(`its type is not "object"`)
	}
	return root, nil
}

// outputs returns the output schema of a grouped tool: the schemas of its actions as
// alternatives. It is nil if an action has none, since then any result is possible,
// and if they cannot stand in one schema.
func (c *Config) outputs(actions []*action) json.RawMessage {
	if !c.GroupOutputs {
		return nil
	}
	var schemas []object
	seen := map[string]bool{}
	for _, a := range actions {
		if a.output == nil || a.output["$schema"] != actions[0].output["$schema"] || identifies(a.output) != "" {
			return nil
		}
		if text := encode(a.output); !seen[text] {
			seen[text] = true
			schemas = append(schemas, a.output)
		}
	}
	if len(schemas) == 1 {
		return json.RawMessage(encode(schemas[0]))
	}
	keyword := "anyOf"
	if exclusive(schemas) {
		keyword = "oneOf"
	}
	branches := make([]any, len(schemas))
	for i, s := range schemas {
		branches[i] = asBranch(s, "#/"+keyword+"/"+strconv.Itoa(i))
	}
	root := members{{"type", "object"}, {keyword, branches}}
	if draft := schemas[0]["$schema"]; draft != nil {
		root = append(members{{"$schema", draft}}, root...)
	}
	return json.RawMessage(encode(root))
}

// asBranch returns a schema as it reads in a place inside of another one: a pointer
// from its root is one from that place.
func asBranch(schema object, place string) any {
	own, _ := rewrite(schema, func(s object) object {
		if ref, ok := s["$ref"].(string); ok && strings.HasPrefix(ref, "#") {
			s["$ref"] = place + ref[1:]
		}
		return s
	}).(object)
	delete(own, "$schema")
	return own
}

// exclusive reports whether it is certain that no object satisfies two of the
// schemas: one requires a member that the other, being closed, does not know.
func exclusive(schemas []object) bool {
	for i, a := range schemas {
		for _, b := range schemas[i+1:] {
			if !demandsUnknown(a, b) && !demandsUnknown(b, a) {
				return false
			}
		}
	}
	return true
}

func demandsUnknown(a, b object) bool {
	if !refusesAll(b["additionalProperties"]) || b["patternProperties"] != nil {
		return false
	}
	required, _ := a["required"].([]any)
	known, _ := b["properties"].(object)
	return slices.ContainsFunc(required, func(name any) bool {
		text, ok := name.(string)
		_, has := known[text]
		return ok && !has
	})
}
