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

// examples are values that work on the demo data.
func examples(values ...any) mcp.PropertyOption {
	return func(schema map[string]any) { schema["examples"] = values }
}

// ownRecords says that a tool touches nothing outside of the operator.
func ownRecords() mcp.ToolOption { return mcp.WithOpenWorldHintAnnotation(false) }
