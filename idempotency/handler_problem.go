package idempotency

import (
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/portavoz/portavoz/errors"
)

// problem is an answer that [Handler] gives by itself (RFC 9457).
type problem struct {
	Type       string `json:"type"`
	Title      string `json:"title"`
	Status     int    `json:"status"`
	Detail     string `json:"detail"`
	Code       string `json:"code"`
	retryAfter int    // seconds
}

// The codes of problems that have nothing to do with keys.
const (
	codeBodyTooLarge   = "body_too_large"
	codeBodyUnreadable = "body_unreadable"
)

func errBody(cause error) *errors.Error {
	var tooLarge *http.MaxBytesError
	code := codeBodyUnreadable
	if errors.As(cause, &tooLarge) {
		code = codeBodyTooLarge
	}
	return errors.Validation("", errors.WithCode(code), errors.WithCause(cause))
}

var problems = map[string]problem{
	errors.CodeKeyRequired: {
		Status: http.StatusBadRequest, Title: "Idempotency-Key is missing",
		Detail: "This operation needs an Idempotency-Key header with a key of its own.",
	},
	errors.CodeInvalidKey: {
		Status: http.StatusBadRequest, Title: "Idempotency-Key is not valid",
		Detail: "Idempotency-Key is one string of 1 to 255 ASCII characters, in double quotes or bare.",
	},
	codeBodyUnreadable: {
		Status: http.StatusBadRequest, Title: "The body cannot be read",
		Detail: "The body of the request broke off.",
	},
	codeBodyTooLarge: {
		Status: http.StatusRequestEntityTooLarge, Title: "The body is too large",
		Detail: "The body of the request is longer than this server accepts.",
	},
	errors.CodeKeyReused: {
		Status: http.StatusUnprocessableEntity, Title: "Idempotency-Key is already used",
		Detail: "The key was used with another query or body. Another request needs another key.",
	},
	errors.CodeInProgress: {
		Status: http.StatusConflict, Title: "A request is outstanding for this Idempotency-Key", retryAfter: 1,
		Detail: "A request with the same key is still being processed. Repeat it with the same key later.",
	},
	errors.CodeOutcomeUnknown: {
		Status: http.StatusConflict, Title: "The outcome of this Idempotency-Key is unknown",
		Detail: "An earlier request with the same key stopped, and whether it took effect is not known. " +
			"It is not processed again under this key: find out before repeating it under another.",
	},
	errors.CodeAlreadyDone: {
		Status: http.StatusConflict, Title: "The request of this Idempotency-Key is already done",
		Detail: "An earlier request with the same key took effect, and its response was not kept.",
	},
	errors.CodeStoreFull: {
		Status: http.StatusServiceUnavailable, Title: "No more keys are accepted at present", retryAfter: 30,
		Detail: "Nothing was processed. Repeat the request with the same key later.",
	},
	errors.CodeStore: {
		Status: http.StatusServiceUnavailable, Title: "The key cannot be checked at present", retryAfter: 5,
		Detail: "Nothing was processed. Repeat the request with the same key later.",
	},
}

// refuse answers with the problem that err is. A failure that proves that
// nothing happened and has no problem of its own is like one of the store, and
// any other leaves the outcome unknown.
func (h *handler) refuse(w http.ResponseWriter, err error) {
	failure := errors.From(err)
	code := failure.Code
	if _, ok := problems[code]; !ok {
		code = errors.CodeOutcomeUnknown
		if failure.Effect == errors.EffectNone {
			code = errors.CodeStore
		}
	}
	p := problems[code]
	p.Code, p.Type = code, h.cfg.Docs+"#"+code
	body, _ := json.Marshal(p) // strings and a number
	header := w.Header()
	header.Set("Content-Type", "application/problem+json")
	if p.retryAfter > 0 {
		header.Set("Retry-After", strconv.Itoa(p.retryAfter))
	}
	w.WriteHeader(p.Status)
	_, _ = w.Write(body) // a client that left has no use for it
}
