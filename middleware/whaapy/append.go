package whaapy

import (
	"strconv"
	"strings"

	"github.com/portavoz/portavoz/middleware/internal/document"
	"github.com/portavoz/portavoz/paginate"
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

func (s Status) isKnown() bool {
	switch s {
	case Success, Failed, NeedsInfo, PendingConfirmation, InQueue:
		return true
	}
	return false
}

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

// json returns the envelope, its fields always in the same order. Those that say
// nothing are left out. The data are copied once.
func (e *envelope) json() string {
	head := append(strconv.AppendBool(append(make([]byte, 0, 96), `{"ok":`...), e.ok), `,"status":"`...)
	head = append(append(head, e.status...), '"')
	tail := make([]byte, 0, 256)
	switch {
	case len(e.data) > 0 && e.data[0] != '{':
		head, tail = append(head, `,"data":{"result":`...), append(tail, '}')
	case len(e.data) > 0:
		head = append(head, `,"data":`...)
	}
	if e.failure != nil {
		tail = append(e.failure.append(append(tail, `,"errors":[`...)), ']')
	}
	tail = appendText(append(tail, `,"toolName":`...), e.tool, maxTool)
	tail = appendText(append(tail, `,"safety":`...), string(e.safety), maxSafety+2)
	tail = strconv.AppendInt(append(tail, `,"durationMs":`...), e.millis, 10)
	if e.question != "" {
		tail = appendText(append(tail, `,"nextQuestion":`...), e.question, maxQuestion)
	}
	tail = append(tail, '}')
	var b strings.Builder
	b.Grow(len(head) + len(e.data) + len(tail))
	for _, part := range [...][]byte{head, e.data, tail} {
		b.Write(part)
	}
	return b.String()
}

// appendText appends s as a JSON string of at most limit UTF-16 code units. A longer one
// ends with an ellipsis, after a word if there is one near the end.
func appendText(dst []byte, s string, limit int) []byte {
	from := len(dst)
	dst = document.AppendText(dst, s)
	for paginate.UTF16Len(dst[from:]) > limit {
		s = shorter(s, paginate.UTF16Len(dst[from:])-limit)
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
