package middleware

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/middleware/call"
)

// Stack is a set of middlewares in the one order in which they work together.
// The fields are listed from the outermost to the innermost; a nil one is left
// out. Any middleware fits any field: put your own where ours does not suit.
//
// Fill or change the fields first, then call [Stack.Use] or
// [Stack.Middleware]; later changes have no effect.
type Stack struct {
	// Metadata reads _meta under other names than the defaults.
	Metadata server.ToolHandlerMiddleware
	// Log sees everything: replays, refusals, panics, the final size.
	Log server.ToolHandlerMiddleware
	// Recover is put in twice: under everything that shapes a result, and
	// around what happens, inside of Errors.
	Recover server.ToolHandlerMiddleware
	// Envelope is the last thing done to a result, failures included, for a client
	// that wants one around it: see package whaapy. Budget keeps a reserve for it.
	Envelope server.ToolHandlerMiddleware
	// Budget keeps a result within the gateway's size limit.
	Budget server.ToolHandlerMiddleware
	// Voice makes a result fit to be heard.
	Voice server.ToolHandlerMiddleware
	// Errors is the border: errors inside, results outside.
	Errors server.ToolHandlerMiddleware
	// RateLimit refuses before any store is asked.
	RateLimit server.ToolHandlerMiddleware
	// Authorize decides whether the caller may use the tool.
	Authorize server.ToolHandlerMiddleware
	// Validate holds the arguments to the tool's schema before a key is claimed, and
	// what the handler returned to the schema of results.
	Validate server.ToolHandlerMiddleware
	// Timeout bounds the client's wait. It lies outside of Idempotency, so that
	// a run that goes on settles itself.
	Timeout server.ToolHandlerMiddleware
	// Idempotency runs a write once per key. It lies outside of every ownership
	// or state guard.
	Idempotency server.ToolHandlerMiddleware
	// LoopGuard ends the loop of an agent that repeats itself. It lies inside of
	// Idempotency, so that replays do not count.
	LoopGuard server.ToolHandlerMiddleware
	// Approve holds a write back until a person agrees.
	Approve server.ToolHandlerMiddleware
	// Redact takes out what must never leave. It lies inside of Idempotency, so
	// that nothing secret is stored.
	Redact server.ToolHandlerMiddleware
	// Ownership makes Resolve and Owns work.
	Ownership server.ToolHandlerMiddleware
	// Guards are your own checks, see [Guard].
	Guards []server.ToolHandlerMiddleware
	// Retry repeats what failed for a moment only. It is nearest to the handler.
	Retry server.ToolHandlerMiddleware

	// Profile is whose demands [Stack.Use] holds the stack to. Default:
	// [ProfileAsixto].
	Profile Profile
	// Logger is told what the stack lacks and what idempotency could not tell a
	// caller. Default: [slog.Default].
	Logger *slog.Logger

	engine *idempotency.Engine // made by a preset, or nil
	server *server.MCPServer
	use    sync.Once
}

// Asixto returns the stack for Asixto Gateway: everything its contract demands
// and this module has, in the default form. Change what you like and call Use:
//
//	store, err := redisstore.New(do) // remembers the keys of writes
//	...
//	stack := middleware.Asixto(srv, store)
//	stack.Log = middleware.Log(logger)
//	stack.Use()
//
// memory.Ephemeral is a store that forgets when the process ends: right for a
// test or a demonstration.
//
// Calls are logged with [slog.Default], end after 25 s (the gateway gives up
// after 30), and ownership is kept in memory. On the phone results are spoken in
// neutral Latin American Spanish: see [VoiceConfig] for a country's. Arguments and
// results are held to the schemas of the tools, and nothing is tolerated: the contract
// demands valid results, and clients that check them refuse the others without a word
// to the server. [CheckSchemas] says at start which schemas are broken. Redact hides
// internal identifiers, which the gateway forbids: name those that the person or the
// agent needs, such as the cita_id that a cancellation asks for, in
// [RedactConfig.Public]. Budget, LoopGuard and Retry have their defaults: a tool that
// tells the state of long work, and is asked more often than every 24 seconds, needs a
// limit of its own in [LoopGuardConfig.Tools], and a handler whose first step may have
// done something when a later one fails says so, see [Retry].
//
// A caller may make 100 calls a second and 200 at once, of which one conversation has
// five a second and ten at once: a gateway is one caller for all of its conversations.
// Other requests, such as tools/list, are for RateLimit of package transport. Authorize is left
// out, since only you know who may use what: see [Policy]. Call [Stack.Drain] at
// shutdown.
//
// It panics if store is nil.
func Asixto(srv *server.MCPServer, store idempotency.Store) *Stack {
	observer := Slog(nil)
	s := &Stack{
		Log:       Observe(observer),
		Recover:   Recover(),
		Budget:    Budget(BudgetConfig{}),
		Voice:     Voice(VoiceConfig{}),
		Errors:    Errors(ErrorsConfig{}),
		RateLimit: RateLimit(call.Rate(100, time.Second, 200), RateLimitConfig{ConversationShare: 0.05}),
		Validate:  Validate(ValidateConfig{CheckResults: true}),
		Timeout:   Timeout(25*time.Second, OnLate(observer)),
		LoopGuard: LoopGuard(LoopGuardConfig{}),
		Redact:    Redact(RedactConfig{HideIDs: true}),
		Ownership: Ownership(NewOwnershipStore(OwnershipConfig{})),
		Retry:     Retry(RetryConfig{}),
		server:    srv,
	}
	engine, err := idempotency.New(store, idempotency.Config{Report: s.incident})
	if err != nil {
		panic("portavoz/middleware: Asixto: " + err.Error())
	}
	s.Idempotency, s.engine = Idempotency(engine), engine
	return s
}

// incident logs what no caller is told.
func (s *Stack) incident(i idempotency.Incident) {
	attrs := []slog.Attr{slog.String("kind", i.Kind), slog.String("tool", clip(i.Operation.Name))}
	if i.Err != nil {
		attrs = append(attrs, slog.String("error", logText(i.Err)))
	}
	s.logger().LogAttrs(context.Background(), slog.LevelError, "idempotency incident", attrs...)
}

func (s *Stack) logger() *slog.Logger {
	if s.Logger == nil {
		return slog.Default()
	}
	return s.Logger
}

// Drain waits until the writes that outlived their connection have ended and
// the store has taken their outcome, or ctx ends. New writes are refused from
// then on: call it after http.Server.Shutdown, which does not see such runs. It
// is for the engine that the preset made; one of your own has a Drain itself.
func (s *Stack) Drain(ctx context.Context) error {
	if s.engine == nil {
		return nil
	}
	return s.engine.Drain(ctx)
}

// Middleware returns the stack as one middleware.
func (s *Stack) Middleware() server.ToolHandlerMiddleware {
	outer := []server.ToolHandlerMiddleware{
		s.Metadata,
		s.Log,
		s.net(),
		s.Envelope,
		s.Budget,
		s.Voice,
		s.Errors,
		s.Recover,
		s.RateLimit,
		s.Authorize,
		s.Validate,
		s.Timeout,
		s.Idempotency,
		s.LoopGuard,
		s.Approve,
		s.Redact,
		s.Ownership,
	}
	return Chain(slices.Concat(outer, s.Guards, []server.ToolHandlerMiddleware{s.Retry})...)
}

// net is the outer Recover. It stands outside of Errors, where a Go error would
// reach the client with its text: what it catches becomes a result by way of
// Errors.
func (s *Stack) net() server.ToolHandlerMiddleware {
	if s.Recover == nil || s.Errors == nil {
		return s.Recover
	}
	shape, catch := s.Errors, s.Recover
	return func(next server.ToolHandlerFunc) server.ToolHandlerFunc {
		next = catch(next)
		return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			res, err := next(ctx, req)
			if err == nil {
				return res, nil
			}
			return shape(func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return nil, err
			})(ctx, req)
		}
	}
}

// Use puts the stack on the server that it was made for, inside of what the
// server already uses, and logs what the profile still lacks. A second call
// does nothing. It panics if the stack was not made by a preset.
func (s *Stack) Use() {
	if s.server == nil {
		panic("portavoz/middleware: Use needs a stack made by a preset; call server.Use(stack.Middleware())")
	}
	s.use.Do(func() {
		s.server.Use(s.Middleware())
		profile := cmp.Or(s.Profile, ProfileAsixto)
		for _, gap := range s.Missing(profile) {
			s.logger().LogAttrs(context.Background(), slog.LevelWarn, "the stack lacks what the gateway demands",
				slog.String("profile", string(profile)), slog.String("field", gap.Field), slog.String("demand", gap.Demand))
		}
	})
}
