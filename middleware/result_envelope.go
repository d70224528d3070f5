package middleware

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/portavoz/portavoz/errors"
)

// EnvelopeError is the cause of a failure for which the handler itself made the
// envelope of package whaapy. A client that wants envelopes gets that one; every other
// client gets the failure that was read from it.
type EnvelopeError struct {
	// JSON is the envelope as the handler wrote it. It must not be changed.
	JSON []byte
}

// Error says where the failure comes from. What the envelope holds is not for the log.
func (e *EnvelopeError) Error() string { return "the handler made the envelope of this failure" }

// parseEnvelope reads a failure of the form {"ok":false,"status":...,"errors":[...]}.
// More information that is needed is VALIDATION: nothing has happened. Otherwise the
// code tells if it is one of the six types, such as "not_found", and what may be
// repeated is SYSTEM.
func parseEnvelope(text string) (*errors.Error, bool) {
	var envelope struct {
		OK     *bool  `json:"ok"`
		Status string `json:"status"`
		Errors []struct {
			Code      string `json:"code"`
			Message   string `json:"message"`
			MessageES string `json:"message_es"`
			Field     string `json:"field"`
			Retryable bool   `json:"retryable"`
		} `json:"errors"`
		NextQuestion string `json:"nextQuestion"`
	}
	if !strings.Contains(text, `"ok"`) || json.Unmarshal([]byte(text), &envelope) != nil {
		return nil, false
	}
	if envelope.OK == nil || *envelope.OK || envelope.Status == "" || len(envelope.Errors) == 0 {
		return nil, false
	}
	first := envelope.Errors[0]
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
	e.Retryable, e.Cause = first.Retryable, &EnvelopeError{JSON: []byte(text)}
	return e, true
}
