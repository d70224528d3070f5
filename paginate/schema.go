package paginate

import "fmt"

// Limit writes the schema of the argument limit into schema: a whole number or
// null, its bounds, its default and a Spanish description. It has the shape of
// mcp-go's property options:
//
//	mcp.WithInteger("limit", rules.Limit)
//
// Values are of the types that encoding/json decodes into, here and below. The
// maximum is what a model is told; [Rules.FromMap] takes more and clamps it,
// unless something before it holds the arguments to the schema.
func (r Rules) Limit(schema map[string]any) {
	description := fmt.Sprintf("Cuántos resultados devolver: %d si no se indica y %d como máximo", r.defaultLimit(), r.maxLimit())
	if r.maxLimit() > VoiceLimit {
		description += fmt.Sprintf(" (%d en voz)", VoiceLimit)
	}
	nullable(schema, 1, r.maxLimit(), r.defaultLimit(), description+".")
}

// Offset is [Rules.Limit] for the argument offset. An offset above its maximum
// is refused.
func (r Rules) Offset(schema map[string]any) {
	nullable(schema, 0, r.maxOffset(), 0, "Cuántos resultados saltar antes del primero: ninguno si no se indica.")
}

// Properties returns the schemas of limit and offset by name, for the properties
// of an input schema that is built by hand. Each call returns a fresh copy.
func (r Rules) Properties() map[string]any {
	limit, offset := make(map[string]any), make(map[string]any)
	r.Limit(limit)
	r.Offset(offset)
	return map[string]any{argLimit: limit, argOffset: offset}
}

// PageSchema returns the schema of a page of elements, for a tool's output
// schema: a closed object, all of whose members are required but the next
// offset, which the last page lacks. element is the schema of one element, a
// value that encodes as one, and is not copied. Give the names of
// [Page.Named], or none.
func (r Rules) PageSchema(element any, names Names) map[string]any {
	names = names.orDefault()
	properties := map[string]any{
		names.Results: map[string]any{
			"type": "array", "items": element, "maxItems": float64(r.maxLimit()),
			"description": "Los resultados de esta página, los más relevantes primero.",
		},
		names.Total:  integer(0, "Cuántos resultados hay en todas las páginas."),
		names.Limit:  integer(1, "Cuántos resultados caben en esta página."),
		names.Offset: integer(0, "Cuántos resultados hay antes del primero."),
	}
	if names.Next != "" {
		properties[names.Next] = integer(0, "El offset de la página siguiente; la última no lo trae.")
	}
	return map[string]any{
		"type":                 "object",
		"properties":           properties,
		"required":             []any{names.Results, names.Total, names.Limit, names.Offset},
		"additionalProperties": false,
	}
}

func nullable(schema map[string]any, least, most, absent int, description string) {
	schema["type"] = []any{"integer", "null"}
	schema["minimum"] = float64(least)
	schema["maximum"] = float64(most)
	schema["default"] = float64(absent)
	schema["description"] = description
}

func integer(least int, description string) map[string]any {
	return map[string]any{"type": "integer", "minimum": float64(least), "description": description}
}
