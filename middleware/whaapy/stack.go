package whaapy

import (
	"cmp"

	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/middleware"
)

// Stack returns the stack for a server of the Whaapy agent alone: [middleware.Asixto]
// with an envelope, a budget that keeps room for it, and identifiers left in the
// results, since Whaapy demands them as evidence. What else is said there holds here:
//
//	stack := whaapy.Stack(srv, store, whaapy.Config{})
//	stack.Log = middleware.Log(logger)
//	stack.Use()
//
// Whaapy sends no idempotency key, and no other name of an operation: the id of a message
// is new each time. Its writes run unprotected: one that comes twice runs twice, and
// nothing but the log line says so, with "unprotected". Only who writes a tool knows which
// of its arguments name the operation, such as the tracking key of a transfer; the example
// makes a key of them, in Metadata, for a call without _meta, as Whaapy's are. A key made
// of all the arguments, or of the conversation, takes the second of two equal orders for
// the first one repeated. [middleware.RequireKey] refuses every write that has none.
//
// Results are not held to their schemas, which Whaapy does not
// read and [Pending] has data of its own for; set Validate to change that.
//
// It panics if store is nil or the configuration is wrong.
func Stack(srv *server.MCPServer, store idempotency.Store, cfg Config) *middleware.Stack {
	s := middleware.Asixto(srv, store)
	s.Profile = middleware.ProfileWhaapy
	s.Envelope, s.Budget = Envelope(cfg), budgetOf(cfg)
	s.Redact = middleware.Redact(cfg.Redact)
	s.Validate = middleware.Validate(middleware.ValidateConfig{Messages: cfg.Messages})
	s.Voice = nil
	return s
}

// Add lets a stack serve the Whaapy agent as well: the calls that match get the
// envelope, its budget, and results with their identifiers. All others get what the
// stack has. Fill the stack before.
//
// Whoever matches sees those identifiers: [Principal], or [AtEndpoint] where only the
// agent's credential is accepted, are proof of who it is, and [Client] is none.
//
// Two clients share a record under an idempotency key only if they are the same caller,
// see [middleware.Idempotency]. Where nobody has a credential, that is everybody: the
// result of a replay is then the one that was redacted for the first client.
//
// The writes of Whaapy have no key, and run unprotected: see [Stack].
//
// [Config.Redact] says what must not leave in the results for Whaapy: give it again what
// the stack's own Redact was told. It panics if match is nil or the configuration is
// wrong.
func Add(s *middleware.Stack, match Match, cfg Config) {
	s.Envelope = When(match, Envelope(cfg), s.Envelope)
	s.Budget = When(match, budgetOf(cfg), s.Budget)
	s.Redact = When(match, middleware.Redact(cfg.Redact), s.Redact)
}

func budgetOf(cfg Config) server.ToolHandlerMiddleware {
	return middleware.Budget(middleware.BudgetConfig{
		Limit: cmp.Or(cfg.Limit, middleware.DefaultLimit), Reserve: Reserve,
	})
}
