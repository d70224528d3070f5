// Package middleware makes the tools of an mcp-go server safe to call. Every
// piece is a [server.ToolHandlerMiddleware] and works alone: around one
// handler, or for a whole server.
//
//	h := middleware.Timeout(2 * time.Second)(consultarCliente)        // one handler
//	srv.Use(middleware.Log(logger), middleware.Errors(middleware.ErrorsConfig{})) // a server
//	middleware.Asixto(srv, store).Use()                               // everything a gateway demands
//
// # Order
//
// The first one listed is the outermost. There are two halves with one border.
// Outside of [Errors] lies how a result looks, inside lies what happens, in Go
// errors; [Errors] turns an error into the failure a gateway understands.
// [Stack] holds the order, so that nobody has to remember it:
//
//	Metadata, Log, Recover, Envelope, Budget, Voice, Errors, Recover, RateLimit, Authorize, Validate, Timeout, Idempotency, LoopGuard, Approve, Redact, Ownership, Guards, Retry, handler
//
// # The call record
//
// Whichever middleware comes first makes one [Record] for the call: metadata,
// caller, the tool's definition, how it ended. The rest find it in the context,
// and so may a handler.
//
// # Pitfalls
//
// mcp-go calls a middleware's factory on every call. Nothing here keeps state
// in it; keep yours outside too. [Wrap] composes a handler once.
//
// Unknown tools, mcp-go's own input validation and native task tools never
// reach a tool middleware. Package transport logs those.
package middleware
