package whaapy

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/internal/document"
	"github.com/portavoz/portavoz/middleware/internal/redact"
	"github.com/portavoz/portavoz/paginate"
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
	ok       *bool
	status   Status
	data     json.RawMessage
	errors   []map[string]json.RawMessage
	toolName string
	question string

	text  string
	wrong string // the member that is of the wrong type, or ""
}

// ownEnvelope returns the envelope that a handler made itself, and whether there is
// one: an object with a boolean ok, and one of the five statuses or this tool's name, as
// the only text that is an object, or as the data. Data beside a text have to hold more
// of an envelope than that.
func ownEnvelope(rec *middleware.Record, res *mcp.CallToolResult) (made madeEnvelope, own bool) {
	texts, ok := textsOf(res.Content)
	if objects := slices.DeleteFunc(texts, isNoObject); len(objects) == 1 {
		if made, own = readEnvelope(rec, objects[0]); own {
			return made, true
		}
	}
	if !document.MentionsOK(res.RawStructuredContent) { // most have none: nothing is copied
		return madeEnvelope{}, false
	}
	made, own = readEnvelope(rec, string(res.RawStructuredContent))
	return made, own && (!ok || made.data != nil || made.errors != nil || made.toolName != "")
}

func isNoObject(text string) bool {
	return !strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "{")
}

// readEnvelope reads the names of members letter by letter, as JavaScript does.
func readEnvelope(rec *middleware.Record, text string) (made madeEnvelope, own bool) {
	var members map[string]json.RawMessage
	if !document.MentionsOKText(text) || !strings.Contains(text, `"status"`) && !strings.Contains(text, `"toolName"`) || json.Unmarshal([]byte(text), &members) != nil {
		return made, false
	}
	made.text = text
	for _, member := range [...]struct {
		name string
		into any
	}{
		{"ok", &made.ok}, {"status", &made.status}, {"data", &made.data}, {"errors", &made.errors},
		{"toolName", &made.toolName}, {"nextQuestion", &made.question},
	} {
		if raw := members[member.name]; raw != nil && json.Unmarshal(raw, member.into) != nil {
			made.wrong = member.name
		}
	}
	return made, made.ok != nil && (made.status.isKnown() || made.names(rec))
}

// names reports whether toolName is that of the call.
func (m *madeEnvelope) names(rec *middleware.Record) bool {
	return m.toolName != "" && (m.toolName == rec.Called() || m.toolName == rec.Tool())
}

// doubtful reports whether an envelope does not say, or contradicts itself about, that
// everything was done.
func (m *madeEnvelope) doubtful() bool {
	return !*m.ok || m.status == Failed || m.status != "" && !m.status.isKnown() || len(m.errors) > 0
}

// problem is what is wrong with an envelope, or "".
func (m *madeEnvelope) problem(rec *middleware.Record) string {
	switch ok := *m.ok; {
	case m.wrong != "":
		return m.wrong + " is of the wrong type"
	case !m.status.isKnown():
		return "it has none of the five statuses"
	case ok && m.status == Failed, !ok && m.status != Failed && m.status != NeedsInfo:
		return "ok and status contradict each other"
	case m.status == Success && len(m.errors) > 0:
		return "it has errors, and is a success"
	case !ok && len(m.errors) == 0:
		return "it has no errors"
	case m.status == NeedsInfo && m.question == "":
		return "it has no nextQuestion"
	case m.toolName != "" && !m.names(rec):
		return "toolName is another tool's"
	}
	for _, e := range m.errors {
		if problem := errorProblem(e); problem != "" {
			return problem
		}
	}
	return dataProblem(m.data, m.status)
}

func errorProblem(e map[string]json.RawMessage) string {
	var code, message, messageES, field string
	var retryable bool
	for name, into := range map[string]any{
		"code": &code, "message": &message, "message_es": &messageES, "field": &field, "retryable": &retryable,
	} {
		if raw := e[name]; raw != nil && json.Unmarshal(raw, into) != nil {
			return "a member of an error is of the wrong type"
		}
	}
	if code == "" || message+messageES == "" {
		return "an error has no code or no message"
	}
	return ""
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
	read, ok := readEnvelope(rec, text)
	if !ok || *read.ok {
		return "", false
	}
	if made.Unmarked {
		e.cfg.Report(ctx, &EnvelopeError{Tool: rec.Tool(), Problem: "isError is not set"})
	}
	if problem := read.problem(rec); problem != "" {
		e.cfg.Report(ctx, &EnvelopeError{Tool: rec.Tool(), Problem: problem})
		return "", false
	}
	if _, secrets := redact.Text(text); secrets > 0 || paginate.UTF16Len(text) > e.cfg.Limit {
		return "", false
	}
	return text, true
}
