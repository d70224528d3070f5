package whaapy

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/internal/document"
	"github.com/portavoz/portavoz/middleware/internal/redact"
)

// EnvelopeError says what is wrong with an envelope that a handler made itself. In its
// place the client gets a failure.
type EnvelopeError struct {
	// Tool is the name of the tool.
	Tool string
	// Problem says what is wrong, and nothing of what the envelope holds.
	Problem string
}

// Error names the tool and the problem.
func (e *EnvelopeError) Error() string {
	return fmt.Sprintf("the envelope of tool %q is wrong: %s", e.Tool, e.Problem)
}

// madeEnvelope is an envelope as somebody else wrote it.
type madeEnvelope struct {
	OK           *bool             `json:"ok"`
	Status       Status            `json:"status"`
	Data         json.RawMessage   `json:"data"`
	Errors       []json.RawMessage `json:"errors"`
	ToolName     *string           `json:"toolName"`
	NextQuestion string            `json:"nextQuestion"`

	text string
}

// ownEnvelope returns the envelope that a handler made itself, and whether there is
// one: an object with a boolean ok and one of the five statuses, as the only text, or
// as the data where there is no text.
func ownEnvelope(res *mcp.CallToolResult) (made madeEnvelope, own bool) {
	texts, ok := textsOf(res.Content)
	switch {
	case len(texts) == 1 && len(res.Content) == 1:
		return readEnvelope(texts[0])
	case !ok && len(res.RawStructuredContent) > 0:
		return readEnvelope(string(res.RawStructuredContent))
	}
	return made, false
}

func readEnvelope(text string) (madeEnvelope, bool) {
	made := madeEnvelope{text: text}
	if !strings.Contains(text, `"ok"`) || !strings.Contains(text, `"status"`) || json.Unmarshal([]byte(text), &made) != nil {
		return made, false
	}
	switch made.Status {
	case Success, Failed, NeedsInfo, PendingConfirmation, InQueue:
		return made, made.OK != nil
	}
	return made, false
}

// problem is what is wrong with an envelope, or "".
func (m *madeEnvelope) problem(rec *middleware.Record) string {
	switch ok := *m.OK; {
	case ok && m.Status == Failed, !ok && m.Status != Failed && m.Status != NeedsInfo:
		return "ok and status contradict each other"
	case !ok && len(m.Errors) == 0:
		return "it has no errors"
	case m.Status == NeedsInfo && m.NextQuestion == "":
		return "it has no nextQuestion"
	case m.ToolName != nil && *m.ToolName != rec.Called() && *m.ToolName != rec.Tool():
		return "toolName is another tool's"
	}
	for _, raw := range m.Errors {
		var e struct {
			Code    string `json:"code"`
			Message string `json:"message_es"`
			English string `json:"message"`
		}
		if json.Unmarshal(raw, &e) != nil || e.Code == "" || e.Message+e.English == "" {
			return "an error has no code or no message"
		}
	}
	return dataProblem(m.Data, m.Status)
}

func dataProblem(raw json.RawMessage, status Status) string {
	if len(raw) == 0 || string(raw) == "null" {
		if status == InQueue {
			return "it has no jobId"
		}
		return ""
	}
	d, suspicious := readData(raw, nil)
	switch {
	case raw[0] != '{':
		return "data is no object"
	case status == InQueue && !d.has("jobId"):
		return "it has no jobId"
	case suspicious:
		doc, err := document.Parse(raw)
		if err != nil || unpack(doc.Root()) {
			return "a string in data holds JSON, or data is nested too deeply"
		}
	}
	return ""
}

// ownFailure returns the envelope that a handler made of its failure, if it is right
// and holds nothing that must not leave.
func (e *enveloper) ownFailure(ctx context.Context, rec *middleware.Record, failure *errors.Error) (string, bool) {
	made, ok := failure.Cause.(*middleware.EnvelopeError) //nolint:errorlint // set there, never wrapped
	if !ok {
		return "", false
	}
	text := string(made.JSON)
	read, ok := readEnvelope(text)
	if !ok || *read.OK {
		return "", false
	}
	if problem := read.problem(rec); problem != "" {
		e.cfg.Report(ctx, &EnvelopeError{Tool: rec.Tool(), Problem: problem})
		return "", false
	}
	if _, secrets := redact.Text(text); secrets > 0 || document.UTF16Len(text) > e.cfg.Limit {
		return "", false
	}
	return text, true
}
