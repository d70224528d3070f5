package whaapy

import (
	"strconv"
	"strings"

	"github.com/portavoz/portavoz/middleware/internal/document"
)

// Bounds of what an envelope says beside its data, in UTF-16 code units of JSON.
const (
	maxTool     = 130
	maxSafety   = 40
	maxCode     = 80
	maxField    = 150
	maxMessage  = 700
	maxQuestion = 300
)

// Status is how far an operation has got.
type Status string

// The statuses.
const (
	Success             Status = "success" // it is done, and final
	Failed              Status = "failed"
	NeedsInfo           Status = "needs_more_info"
	PendingConfirmation Status = "pending_confirmation"
	InQueue             Status = "queued"
)

// envelope is what Whaapy reads.
type envelope struct {
	ok       bool
	status   Status
	data     []byte // JSON, or nil
	failure  *failure
	tool     string
	safety   Safety
	millis   int64
	question string
}

// append appends the envelope as JSON, its fields always in the same order. Those that
// say nothing are left out.
func (e *envelope) append(dst []byte) []byte {
	dst = append(append(dst, `{"ok":`...), strconv.FormatBool(e.ok)...)
	dst = append(append(append(dst, `,"status":"`...), e.status...), '"')
	switch {
	case len(e.data) > 0 && e.data[0] != '{':
		dst = append(append(append(dst, `,"data":{"result":`...), e.data...), '}')
	case len(e.data) > 0:
		dst = append(append(dst, `,"data":`...), e.data...)
	}
	if e.failure != nil {
		dst = append(e.failure.append(append(dst, `,"errors":[`...)), ']')
	}
	dst = appendText(append(dst, `,"toolName":`...), e.tool, maxTool)
	dst = appendText(append(dst, `,"safety":`...), string(e.safety), maxSafety+2)
	dst = strconv.AppendInt(append(dst, `,"durationMs":`...), e.millis, 10)
	if e.question != "" {
		dst = appendText(append(dst, `,"nextQuestion":`...), e.question, maxQuestion)
	}
	return append(dst, '}')
}

// appendText appends s as a JSON string of at most limit UTF-16 code units. A longer one
// ends with an ellipsis, after a word if there is one near the end.
func appendText(dst []byte, s string, limit int) []byte {
	from := len(dst)
	dst = document.AppendText(dst, s)
	for document.UTF16Len(dst[from:]) > limit {
		s = shorter(s, document.UTF16Len(dst[from:])-limit)
		dst = document.AppendText(dst[:from], s)
	}
	return dst
}

// shorter is s without at least over bytes at its end, or "".
func shorter(s string, over int) string {
	const ellipsis = "…"
	keep := min(len(strings.TrimSuffix(s, ellipsis))-over-len(ellipsis), len(s)-1)
	// What is escaped takes up to six units each: nothing is cut beyond half at once.
	keep = max(keep, len(s)/2-len(ellipsis))
	if keep <= 0 {
		return ""
	}
	s = strings.ToValidUTF8(s[:keep], "")
	if space := strings.LastIndexByte(s, ' '); space > len(s)*3/4 {
		s = s[:space]
	}
	return strings.TrimRight(s, " ,;:") + ellipsis
}
