package middleware

import (
	"encoding/json"
	"maps"
	"runtime/debug"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/paginate"
)

// seal returns a result that is ours alone: mcp-go writes into the result that
// it is given, and a handler may have returned one that it shares between
// calls. Structured content is encoded, once; whoever comes later finds the
// bytes. It fails if that content cannot be encoded, also by a marshaler that
// panics.
func seal(res *mcp.CallToolResult) (*mcp.CallToolResult, error) {
	if res == nil {
		return nil, nil
	}
	own := *res
	if own.Content == nil {
		own.Content = []mcp.Content{}
	}
	if own.Meta != nil {
		meta := *own.Meta
		meta.AdditionalFields = maps.Clone(meta.AdditionalFields)
		own.Meta = &meta
	}
	if len(own.RawStructuredContent) == 0 && own.StructuredContent != nil {
		raw, err := marshal(own.StructuredContent)
		if err != nil {
			return nil, err
		}
		own.RawStructuredContent = raw
	}
	return &own, nil
}

// sealSound is seal for a result that comes from a handler: it fails also for
// what seal does not look at and mcp-go could not send, such as broken raw JSON,
// a block that is nil, or NaN in _meta. The client would get no answer at all. A
// record, unless it is nil, vouches for raw JSON that was found sound already.
func sealSound(rec *Record, res *mcp.CallToolResult) (*mcp.CallToolResult, error) {
	if res == nil {
		return nil, nil
	}
	if raw := res.RawStructuredContent; len(raw) > 0 && !rec.isSound(raw) && !json.Valid(raw) {
		return nil, errors.New("the raw structured content is not JSON")
	}
	for _, c := range res.Content {
		if isPlain(c) {
			continue
		}
		switch raw, err := marshal(c); {
		case err != nil:
			return nil, err
		case string(raw) == "null":
			return nil, errors.New("a content block is nil")
		}
	}
	if !isPlainMeta(res.Meta) {
		if _, err := marshal(res.Meta); err != nil {
			return nil, err
		}
	}
	own, err := rec.seal(res)
	if err == nil {
		rec.setSound(own.RawStructuredContent)
	}
	return own, err
}

// marshal is json.Marshal for what a handler returned: a marshaler of its own
// that panics is an error.
func marshal(v any) (raw []byte, err error) {
	defer func() {
		if v := recover(); v != nil {
			raw, err = nil, &PanicError{Value: v, Stack: debug.Stack()}
		}
	}()
	return json.Marshal(v)
}

// isPlain reports whether a block holds nothing but strings, which always
// encode.
func isPlain(c mcp.Content) bool {
	switch t := c.(type) {
	case mcp.TextContent:
		return t.Meta == nil && t.Annotations == nil
	case mcp.ImageContent:
		return t.Meta == nil && t.Annotations == nil
	case mcp.AudioContent:
		return t.Meta == nil && t.Annotations == nil
	}
	return false
}

// isPlainMeta reports whether _meta holds nothing but values that always encode.
func isPlainMeta(meta *mcp.Meta) bool {
	if meta == nil {
		return true
	}
	for _, value := range meta.AdditionalFields {
		switch value.(type) {
		case nil, bool, string:
		default:
			return false
		}
	}
	return meta.ProgressToken == nil
}

// sizeOf is the size of a sealed result that counts against a gateway's limit.
func sizeOf(res *mcp.CallToolResult) int {
	text := 0
	for _, c := range res.Content {
		if t, ok := textOf(c); ok {
			text += paginate.UTF16Len(t)
		}
	}
	return max(text, paginate.UTF16Len(res.RawStructuredContent))
}

func textOf(c mcp.Content) (string, bool) {
	switch t := c.(type) {
	case mcp.TextContent:
		return t.Text, true
	case *mcp.TextContent:
		if t != nil {
			return t.Text, true
		}
	}
	return "", false
}

// failureOf reads the typed error of a failed call: the Go error, or what the
// handler put into a result that it marked as an error itself, or should have.
func failureOf(res *mcp.CallToolResult, err error) *errors.Error {
	if err != nil {
		return errors.From(err)
	}
	if res == nil {
		return nil
	}
	if !res.IsError {
		e, _ := madeFailure(res, res.RawStructuredContent)
		return e
	}
	if e, ok := envelopeOf(res); ok {
		return e
	}
	return errors.Unknown("")
}

// envelopeOf finds the gateway's error object, or else an envelope of package whaapy,
// in the structured content or in the only text block.
func envelopeOf(res *mcp.CallToolResult) (*errors.Error, bool) {
	var structured []byte
	if own, err := seal(res); err == nil {
		structured = own.RawStructuredContent
		if e, err := errors.Parse(structured); err == nil {
			return e, true
		}
	}
	if len(res.Content) == 1 {
		if text, ok := textOf(res.Content[0]); ok {
			if e, err := errors.Parse([]byte(text)); err == nil {
				return e, true
			}
		}
	}
	return madeFailure(res, structured)
}

// failureResult is the one form a failure takes: the same JSON as text and as
// data.
func failureResult(e *errors.Error) *mcp.CallToolResult {
	raw, err := json.Marshal(e)
	if err != nil { // errors.Error leaves out what cannot be encoded
		raw = []byte(`{"error":{"error_type":"UNKNOWN","user_message":""}}`)
	}
	return &mcp.CallToolResult{
		Content:              []mcp.Content{mcp.NewTextContent(string(raw))},
		StructuredContent:    json.RawMessage(raw),
		RawStructuredContent: raw,
		IsError:              true,
	}
}
