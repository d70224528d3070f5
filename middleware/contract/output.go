package contract

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// Output declares the result of a tool by its Go type, as mcp.WithOutputSchema
// does, and what a gateway wants beside it:
//
//   - Next to every date and amount stands its text, "fecha_texto" next to "fecha".
//     middleware.Voice fills it; in a closed object, as every struct is, it adds
//     nothing that is not declared. A field is a date if it is a time.Time or its
//     name says so, and an amount if its name says so and its object, or one around
//     it, names a currency.
//   - The struct tag portavoz says it where the name does not: "money", "date",
//     "phone", "digits", or "skip" for what is not said otherwise. It becomes
//     "x-portavoz" in the schema.
//   - The list of a page (an object with total, limit and offset) is never null.
//
// Text fields that T declares itself stay as they are. It panics if T is neither a
// struct nor a map with string keys, if T has no schema (it contains itself, or a
// channel), or if a tag is none of those.
func Output[T any]() mcp.ToolOption {
	t := reflect.TypeFor[T]()
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct && (t.Kind() != reflect.Map || t.Key().Kind() != reflect.String) {
		panic(fmt.Sprintf("portavoz/contract: Output: a result is an object, and %s is none", t))
	}
	return func(tool *mcp.Tool) {
		var made mcp.Tool
		mcp.WithOutputSchema[T]()(&made)
		if made.OutputSchema.Type == "" {
			panic(fmt.Sprintf("portavoz/contract: Output: %s has no JSON Schema", t))
		}
		schema := objectOf(made.OutputSchema)
		annotateFields(schema, t, 0)
		walk(schema, "", completeResult)
		raw := compact(schema)
		tool.RawOutputSchema, tool.OutputSchema = nil, mcp.ToolOutputSchema{}
		if err := json.Unmarshal(raw, &tool.OutputSchema); err != nil {
			panic(fmt.Sprintf("portavoz/contract: Output: %s has no JSON Schema", t))
		}
		tool.OutputSchema.PropertyOrder = nil // sorted, as mcp-go has it
	}
}

func objectOf(schema mcp.ToolOutputSchema) map[string]any {
	var object map[string]any
	raw, err := json.Marshal(schema)
	if err == nil {
		err = decode(raw, &object)
	}
	if err != nil {
		panic("portavoz/contract: Output: the schema cannot be encoded")
	}
	return object
}

// maxTypeDepth bounds the walk through types; mcp-go refuses recursive ones.
const maxTypeDepth = 32

// annotateFields puts into a schema what the types and tags of struct fields say.
func annotateFields(schema map[string]any, t reflect.Type, depth int) {
	if schema == nil || depth > maxTypeDepth {
		return
	}
	switch t.Kind() {
	case reflect.Pointer:
		annotateFields(schema, t.Elem(), depth+1)
	case reflect.Slice, reflect.Array:
		items, _ := schema["items"].(map[string]any)
		annotateFields(items, t.Elem(), depth+1)
	case reflect.Map:
		values, _ := schema["additionalProperties"].(map[string]any)
		annotateFields(values, t.Elem(), depth+1)
	case reflect.Struct:
		properties, _ := schema["properties"].(map[string]any)
		for _, field := range reflect.VisibleFields(t) {
			annotateField(properties, field, depth)
		}
	default:
	}
}

func annotateField(properties map[string]any, field reflect.StructField, depth int) {
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	if name == "" {
		name = field.Name
	}
	schema, ok := properties[name].(map[string]any)
	if !ok || !field.IsExported() {
		return
	}
	if tag, ok := field.Tag.Lookup("portavoz"); ok {
		if !slices.Contains([]string{"money", "date", "phone", "digits", "skip"}, tag) {
			panic(fmt.Sprintf("portavoz/contract: Output: field %s: nothing is said as %q", field.Name, tag))
		}
		schema[annotation] = tag
	}
	t := field.Type
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == reflect.TypeFor[time.Time]() {
		schema["format"] = "date-time"
		return
	}
	annotateFields(schema, field.Type, depth+1)
}

// completeResult adds the texts that an object lacks, and makes the list of a
// page one that is there.
func completeResult(object node) {
	properties, _ := object.schema["properties"].(map[string]any)
	isPage := properties["total"] != nil && properties["limit"] != nil && properties["offset"] != nil
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		field, ok := properties[name].(map[string]any)
		if !ok {
			continue
		}
		if isPage && isType(field, "array") {
			field["type"] = "array"
		}
		said, ok := map[spoken]string{
			aDate: "La fecha para decirla en voz alta", anAmount: "El importe para decirlo en voz alta",
		}[spokenKind(name, object)]
		if ok && properties[name+textSuffix] == nil {
			properties[name+textSuffix] = map[string]any{"type": "string", "description": said}
		}
	}
}
