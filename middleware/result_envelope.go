package middleware

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware/internal/document"
)

// EnvelopeError is the cause of a failure for which the handler itself made the
// envelope of package whaapy. A client that wants envelopes gets that one; every other
// client gets the failure that was read from it.
type EnvelopeError struct {
	// JSON is the envelope as the handler wrote it. It must not be changed.
	JSON []byte
	// Unmarked says that the handler did not set isError beside it.
	Unmarked bool
}

// Error says where the failure comes from. What the envelope holds is not for the log.
func (e *EnvelopeError) Error() string { return "the handler made the envelope of this failure" }

// madeFailure reads the failure for which the handler made an envelope, as the only
// text block that is an object or as the structured content, also if the result is not
// marked as one.
func madeFailure(res *mcp.CallToolResult, structured []byte) (*errors.Error, bool) {
	if text, ok := objectText(res.Content); ok {
		if e, ok := parseEnvelope(text, !res.IsError); ok {
			return e, true
		}
	}
	if !document.MentionsOK(structured) {
		return nil, false
	}
	return parseEnvelope(string(structured), !res.IsError)
}

// objectText returns the only text block that looks like a JSON object. Several of them
// are a list, of whatever they are.
func objectText(content []mcp.Content) (object string, ok bool) {
	for _, c := range content {
		text, is := textOf(c)
		if !is || !strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "{") {
			continue
		}
		if ok {
			return "", false
		}
		object, ok = text, true
	}
	return object, ok
}

// parseEnvelope reads a failure of the form {"ok":false,"status":...,"errors":[...]}, of
// which one that is marked may lack the status.
// More information that is needed is VALIDATION: nothing has happened. Otherwise the
// code tells if it is one of the six types, such as "not_found", and what may be
// repeated is SYSTEM.
func parseEnvelope(text string, unmarked bool) (*errors.Error, bool) {
	if !document.MentionsOKText(text) {
		return nil, false
	}
	var envelope struct { // on the heap, so not before it is needed
		OK           *bool             `json:"ok"`
		Status       string            `json:"status"`
		Errors       []envelopeProblem `json:"errors"`
		NextQuestion string            `json:"nextQuestion"`
	}
	// What is of the wrong type says nothing, and the rest is read all the same.
	if err := json.Unmarshal([]byte(text), &envelope); err != nil && !errors.As(err, new(*json.UnmarshalTypeError)) {
		return nil, false
	}
	if envelope.OK == nil || *envelope.OK || unmarked && envelope.Status == "" {
		return nil, false
	}
	var first envelopeProblem
	switch {
	case len(envelope.Errors) > 0:
		first = envelope.Errors[0]
	case envelope.Status != "failed" && envelope.Status != "needs_more_info":
		return nil, false
	}
	failure := errors.Unknown
	switch errors.ParseType(strings.ToUpper(first.Code)) {
	case errors.TypeNotFound:
		failure = errors.NotFound
	case errors.TypeValidation:
		failure = errors.Validation
	case errors.TypePermission:
		failure = errors.Permission
	case errors.TypeBlocker:
		failure = errors.Blocker
	default:
		if first.Retryable || strings.EqualFold(first.Code, string(errors.TypeSystem)) {
			failure = errors.System
		}
	}
	if envelope.Status == "needs_more_info" {
		failure = errors.Validation
	}
	e := failure(cmp.Or(first.MessageES, first.Message), errors.WithCode(first.Code), errors.WithField(first.Field),
		errors.WithNextQuestion(envelope.NextQuestion))
	e.Retryable, e.Cause = first.Retryable, &EnvelopeError{JSON: []byte(text), Unmarked: unmarked}
	return e, true
}

// envelopeProblem is one of the errors of an envelope.
type envelopeProblem struct {
	Code      string `json:"code"`
	Message   string `json:"message"`
	MessageES string `json:"message_es"`
	Field     string `json:"field"`
	Retryable bool   `json:"retryable"`
}
