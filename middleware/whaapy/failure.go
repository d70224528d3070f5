package whaapy

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/portavoz/portavoz/errors"
)

// failure is one element of errors.
type failure struct {
	code, message, messageES, field string
	retryable                       bool
}

func (f *failure) append(dst []byte) []byte {
	dst = appendText(append(dst, `{"code":`...), f.code, maxCode)
	dst = appendText(append(dst, `,"message":`...), f.message, maxQuestion)
	dst = appendText(append(dst, `,"message_es":`...), f.messageES, maxMessage)
	if f.field != "" {
		dst = appendText(append(dst, `,"field":`...), f.field, maxField)
	}
	return append(strconv.AppendBool(append(dst, `,"retryable":`...), f.retryable), '}')
}

// failed is the envelope of a failure, as far as the failure decides about it.
func failed(e *errors.Error, messages errors.Messages) envelope {
	env := envelope{status: Failed, question: e.NextQuestion, failure: &failure{
		code:      e.Code,
		message:   english(e),
		messageES: messages.For(e),
		field:     e.Field,
		retryable: e.Retryable,
	}}
	if env.failure.code == "" {
		env.failure.code = strings.ToLower(string(errors.ParseType(string(e.Type))))
	}
	if e.Type == errors.TypeValidation && e.NextQuestion != "" {
		// With the datum that is missing, the call is worth another try.
		env.status, env.failure.retryable = NeedsInfo, true
	}
	return env
}

// toldError says that a write reports its failure by its data alone. The client gets
// the data beside the failure if they fit.
type toldError struct{ data []byte }

// Error says where the failure comes from. What the data hold is not for the log.
func (e *toldError) Error() string { return "the data of a write say that it failed" }

// told is the failure of which nothing but the data are known.
func told(d data, question string) *errors.Error {
	e := unsure(&toldError{d.raw})
	e.NextQuestion = question
	return e
}

// unsure is the failure of a write that nobody can tell to be done, or not to be.
func unsure(cause error) *errors.Error {
	return errors.Unknown("", errors.WithCode(errors.CodeOutcomeUnknown), errors.WithCause(cause))
}

// waiting is the envelope of a call that a person has to allow first, where the
// outputSchema has no place for that, see [middleware.OrPending]: to this client it is no
// failure.
func waiting(e *errors.Error) (envelope, bool) {
	if e.Code != errors.CodeApprovalPending {
		return envelope{}, false
	}
	id, _ := e.Details["approvalId"].(string)
	raw, err := json.Marshal(struct {
		Status     Status `json:"status"`
		ApprovalID string `json:"approvalId,omitempty"`
	}{PendingConfirmation, id})
	return envelope{ok: true, status: PendingConfirmation, data: raw, question: cmp.Or(e.NextQuestion, askToConfirm)}, err == nil
}

// english is what a failure says to an engineer: the advice in its details, else what
// its type means. It never holds the text of a cause.
func english(e *errors.Error) string {
	if advice, ok := e.Details["advice"].(string); ok && advice != "" {
		return advice
	}
	if e.Type == errors.TypeValidation && e.NextQuestion != "" {
		return "More information is needed from the person."
	}
	switch e.Code {
	case errors.CodeRateLimited:
		return "Too many calls in too short a time; wait before the next one."
	case errors.CodeTimeout, errors.CodeConnectionLost:
		return "The answer did not come in time; the operation may have happened."
	case errors.CodeBadResult:
		return "There is a result, and it cannot be shown."
	case errors.CodeInProgress:
		return "The same operation is still running."
	}
	switch e.Type {
	case errors.TypeBlocker:
		return "A business rule does not allow it; take another path."
	case errors.TypeNotFound:
		return "There is no such record."
	case errors.TypeValidation:
		return "An argument, or the state of the record, does not allow it."
	case errors.TypePermission:
		return "The caller may not do this."
	case errors.TypeSystem:
		if e.Effect == errors.EffectNone {
			return "The server cannot do it now. Nothing was done."
		}
		return "The server failed, or something behind it."
	default:
		return "Nobody knows how it ended: read the state before you repeat it."
	}
}
