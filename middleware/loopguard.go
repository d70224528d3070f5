package middleware

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
)

// LoopLimits are how often a tool may be called in one conversation.
type LoopLimits struct {
	// Calls is how many calls of the tool any Window holds at most. Default: 30.
	Calls int
	// Equal is how many of those may have equal arguments, compared as JSON
	// values; see [idempotency.Fingerprint]. Default: 5.
	Equal int
	// Window is the time in which calls count. Default: 2 minutes. With the
	// defaults, a tool that is asked for the state of long work every 24 seconds
	// or less often never meets a limit; one that is asked more often needs its
	// own.
	Window time.Duration
}

// LoopGuardConfig tunes [LoopGuard]. The zero value is right for most servers.
type LoopGuardConfig struct {
	// Limits hold for every tool that has none of its own.
	Limits LoopLimits
	// Tools has limits for single tools. A field that is zero there is that of
	// Limits.
	Tools map[string]LoopLimits
	// Exempt names tools that are not counted.
	Exempt []string
	// MaxTracked bounds the memory: how many pairs of a conversation and a tool
	// are remembered at once, each with some 100 bytes and 16 more for every call
	// that counts. A pair is forgotten once its calls are older than the longest
	// Window, and sooner only if at least half as many other pairs were used
	// after it. Default: 100,000.
	MaxTracked int
}

// LoopGuard ends the loop of an agent that makes the same call again and again:
// beyond the limits of a conversation the answer is BLOCKER, with code
// "repeated_call" or "too_many_calls", a sentence for the person that says to go
// on otherwise, and a hint for the model in the details. The handler does not
// run. The limits are exact over every window; a call that was refused does not
// count, one that failed does.
//
// A conversation belongs to the caller, the tenant and its id in the metadata
// (see [call.Meta]). A call without a conversation id is not guarded: calls that
// have nothing to do with each other must not share a cap. This is a guard against
// loops and not against a client that means ill, which would change the id; that
// one meets [RateLimit].
//
// It belongs inside of [Idempotency], so that replays do not count. Further rounds
// of a call that asked for input do not count either. Every process counts for
// itself. A call that a handler makes through the server counts like one of the
// client's: exempt a tool that others call in turns.
//
// It panics if a field of cfg is negative.
func LoopGuard(cfg LoopGuardConfig) server.ToolHandlerMiddleware {
	g := newLoopGuard(cfg)
	return func(next server.ToolHandlerFunc) server.ToolHandlerFunc {
		return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			ctx, rec := begin(ctx, &req)
			if err := g.check(rec, &req); err != nil {
				return nil, rec.refuse(err)
			}
			return next(ctx, req)
		}
	}
}

type loopGuard struct {
	limits LoopLimits
	tools  map[string]LoopLimits // not changed after construction
	exempt []string
	seed   maphash.Seed
	calls  *loopMemory
}

func newLoopGuard(cfg LoopGuardConfig) *loopGuard {
	preset := LoopLimits{Calls: 30, Equal: 5, Window: 2 * time.Minute}
	g := &loopGuard{exempt: slices.Clone(cfg.Exempt), tools: maps.Clone(cfg.Tools), seed: maphash.MakeSeed()}

	var problems []error
	problems = append(problems, cfg.Limits.check("Limits"))
	g.limits = cfg.Limits.or(preset)
	longest := g.limits.Window
	for _, tool := range slices.Sorted(maps.Keys(g.tools)) {
		problems = append(problems, g.tools[tool].check("Tools["+tool+"]"))
		g.tools[tool] = g.tools[tool].or(g.limits)
		longest = max(longest, g.tools[tool].Window)
	}
	switch {
	case cfg.MaxTracked < 0:
		problems = append(problems, errors.New("MaxTracked is negative"))
	case cfg.MaxTracked == 0:
		cfg.MaxTracked = 100_000
	}
	if err := errors.Join(problems...); err != nil {
		panic("portavoz/middleware: LoopGuard: " + err.Error())
	}
	g.calls = newLoopMemory(cfg.MaxTracked, longest)
	return g
}

func (l LoopLimits) check(name string) error {
	if l.Calls < 0 || l.Equal < 0 || l.Window < 0 {
		return fmt.Errorf("%s has a negative field", name)
	}
	return nil
}

// or fills the fields that are zero.
func (l LoopLimits) or(preset LoopLimits) LoopLimits {
	if l.Calls == 0 {
		l.Calls = preset.Calls
	}
	if l.Equal == 0 {
		l.Equal = preset.Equal
	}
	if l.Window == 0 {
		l.Window = preset.Window
	}
	return l
}

// check counts the call, or returns the failure if it is one too many.
func (g *loopGuard) check(rec *Record, req *mcp.CallToolRequest) error {
	if rec.meta.ConversationID == "" || slices.Contains(g.exempt, rec.tool) || isFurtherRound(req) {
		return nil
	}
	fingerprint, err := rec.fingerprint(req)
	if err != nil {
		return errors.Validation("", errors.WithCause(err))
	}
	limits, ok := g.tools[rec.tool]
	if !ok {
		limits = g.limits
	}
	switch g.calls.admit(g.key(rec), binary.LittleEndian.Uint64(fingerprint[:]), limits) {
	case loopAdmitted:
		return nil
	case loopTooManyEqual:
		return loopError(errors.CodeRepeatedCall, limits.Equal, limits.Window,
			"The tool has been called this often with these same arguments, and will not give a new answer. "+
				"Go on with the answers there are, change the arguments, use another tool, or tell the person what is missing.")
	default:
		return loopError(errors.CodeTooManyCalls, limits.Calls, limits.Window,
			"The tool has been called this often in this conversation. Go on with the answers there are, "+
				"use another tool, or ask the person for what would narrow it down.")
	}
}

func loopError(code string, calls int, window time.Duration, hint string) error {
	return errors.Blocker("", errors.WithCode(code), errors.WithDetails(map[string]any{
		"calls": calls, "window_seconds": math.Ceil(window.Seconds()), "hint": hint,
	}))
}

// key names the conversation and the tool in 64 bits that nobody outside can
// foresee, so that no id is kept. Two of a million share one with a probability
// of 3e-8, and would then share their limits.
func (g *loopGuard) key(rec *Record) uint64 {
	return maphash.Comparable(g.seed, [...]string{
		rec.caller.Name, rec.caller.Tenant, rec.meta.CompanyID, rec.meta.ConversationID, rec.tool,
	})
}

// isFurtherRound reports whether the call answers what an earlier round asked.
func isFurtherRound(req *mcp.CallToolRequest) bool {
	return len(req.Params.InputResponses) > 0 || req.Params.RequestState != ""
}
