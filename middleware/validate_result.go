package middleware

import (
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware/internal/document"
	"github.com/portavoz/portavoz/middleware/internal/schema"
)

// result holds what a handler returned to the tool's output schema. Failures, and
// results that ask for another round, have a shape of their own. The data was
// decoded once, then: whoever shapes the result next finds the document.
func (v *validator) result(rec *Record, output *schema.Schema, res *mcp.CallToolResult, readOnly bool) (*mcp.CallToolResult, error) {
	if res == nil || res.IsError || res.NeedsInput() {
		return res, nil
	}
	own, doc, err := rec.openResult(res)
	if own == nil {
		return res, nil // what cannot be encoded is for [Errors] to say
	}
	if err == nil {
		err = checkResult(output, doc)
	}
	switch {
	case err == nil:
	case readOnly || v.cfg.StrictResults:
		return nil, errors.System("", errors.WithCode(errors.CodeBadResult), errors.WithCause(err))
	default:
		rec.setBadResult(err)
	}
	if doc != nil {
		rec.closeResult(own, doc)
	}
	return own, nil
}

func checkResult(output *schema.Schema, doc *document.Document) error {
	if doc == nil {
		return errors.New("the tool declares an outputSchema, and its result has no structured content")
	}
	problems, err := output.CheckDocument(doc)
	if err == nil && problems != nil {
		err = problemsError(problems)
	}
	return err
}
