package middleware

import (
	"context"
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware/internal/document"
)

// pendingStatus says in a result that nothing has been done yet, see [isUnfinished].
const pendingStatus = "pending_confirmation"

// approvalIDName is the member that names an approval.
const approvalIDName = "approvalId"

// pendingSchema is what a pending result looks like.
const pendingSchema = `{"type":"object","properties":{"status":{"const":"` + pendingStatus + `"},` +
	`"approvalId":{"type":"string"},"nextQuestion":{"type":"string"}},"required":["status","approvalId"]}`

type pendingData struct {
	Status     string `json:"status"`
	ApprovalID string `json:"approvalId"`
	Question   string `json:"nextQuestion"`
}

// pending is the answer to a call that waits for a person.
func (a *approver) pending(ctx context.Context, rec *Record, found Approval) (*mcp.CallToolResult, error) {
	raw, err := json.Marshal(pendingData{pendingStatus, found.ID, a.cfg.Question})
	if err != nil {
		return nil, err
	}
	waiting := errors.Blocker("", errors.WithCode(errors.CodeApprovalPending), errors.WithNextQuestion(a.cfg.Question),
		errors.WithDetails(map[string]any{"status": pendingStatus, "approvalId": found.ID}))
	doc, err := document.Parse(raw)
	if err != nil || !a.outputs.of(ctx, rec).allows(doc) {
		return nil, waiting
	}
	return &mcp.CallToolResult{
		Content:              []mcp.Content{mcp.NewTextContent(a.cfg.Messages.For(waiting))},
		RawStructuredContent: raw,
	}, nil
}

// OrPending lets the outputSchema of a tool take a pending result too, see [Approve].
// Give it to mcp.NewTool after the option that declares the schema; without one,
// everything is allowed already. It panics if the schema is not a JSON object.
func OrPending() mcp.ToolOption {
	return func(tool *mcp.Tool) {
		raw, err := outputSchemaOf(tool)
		if err == nil && len(raw) == 0 {
			return
		}
		declared := map[string]json.RawMessage{}
		if err == nil {
			err = json.Unmarshal(raw, &declared)
		}
		if err != nil {
			panic("portavoz/middleware: OrPending: " + err.Error())
		}
		root := hoist(declared)
		root["anyOf"], err = json.Marshal([]any{declared, json.RawMessage(pendingSchema)})
		if err == nil {
			tool.RawOutputSchema, err = json.Marshal(root)
		}
		if err != nil {
			panic("portavoz/middleware: OrPending: " + err.Error())
		}
		tool.OutputSchema = mcp.ToolOutputSchema{}
	}
}
