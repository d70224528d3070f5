package contract

import (
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/paginate"
)

// Tool declares how the gateway describes the tool to its model ("abrir un caso de
// soporte") and in which of its scenarios it belongs, and closes the input schema.
// Give it last: it also completes properties that became [Nullable] before they got
// their values.
//
//	mcp.NewTool("abrir_caso_soporte",
//		mcp.WithDescription("Registra un caso de soporte. No sirve para consultar un caso existente."),
//		mcp.WithString("problema", mcp.Required(), mcp.MaxLength(400)),
//		contract.Output[caso](),
//		contract.Writes(contract.Additive, contract.Repeats),
//		contract.Tool("abrir un caso de soporte", contract.Soporte, contract.PQR),
//	)
//
// It panics if verb is blank, if there is no key, or if a key is not one of
// [Keys].
func Tool(verb string, keys ...Key) mcp.ToolOption {
	if strings.TrimSpace(verb) == "" || len(keys) == 0 {
		panic("portavoz/contract: Tool needs a verb and at least one scenario")
	}
	names := make([]string, len(keys))
	for i, key := range keys {
		if !key.known() {
			panic("portavoz/contract: Tool: there is no scenario " + string(key))
		}
		names[i] = string(key)
	}
	return func(t *mcp.Tool) {
		if t.Meta == nil {
			t.Meta = &mcp.Meta{}
		}
		if t.Meta.AdditionalFields == nil {
			t.Meta.AdditionalFields = make(map[string]any)
		}
		t.Meta.AdditionalFields[metaVerb] = verb
		t.Meta.AdditionalFields[metaCapabilities] = names
		closeInput(t)
	}
}

// closeInput closes the input schema, and completes what [Nullable] began.
func closeInput(t *mcp.Tool) {
	if t.RawInputSchema != nil {
		var schema map[string]any
		if err := decode(t.RawInputSchema, &schema); err == nil && schema != nil {
			schema["additionalProperties"] = false
			t.RawInputSchema = compact(schema)
		}
		return
	}
	t.InputSchema.AdditionalProperties = false
	for _, property := range t.InputSchema.Properties {
		if schema, ok := property.(map[string]any); ok && saysNull(schema["type"]) {
			admitNullValue(schema)
		}
	}
}

// What a call of a tool that writes does, for [Writes].
type (
	// Effect is what becomes of what was there.
	Effect bool
	// Repetition is what the same call does a second time.
	Repetition bool
)

// The effects and repetitions.
const (
	Additive    Effect     = false // adds, and changes nothing that was there
	Destructive Effect     = true  // overwrites or takes away
	Repeats     Repetition = false // has the effect once more
	Settles     Repetition = true  // changes nothing more
)

// Reads declares a tool that changes nothing.
func Reads() mcp.ToolOption { return annotate(true, false, true) }

// Writes declares a tool that changes something. mcp-go fills in what is not said,
// so both are said.
func Writes(effect Effect, repetition Repetition) mcp.ToolOption {
	return annotate(false, bool(effect), bool(repetition))
}

// annotate says all but two annotations: the title stays, and so does
// openWorldHint, which says whether the tool reaches beyond the server's own
// systems.
func annotate(readOnly, destructive, idempotent bool) mcp.ToolOption {
	return func(t *mcp.Tool) {
		t.Annotations.ReadOnlyHint = &readOnly
		t.Annotations.DestructiveHint = &destructive
		t.Annotations.IdempotentHint = &idempotent
	}
}

// Nullable makes a property admit null, as models send it for what is optional:
// in its type, and among its values if it lists them. Give it after mcp.Enum, or
// give [Tool] after the property.
func Nullable() mcp.PropertyOption {
	return func(schema map[string]any) {
		if t, ok := schema["type"]; ok && !saysNull(t) {
			schema["type"] = withNull(t)
		}
		for _, keyword := range [...]string{"anyOf", "oneOf"} {
			if branches, ok := schema[keyword].([]any); ok && !slices.ContainsFunc(branches, isNullSchema) {
				schema[keyword] = append(slices.Clone(branches), map[string]any{"type": "null"})
			}
		}
		admitNullValue(schema)
	}
}

// withNull is a type, or a list of types, with null.
func withNull(t any) any {
	switch list := t.(type) {
	case []any:
		return append(slices.Clone(list), "null")
	case []string:
		return append(slices.Clone(list), "null")
	}
	return []any{t, "null"}
}

func isNullSchema(branch any) bool {
	schema, ok := branch.(map[string]any)
	return ok && saysNull(schema["type"])
}

// Pages declares limit and offset, as every search takes them, with the bounds of
// the rules. paginate.Rules reads the arguments; paginate.Page is the result.
func Pages(rules paginate.Rules) mcp.ToolOption {
	return func(t *mcp.Tool) {
		mcp.WithInteger("limit", rules.Limit)(t)
		mcp.WithInteger("offset", rules.Offset)(t)
	}
}

func saysNull(t any) bool {
	switch list := t.(type) {
	case []any:
		return slices.Contains(list, "null")
	case []string:
		return slices.Contains(list, "null")
	}
	return t == "null"
}

// admitNullValue adds null to a list of values.
func admitNullValue(schema map[string]any) {
	var values []any
	switch list := schema["enum"].(type) {
	case []any:
		values = slices.Clone(list)
	case []string:
		for _, v := range list {
			values = append(values, v)
		}
	default:
		return
	}
	if !slices.Contains(values, nil) {
		schema["enum"] = append(values, nil)
	}
}
