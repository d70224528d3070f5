package middleware

import (
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware/call"
	"github.com/portavoz/portavoz/middleware/internal/schema"
)

// arguments holds the arguments of req to a schema, which may be nil, and corrects
// those that may be corrected. The error is what the caller did wrong.
func (v *validator) arguments(rec *Record, input *schema.Schema, req *mcp.CallToolRequest) error {
	if rec.isValid(rawArguments(req)) {
		return nil
	}
	var problems []schema.Problem
	value, err := readArguments(req)
	if err == nil {
		problems, err = checkArguments(input, value)
	}
	switch {
	case errors.Is(err, schema.ErrCircle):
		return errors.System("", errors.WithCode(errors.CodeBadSchema), errors.WithCause(err))
	case err != nil:
		return v.refuse(rec, errors.Validation("", errors.WithCode(errors.CodeInvalidArguments), errors.WithCause(err)))
	}
	if problems != nil && len(v.cfg.Tolerate) > 0 {
		c := v.correct(input, rawArguments(req), value, problems)
		if c.problems == nil {
			c.handOn(req)
			rec.setTolerated(c.used)
			v.cfg.Tolerated.add(c.used)
		}
		problems, value = c.problems, c.value
	}
	if problems == nil {
		rec.setValid(rawArguments(req))
		return nil
	}
	return v.refuse(rec, describe(v.cfg.Messages, problems, value))
}

// refuse leaves a note for a client that wants to be told about its arguments by
// the protocol: see [call.Exchange.Invalid].
func (v *validator) refuse(rec *Record, e *errors.Error) error {
	e.UserMessage = v.cfg.Messages.For(e)
	if !rec.inner {
		rec.exchange.SetInvalid(call.Invalid{Field: e.Field, Message: e.UserMessage})
	}
	return e
}

func checkArguments(input *schema.Schema, value any) ([]schema.Problem, error) {
	if _, ok := value.(map[string]any); !ok {
		return []schema.Problem{{Rule: "type", Want: []string{"object"}}}, nil
	}
	if input == nil {
		return nil, nil
	}
	return input.CheckArguments(value, maxArgumentWork)
}

// readArguments returns the arguments as a decoded value: what mcp-go decoded, if
// float64 is exact enough for its numbers.
func readArguments(req *mcp.CallToolRequest) (any, error) {
	raw := rawArguments(req)
	if len(raw) == 0 {
		return map[string]any{}, nil
	}
	size, err := measureArguments(raw)
	if err != nil {
		return nil, err
	}
	value := req.Params.Arguments
	if size.Exact || len(req.Params.RawArguments) == 0 || schema.Members(value) != size.Members {
		value, err = decodeArguments(raw, size)
	}
	if value == nil && err == nil {
		value = map[string]any{}
	}
	return value, err
}

// decodeArguments refuses what two readers may read differently.
func decodeArguments(raw []byte, size schema.Size) (any, error) {
	value, err := schema.Decode(raw)
	if err == nil && schema.Members(value) != size.Members {
		err = errors.New("a name occurs twice in one object of the arguments")
	}
	return value, err
}

// measureArguments refuses what is too large to be looked at.
func measureArguments(raw []byte) (schema.Size, error) {
	size := schema.Measure(raw)
	switch {
	case size.Depth > maxArgumentDepth:
		return size, errors.New("the arguments are nested too deeply")
	case size.Values > maxArgumentValues:
		return size, errors.New("the arguments hold too many values")
	}
	return size, nil
}

// handOn puts the corrected arguments into the request, in both of their forms, the
// second as mcp-go decodes it.
func (c *correction) handOn(req *mcp.CallToolRequest) {
	req.Params.RawArguments, req.Params.Arguments = c.raw, nil
	_ = json.Unmarshal(c.raw, &req.Params.Arguments) // has been decoded once
}
