package expose

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
)

// SuggestionsKey is where a result carries suggestions in _meta: a list of
//
//	{"tool":"billing","arguments":{"action":"pay_invoice","id":"F-1"},"reason":"Pagar la factura"}
//
// in the order of the declaration, with the names that this client sees.
const SuggestionsKey = "portavoz/suggestions"

// suggest adds to a success which actions may follow. The result that it returns is
// its own. It works outside of the middlewares: what is stored for a replay holds no
// names, and each caller is told of what it may call now.
func (s *Surface) suggest(ctx context.Context, a *action, res *mcp.CallToolResult) *mcp.CallToolResult {
	if res == nil || res.IsError || res.NeedsInput() {
		return res
	}
	var list []any
	var texts []string
	for _, n := range a.next(ctx, res) {
		t := s.byAction[n.Action]
		if t == nil || !s.visible(ctx, t.a) {
			continue
		}
		one := map[string]any{"tool": t.u.name}
		arguments := maps.Clone(n.Arguments)
		if t.u.grouped {
			if arguments == nil {
				arguments = map[string]any{}
			}
			arguments[s.cfg.Discriminator] = t.a.key
		}
		if len(arguments) > 0 {
			one["arguments"] = arguments
		}
		if n.Reason != "" {
			one["reason"] = n.Reason
		}
		list = append(list, one)
		texts = append(texts, s.spoken(t, n.Reason))
	}
	if len(list) == 0 {
		return res
	}
	own := *res
	own.Meta = &mcp.Meta{AdditionalFields: map[string]any{}}
	if res.Meta != nil {
		own.Meta.ProgressToken = res.Meta.ProgressToken
		maps.Copy(own.Meta.AdditionalFields, res.Meta.AdditionalFields)
	}
	own.Meta.AdditionalFields[SuggestionsKey] = list
	if s.cfg.SuggestInText {
		own.Content = append(slices.Clip(res.Content), mcp.NewTextContent(strings.Join(texts, "\n")))
	}
	return &own
}

// next returns what to suggest. A Choose that panics suggests nothing: the action has
// been done, and its result is not lost for that.
func (a *action) next(ctx context.Context, res *mcp.CallToolResult) (next []Suggestion) {
	if a.Choose == nil {
		return a.Next
	}
	defer func() {
		if recover() != nil {
			next = nil
		}
	}()
	return a.Choose(ctx, res, slices.Clone(a.Next))
}

// spoken is a suggestion as a sentence, with the action as it is called here.
func (s *Surface) spoken(t *target, reason string) string {
	name := t.u.name
	if t.u.grouped {
		name += " (" + s.cfg.Discriminator + ": " + t.a.key + ")"
	}
	return strings.TrimSpace(strings.NewReplacer("{tool}", name, "{reason}", reason).Replace(s.cfg.Words.Next))
}
