package whaapy

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/portavoz/portavoz/middleware"
)

// What is asked where nobody says what to ask.
const (
	askForMore     = "¿Me puede dar otro dato para continuar?"
	askToFind      = "¿Me puede dar otro dato para encontrar lo que busca?"
	askToConfirm   = "¿Confirma que desea continuar?"
	askToChoose    = "¿Cuál de estas opciones es la correcta?"
	askIfThatIsAll = "¿Es correcta esta opción?"
)

// judge decides about the status of a success, and about the next question.
func (e *enveloper) judge(ctx context.Context, rec *middleware.Record, d data) (Status, string) {
	status := Success
	reads := rec.ReadOnly(ctx)
	question := d.text("nextQuestion")
	if question == "" {
		question = d.text("next_question")
	}
	switch said := Status(d.text("status")); {
	case !reads && (said == Failed || string(d.value("ok")) == "false"):
		status = Failed
	case said == NeedsInfo, said == PendingConfirmation && (!reads || question != "" || d.value("candidates") != nil):
		status = said
	case reads: // what a reading tool says of an operation is the operation's status
		if ask := e.questionOf(rec.Tool()); ask != "" && string(d.value("total")) == "0" {
			status = NeedsInfo
			if question == "" {
				question = ask
			}
		}
	case said == InQueue, !isFinal(string(said)) && d.has("jobId") && d.has("queuedAt"):
		status = InQueue
	}
	if question == "" {
		switch status {
		case NeedsInfo:
			question = askForMore
		case PendingConfirmation:
			question = askToConfirm
		case Success, Failed, InQueue:
		}
	}
	return status, question
}

// isFinal reports whether a status says that nothing more will happen, such as that of a
// job which was done, or cancelled, by the time it was asked for.
func isFinal(status string) bool {
	switch status {
	case string(Success), "done", "completed", "finished", "cancelled", "canceled":
		return true
	}
	return false
}

// questionOf is what is asked when a tool finds nothing, or "".
func (e *enveloper) questionOf(tool string) string {
	if question, ok := e.cfg.Questions[tool]; ok {
		return question
	}
	verb, _, _ := strings.Cut(tool, "_")
	switch verb {
	case "buscar", "encontrar", "localizar", "search", "find", "lookup":
		return askToFind
	}
	return ""
}

// safetyOf is the safety of the tool that was called. A tool that is not known writes.
func (e *enveloper) safetyOf(ctx context.Context, rec *middleware.Record) Safety {
	if s, ok := e.cfg.Safety[rec.Tool()]; ok {
		return s
	}
	if rec.ReadOnly(ctx) {
		return ReadOnly
	}
	if tool := rec.Definition(ctx); tool != nil && tool.Annotations.OpenWorldHint != nil && *tool.Annotations.OpenWorldHint {
		return ExternalSend
	}
	return Mutation
}

// EvidenceError says that a write reports a success without what proves it.
type EvidenceError struct {
	// Tool is the name of the tool.
	Tool string
	// Missing are the members of its data that are missing or empty.
	Missing []string
}

// Error names the tool and the members.
func (e *EvidenceError) Error() string {
	return fmt.Sprintf("the success of tool %q lacks its evidence: %s", e.Tool, strings.Join(e.Missing, ", "))
}

// prove reports what is missing of the evidence. It is an error if [Config.Strict] says
// so.
func (e *enveloper) prove(ctx context.Context, rec *middleware.Record, status Status, d data) error {
	lack := e.lacking(rec.Tool(), status, d)
	if lack == nil {
		return nil
	}
	e.cfg.Report(ctx, lack)
	if e.cfg.Strict {
		return lack
	}
	return nil
}

// lacking returns what is missing of the evidence, or nil. An operation that is queued
// proves that by jobId and queuedAt.
func (e *enveloper) lacking(tool string, status Status, d data) error {
	names := e.cfg.Evidence[tool]
	switch {
	case status == InQueue:
		names = []string{"jobId", "queuedAt"}
	case status != Success:
		return nil
	}
	missing := slices.DeleteFunc(slices.Clone(names), d.has)
	if len(missing) == 0 {
		return nil
	}
	return &EvidenceError{Tool: tool, Missing: missing}
}
