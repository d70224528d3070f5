package expose

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/mark3labs/mcp-go/mcp"
)

// startsSentence reports whether a sentence may begin with r in Spanish or English.
func startsSentence(r rune) bool {
	return unicode.IsUpper(r) || unicode.IsDigit(r) || strings.ContainsRune("¿¡«\"(", r)
}

// annotations are the hints of a grouped tool, the safest that its actions allow:
// read-only if all are, destructive if one is or may be, idempotent if all are, open
// to the world if one is or may be. A hint that no action declares is left out.
func (c *Config) annotations(n Namespace, actions []*action) mcp.ToolAnnotation {
	pick := func(a *action) mcp.ToolAnnotation { return a.tool.Annotations }
	return mcp.ToolAnnotation{
		Title:        n.Title,
		ReadOnlyHint: unite(actions, true, func(a *action) *bool { return pick(a).ReadOnlyHint }),
		DestructiveHint: unite(actions, false, func(a *action) *bool {
			if a.readOnly() && pick(a).DestructiveHint == nil {
				return mcp.ToBoolPtr(false) // what only reads destroys nothing
			}
			return pick(a).DestructiveHint
		}),
		IdempotentHint: unite(actions, true, func(a *action) *bool { return pick(a).IdempotentHint }),
		OpenWorldHint:  unite(actions, false, func(a *action) *bool { return pick(a).OpenWorldHint }),
	}
}

// unite returns the harmless value if every action declares it, nil if none declares
// anything, and else the other value.
func unite(actions []*action, harmless bool, hint func(*action) *bool) *bool {
	all, declared := true, false
	for _, a := range actions {
		h := hint(a)
		declared = declared || h != nil
		all = all && h != nil && *h == harmless
	}
	if !declared {
		return nil
	}
	return mcp.ToBoolPtr(all == harmless)
}

// The metadata by which Asixto Gateway decides in which scenarios it offers a tool,
// and as what. The singular key is an older form of the first.
const (
	capabilitiesKey = "com.asixto/capabilities"
	capabilityKey   = "com.asixto/capability"
	verbKey         = "com.asixto/verb"
)

// meta unites the metadata of the actions: the scenarios of any of them, their verbs
// joined, and of the rest what those that have it agree on. It also returns the keys
// on which they do not agree.
func (c *Config) meta(actions []*action) (meta *mcp.Meta, disputed []string) {
	fields := map[string]any{}
	var scenarios, verbs []string
	for _, a := range actions {
		if a.tool.Meta == nil {
			continue
		}
		for _, key := range sortedKeys(a.tool.Meta.AdditionalFields) {
			value := a.tool.Meta.AdditionalFields[key]
			switch other, ok := fields[key]; {
			case key == capabilitiesKey || key == capabilityKey:
				scenarios = append(scenarios, texts(value)...)
			case key == verbKey:
				verbs = append(verbs, texts(value)...)
			case ok && !slices.Contains(disputed, key) && !reflect.DeepEqual(other, value):
				disputed = append(disputed, key)
			case !ok:
				fields[key] = value
			}
		}
	}
	maps.DeleteFunc(fields, func(key string, _ any) bool { return slices.Contains(disputed, key) })
	if len(scenarios) > 0 {
		fields[capabilitiesKey] = union(scenarios)
	}
	if len(verbs) > 0 {
		fields[verbKey] = c.join(verbs)
	}
	if len(fields) == 0 {
		return nil, disputed
	}
	return &mcp.Meta{AdditionalFields: fields}, disputed
}

// texts reads a text, or a list of texts, as a program or a JSON text has it.
func texts(value any) []string {
	switch v := value.(type) {
	case string:
		return []string{v}
	case []string:
		return v
	case []any:
		var list []string
		for _, one := range v {
			if s, ok := one.(string); ok {
				list = append(list, s)
			}
		}
		return list
	}
	return nil
}

// join writes "a, b or c", each once.
func (c *Config) join(list []string) string {
	var once []string
	for _, s := range list {
		if !slices.Contains(once, s) {
			once = append(once, s)
		}
	}
	last := len(once) - 1
	if last == 0 {
		return once[0]
	}
	return strings.Join(once[:last], ", ") + c.Words.And + once[last]
}
