package main

import (
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/paginate"
)

// The properties that several tools share.

func documento() mcp.ToolOption {
	return mcp.WithString("documento", mcp.Required(), mcp.MaxLength(30), examples("CC 1.032.456.789"),
		mcp.Description("Documento de identidad del titular, como la persona lo dice"))
}

func limit() mcp.ToolOption { return mcp.WithInteger("limit", paginate.Rules{}.Limit, examples(5)) }

func offset() mcp.ToolOption { return mcp.WithInteger("offset", paginate.Rules{}.Offset, examples(0)) }

// nullable makes a property admit null: models send it for what is optional.
func nullable(schema map[string]any) { schema["type"] = []any{schema["type"], "null"} }

// oneOf lists the values of a property; give nil too if it is nullable.
func oneOf(values ...any) mcp.PropertyOption {
	return func(schema map[string]any) { schema["enum"] = values }
}

// examples are values that work on the demo data.
func examples(values ...any) mcp.PropertyOption {
	return func(schema map[string]any) { schema["examples"] = values }
}

// neverNull says of a list in the result that it may be empty but is there: a
// schema made from a Go slice allows null.
func neverNull(property string) mcp.ToolOption {
	return func(t *mcp.Tool) {
		if list, ok := t.OutputSchema.Properties[property].(map[string]any); ok {
			list["type"] = "array"
		}
	}
}

// What a tool does to the operator's records. mcp-go fills in what is not said,
// so everything is said.
const (
	harmless   = false // adds, changes nothing
	overwrites = true  // what was there before is lost
	again      = false // the same call has the effect once more
	once       = true  // the same call changes nothing more
)

func reads() mcp.ToolOption { return annotate(true, harmless, once) }

func writes(destructive, idempotent bool) mcp.ToolOption {
	return annotate(false, destructive, idempotent)
}

func annotate(readOnly, destructive, idempotent bool) mcp.ToolOption {
	openWorld := false // nothing outside of the operator is touched
	return func(t *mcp.Tool) {
		t.Annotations = mcp.ToolAnnotation{
			ReadOnlyHint:    &readOnly,
			DestructiveHint: &destructive,
			IdempotentHint:  &idempotent,
			OpenWorldHint:   &openWorld,
		}
	}
}

// asixto says how the gateway describes the tool to its model, and in which of
// its scenarios it belongs.
func asixto(verb string, capabilities ...string) mcp.ToolOption {
	return func(t *mcp.Tool) {
		t.Meta = mcp.NewMetaFromMap(map[string]any{
			"com.asixto/verb":         verb,
			"com.asixto/capabilities": capabilities,
		})
	}
}
