package main

import (
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
)

// bind reads the arguments of a call into a struct. Validate has held them to the
// tool's definition: what is left to go wrong is a struct that does not fit it.
func bind(req mcp.CallToolRequest, args any) error {
	if err := req.BindArguments(args); err != nil {
		return errors.System("", errors.WithCode(errors.CodeBadSchema), errors.WithCause(err), errors.WithEffect(errors.EffectNone))
	}
	return nil
}

func invalid(field, message string) error {
	return errors.Validation(message, errors.WithField(field))
}
