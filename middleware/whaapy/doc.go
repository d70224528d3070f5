// Package whaapy lets the handlers of an MCP server serve the Whaapy agent, beside
// every other client of the same process.
//
// Whaapy reads one text block of JSON with a status, an evidence of what was done, and
// errors with a code. [Envelope] makes it of what a handler returns anyway, so that a
// handler needs to know nothing of it:
//
//	{"ok":true,"status":"success","data":{"ticketId":"4482"},"toolName":"crear_caso","safety":"mutation","durationMs":84}
//
// The parts, each of which works alone:
//
//   - [Stack] is the whole set of middlewares for a server of Whaapy's alone; [Add]
//     lets the stack of another gateway serve Whaapy as well, where a [Match] says so.
//     [When] does the same for one middleware.
//   - [NeedsMoreInfo], [Pending], [Queued] and [Evidence] are what a handler may return
//     where the data alone do not tell. They mean the same to every other client.
//   - [Sessions] are session ids that need no memory, for the protocol of 2025-06-18
//     that Whaapy speaks.
//   - [Describe] writes a tool's description in the sections that Whaapy reads.
//
// Whaapy sends no idempotency key: a write that it repeats runs again. [Stack] says what
// to do.
//
// Arguments that break the schema become the JSON-RPC error -32602 if
// transport.InvalidParams stands before the server; package transport makes it, since
// a middleware for tools cannot answer with an error of the protocol.
package whaapy
