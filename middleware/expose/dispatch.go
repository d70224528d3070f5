package expose

import (
	"context"
	"encoding/json"

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
	var at span
	found := 0
	if !scan(raw, func(name []byte, member span) bool {
		if string(name) == s.cfg.Discriminator {
			at = member
			found++
		}
		return true
	}) {
		return nil, errors.Validation("", errors.WithCode(errors.CodeInvalidArguments), errors.WithCause(errNoObject))
	}
	if found > 1 {
		return nil, errors.Validation("", errors.WithCode(errors.CodeInvalidArguments), errors.WithField(s.cfg.Discriminator),
			errors.WithCause(errors.New("the arguments name the action twice")))
	}
	if found == 0 || string(raw[at.value:at.to]) == "null" {
		return nil, s.unnamed(ctx, u)
	}
	a := u.named(raw[at.value:at.to])
	if a == nil || !s.visible(ctx, a) {
		return nil, s.unknown(ctx, u, raw[at.value:at.to])
	}
	var foreign *errors.Error
	keep(params, raw, func(name []byte, member span) bool {
		f, own := a.input.named[string(name)]
		switch {
		case member == at, s.cfg.NullIsAbsent && string(raw[member.value:member.to]) == "null" && (!own || f.types&isNull == 0):
			return false
		case !own && foreign == nil:
			foreign = s.foreign(ctx, u, string(name))
		}
		return true
	})
	return a, foreign
}

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

// findFlat tolerates the discriminator where it is right and no argument: a model
// that has seen the grouped tool says it again.
func (s *Surface) findFlat(ctx context.Context, u *unit, params *mcp.CallToolParams) (*action, *errors.Error) {
	a := u.actions[0]
	if !s.visible(ctx, a) { // the server has no filter
		return nil, errors.Permission("")
	}
	if _, own := a.input.named[s.cfg.Discriminator]; own || a.namespace == "" {
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
	var wrong *errors.Error
	scan(raw, func(name []byte, member span) bool {
		if string(name) != s.cfg.Discriminator {
			return true
		}
		if u.named(raw[member.value:member.to]) != a {
			wrong = s.contradicts()
		} else {
			keep(params, raw, func(_ []byte, other span) bool { return other != member })
		}
		return false
	})
	return a, wrong
}
