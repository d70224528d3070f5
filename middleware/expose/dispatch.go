package expose

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware"
)

// handler is what a server calls for a unit: it finds the action, takes the
// discriminator out of the arguments and hands the call on.
func (s *Surface) handler(u *unit) server.ToolHandlerFunc {
	return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		called := req.Params.Name
		params := req.Params
		a, refusal := s.find(ctx, u, &params)
		if refusal != nil {
			return s.refuse(ctx, u, req, refusal)
		}
		req.Params = params
		req.Params.Name = a.Name
		res, err := a.run(middleware.WithDefinition(ctx, called, a.tool), req)
		if err != nil || len(a.Next) == 0 && a.Choose == nil {
			return res, err
		}
		return s.suggest(ctx, a, res), nil
	}
}

func (s *Surface) find(ctx context.Context, u *unit, params *mcp.CallToolParams) (*action, *errors.Error) {
	if u.grouped {
		return s.findGrouped(ctx, u, params)
	}
	return s.findFlat(ctx, u, params)
}

// findGrouped reads the discriminator, takes it out, and looks whether what else is
// there belongs to the action. Rules that the definition of the action has are for
// later.
func (s *Surface) findGrouped(ctx context.Context, u *unit, params *mcp.CallToolParams) (*action, *errors.Error) {
	raw, err := rawOf(params)
	if err != nil {
		return nil, errors.Validation("", errors.WithCode(errors.CodeInvalidArguments), errors.WithCause(err))
	}
	var room [fewArguments]argument
	list, ok := splitArguments(room[:0], raw)
	if !ok {
		return nil, errors.Validation("", errors.WithCode(errors.CodeInvalidArguments), errors.WithCause(errNoObject))
	}
	isDiscriminator := func(m argument) bool { return string(m.name) == s.cfg.Discriminator }
	at := slices.IndexFunc(list, isDiscriminator)
	if at < 0 {
		return nil, s.unnamed(ctx, u)
	}
	if slices.ContainsFunc(list[at+1:], isDiscriminator) {
		return nil, s.namedTwice()
	}
	sent := raw[list[at].value:list[at].to]
	if isNullText(sent) {
		return nil, s.unnamed(ctx, u)
	}
	a := u.named(sent)
	if a == nil || !s.visible(ctx, a) {
		return nil, s.unknown(ctx, u, sent)
	}
	for i := range list {
		m := &list[i]
		f, own := a.input.named[string(m.name)]
		absent := s.cfg.NullIsAbsent && isNullText(raw[m.value:m.to])
		m.out = i == at || absent && (!own || f.types&isNull == 0)
		if own || m.out {
			continue
		}
		if foreign := s.foreign(ctx, u, string(m.name)); foreign != nil {
			return nil, foreign
		}
	}
	keep(params, raw, list)
	return a, nil
}

// namedTwice is for arguments of which two readers could read two actions.
func (s *Surface) namedTwice() *errors.Error {
	return errors.Validation("", errors.WithCode(errors.CodeInvalidArguments), errors.WithField(s.cfg.Discriminator),
		errors.WithCause(errors.New("the arguments name the action twice")))
}

func isNullText(text []byte) bool { return string(text) == "null" }

// named returns the action whose name a JSON text is, nil if there is none.
func (u *unit) named(text []byte) *action {
	if len(text) < 2 || text[0] != '"' {
		return nil
	}
	if a := u.byKey[string(text[1:len(text)-1])]; a != nil {
		return a
	}
	var name string
	if json.Unmarshal(text, &name) != nil {
		return nil
	}
	return u.byKey[name]
}

// findFlat tolerates the discriminator where it is right and cannot be an argument: a
// model that has seen the grouped tool says it again.
func (s *Surface) findFlat(ctx context.Context, u *unit, params *mcp.CallToolParams) (*action, *errors.Error) {
	a := u.actions[0]
	if !s.visible(ctx, a) { // the server has no filter
		return nil, errors.Permission("")
	}
	if _, own := a.input.named[s.cfg.Discriminator]; own || a.input.open || a.namespace == "" {
		return a, nil
	}
	if values, ok := params.Arguments.(map[string]any); ok {
		if _, ok := values[s.cfg.Discriminator]; !ok {
			return a, nil
		}
	}
	raw, err := rawOf(params)
	if err != nil {
		return a, nil
	}
	list, _ := splitArguments(nil, raw)
	found := false
	for i, m := range list {
		switch {
		case string(m.name) != s.cfg.Discriminator:
		case found:
			return nil, s.namedTwice()
		case u.named(raw[m.value:m.to]) != a:
			return nil, s.contradicts()
		default:
			list[i].out, found = true, true
		}
	}
	if found {
		keep(params, raw, list)
	}
	return a, nil
}
