package middleware

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware/call"
)

// RateLimitConfig tunes [RateLimit]. Every function in it is called for every
// call, is safe for concurrent use and quick.
type RateLimitConfig struct {
	// Limiter counts. Default: one of its own, see [NewLimiter]. Several
	// processes that share a limit need a shared one, see package redislimit.
	Limiter call.Limiter
	// Key says who pays for a call. Callers without a name, as where nobody is
	// authenticated, pay together. It must not be something that the client can
	// choose freely, or there is no limit. Default: the caller's name and tenant.
	Key func(ctx context.Context, rec *Record) string
	// ConversationShare is the part of the key's limit that one conversation may
	// use, so that one in a loop leaves the rest to the others. Calls that name
	// no conversation have no share to keep to. 1 means all. Default: 0.25.
	ConversationShare float64
	// Tools are limits of single tools. Each key has a budget of its own for such
	// a tool, and the call is paid from it and from the key's. Default: none.
	Tools map[string]call.Limit
	// Limits takes the place of the limit and of Tools: it returns the limit of a
	// key, when tool is empty, or that of a key for one tool. What it returns may
	// change at any time, and holds from then on; what was spent stays spent, and
	// comes back at the new rate.
	// Default: the limit and Tools.
	Limits func(key, tool string) call.Limit
	// Cost is how many units a call takes; zero or less is free. A call that
	// costs more than a conversation's share holds takes all of that. Default: 1.
	Cost func(ctx context.Context, req mcp.CallToolRequest) int
	// Exempt are tools that are not counted. Default: none.
	Exempt []string
	// Off switches the limit off while it returns true. Default: never.
	Off func() bool
}

// RateLimit bounds how much a caller may call. Whoever has spent the limit is
// refused before anything is asked or claimed: SYSTEM with code "rate_limited",
// and with the seconds to wait in details.retry_after_seconds and in words in the
// sentence. A call for which no wait is long enough gets the code "no_quota".
//
// One call is paid from up to three budgets, from all or from none: the key's, the
// conversation's share of it, and, where the tool has a limit of its own, that of
// the key for this tool. A refused call costs nothing, so that a loop slows down to
// its share and no further. A replay is a call and costs like one.
//
// A call that a handler makes through the server costs as well: a tool that stands
// for ten others needs room for eleven.
//
// A limiter that fails refuses: SYSTEM with code "unavailable". What to do when
// Redis is away is for package redislimit to say.
//
// Calls that reach no tool middleware, such as those of unknown tools, and
// everything else that a client may ask for, are for transport.RateLimit.
//
// It panics if the configuration makes no sense: a share below zero, a limit
// without a burst, a tool that is exempt and has a limit.
func RateLimit(limit call.Limit, cfg RateLimitConfig) server.ToolHandlerMiddleware {
	if err := cfg.problems(limit); err != nil {
		panic("portavoz/middleware: RateLimit: " + err.Error())
	}
	l := cfg.withDefaults(limit)
	return func(next server.ToolHandlerFunc) server.ToolHandlerFunc {
		return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			ctx, rec := begin(ctx, &req)
			if err := l.admit(ctx, rec, req); err != nil {
				return nil, err
			}
			return next(ctx, req)
		}
	}
}

func (cfg RateLimitConfig) problems(limit call.Limit) error {
	var problems []error
	if !(cfg.ConversationShare >= 0) { // NaN too
		problems = append(problems, errors.New("the share of a conversation is negative"))
	}
	if !limit.Unlimited() && limit.Burst <= 0 {
		problems = append(problems, errors.New("the limit has no burst"))
	}
	for tool, limit := range cfg.Tools {
		if !limit.Unlimited() && limit.Burst <= 0 {
			problems = append(problems, fmt.Errorf("the limit of tool %q has no burst", tool))
		}
		if slices.Contains(cfg.Exempt, tool) {
			problems = append(problems, fmt.Errorf("the tool %q is exempt and has a limit", tool))
		}
	}
	return errors.Join(problems...)
}

func (cfg RateLimitConfig) withDefaults(limit call.Limit) *rateLimit {
	if cfg.Limiter == nil {
		cfg.Limiter = NewLimiter(LimiterConfig{})
	}
	if cfg.Key == nil {
		cfg.Key = principal
	}
	if cfg.ConversationShare == 0 {
		cfg.ConversationShare = 0.25
	}
	if cfg.Limits == nil {
		tools := maps.Clone(cfg.Tools)
		cfg.Limits = func(_, tool string) call.Limit {
			if tool == "" {
				return limit
			}
			return tools[tool]
		}
	}
	cfg.Exempt = slices.Clone(cfg.Exempt)
	return (*rateLimit)(&cfg)
}

// principal is the key by default. No name holds a zero byte.
func principal(_ context.Context, rec *Record) string {
	if rec.caller.Tenant == "" {
		return rec.caller.Name
	}
	return rec.caller.Name + "\x00" + rec.caller.Tenant
}

// rateLimit is a configuration that is complete and not changed any more.
type rateLimit RateLimitConfig

// admit pays for the call, or returns the refusal.
func (l *rateLimit) admit(ctx context.Context, rec *Record, req mcp.CallToolRequest) error {
	if l.Off != nil && l.Off() || slices.Contains(l.Exempt, rec.tool) {
		return nil
	}
	cost := 1
	if l.Cost != nil {
		if cost = l.Cost(ctx, req); cost <= 0 {
			return nil
		}
	}
	verdict, err := l.Limiter.Take(ctx, l.charge(ctx, rec, cost))
	switch {
	case err != nil && ctx.Err() != nil:
		return errors.NoEffect(err)
	case err != nil:
		return errors.System("", errors.WithCode(errors.CodeUnavailable), errors.WithRetryable(),
			errors.WithCause(err), errors.WithEffect(errors.EffectNone))
	case verdict.Allowed():
		return nil
	}
	rec.mark(OutcomeRefused)
	return rateRefusal(verdict)
}

func (l *rateLimit) charge(ctx context.Context, rec *Record, cost int) call.Charge {
	c := call.Charge{Key: l.Key(ctx, rec)}
	whole := l.Limits(c.Key, "")
	c.Buckets[call.OfKey] = call.Bucket{Limit: whole, Cost: cost}
	if id := rec.meta.ConversationID; id != "" && l.ConversationShare < 1 {
		share := whole.Part(l.ConversationShare)
		c.Buckets[call.OfConversation] = call.Bucket{Name: id, Limit: share, Cost: min(cost, share.Burst)}
	}
	c.Buckets[call.OfTool] = call.Bucket{Name: rec.tool, Limit: l.Limits(c.Key, rec.tool), Cost: cost}
	return c
}

// rateRefusal says to the person when to come back, and to the log what was spent.
func rateRefusal(v call.Verdict) error {
	spent := "key"
	switch v.Bucket {
	case call.OfConversation:
		spent = "conversation"
	case call.OfTool:
		spent = "tool"
	}
	cause := errors.WithCause(errors.New("the limit of the " + spent + " is spent"))
	noEffect := errors.WithEffect(errors.EffectNone)
	if v.Wait == call.Never {
		return errors.System("", errors.WithCode(errors.CodeNoQuota), cause, noEffect)
	}
	return errors.System("", errors.WithCode(errors.CodeRateLimited), errors.WithRetryAfter(v.Wait), cause, noEffect)
}
