package main

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware"
)

// bind reads the arguments of a call into a struct and holds them against the
// tool's own definition: a model may send what the schema does not allow. What
// is wrong comes back as VALIDATION with the name of the field.
func bind(ctx context.Context, req mcp.CallToolRequest, args any) error {
	if rec := middleware.RecordFrom(ctx); rec != nil {
		if tool := rec.Definition(ctx); tool != nil {
			if err := check(tool.InputSchema, req); err != nil {
				return err
			}
		}
	}
	err := req.BindArguments(args)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		field := wrong.Field[strings.LastIndexByte(wrong.Field, '.')+1:]
		return invalid(field, "El dato "+field+" no es del tipo esperado.")
	}
	return err
}

// check looks for what a Go struct cannot say: names that are missing or
// unknown, and texts that are too long.
func check(schema mcp.ToolInputSchema, req mcp.CallToolRequest) error {
	var given map[string]any
	if err := req.BindArguments(&given); err != nil {
		return errors.Validation("Los datos de la solicitud no tienen la forma esperada.")
	}
	for _, name := range schema.Required {
		if given[name] == nil {
			return invalid(name, "Hace falta el dato "+name+".")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		property, ok := schema.Properties[name].(map[string]any)
		if !ok { // the name is the caller's: it is not repeated
			return errors.Validation("La solicitud trae un dato que no se espera.")
		}
		text, isText := given[name].(string)
		limit, limited := property["maxLength"].(int)
		if isText && limited && utf8.RuneCountInString(text) > limit {
			return invalid(name, "El dato "+name+" es demasiado largo.")
		}
	}
	return nil
}

func invalid(field, message string) error {
	return errors.Validation(message, errors.WithField(field))
}
