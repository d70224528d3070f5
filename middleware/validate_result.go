package middleware

import (
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware/internal/schema"
)

// result holds what a handler returned to the tool's output schema. Failures, and
// results that ask for another round, have a shape of their own. The result that
// comes back holds its data as bytes: they are encoded once.
func (v *validator) result(rec *Record, output *schema.Schema, res *mcp.CallToolResult, readOnly bool) (*mcp.CallToolResult, error) {
	if res == nil || res.IsError || res.NeedsInput() {
		return res, nil
	}
	own, err := seal(res)
	if err != nil {
		return res, nil // what cannot be encoded is for [Errors] to say
	}
	if err := checkResult(output, own.RawStructuredContent); err != nil {
		if readOnly || v.cfg.StrictResults {
			return nil, errors.System("", errors.WithCode(errors.CodeBadResult), errors.WithCause(err))
		}
		rec.setBadResult(err)
	}
	return own, nil
}

func checkResult(output *schema.Schema, raw []byte) error {
	if len(raw) == 0 {
		return errors.New("the tool declares an outputSchema, and its result has no structured content")
	}
	value, err := schema.Decode(raw)
	if err != nil {
		return err
	}
	if problems := output.Check(value); problems != nil {
		return problemsError(problems)
	}
	return nil
}
