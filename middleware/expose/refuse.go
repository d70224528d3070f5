package expose

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/call"
	"github.com/portavoz/portavoz/middleware/internal/refusal"
	"github.com/portavoz/portavoz/middleware/internal/schema"
)

// maxListed is how many actions a refusal lists at most, so that it stays far below
// what a gateway takes.
const maxListed = 40

// problem is what is wrong with an argument, as middleware.Validate describes it to
// the model.
type problem struct {
	Field      string   `json:"field"`
	Rule       string   `json:"rule"`
	Expected   []string `json:"expected,omitempty"`
	Suggestion string   `json:"suggestion,omitempty"`
	// BelongsTo are the actions that take a field which this one does not take.
	BelongsTo []string `json:"belongs_to,omitempty"`
	// Tool is the other tool of a split namespace, if the action is there.
	Tool    string `json:"tool,omitempty"`
	Message string `json:"message"`
}

func (s *Surface) refusal(code string, p problem) *errors.Error {
	p.Message = s.cfg.Messages.For(errors.Validation("", errors.WithCode(code), errors.WithField(p.Field)))
	return errors.Validation(p.Message, errors.WithCode(code), errors.WithField(p.Field),
		errors.WithDetails(map[string]any{"problems": []problem{p}}))
}

// unnamed is for a call of a grouped tool that names no action.
func (s *Surface) unnamed(ctx context.Context, u *unit) *errors.Error {
	return s.refusal(errors.CodeMissingAction, problem{
		Field: s.cfg.Discriminator, Rule: schema.RuleMissing, Expected: s.listed(ctx, u.actions),
	})
}

// unknown is for one that names an action which is not there, or not for the caller.
// Only what is visible is ever suggested.
func (s *Surface) unknown(ctx context.Context, u *unit, sent []byte) *errors.Error {
	var name string
	_ = json.Unmarshal(sent, &name) // what is no text is near to no name
	visible := s.visibleKeys(ctx, u.actions)
	suggestion, _ := schema.Nearest(name, visible)
	p := problem{Field: s.cfg.Discriminator, Rule: "enum", Expected: short(visible), Suggestion: suggestion}
	if other := s.byAction[u.namespace.Name+"."+name]; other != nil && s.visible(ctx, other.a) {
		p.Suggestion, p.Tool = "", other.u.name
	}
	return s.refusal(errors.CodeUnknownAction, p)
}

// foreign is for a field that visible actions of the tool take, and not the one that
// is called; nil if no such action takes it.
func (s *Surface) foreign(ctx context.Context, u *unit, field string) *errors.Error {
	owners := s.listed(ctx, u.takes[field])
	if len(owners) == 0 {
		return nil
	}
	return s.refusal(errors.CodeForeignArgument, problem{Field: field, Rule: schema.RuleUnknown, BelongsTo: owners})
}

// contradicts is for a flat tool that is called with the name of another action.
func (s *Surface) contradicts() *errors.Error {
	return s.refusal(errors.CodeOtherAction, problem{Field: s.cfg.Discriminator, Rule: "const"})
}

func (s *Surface) visibleKeys(ctx context.Context, actions []*action) []string {
	var keys []string
	for _, a := range actions {
		if s.visible(ctx, a) {
			keys = append(keys, a.key)
		}
	}
	return keys
}

func (s *Surface) listed(ctx context.Context, actions []*action) []string {
	return short(s.visibleKeys(ctx, actions))
}

func short(keys []string) []string { return slices.Clone(keys[:min(len(keys), maxListed)]) }

// refused is how a call that leads to no action ends, inside of the middlewares.
func (s *Surface) refused(ctx context.Context, req mcp.CallToolRequest) error {
	e := refusal.From(ctx, req.Params.Name)
	rec := middleware.RecordFrom(ctx)
	if rec == nil || rec.Tool() == req.Params.Name && !rec.Inner() { // and no call that a handler makes
		call.ExchangeFrom(ctx).SetInvalid(call.Invalid{Field: e.Field, Message: s.cfg.Messages.For(e)})
	}
	return e
}

// refuse answers a call that leads to no action. The middlewares see a tool that
// does nothing: no key is claimed for it and no approval asked.
func (s *Surface) refuse(ctx context.Context, u *unit, req mcp.CallToolRequest, e *errors.Error) (*mcp.CallToolResult, error) {
	ctx = refusal.With(ctx, &refusal.Refusal{Tool: u.name, Err: e})
	req.Params.Name = u.name
	return u.refuse(middleware.WithDefinition(ctx, u.name, u.nothing), req)
}

// nothing is the definition of a call that leads to no action.
func nothing(name string) *mcp.Tool {
	yes, no := true, false
	return &mcp.Tool{
		Name: name, RawInputSchema: json.RawMessage(`{"type":"object"}`),
		Annotations: mcp.ToolAnnotation{ReadOnlyHint: &yes, DestructiveHint: &no, IdempotentHint: &yes, OpenWorldHint: &no},
	}
}
